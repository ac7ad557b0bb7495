package openhands

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// ignored are the kinds of event in which nothing is said.
var ignored = map[string]bool{
	"SystemPromptEvent": true, "ConversationStateUpdateEvent": true, "CondensationRequest": true, "PauseEvent": true, "InterruptEvent": true,
	"TokenEvent": true, "LLMCompletionLogEvent": true, "ConversationErrorEvent": true, "StreamingDeltaEvent": true,
	"HookExecutionEvent": true,
}

// The tools by which the agent ends its work, with its last words, and thinks.
const (
	finishAction = "FinishAction"
	thinkAction  = "ThinkAction"
)

// event reads an event of the command line, or of the older server, whose events
// have no kind.
func (r *reader) event(e gjson.Result, path string) {
	t := sessions.Turn{Role: sessions.Assistant, At: gather.Local(gather.Text(e.Get("timestamp"))), ID: gather.Text(e.Get("id"))}
	r.st.Began(t.At)
	switch kind := e.Get("kind").String(); {
	case kind == "MessageEvent":
		r.message(t, e)
	case kind == "ActionEvent":
		r.action(t, e)
	case kind == "ObservationEvent":
		r.observation(t, e)
	case kind == "ACPToolCallEvent":
		r.elsewhere(t, e)
	case kind == "AgentErrorEvent":
		r.output(t, gather.Text(e.Get("tool_call_id")), gather.Text(e.Get("error")), true)
	case kind == "UserRejectObservation":
		r.output(t, gather.Text(e.Get("tool_call_id")), gather.Text(e.Get("rejection_reason")), true)
	case kind == "Condensation", kind == "CondensationSummaryEvent":
		t.Kind, t.Text = sessions.Summary, gather.Text(e.Get("summary"))
		r.say(t)
	case kind == "" && (e.Get("action").Exists() || e.Get("observation").Exists()):
		r.old(t, e, path)
	case !ignored[kind]:
		r.to.Skip(store.Unknown(strings.ToLower(kind)), path)
	}
}

// message reads what somebody said. What the agent's context adds to a prompt
// stands beside it.
func (r *reader) message(t sessions.Turn, e gjson.Result) {
	m := e.Get("llm_message")
	r.thoughts(t, m)
	t.Kind, t.Text = sessions.Reply, store.Text(m.Get("content").Raw)
	switch e.Get("source").String() {
	case "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	case "environment":
		return // a hook's or a program's note
	}
	r.st.Said(t.At)
	r.say(t)
}

// thoughts sends the reasoning of a model: as blocks, or else as one text.
func (r *reader) thoughts(t sessions.Turn, of gjson.Result) {
	item := of.Get("responses_reasoning_item") // of OpenAI's models
	r.think(t, cmp.Or(store.Text(of.Get("thinking_blocks.#.thinking").Raw), gather.Text(of.Get("reasoning_content")), store.Text(item.Get("content").Raw), store.Text(item.Get("summary").Raw)))
}

// elsewhere reads a call that another agent made, which is told again as it goes
// on: with its arguments, and at last with what it returned.
func (r *reader) elsewhere(t sessions.Turn, e gjson.Result) {
	r.st.Said(t.At)
	status, id := e.Get("status").String(), gather.Text(e.Get("tool_call_id"))
	ended := status == "completed" || status == "failed"
	if input := e.Get("raw_input"); ended || input.IsObject() && input.Raw != "{}" {
		r.call(t, id, cmp.Or(gather.Text(e.Get("title")), gather.Text(e.Get("tool_kind"))), input.Raw)
	}
	if ended {
		text := gather.Result(e.Get("raw_output").Raw)
		for _, block := range e.Get("content").Array() {
			text = cmp.Or(text, gather.Text(block.Get("content.text")))
		}
		r.output(t, id, text, status == "failed" || e.Get("is_error").Bool())
	}
}

func (r *reader) think(t sessions.Turn, text string) {
	t.Kind, t.Text = sessions.Thinking, text
	if strings.TrimSpace(text) != "" {
		r.to.Turn(r.id, t, false)
	}
}

// action reads a call, with what the agent thought before it.
func (r *reader) action(t sessions.Turn, e gjson.Result) {
	r.st.Said(t.At)
	r.thoughts(t, e)
	r.think(t, store.Text(e.Get("thought").Raw))
	action, call := e.Get("action"), e.Get("tool_call")
	arguments := call.Get("arguments")
	switch action.Get("kind").String() {
	case finishAction:
		t.Kind, t.Text = sessions.Reply, gather.Text(action.Get("message"))
		r.say(t)
		return
	case thinkAction:
		r.think(t, gather.Text(action.Get("thought")))
		return
	}
	if !arguments.Exists() {
		arguments = action
	}
	id := cmp.Or(gather.Text(e.Get("tool_call_id")), gather.Text(call.Get("id")))
	r.call(t, id, cmp.Or(gather.Text(e.Get("tool_name")), gather.Text(call.Get("name"))), arguments.Raw)
}

func (r *reader) call(t sessions.Turn, id, tool, input string) {
	if !r.st.Calls.Begin(id, store.Call{Tool: tool}) {
		return
	}
	t.Kind, t.Call, t.Tool = sessions.ToolCall, id, tool
	t.Text, t.Cut = store.Input(input)
	r.to.Turn(r.id, t, false)
}

// observation reads what a call returned.
func (r *reader) observation(t sessions.Turn, e gjson.Result) {
	o := e.Get("observation")
	switch o.Get("kind").String() {
	case "FinishObservation", "ThinkObservation":
		return // they say what the action said
	}
	text := store.Text(o.Get("content").Raw)
	for _, field := range []string{"output", "error"} { // of the first releases
		text = cmp.Or(text, store.Text(o.Get(field).Raw))
	}
	r.output(t, gather.Text(e.Get("tool_call_id")), text, o.Get("is_error").Bool())
}

func (r *reader) output(t sessions.Turn, id, text string, failed bool) {
	call, fresh := r.st.Calls.End(id)
	if !fresh || strings.TrimSpace(text) == "" {
		return
	}
	t.Kind, t.Call, t.Tool, t.Failed = sessions.ToolOutput, id, call.Tool, failed
	t.Text, t.Cut = sessions.CapOutput(text)
	r.to.Turn(r.id, t, false)
}

// say sends a conversation turn that has text, before the first of them what is
// known of the session.
func (r *reader) say(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	r.st.Talk = true
	if !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.id, t, true)
}
