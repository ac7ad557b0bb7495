package amp

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// message reads a message. What tools return comes in the user's name.
func (r *reader) message(number int, m gjson.Result) {
	s := r.of(gather.Text(m.Get("parentToolUseId")))
	id := m.Get("messageId")
	if id.Type != gjson.Number {
		id = gjson.Result{Raw: strconv.Itoa(number)}
	}
	// Threads count their messages each from 0.
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: r.main.ID + "/" + id.Raw}
	if t.At = gather.Moment(m.Get("meta.sentAt").Num); t.At.IsZero() {
		t.At = gather.Written(gather.Text(m.Get("usage.timestamp")))
	}
	role := m.Get("role").String()
	switch role {
	case "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	case "assistant":
		if model := gather.Text(m.Get("usage.model")); model != "" {
			s.Model, s.Provider = model, store.Maker(model)
		}
	case "info": // what Amp itself put there
		t.Kind = sessions.Summary
	default:
		r.to.Skip(store.Unknown(role), r.place(number))
		return
	}
	if t.Kind != sessions.Summary && t.At.After(s.LastActive) {
		s.LastActive = t.At
	}
	r.content(s, t, number, m)
}

// content reads a message's blocks; all of its text stands at the place of the
// first. Early releases have a text instead.
func (r *reader) content(s *session, t sessions.Turn, number int, m gjson.Result) {
	content := m.Get("content")
	text := cmp.Or(store.Text(content.Raw), gather.Text(m.Get("text")))
	say := func() {
		t := t
		t.Text, text = text, ""
		if t.Kind != sessions.Summary { // a notice is not talk
			s.Add(t)
		}
	}
	if !content.IsArray() {
		say()
		return
	}
	for _, block := range content.Array() {
		switch kind := block.Get("type").String(); kind {
		case "text":
			say()
		case "thinking":
			thought := t
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(block.Get("thinking"))
			s.Add(thought)
		case "tool_use", "server_tool_use":
			s.call(t, block)
		case "tool_result":
			s.result(t, gather.Text(block.Get("toolUseID")), block.Get("run"))
		case "summary":
			summary := t
			summary.Kind, summary.Role, summary.Text = sessions.Summary, sessions.Assistant, gather.Text(block.Get("summary.summary"))
			s.Add(summary)
		case "manual_bash_invocation":
			s.command(t, block)
		case "image", "redacted_thinking":
		default:
			r.to.Skip(store.Unknown(kind), r.place(number))
		}
	}
}

func (s *session) call(t sessions.Turn, block gjson.Result) {
	t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(block.Get("id")), gather.Text(block.Get("name"))
	t.Text, t.Cut = store.Input(block.Get("input").Raw)
	s.tools[t.Call] = t.Tool
	s.Add(t)
}

// result reads what a call returned, or why it did not.
func (s *session) result(t sessions.Turn, call string, run gjson.Result) {
	t.Kind, t.Role, t.Call, t.Tool = sessions.ToolOutput, sessions.Assistant, call, s.tools[call]
	status := run.Get("status").String()
	t.Failed = status == "error" || status == "cancelled"
	t.Text = cmp.Or(output(run.Get("result")), gather.Text(run.Get("error.message")))
	if t.Text == "" && t.Failed {
		t.Text = status
	}
	s.Add(t)
}

// output is a result as text: of an object its output, or its content, where it
// has one. An image's bytes are none.
func output(result gjson.Result) string {
	switch {
	case result.Type == gjson.String:
		return gather.Text(result)
	case result.Type == gjson.Null:
		return ""
	case result.IsObject():
		for _, field := range []string{"output", "content"} {
			if text := output(result.Get(field)); text != "" {
				return text
			}
		}
		return gather.Result(result.Raw)
	}
	var texts []string
	for element := range jsonl.Elements(result.Raw) {
		if strings.HasPrefix(element, "{") && jsonl.Plain(jsonl.Field(element, "type")) == "image" {
			continue
		}
		texts = append(texts, gather.Result(element))
	}
	return strings.Join(texts, "\n")
}

// userShell is the tool of a command that the user ran with "$".
const userShell = "bash"

func (s *session) command(t sessions.Turn, block gjson.Result) {
	t.Kind, t.Role, t.Tool, t.Call = sessions.ToolCall, sessions.User, userShell, t.ID
	t.Text = gather.Text(block.Get("args.cmd"))
	s.Add(t)
	s.tools[t.Call] = userShell
	s.result(t, t.Call, block.Get("toolRun"))
}
