package tasks

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// shell is the tool that runs commands.
const shell = "execute_command"

// work reads what tools were to do and what came of it; false of a row that
// tells something else.
func (r *reader) work(t sessions.Turn, kind, text string) bool {
	doc := gather.Parse(text)
	switch kind {
	case "tool":
		r.calls(t, cmp.Or(gather.Text(doc.Get("tool")), kind), without(doc, "tool"))
	case "command":
		r.calls(t, shell, text)
	case "use_mcp_server":
		r.calls(t, cmp.Or(gather.Text(doc.Get("toolName")), kind), cmp.Or(gather.Text(doc.Get("arguments")), text))
	case "browser_action", "browser_action_launch":
		r.calls(t, "browser_action", text)
	case "command_output", "mcp_server_response", "subtask_result", "codebase_search_result":
		r.output(t, text)
	case "browser_action_result": // the rest is a picture
		r.output(t, gather.Text(doc.Get("logs")))
	default:
		return false
	}
	return true
}

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

func (r *reader) calls(t sessions.Turn, tool, input string) {
	t.Kind, t.Tool, t.Call = sessions.ToolCall, tool, t.ID
	t.Text, t.Cut = input, false
	if strings.HasPrefix(input, "{") {
		t.Text, t.Cut = store.Input(input)
	}
	r.call, r.caller = t.Call, tool
	r.add(t)
}

// output reads what the newest call returned, which no row names.
func (r *reader) output(t sessions.Turn, text string) {
	t.Kind, t.Tool, t.Call, t.Text = sessions.ToolOutput, r.caller, r.call, text
	r.add(t)
}
