package continuedev

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// Read reads a session whole.
func (s *Source) Read(_ context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	doc, err := store.Document(t.Path)
	if err != nil {
		return sessions.Mark{}, err
	}
	r := &reader{t: t, to: to, tools: map[string]string{}, ended: map[string]bool{}, returned: map[string]string{}}
	r.facts(gjson.Parse(doc), s.listed(t.Path))
	if r.Empty() {
		return sessions.Mark{}, nil
	}
	_, err = r.Send(sessions.Mark{}, to)
	return sessions.Mark{}, err
}

type reader struct {
	gather.Session
	t        sessions.Transcript
	to       sessions.Sink
	tools    map[string]string // names by the calls' ids
	ended    map[string]bool   // calls of which the output is told
	returned map[string]string // what messages of their own say that calls returned
	trail    uint64            // hash of what was said so far
}

// unnamed are the titles of a session that nobody, and no model, named yet.
var unnamed = map[string]bool{"New Session": true, "Untitled Session": true}

// facts reads a document; listed is its entry in the list of all sessions.
func (r *reader) facts(doc, listed gjson.Result) {
	r.Harness, r.Path, r.ID = harness, r.t.Path, idOf(r.t.Path)
	for _, known := range []gjson.Result{doc, listed} {
		title := strings.TrimSpace(gather.Text(known.Get("title")))
		if r.Title == "" && !unnamed[title] {
			r.Title = title
		}
		r.Directory = cmp.Or(r.Directory, store.Local(gather.Text(known.Get("workspaceDirectory"))))
	}
	created := listed.Get("dateCreated") // milliseconds in a text
	ms, _ := strconv.ParseFloat(created.String(), 64)
	if r.Start = gather.Moment(ms); r.Start.IsZero() {
		r.Start = gather.Written(created.String())
	}
	r.LastActive, r.TimeFrom = r.t.Mtime, sessions.TimeMtime
	r.model(gather.Text(doc.Get("chatModelTitle")))
	history := doc.Get("history").Array()
	for _, item := range history {
		if call := gather.Text(item.Get("message.toolCallId")); call != "" {
			r.returned[call] = store.Text(item.Get("message.content").Raw)
		}
	}
	for i, item := range history {
		r.item(i, item)
	}
}

func (r *reader) model(name string) {
	if name != "" {
		r.Model, r.Provider = name, store.Maker(name)
	}
}

// wideID is how long an id is that no other session uses by chance.
const wideID = 32

// idOf is a message's id. The command line's messages have none, and sessions go
// on in copies that name no origin: so it is made of what was said up to there,
// which is the same in every copy.
func (r *reader) idOf(m gjson.Result, said string) string {
	r.trail = store.Hash(fmt.Sprintf("%016x %s %s", r.trail, m.Get("role").Raw, said))
	if id := gather.Text(m.Get("id")); len(id) >= wideID {
		return id
	}
	return fmt.Sprintf("%016x", r.trail)
}

// item reads one message with what came of its calls. Of the rest of an item,
// the files that were given along, the prompt as the editor keeps it and the logs
// of whole prompts, nothing is said by anybody.
func (r *reader) item(number int, item gjson.Result) {
	m := item.Get("message")
	content := store.Text(m.Get("content").Raw)
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: r.idOf(m, content)}
	switch role := m.Get("role").String(); role {
	case "user":
		t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, content
		r.Add(t)
	case "assistant":
		r.model(gather.Text(m.Get("metadata.model")))
		thought := t
		thought.Kind, thought.Text = sessions.Thinking, gather.Text(item.Get("reasoning.text"))
		r.Add(thought)
		t.Text = content
		r.Add(t)
		r.calls(t, m, item)
	case "thinking":
		t.Kind, t.Text = sessions.Thinking, content
		r.Add(t)
	case "tool":
		r.output(t, gather.Text(m.Get("toolCallId")), content, "")
	case "system":
	default:
		r.to.Skip(store.Unknown(role), fmt.Sprintf("%s, item %d", r.t.Path, number))
	}
	// It stands with the last message that it sums up.
	t.Kind, t.Role, t.Text = sessions.Summary, sessions.Assistant, gather.Text(item.Get("conversationSummary"))
	r.Add(t)
}

// calls reads the calls of a message. What they returned stands with them, and
// mostly once more in a message of its own.
func (r *reader) calls(t sessions.Turn, m, item gjson.Result) {
	for _, call := range m.Get("toolCalls").Array() {
		r.call(t, call)
	}
	for _, state := range item.Get("toolCallStates").Array() {
		id := cmp.Or(gather.Text(state.Get("toolCallId")), gather.Text(state.Get("toolCall.id")))
		if _, told := r.tools[id]; !told {
			r.call(t, state.Get("toolCall"))
		}
		r.output(t, id, output(state.Get("output")), state.Get("status").String())
	}
}

func (r *reader) call(t sessions.Turn, call gjson.Result) {
	t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(call.Get("id")), gather.Text(call.Get("function.name"))
	t.Text, t.Cut = store.Input(call.Get("function.arguments").Raw)
	r.tools[t.Call] = t.Tool
	r.Add(t)
}

// output adds what a call returned, once.
func (r *reader) output(t sessions.Turn, call, text, status string) {
	t.Failed = status == "errored" || status == "canceled"
	text = cmp.Or(text, r.returned[call])
	if text == "" && t.Failed {
		text = status
	}
	if call != "" && r.ended[call] || strings.TrimSpace(text) == "" {
		return
	}
	r.ended[call] = true
	t.Kind, t.Call, t.Tool, t.Text = sessions.ToolOutput, call, r.tools[call], text
	r.Add(t)
}

// output is what is said in the parts of a result.
func output(parts gjson.Result) string {
	var texts []string
	for _, part := range parts.Array() {
		if text := gather.Text(part.Get("content")); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}
