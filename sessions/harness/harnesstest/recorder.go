package harnesstest

import (
	"slices"
	"strings"

	"yore/sessions"
)

// Session is what a reader told of one session.
type Session struct {
	sessions.Session // facts; counts and a missing title are filled in from the turns
	Turns            []sessions.Turn
}

// Recorder is a sessions.Sink that keeps everything.
type Recorder struct {
	order    []string
	sessions map[string]*Session
	skipped  map[string]int
}

var _ sessions.Sink = (*Recorder)(nil)

// NewRecorder is one that has heard nothing yet.
func NewRecorder() *Recorder {
	return &Recorder{sessions: map[string]*Session{}, skipped: map[string]int{}}
}

func (r *Recorder) session(id string) *Session {
	s := r.sessions[id]
	if s == nil {
		s = &Session{}
		s.ID = id
		r.sessions[id] = s
		r.order = append(r.order, id)
	}
	return s
}

// Facts replaces what is known of a session.
func (r *Recorder) Facts(facts sessions.Session) { r.session(facts.ID).Session = facts }

// Turn adds a turn, or replaces the text of the one it repeats.
func (r *Recorder) Turn(id string, t sessions.Turn, replace bool) {
	s := r.session(id)
	if replace && t.ID != "" && t.Kind.Conversation() {
		for i, old := range s.Turns {
			if old.ID == t.ID && old.Kind == t.Kind && old.Role == t.Role {
				s.Turns[i].Text = t.Text
				return
			}
		}
	}
	s.Turns = append(s.Turns, t)
}

// Undo marks the turns with these ids.
func (r *Recorder) Undo(id string, turns []string, undone bool) {
	s := r.session(id)
	for i := range s.Turns {
		if slices.Contains(turns, s.Turns[i].ID) {
			s.Turns[i].Undone = undone
		}
	}
}

// Skip counts a record that was not read.
func (r *Recorder) Skip(reason, _ string) { r.skipped[reason]++ }

// Skipped is how often each reason was given.
func (r *Recorder) Skipped() map[string]int { return r.skipped }

// Sessions are those with at least one conversation turn, in the order in which
// they were first heard of.
func (r *Recorder) Sessions() []*Session {
	var all []*Session
	for _, id := range r.order {
		if s := r.Session(id); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// Session is the one with this id, or the only one whose id begins so; nil when
// there is none or it holds no conversation.
func (r *Recorder) Session(id string) *Session {
	s := r.sessions[id]
	for _, other := range r.order {
		if s == nil && strings.HasPrefix(other, id) {
			s = r.sessions[other]
		}
	}
	if s == nil || !slices.ContainsFunc(s.Turns, func(t sessions.Turn) bool { return t.Kind.Conversation() }) {
		return nil
	}
	s.count()
	return s
}

// count fills in what the Library fills in.
func (s *Session) count() {
	s.Prompts, s.Replies, s.ToolCalls = 0, 0, 0
	for _, t := range s.Turns {
		if t.Copied || t.Undone {
			continue
		}
		switch {
		case t.Kind == sessions.Prompt:
			s.Prompts++
			if s.Title == "" {
				s.Title, _, _ = strings.Cut(strings.TrimSpace(t.Text), "\n")
			}
		case t.Kind == sessions.Reply:
			s.Replies++
		case t.Kind == sessions.ToolCall && t.Role == sessions.Assistant:
			s.ToolCalls++
		}
	}
}

// Texts are the texts of the session's turns of these kinds, in order.
func (s *Session) Texts(kinds ...sessions.Kind) []string {
	var texts []string
	for _, t := range s.Turns {
		if slices.Contains(kinds, t.Kind) {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// Undone are the texts that were abandoned.
func (s *Session) Undone() []string {
	var texts []string
	for _, t := range s.Turns {
		if t.Undone {
			texts = append(texts, t.Text)
		}
	}
	return texts
}
