package tasks

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// The tools that run commands and drive a browser.
const (
	shell   = "execute_command"
	browser = "browser_action"
)

// work reads what tools were to do and what came of it; false of a row that
// tells something else.
func (r *reader) work(t sessions.Turn, kind, text string) bool {
	doc := gather.Parse(text)
	switch kind {
	case "tool":
		if gather.Text(doc.Get("tool")) == summarizer {
			t.Kind, t.Text = sessions.Summary, gather.Text(doc.Get("content"))
			r.add(t)
			break
		}
		r.calls(t, cmp.Or(gather.Text(doc.Get("tool")), kind), without(doc, "tool"), kind, used(doc))
	case "use_subagents":
		r.calls(t, kind, store.Text(doc.Get("prompts").Raw), kind, nil)
	case "subagent": // written over while they are at work
		r.outputs(t, store.Text(doc.Get("items.#.result").Raw))
	case "command":
		r.calls(t, shell, text, kind, []string{text})
	case "use_mcp_server":
		r.calls(t, cmp.Or(gather.Text(doc.Get("toolName")), kind), cmp.Or(gather.Text(doc.Get("arguments")), text), kind, used(doc))
	case browser:
		r.calls(t, browser, text, browser, used(doc))
	case "browser_action_launch":
		r.calls(t, browser, text, browser, []string{"launch"})
	case "command_output", "mcp_server_response", "subtask_result", "codebase_search_result":
		r.outputs(t, text)
	case "browser_action_result": // the rest is a picture
		r.outputs(t, gather.Text(doc.Get("logs")))
	default:
		return false
	}
	return true
}

// summarizer is the tool with which a task is summed up before it goes on.
const summarizer = "summarizeTask"

// without is an object without one of its fields.
func without(doc gjson.Result, field string) string {
	var fields []string
	doc.ForEach(func(key, value gjson.Result) bool {
		if key.String() != field {
			fields = append(fields, key.Raw+":"+value.Raw)
		}
		return true
	})
	return "{" + strings.Join(fields, ",") + "}"
}

// calls reads a call, and looks among what was exchanged for the output of one of
// this kind of row that is used on the same.
func (r *reader) calls(t sessions.Turn, tool, input, kind string, on []string) {
	t.Kind, t.Tool, t.Call = sessions.ToolCall, tool, t.ID
	t.Text, t.Cut = input, false
	if strings.HasPrefix(input, "{") {
		t.Text, t.Cut = store.Input(input)
	}
	if !r.add(t) {
		return
	}
	r.call = t
	var out output
	if out, r.whole = r.sent.take(kind, on); r.whole {
		t.Kind, t.Text, t.Cut, t.Failed = sessions.ToolOutput, out.text(), false, out.failed
		r.output = &t
	}
}

// outputs reads what the newest call returned, which no row names, unless all of
// it is known.
func (r *reader) outputs(t sessions.Turn, text string) {
	if r.whole {
		return
	}
	t.Kind, t.Tool, t.Call, t.Text = sessions.ToolOutput, r.call.Tool, r.call.Call, text
	r.add(t)
}
