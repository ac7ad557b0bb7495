package hermes

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// message is one message, wherever it is kept.
type message struct {
	id, role, content, call, tool, thought string
	calls                                  gjson.Result
	at                                     time.Time
	summary                                bool // of a talk that was compacted
	hidden                                 bool // from the user
	undone                                 bool // rewound
}

// jsonContent begins a content that is JSON, with a character that no text
// begins with. Newer releases write the second.
var jsonContent = []string{"\x00json:", "\x01json:"}

// said is the text of a content.
func said(content string) string {
	for _, begin := range jsonContent {
		if raw, ok := strings.CutPrefix(content, begin); ok {
			return store.Text(gather.Parse(raw).Raw)
		}
	}
	return content
}

// message reads a message.
func (r *reader) message(m message) {
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: m.at}
	if m.id != "" { // each database, and each file, numbers its messages by itself
		t.ID = r.ID + "/" + m.id
	}
	if m.undone {
		r.Undo(t.ID)
	}
	switch m.role {
	case "user":
		r.user(t, m)
	case "assistant":
		r.assistant(t, m)
	case "tool":
		t.Kind, t.Call, t.Tool = sessions.ToolOutput, m.call, m.tool
		if t.Tool == "" {
			t.Tool = r.tools[m.call]
		}
		t.Text = said(m.content)
		r.Add(t)
	case "system", "session_meta":
	default:
		r.to.Skip(store.Unknown(m.role), r.t.Path+": session "+r.ID)
	}
}

// spoke notes the time of what somebody said.
func (r *reader) spoke(t sessions.Turn) {
	if t.At.After(r.LastActive) {
		r.LastActive = t.At
	}
}

// user reads what comes in the user's name: besides what somebody wrote, the
// summary of a talk that was compacted.
func (r *reader) user(t sessions.Turn, m message) {
	if m.hidden {
		return
	}
	summary, prompt := wrote(said(m.content))
	if m.summary && summary == "" {
		summary, prompt = prompt, ""
	}
	r.summary(t, summary)
	t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, prompt
	if strings.TrimSpace(prompt) != "" {
		r.spoke(t)
	}
	r.Add(t)
}

func (r *reader) summary(t sessions.Turn, text string) {
	t.Kind, t.Role, t.Text = sessions.Summary, sessions.Assistant, text
	r.Add(t)
}

func (r *reader) assistant(t sessions.Turn, m message) {
	text := said(m.content)
	if m.summary || begins(strings.TrimSpace(text), summaries) != "" {
		r.summary(t, text)
		return
	}
	r.spoke(t)
	thought := t
	thought.Kind, thought.Text = sessions.Thinking, m.thought
	r.Add(thought)
	t.Text = text
	r.Add(t)
	for _, c := range m.calls.Array() {
		r.called(t, c)
	}
}

// called reads a call, as OpenAI's models write it. Its arguments are JSON in a
// text.
func (r *reader) called(t sessions.Turn, c gjson.Result) {
	f := c.Get("function")
	if !f.IsObject() {
		f = c
	}
	t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(c.Get("id")), gather.Text(f.Get("name"))
	t.Text, t.Cut = store.Input(f.Get("arguments").Raw)
	r.tools[t.Call] = t.Tool
	r.Add(t)
}
