package qwen

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gemini"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"uuid":"`}

// keptHeard is how many of the latest texts are remembered, to know one that is
// written again under its id.
const keptHeard = 256

// state is what a Read hands to the next one of the same file.
type state struct {
	store.Facts
	store.Thread
	Title              string   `json:",omitempty"`
	Chosen             string   `json:",omitempty"` // the model that the session was set to
	Parent, ParentCall string   `json:",omitempty"`
	ForkedFrom         string   `json:",omitempty"`
	Headless           bool     `json:",omitempty"`
	Heard              []uint64 `json:",omitempty"` // hashes of the latest texts with their ids
	Calls              store.Calls
}

// reader reads one transcript once.
type reader struct {
	t     sessions.Transcript
	to    sessions.Sink
	id    string
	agent bool
	st    *state
	told  bool
	read  bool
}

// record is the envelope of one line. Its strings are valid as long as the line.
type record struct {
	kind, subtype string
	uuid, parent  string
	cwd, branch   string
	model         string
	provenance    string
	outside       string // externalInputKind, of what a sub-agent got from outside
	rawForked     string // {sessionId, messageUuid}
	rawMessage    string // {role, parts}
	rawResult     string // toolCallResult
	rawPayload    string // of system records
	session       string
	at            time.Time
}

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	name := filepath.Base(t.Path)
	if gemini.IsDocument(name) {
		return sessions.Mark{}, gemini.ReadDocument(t, harness, named, s.Resume, to)
	}
	r := &reader{t: t, to: to, id: strings.TrimSuffix(name, transcriptExt), st: store.Load[state](from.State)}
	r.agent = strings.HasPrefix(name, agentPrefix)
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	undone, redone := r.st.Left(ctx, t, from.Offset, offset, starts, func(json, leaf string) (id, parent string) {
		e := decode(json)
		return e.uuid, e.follows(leaf)
	})
	to.Undo(r.id, undone, true)
	to.Undo(r.id, redone, false)
	if r.read && r.st.Talk {
		if r.agent {
			r.caller()
		}
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// follows is the record that this one follows, where leaf is the one before it
// in the file. Only a rewind begins anew from nothing; elsewhere that is a record
// whose parent was not known.
func (e record) follows(leaf string) string {
	if e.parent == "" && e.subtype != "rewind" {
		return leaf
	}
	return e.parent
}

// named is the directory of a session of an early release: nothing but itself
// tells it.
func named(dir, _ string) string { return dir }

// decode reads an envelope.
func decode(json string) record {
	var e record
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "type":
			e.kind = jsonl.Plain(v)
		case "subtype":
			e.subtype = jsonl.Plain(v)
		case "uuid":
			e.uuid = jsonl.Plain(v)
		case "parentUuid":
			e.parent = jsonl.Plain(v)
		case "sessionId":
			e.session = jsonl.Plain(v)
		case "timestamp":
			e.at = jsonl.Time(v)
		case "cwd":
			e.cwd = jsonl.Plain(v)
		case "gitBranch":
			e.branch = jsonl.Plain(v)
		case "model":
			e.model = jsonl.Plain(v)
		case "provenance":
			e.provenance = v
		case "externalInputKind":
			e.outside = jsonl.Plain(v)
		case "forkedFrom":
			e.rawForked = v
		case "message":
			e.rawMessage = v
		case "toolCallResult":
			e.rawResult = v
		case "systemPayload":
			e.rawPayload = v
		}
	}
	return e
}

// record reads one line.
func (r *reader) record(rec jsonl.Record) {
	e := decode(rec.JSON())
	r.read = true
	if e.uuid != "" {
		r.st.Follow(e.uuid, e.follows(r.st.Leaf))
	}
	r.st.Went(e.cwd)
	if e.branch != "" && e.branch != r.st.Branch {
		r.st.Branch = strings.Clone(e.branch)
	}
	if r.agent && r.st.Parent == "" {
		r.st.Parent = strings.Clone(e.session)
	}
	t := sessions.Turn{At: e.at, ID: strings.Clone(e.uuid)}
	if from := jsonl.Text(jsonl.Field(e.rawForked, "sessionId")); from != "" {
		t.Copied, r.st.ForkedFrom = true, from
	}
	switch e.kind {
	case "user":
		r.user(t, e)
	case "assistant":
		r.assistant(t, e)
	case "tool_result":
		r.outputs(t, e)
	case "system":
		r.system(t, e)
	default:
		r.to.Skip(store.Unknown(e.kind), store.Place(r.t, rec.Offset))
	}
}

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	s := r.st.Session(r.t, r.id)
	s.Harness, s.Title = harness, r.st.Title
	if s.Model == "" {
		s.Model, s.Provider = r.st.Chosen, store.Maker(r.st.Chosen)
	}
	s.Subagent, s.Parent, s.ParentCall = r.agent, r.st.Parent, r.st.ParentCall
	s.ForkedFrom, s.Headless = r.st.ForkedFrom, r.st.Headless
	s.Resume = (*Source)(nil).Resume(s)
	return s
}

// caller finds the session that a sub-agent worked for, and the call that
// started it, in the file beside the transcript; the folder names the session
// too.
func (r *reader) caller() {
	if dir := filepath.Base(filepath.Dir(r.t.Path)); sessionFile().MatchString(dir + transcriptExt) {
		r.st.Parent = dir
	}
	for key, v := range jsonl.Fields(store.Sidecar(strings.TrimSuffix(r.t.Path, transcriptExt) + ".meta.json")) {
		text := jsonl.Text(v)
		switch {
		case text == "":
		case key == "parentSessionId" && r.st.Parent == "":
			r.st.Parent = text
		case key == "parentAgentId":
			r.st.Parent = agentPrefix + strings.TrimPrefix(text, agentPrefix)
		case key == "toolUseId":
			r.st.ParentCall = text
		case key == "model" && r.st.Model == "":
			r.st.Model = text
		}
	}
}
