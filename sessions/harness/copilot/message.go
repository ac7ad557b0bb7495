package copilot

import (
	"strconv"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// user reads what somebody typed. Data also holds what was made of it for the
// model, which is not looked at.
func (r *reader) user(e event) {
	text := e.text()
	source := jsonl.Plain(jsonl.Field(e.data, "source"))
	switch {
	case strings.HasPrefix(source, "skill-"), store.Tagged(text, skillTag),
		e.agent == "" && strings.HasPrefix(source, "agent-"), jsonl.Field(e.data, "isAutopilotContinuation") == "true":
		return
	}
	t := sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: e.at, ID: e.id, Text: text}
	if a := r.agent(e); a != nil && store.Hash(strings.TrimSpace(text)) == a.Task {
		return // it is told as the call's
	}
	r.say(e, t)
}

// skillTag is around what a skill says, which releases that name no source put into
// the user's mouth.
const skillTag = "skill-context"

// text is what a message says.
func (e event) text() string {
	if content := jsonl.Field(e.data, "content"); content != "" {
		return store.Text(content)
	}
	return store.Text(e.content)
}

// assistant reads a message of the assistant's.
func (r *reader) assistant(e event) {
	t := sessions.Turn{Role: sessions.Assistant, At: e.at, ID: jsonl.Text(jsonl.Field(e.data, "messageId"))}
	if t.ID == "" {
		t.ID = e.id
	}
	if model := jsonl.Text(jsonl.Field(e.data, "model")); model != "" && e.agent == "" {
		r.st.Used = model
	}
	if text := jsonl.Text(jsonl.Field(e.data, "reasoningText")); strings.TrimSpace(text) != "" && store.Hash(text) != *r.lastMused(e) {
		t := t
		t.Kind, t.Text = sessions.Thinking, text
		r.turn(e, t)
	}
	t.Kind, t.Text = sessions.Reply, e.text()
	r.say(e, t)
	for request := range jsonl.Elements(jsonl.Field(e.data, "toolRequests")) {
		r.call(e, t.ID, request)
	}
}

// mused reads reasoning in an event of its own, which the message that follows
// may hold once more.
func (r *reader) mused(e event) {
	text := jsonl.Text(jsonl.Field(e.data, "content"))
	if strings.TrimSpace(text) == "" {
		return
	}
	*r.lastMused(e) = store.Hash(text)
	r.turn(e, sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, At: e.at, ID: e.id, Text: text})
}

// lastMused is where the latest reasoning is kept of whoever an event is of.
func (r *reader) lastMused(e event) *uint64 {
	if a := r.agent(e); a != nil {
		return &a.Mused
	}
	return &r.st.Mused
}

// started reads the beginning of a call, which matters where no message of the
// assistant's told of it: the user asked for it, or it was not recorded.
func (r *reader) started(e event) { r.call(e, e.id, e.data) }

// call sends a tool call, once.
func (r *reader) call(e event, message, request string) {
	var id, name, arguments string
	for key, v := range jsonl.Fields(request) {
		switch key {
		case "toolCallId":
			id = jsonl.Text(v)
		case "name", "toolName":
			name = jsonl.Text(v)
		case "arguments":
			arguments = v
		}
	}
	if !r.calls(e).Begin(id, store.Call{Tool: name, Task: task(arguments)}) {
		return
	}
	t := sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, At: e.at, ID: message, Tool: name, Call: id}
	if e.kind == "tool.user_requested" {
		t.Role = sessions.User
	}
	t.Text, t.Cut = store.Input(arguments)
	r.turn(e, t)
}

// output sends what a call returned.
func (r *reader) output(e event) {
	id := jsonl.Text(jsonl.Field(e.data, "toolCallId"))
	call, fresh := r.calls(e).End(id)
	if !fresh {
		return
	}
	t := sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, At: e.at, ID: e.id, Tool: call.Tool, Call: id}
	t.Failed = jsonl.Field(e.data, "success") == "false"
	result := jsonl.Field(e.data, "result")
	text := jsonl.Text(result)
	if text == "" {
		text = store.Text(jsonl.Field(result, "content"))
	}
	if text == "" {
		text = store.Text(jsonl.Field(result, "detailedContent"))
	}
	if failure := jsonl.Text(jsonl.Field(jsonl.Field(e.data, "error"), "message")); text == "" {
		text = failure
	}
	t.Text, t.Cut = sessions.CapOutput(text)
	r.turn(e, t)
}

// compaction sends the summary of what was said before.
func (r *reader) compaction(e event) {
	if jsonl.Field(e.data, "success") == "false" {
		return
	}
	r.say(e, sessions.Turn{
		Kind: sessions.Summary, Role: sessions.Assistant, At: e.at, ID: e.id, Text: jsonl.Text(jsonl.Field(e.data, "summaryContent")),
	})
}

// say sends a conversation turn that has text, before the first of them what is
// known of the session.
func (r *reader) say(e event, t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	facts, id := &r.st.Facts, r.id
	a := r.agent(e)
	if a != nil {
		facts, id = &a.Facts, r.agentID(a)
	}
	facts.Talk = true
	if t.Kind != sessions.Summary {
		facts.Said(t.At)
	}
	if !r.told[id] {
		r.told[id] = true
		if a != nil {
			r.to.Facts(r.agentFacts(a))
		} else {
			r.to.Facts(r.facts())
		}
	}
	r.to.Turn(id, t, t.ID != "")
}

// turn sends a turn of another kind.
func (r *reader) turn(e event, t sessions.Turn) {
	id := r.id
	if a := r.agent(e); a != nil {
		id = r.agentID(a)
	}
	r.to.Turn(id, t, false)
}

// legacyMessage reads the nth message of a document. It has neither id nor time.
func (r *reader) legacyMessage(message string, n int) {
	t := sessions.Turn{Text: store.Text(jsonl.Field(message, "content")), ID: r.id + "/" + strconv.Itoa(n)}
	switch jsonl.Plain(jsonl.Field(message, "role")) {
	case "user", "human":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	case "assistant":
		t.Kind, t.Role = sessions.Reply, sessions.Assistant
	default:
		return
	}
	r.say(event{}, t)
}
