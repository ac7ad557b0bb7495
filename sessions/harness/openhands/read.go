package openhands

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// state is what a Read hands to the next one of the same conversation.
type state struct {
	store.Facts
	Events int     `json:",omitempty"` // that were read, or passed over
	Names  uint64  `json:",omitempty"` // hash of theirs
	Recent []int64 `json:",omitempty"` // versions of the last of them, as they were read
	Calls  store.Calls
}

type reader struct {
	t    sessions.Transcript
	to   sessions.Sink
	dir  string // of the conversation
	id   string
	st   *state
	told bool
}

// Read reads the events behind the mark. A conversation is read anew of whose events
// that were read some are gone, or of the last have changed, or between which others came.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	dir := t.Path
	if filepath.Base(dir) == stateName {
		dir = filepath.Dir(dir)
	}
	events, err := numberedIn(filepath.Join(dir, eventsDir))
	if err != nil {
		return from, err
	}
	r := &reader{t: t, to: to, dir: dir, id: filepath.Base(dir), st: store.Load[state](from.State)}
	folder := filepath.Join(dir, eventsDir)
	if !r.st.holds(folder, events) {
		return from, sessions.ErrRewritten
	}
	r.base(filepath.Join(dir, stateName))
	for n := r.st.Events; n < len(events); n++ {
		if ctx.Err() != nil {
			return r.mark(), ctx.Err()
		}
		path := filepath.Join(folder, events[n].name)
		as := versions(folder, events[n:n+1])
		doc, err := store.Document(path)
		switch {
		case err == nil:
			r.event(gjson.Parse(doc), path)
		case n == len(events)-1 && errors.Is(err, store.ErrUnfinished):
			return r.mark(), nil // it is being written
		default:
			to.Skip("damaged event", path)
		}
		r.st.pass(events[n].name, as[0])
	}
	return r.mark(), nil
}

// pass notes that an event was read, or passed over.
func (st *state) pass(name string, version int64) {
	st.Events++
	st.Names = chained(st.Names, name)
	st.Recent = store.Bounded(st.Recent, version, recent)
}

// holds tells whether what was read is there as it was.
func (st *state) holds(dir string, events []numbered) bool {
	if st.Events < len(st.Recent) || st.Events > len(events) {
		return false
	}
	events = events[:st.Events]
	var names uint64
	for _, e := range events {
		names = chained(names, e.name)
	}
	return names == st.Names && slices.Equal(versions(dir, events[len(events)-len(st.Recent):]), st.Recent)
}

// chained is a hash of names so far, and one more.
func chained(names uint64, name string) uint64 {
	return store.Hash(strconv.FormatUint(names, 36) + name)
}

// mark is the place behind the last event that was read, once all is told that
// is known of the session.
func (r *reader) mark() sessions.Mark {
	if r.st.Talk {
		r.to.Facts(r.facts())
	}
	return sessions.Mark{State: store.Save(r.st)}
}

func (r *reader) facts() sessions.Session {
	s := r.st.Session(r.t, r.id)
	s.Harness = harness
	if in := filepath.Dir(r.dir); filepath.Base(in) == subagentsDir {
		s.Subagent, s.Parent = true, filepath.Base(filepath.Dir(in))
	}
	return s
}

// numberedIn are the events in a folder.
func numberedIn(dir string) ([]numbered, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return inOrder(files), nil
}

// managed stands for the model of another agent, which that chooses.
const managed = "acp-managed"

// base reads the model and the directory. What else is there may be secret.
func (r *reader) base(path string) {
	doc := store.Sidecar(path)
	agent := jsonl.Field(doc, "agent")
	model := jsonl.Text(jsonl.Field(jsonl.Field(agent, "llm"), "model"))
	if other := jsonl.Text(jsonl.Field(agent, "acp_model")); other != "" || model == managed {
		model = other
	}
	if model != "" {
		r.st.Model = model
	}
	r.st.Went(jsonl.Text(jsonl.Field(jsonl.Field(doc, "workspace"), "working_dir")))
}
