package gemini

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// The kinds of message. Harnesses that began as copies have their own name for
// the assistant's.
const (
	kindUser   = "user"
	kindGemini = "gemini"
	kindQwen   = "qwen"
)

// message is one message, or another record, as it is written. Its strings are valid as long as
// the record.
type message struct {
	kind, id, model       string
	at                    time.Time
	content, shown        string // raw: what the model got, and what was typed if that differs
	set, rewind, session  string // raw: of records that are no messages
	rawThoughts, rawCalls string
}

func decode(json string) message {
	var e message
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "type":
			e.kind = jsonl.Plain(v)
		case "id":
			e.id = jsonl.Text(v)
		case "timestamp":
			e.at = jsonl.Time(v)
		case "content":
			e.content = v
		case "displayContent":
			e.shown = v
		case "thoughts":
			e.rawThoughts = v
		case "toolCalls":
			e.rawCalls = v
		case "model":
			e.model = jsonl.Plain(v)
		case "$set":
			e.set = v
		case "$rewindTo":
			e.rewind = v
		case "sessionId":
			e.session = v
		}
	}
	return e
}

// text is what a message says.
func (e message) text() string {
	if shown := store.Text(e.shown); strings.TrimSpace(shown) != "" {
		return shown
	}
	return store.Text(e.content)
}

// What the program adds to a prompt in parts of their own, each in a tag: what it
// knows. The files that the prompt refers to come last, behind a line of their own
// and each behind one that begins as given; in early releases all in one text.
var added = []string{"session_context", "hook_context"}

const (
	references = "--- Content from referenced files ---"
	reference  = "Content from @"
)

// Typed is what of a content in the user's name somebody typed, as far as what
// the program adds stands apart.
func Typed(content string) string {
	var texts []string
	add := func(block string) (more bool) {
		text, _ := store.BlockText(block)
		text, referred := withoutFiles(text)
		within := func(tag string) bool { return store.Tagged(text, tag) }
		if !slices.ContainsFunc(added, within) {
			texts = append(texts, text)
		}
		return !referred
	}
	if strings.HasPrefix(content, `"`) {
		add(content)
	}
	store.Blocks(content)(add)
	return store.Joined(sessions.TurnGap, texts...)
}

// withoutFiles is a text without the files that it refers to; whether there are
// any, or only their heading, and they follow.
func withoutFiles(text string) (typed string, referred bool) {
	before, behind, found := strings.Cut("\n"+text, "\n"+references)
	behind = strings.TrimSpace(behind)
	if !found || behind != "" && !strings.HasPrefix(behind, reference) {
		return text, false
	}
	return strings.TrimPrefix(before, "\n"), true
}

// message reads a message; false when it is of no known kind.
func (r *reader) message(e message) bool {
	switch e.kind {
	case kindUser:
		r.user(e)
	case kindGemini, kindQwen:
		r.assistant(e)
	case "info", "error", "warning": // the program's own words
	default:
		return false
	}
	return true
}

// help is what asks the program for help.
const help = "?"

// snapshots are the tags of the summaries of a talk. Before one may stand what the
// model thought, which it is told to write down first.
var snapshots = []string{"state_snapshot", "intent_summary"}

const thoughtOpens, thoughtCloses = "<scratchpad>", "</scratchpad>"

// isSnapshot tells a text that is a summary and nothing else.
func isSnapshot(text string) bool {
	text = store.Without(text, thoughtOpens, thoughtCloses)
	return slices.ContainsFunc(snapshots, func(tag string) bool { return store.Tagged(text, tag) })
}

// beginsSnapshot tells a text that begins as a summary does, which may have been cut.
func beginsSnapshot(text string) bool {
	text = store.Without(text, thoughtOpens, thoughtCloses)
	return slices.ContainsFunc(snapshots, func(tag string) bool { return strings.HasPrefix(text, "<"+tag+">") })
}

// user reads what somebody typed, or what a tool returned.
func (r *reader) user(e message) {
	for part := range store.Blocks(e.content) {
		if response := jsonl.Field(part, "functionResponse"); response != "" {
			r.output(e, jsonl.Text(jsonl.Field(response, "id")), "", response, "")
		}
	}
	text := strings.TrimSpace(store.Text(e.shown))
	if text == "" {
		text = strings.TrimSpace(Typed(e.content))
	}
	switch {
	case isSnapshot(text):
		r.summary(e)
	case text != "" && text != help && !store.IsCommand(text):
		r.say(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: e.at, ID: e.id, Text: text})
	}
}

// summary sends a message that stands for the talk before it.
func (r *reader) summary(e message) {
	r.say(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, At: e.at, ID: e.id, Text: store.Without(e.text(), thoughtOpens, thoughtCloses)})
}

