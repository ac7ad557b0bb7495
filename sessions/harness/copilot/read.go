package copilot

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"type":"`}

// state is what a Read hands to the next one of the same file.
type state struct {
	store.Facts
	Title  string `json:",omitempty"`
	Used   string `json:",omitempty"` // a model that the end of the session names
	Calls  store.Calls
	Agents []*agent  `json:",omitempty"` // newest last
	Beside workspace `json:",omitzero"`  // what stood beside it last
	Mused  uint64    `json:",omitempty"` // hash of the latest reasoning that had an event of its own
}

// reader reads one file of events once.
type reader struct {
	source *Source
	t      sessions.Transcript
	to     sessions.Sink
	id     string
	st     *state
	told   map[string]bool
}

// event is the envelope of one line, and those of its fields that are looked at.
type event struct {
	kind, id, agent string
	parent          string // the call that started the sub-agent which the event is of, where it tells
	at              time.Time
	passing         bool   // ephemeral
	data            string // raw
	content         string // raw; beside data in early files
}

// Read reads a transcript from the mark on; one that is a document always from
// its beginning.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if filepath.Ext(t.Path) == documentExt {
		return sessions.Mark{}, s.readLegacy(t, to)
	}
	r := &reader{source: s, t: t, to: to, id: sessionID(t.Path), st: store.Load[state](from.State), told: map[string]bool{}}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	if r.st.Talk { // what stands beside it may be new where no event is, of its sub-agents too
		to.Facts(r.facts())
	}
	for _, a := range r.st.Agents {
		if a.Talk {
			to.Facts(r.agentFacts(a))
		}
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

func decode(json string) event {
	var e event
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "type":
			e.kind = jsonl.Plain(v)
		case "id":
			e.id = jsonl.Text(v)
		case "agentId":
			e.agent = jsonl.Text(v)
		case "timestamp":
			e.at = jsonl.Time(v)
		case "ephemeral":
			e.passing = v == "true"
		case "data":
			e.data = v
		case "content":
			e.content = v
		}
	}
	if strings.Contains(e.data, parentKey) {
		e.parent = jsonl.Text(jsonl.Field(e.data, "parentToolCallId"))
		e.agent = cmp.Or(e.agent, e.parent) // as releases before agentId wrote it
	}
	return e
}

const parentKey = `"parentToolCallId"`

// families are the beginnings of the kinds of event that are known. Those that
// record does not read are bookkeeping, the program's words, and partial copies
// of messages.
var families = []string{
	"session.", "assistant.", "system.", "subagent.", "skill.", "hook.", "tool.", "user.", "abort", "permission.",
	"external_tool.", "tool_search.", "model.", "mcp.", "command", "elicitation.", "user_input.", "pending_messages.", "factory.",
}

// record reads one event.
func (r *reader) record(rec jsonl.Record) {
	e := decode(rec.JSON())
	if e.passing {
		return
	}
	if e.agent == "" {
		r.st.Began(e.at)
	}
	switch e.kind {
	case "session.start", "session.resume", "session.context_changed":
		r.context(e)
	case "session.info":
		r.trusted(jsonl.Text(jsonl.Field(e.data, "message")))
	case "session.model_change":
		r.st.Model = cmp.Or(jsonl.Text(jsonl.Field(e.data, "newModel")), r.st.Model)
	case "session.title_changed":
		r.st.Title = cmp.Or(store.Title(jsonl.Field(e.data, "title")), r.st.Title)
	case "session.shutdown":
		for model := range jsonl.Fields(jsonl.Field(e.data, "modelMetrics")) {
			r.st.Used = jsonl.Text(`"` + model + `"`)
		}
	case "session.compaction_complete":
		r.compaction(e)
	case "user.message":
		r.user(e)
	case "assistant.message":
		r.assistant(e)
	case "assistant.reasoning":
		r.mused(e)
	case "tool.execution_start", "tool.user_requested":
		r.started(e)
	case "tool.execution_complete":
		r.output(e)
	case "subagent.started":
		r.agent(e)
	default:
		for _, family := range families {
			if strings.HasPrefix(e.kind, family) {
				return
			}
		}
		r.to.Skip(store.Unknown(e.kind), store.Place(r.t, rec.Offset))
	}
}

// context reads where work goes on.
func (r *reader) context(e event) {
	r.st.Began(jsonl.Time(jsonl.Field(e.data, "startTime")))
	r.st.Model = cmp.Or(r.st.Model, jsonl.Text(jsonl.Field(e.data, "selectedModel")))
	context := jsonl.Field(e.data, "context")
	if context == "" && e.kind == "session.context_changed" {
		context = e.data
	}
	r.st.Went(jsonl.Plain(jsonl.Field(context, "cwd")))
	if branch := jsonl.Text(jsonl.Field(context, "branch")); branch != "" {
		r.st.Branch = branch
	}
}

// trust matches what the program says when the user lets it into a folder, which
// in early releases is all that tells the directory.
var trust = lazy.Regexp(`^Folder (.+) has been added to trusted folders`)

func (r *reader) trusted(message string) {
	if match := trust().FindStringSubmatch(message); match != nil && r.st.Dir == "" {
		r.st.Went(match[1])
	}
}

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	w := r.workspace()
	s := r.st.Session(r.t, r.id)
	s.Harness = harness
	s.Title = cmp.Or(w.Name, r.st.Title, w.Summary)
	s.Branch = cmp.Or(w.Branch, s.Branch)
	s.Model = cmp.Or(r.st.Model, r.st.Used)
	s.Provider = store.Maker(s.Model)
	if w.Cwd != "" && w.Cwd != s.Directory {
		s.LastDirectory = cmp.Or(s.LastDirectory, s.Directory)
		s.Directory = w.Cwd
	}
	s.Resume = r.source.Resume(s)
	return s
}

// readLegacy reads a session that is one JSON object.
func (s *Source) readLegacy(t sessions.Transcript, to sessions.Sink) error {
	doc, err := store.Document(t.Path)
	if err != nil {
		return err
	}
	r := &reader{source: s, t: t, to: to, id: sessionID(t.Path), st: &state{}, told: map[string]bool{}}
	r.id = cmp.Or(jsonl.Text(jsonl.Field(doc, "sessionId")), r.id)
	r.st.Went(jsonl.Plain(jsonl.Field(doc, "workspacePath")))
	started := jsonl.Time(jsonl.Field(doc, "startTime"))
	messages := jsonl.Field(doc, "chatMessages")
	if messages == "" {
		messages = jsonl.Field(doc, "history")
	}
	n := 0
	for message := range jsonl.Elements(messages) {
		n++
		r.legacyMessage(message, n)
	}
	if r.st.Talk {
		f := r.facts()
		f.Start = started
		to.Facts(f)
	}
	return nil
}
