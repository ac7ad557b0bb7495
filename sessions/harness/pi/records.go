package pi

import (
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// Records reads a transcript that is no file of lines, whose records come in
// their order. It is read whole, and what is new in it is sent.
func (f Format) Records(t sessions.Transcript, from sessions.Mark, to sessions.Sink, records func(each func(json string)) error) (sessions.Mark, error) {
	all := &whole{to: to}
	r := &reader{Format: f, t: t, to: all, st: &state{ID: t.ID}}
	var tree store.Tree
	if err := records(func(json string) {
		if !jsonl.Valid(json) {
			to.Skip("damaged record", t.Path+": session "+t.ID)
			return
		}
		r.record(jsonl.Record{Data: []byte(json)})
		if e := decode(json); e.id != "" && !f.Beside[e.id] {
			tree.Add(strings.Clone(e.id), strings.Clone(e.parent))
		}
	}); err != nil {
		return from, err
	}
	for id := range tree.Abandoned() {
		all.session.Undo(id)
	}
	if !r.st.Talk {
		return sessions.Mark{}, nil
	}
	r.st.ID = t.ID // a copy's header may name its original
	all.session.Session = r.facts()
	return all.session.Send(from, to)
}

// whole is a Sink that keeps what it is told.
type whole struct {
	session gather.Session
	to      sessions.Sink
}

func (w *whole) Facts(sessions.Session)                 {}
func (w *whole) Turn(_ string, t sessions.Turn, _ bool) { w.session.Add(t) }
func (w *whole) Undo(string, []string, bool)            {}
func (w *whole) Skip(reason, where string)              { w.to.Skip(reason, where) }