// assistant reads a message of the assistant's, or a newer version of one.
func (r *reader) assistant(e message) {
	if e.model != "" && e.model != r.st.Model {
		r.st.Model = strings.Clone(e.model)
	}
	for thought := range jsonl.Elements(e.rawThoughts) {
		r.thinking(e, thought)
	}
	r.say(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: e.at, ID: e.id, Text: store.Text(e.content)})
	n := 0
	for call := range jsonl.Elements(e.rawCalls) {
		r.call(e, call, n)
		n++
	}
}

// thinking sends a piece of reasoning, once.
func (r *reader) thinking(e message, thought string) {
	subject, text := jsonl.Text(jsonl.Field(thought, "subject")), jsonl.Text(jsonl.Field(thought, "description"))
	text = strings.TrimSpace(subject + "\n" + text)
	h := store.Hash(e.id + text)
	if text == "" || slices.Contains(r.st.Thoughts, h) {
		return
	}
	r.st.Thoughts = store.Bounded(r.st.Thoughts, h, keptThoughts)
	at := jsonl.Time(jsonl.Field(thought, "timestamp"))
	if at.IsZero() {
		at = e.at
	}
	r.to.Turn(r.st.ID, sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, At: at, ID: e.id, Text: text}, false)
}

// call sends the nth call of a message, and its output once it has one.
func (r *reader) call(e message, call string, n int) {
	var id, name, args, status, result, display string
	at := e.at
	for key, v := range jsonl.Fields(call) {
		switch key {
		case "id":
			id = jsonl.Text(v)
		case "name":
			name = jsonl.Text(v)
		case "args":
			args = v
		case "status":
			status = jsonl.Plain(v)
		case "result":
			result = v
		case "resultDisplay":
			display = v
		case "timestamp":
			if t := jsonl.Time(v); !t.IsZero() {
				at = t
			}
		}
	}
	if id == "" {
		id = e.id + "/" + strconv.Itoa(n)
	}
	if r.st.Calls.Begin(id, store.Call{Tool: name}) {
		t := sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, At: at, ID: e.id, Tool: name, Call: id}
		t.Text, t.Cut = store.Input(args)
		r.to.Turn(r.st.ID, t, true)
	}
	response := responseTo(id, result)
	if response != "" || finished[status] && jsonl.Text(display) != "" {
		e.at = at
		r.output(e, id, status, response, display)
	}
}

// responseTo is what a result holds for a call: what bears its id, for calls that
// were made together may have one result, or else the first.
func responseTo(id, result string) (response string) {
	for part := range store.Blocks(result) {
		r := jsonl.Field(part, "functionResponse")
		if r != "" && (response == "" || jsonl.Text(jsonl.Field(r, "id")) == id) {
			response = r
		}
	}
	return response
}

// finished are the states of a call that is over: what others show may change.
var finished = map[string]bool{"success": true, "error": true, "cancelled": true}

// spill matches the place of an output that was too long for the transcript.
var spill = lazy.Regexp(`tool-outputs[/\\]session-[^\s/\\]+[/\\][^\s'"<>()]+`)

// output sends what a call returned, once: it stands with the call and in a
// message of its own.
func (r *reader) output(e message, id, status, response, display string) {
	call, fresh := r.st.Calls.End(id)
	if !fresh {
		return
	}
	t := sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, At: e.at, ID: e.id, Call: id, Tool: call.Tool}
	if t.Tool == "" {
		t.Tool = jsonl.Text(jsonl.Field(response, "name"))
	}
	given := jsonl.Field(response, "response")
	text := jsonl.Text(jsonl.Field(given, "output"))
	if failure := jsonl.Text(jsonl.Field(given, "error")); failure != "" {
		text, t.Failed = failure, true
	}
	if text == "" {
		text = jsonl.Text(display)
	}
	t.Failed = t.Failed || status == "error"
	gone := false
	if place := spill().FindString(text); place != "" {
		if whole, ok := store.Spilled(r.spills(), place); ok {
			text = whole
		} else {
			gone = true
		}
	}
	t.Text, t.Cut = sessions.CapOutput(text)
	t.Cut = t.Cut || gone
	r.to.Turn(r.st.ID, t, true)
}

// spills is the folder of the session's long outputs.
func (r *reader) spills() string {
	project := filepath.Dir(filepath.Dir(r.t.Path))
	if r.parent != "" {
		project = filepath.Dir(project)
	}
	return filepath.Join(project, "tool-outputs", namePrefix+filepath.Base(r.st.ID))
}

// say sends a conversation turn that has text, or a newer version of one, before
// the first of them what is known of the session.
func (r *reader) say(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	r.st.Talk = true
	r.st.Said(t.At)
	if !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.st.ID, t, t.ID != "")
}
