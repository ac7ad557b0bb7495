package amp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// Read reads a thread whole.
func (s *Source) Read(_ context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	doc, err := store.Document(t.Path)
	if err != nil {
		return sessions.Mark{}, err
	}
	r := &reader{t: t, to: to}
	r.thread(gjson.Parse(doc))
	for _, one := range append([]*session{r.main}, r.agents...) {
		if one.Empty() {
			continue
		}
		if _, err := one.Send(sessions.Mark{}, to); err != nil {
			return sessions.Mark{}, err
		}
	}
	return sessions.Mark{}, nil
}

// session is the thread, or a sub-agent whose messages stand in it.
type session struct {
	gather.Session
	tools map[string]string // names by the calls' ids
}

type reader struct {
	t      sessions.Transcript
	to     sessions.Sink
	main   *session
	agents []*session
}

// thread reads a document.
func (r *reader) thread(doc gjson.Result) {
	r.main = &session{tools: map[string]string{}}
	m := r.main
	m.Harness, m.Path = harness, r.t.Path
	m.ID = strings.TrimSuffix(filepath.Base(r.t.Path), documentExt)
	m.Title = strings.TrimSpace(gather.Text(doc.Get("title")))
	m.Start = gather.Moment(cmp.Or(doc.Get("created").Num, doc.Get("createdAt").Num))
	tree := doc.Get("env.initial.trees.0")
	m.Directory = store.LocalPath(gather.Text(tree.Get("uri")))
	m.Branch, _ = strings.CutPrefix(gather.Text(tree.Get("repository.ref")), "refs/heads/")
	for i, message := range doc.Get("messages").Array() {
		r.message(i, message)
	}
	for _, one := range append([]*session{m}, r.agents...) {
		one.times(doc)
	}
}

// times says where the session's times come from. Where no message has one, the
// latest piece of work that is recorded of the thread stands in.
func (s *session) times(doc gjson.Result) {
	s.TimeFrom = sessions.TimeMessage
	if !s.LastActive.IsZero() {
		return
	}
	s.TimeFrom, s.LastActive = sessions.TimeHeader, s.Start
	for _, trace := range doc.Get("meta.traces").Array() {
		if end := gather.Written(gather.Text(trace.Get("endTime"))); end.After(s.LastActive) {
			s.LastActive = end
		}
	}
	if s.LastActive.IsZero() {
		s.TimeFrom = "" // the file's
	}
}

// of is the session that a message belongs to: a sub-agent's names the call
// that started it.
func (r *reader) of(call string) *session {
	if call == "" {
		return r.main
	}
	id := r.main.ID + "/" + call
	for _, a := range r.agents {
		if a.ID == id {
			return a
		}
	}
	a := &session{tools: map[string]string{}}
	a.Session.Session = r.main.Session.Session
	a.ID, a.Title = id, ""
	a.Subagent, a.Parent, a.ParentCall = true, r.main.ID, call
	a.LastActive, a.Model, a.Provider = time.Time{}, "", ""
	r.agents = append(r.agents, a)
	return a
}

// place says where something stands.
func (r *reader) place(message int) string { return fmt.Sprintf("%s, message %d", r.t.Path, message) }
