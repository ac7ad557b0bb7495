package pi

import (
	"cmp"
	"context"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"type":"`}

// ignored are the kinds of entry, and the roles of messages, that hold nothing
// that is said: settings, labels, and what extensions put into the context.
var ignored = map[string]bool{
	"thinking_level_change": true, "label": true, "custom": true, "custom_message": true, "hookMessage": true,
	"system": true, // OpenClaw's notes
}

// state is what a Read hands to the next one of the same file.
type state struct {
	store.Facts
	store.Thread
	ID        string    `json:",omitempty"` // by the header
	Title     string    `json:",omitempty"` // of a first line that holds one
	Name      string    `json:",omitempty"` // that the user gave
	Chosen    string    `json:",omitempty"` // the model before the assistant used one
	Source    string    `json:",omitempty"` // id of the session that the header names
	Begun     time.Time `json:",omitzero"`  // by the header
	Scheduled bool      `json:",omitempty"` // a job asked
	Asked     bool      `json:",omitempty"` // somebody asked
	Forked    bool      `json:",omitempty"` // an entry of the source was seen
	Entries   int       `json:",omitempty"` // those without id
	Calls     store.Calls
	Replied   []uint64 `json:",omitempty"` // what was said since the last prompt, where the harness repeats it
}

// reader reads one transcript once.
type reader struct {
	Format
	t    sessions.Transcript
	to   sessions.Sink
	st   *state
	told bool
	read bool
}

// entry is the envelope of one line.
type entry struct {
	kind, id, parent string
	at               time.Time
	message          string // raw
}

// Read reads a transcript from the mark on.
func (f Format) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{Format: f, t: t, to: to, st: store.Load[state](from.State)}
	if r.st.ID == "" {
		r.st.ID = f.ID(t.Path)
	}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	undone, redone := r.st.Left(ctx, t, from.Offset, offset, starts, func(json, _ string) (id, parent string) {
		e := decode(json)
		return e.id, e.parent
	})
	to.Undo(r.st.ID, undone, true)
	to.Undo(r.st.ID, redone, false)
	if r.read && r.st.Talk {
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// decode reads an envelope. A header has an id, but is no entry of the tree.
func decode(json string) entry {
	var e entry
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "type":
			e.kind = jsonl.Plain(v)
		case "id":
			e.id = jsonl.Plain(v)
		case "parentId":
			e.parent = jsonl.Plain(v)
		case "timestamp":
			e.at = jsonl.Time(v)
		case "message":
			e.message = v
		}
	}
	if e.kind == "session" {
		e.id = ""
	}
	return e
}

// record reads one line.
func (r *reader) record(rec jsonl.Record) {
	json := rec.JSON()
	e := decode(json)
	r.read = true
	if e.id != "" {
		r.st.Follow(e.id, e.parent)
	}
	switch e.kind {
	case "session":
		r.header(json)
	case "title":
		r.st.Title = strings.TrimSpace(jsonl.Text(jsonl.Field(json, "title")))
	case "session_info":
		r.st.Name = strings.TrimSpace(jsonl.Text(jsonl.Field(json, "name")))
	case "model_change":
		r.st.Chosen = model(jsonl.Text(jsonl.Field(json, "provider")), jsonl.Text(jsonl.Field(json, "modelId")))
	case "message":
		r.message(e)
	case "compaction", "branch_summary":
		r.summary(r.turn(e), jsonl.Field(json, "summary"))
	default:
		if !ignored[e.kind] {
			r.to.Skip(store.Unknown(e.kind), store.Place(r.t, rec.Offset))
		}
	}
}

// header reads the first line.
func (r *reader) header(json string) {
	var id, provider, modelID, source, branched, scope string
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "id":
			id = jsonl.Text(v)
		case "timestamp":
			r.st.Begun = jsonl.Time(v)
			r.st.Start = r.st.Begun
		case "cwd":
			r.st.Went(jsonl.Plain(v))
		case "provider":
			provider = jsonl.Text(v)
		case "modelId":
			modelID = jsonl.Text(v)
		case "parentSession":
			source = jsonl.Text(v)
		case "branchedFrom":
			branched = jsonl.Text(v)
		case "parentTranscriptScope": // OpenClaw's, whose transcripts have no path
			scope = jsonl.Text(jsonl.Field(v, "sessionId"))
		}
	}
	r.st.ID = cmp.Or(id, r.st.ID)
	r.st.Chosen = model(provider, modelID)
	r.st.Source = cmp.Or(scope, r.ID(cmp.Or(source, branched)))
}

// model is a model's name with the provider that serves it.
func model(provider, id string) string {
	if provider == "" || id == "" {
		return id
	}
	return provider + "/" + id
}

// turn is what a turn has of its entry.
func (r *reader) turn(e entry) sessions.Turn {
	t := sessions.Turn{At: e.at, ID: strings.Clone(e.id), Copied: r.copied(e)}
	if t.At.IsZero() {
		t.At = jsonl.Time(jsonl.Field(e.message, "timestamp"))
	}
	return t
}

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	s := r.st.Session(r.t, r.st.ID)
	s.Harness = r.Harness
	s.Title = cmp.Or(r.st.Name, r.st.Title)
	s.Model = cmp.Or(r.st.Model, r.st.Chosen)
	s.Provider = store.Maker(s.Model)
	if r.st.Forked {
		s.ForkedFrom = r.st.Source
	}
	s.Headless = r.st.Scheduled && !r.st.Asked
	r.Complete(r.t, &s)
	return s
}

// copied tells whether an entry was there before the session began: then it is
// one of the session that the header names.
func (r *reader) copied(e entry) bool {
	is := r.st.Source != "" && !e.at.IsZero() && e.at.Before(r.st.Begun)
	r.st.Forked = r.st.Forked || is
	return is
}
