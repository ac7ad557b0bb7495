package goose

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// message is one message as either store holds it.
type message struct {
	id, role string
	created  time.Time
	content  gjson.Result
	hidden   bool // from the user: what compaction wrote for the model
}

// message reads a message. What tools return comes in the user's name; what
// compaction writes is not shown to the user, a summary in his name and a
// sentence to go on with in the assistant's.
func (r *reader) message(m message) {
	if m.created.After(r.LastActive) && !m.hidden {
		r.LastActive = m.created
	}
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: m.created, ID: m.id}
	switch {
	case m.hidden && m.role == "user":
		t.Kind = sessions.Summary
	case m.hidden:
		return
	case m.role == "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	}
	text := said(m.content, t.Kind)
	for _, block := range m.content.Array() {
		switch kind := block.Get("type").String(); kind {
		case "text":
			words := t
			words.Text, text = text, ""
			r.Add(words)
		case "toolRequest", "frontendToolRequest":
			r.request(t, block)
		case "toolResponse":
			r.response(t, block)
		case "thinking":
			thought := t
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(block.Get("thinking"))
			r.Add(thought)
		case "image", "redactedThinking", "toolConfirmationRequest", "actionRequired", "systemNotification",
			"conversationCompacted", "contextLengthExceeded", "summarizationRequested", "jsonRenderSpec":
		default:
			r.to.Skip(store.Unknown(kind), r.t.Path+": session "+r.ID)
		}
	}
}

// said is all text of a message, without what goose adds to a prompt.
func said(content gjson.Result, kind sessions.Kind) string {
	var texts []string
	for _, block := range content.Array() {
		if block.Get("type").String() != "text" {
			continue
		}
		text := gather.Text(block.Get("text"))
		if kind == sessions.Prompt {
			text = store.Without(text, "<info-msg>", "</info-msg>")
		}
		texts = append(texts, text)
	}
	return store.Joined(sessions.TurnGap, texts...)
}

// request reads a call. One that the model got wrong has an error in its place.
func (r *reader) request(t sessions.Turn, block gjson.Result) {
	call := block.Get("toolCall")
	value := call.Get("value")
	t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(block.Get("id")), gather.Text(value.Get("name"))
	if value.Get("arguments").Exists() {
		t.Text, t.Cut = store.Input(value.Get("arguments").Raw)
	}
	if r.tools == nil {
		r.tools = map[string]string{}
	}
	r.tools[t.Call] = t.Tool
	r.Add(t)
	if wrong := gather.Text(call.Get("error")); wrong != "" {
		t.Kind, t.Text, t.Cut, t.Failed = sessions.ToolOutput, wrong, false, true
		r.Add(t)
	}
}

func (r *reader) response(t sessions.Turn, block gjson.Result) {
	result := block.Get("toolResult")
	value := result.Get("value")
	t.Kind, t.Role, t.Call = sessions.ToolOutput, sessions.Assistant, gather.Text(block.Get("id"))
	t.Tool = r.tools[t.Call]
	t.Failed = result.Get("status").String() == "error" || value.Get("isError").Bool()
	content := value
	if value.IsObject() {
		content = value.Get("content")
	}
	t.Text = cmp.Or(returned(content, "assistant"), returned(content, ""), gather.Text(content), gather.Text(result.Get("error")))
	r.Add(t)
}

// returned is what parts of a tool's result say that are meant for somebody;
// "" is for anybody. What a tool shows to the user stands there twice, once for
// the model.
func returned(content gjson.Result, audience string) string {
	var texts []string
	for _, part := range content.Array() {
		meant := part.Get("annotations.audience")
		if audience != "" && meant.IsArray() && !slices.ContainsFunc(meant.Array(), func(v gjson.Result) bool { return v.String() == audience }) {
			continue
		}
		text, _ := store.BlockText(part.Raw)
		texts = append(texts, cmp.Or(text, gather.Text(part.Get("resource.text"))))
	}
	return store.Joined(sessions.TurnGap, texts...)
}
