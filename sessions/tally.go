package sessions

import "time"

// tally sums up the turns of a session. Copies count for nothing but the
// times of a session that holds only copies.
type tally struct {
	prompts, replies, calls int

	title  string // from the first prompt that says something
	little string // from the first prompt, when it says little

	own, copied span
}

// span is the oldest and the newest time seen, zero when there was none.
type span struct{ first, last time.Time }

func (s *span) add(at time.Time) {
	if at.IsZero() {
		return
	}
	if s.first.IsZero() || at.Before(s.first) {
		s.first = at
	}
	if at.After(s.last) {
		s.last = at
	}
}

// time notes when a turn was written, which counts for replaced ones too.
func (y *tally) time(t Turn) {
	if t.Copied {
		y.copied.add(t.At)
	} else {
		y.own.add(t.At)
	}
}

// count notes a turn that replaces none.
func (y *tally) count(t Turn) {
	if t.Copied {
		return
	}
	switch t.Kind {
	case Prompt:
		y.prompts++
		y.name(titleOf(t.Text))
	case Reply:
		y.replies++
	case ToolCall:
		y.calls++
	case Summary, Thinking, ToolOutput:
	}
}

func (y *tally) name(title string) {
	switch {
	case y.title != "" || title == "":
	case !saysLittle(title):
		y.title = title
	case y.little == "":
		y.little = title
	}
}

// fill completes the facts that a reader left open. Modified is the
// transcript's modification time, the last resort: copying, syncing and
// re-titling change it.
func (y *tally) fill(s *Session, modified time.Time) {
	s.Prompts, s.Replies, s.ToolCalls = y.prompts, y.replies, y.calls
	if s.Title == "" {
		if s.Title = y.title; s.Title == "" {
			s.Title = y.little
		}
	}
	seen, from := y.own, TimeMessage
	if seen.last.IsZero() {
		seen = y.copied
	}
	if s.Start.IsZero() {
		s.Start = seen.first
	}
	if s.LastActive.IsZero() {
		if s.LastActive = seen.last; s.LastActive.IsZero() {
			s.LastActive, from = modified, TimeMtime
		}
	}
	if s.TimeFrom == "" {
		s.TimeFrom = from
	}
}
