package sessions

import (
	"time"

	"github.com/cespare/xxhash/v2"
)

// tally sums up the turns of a session. Copied turns and undone ones count for
// nothing but its times.
type tally struct {
	prompts, replies, calls int
	counted                 []countedTurn // those with an id

	title   string // from the first prompt that says something
	titleID string // that prompt's id
	little  string // for want of one: from the first prompt that says little, or one that was taken back

	own, copied span
}

// countedTurn is the hash of a turn's id, whose low bits are its kind and
// whether it is undone now: eight bytes, since there are millions of turns.
type countedTurn uint64

const (
	kindBits  countedTurn = 0b0111
	undoneBit countedTurn = 0b1000
)

func hashOfID(id string) countedTurn {
	return countedTurn(xxhash.Sum64String(id)) &^ (kindBits | undoneBit)
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
	if t.Copied || y.counter(t.Kind) == nil || t.Kind == ToolCall && t.Role != Assistant {
		return // a command that the user ran is no call
	}
	if t.ID != "" {
		turn := hashOfID(t.ID) | countedTurn(t.Kind)
		if t.Undone {
			turn |= undoneBit
		}
		y.counted = append(y.counted, turn)
	}
	names := t.Kind == Prompt && y.title == ""
	if t.Undone {
		if names {
			y.spare(titleOf(t.Text))
		}
		return
	}
	*y.counter(t.Kind)++
	if names {
		y.name(titleOf(t.Text), t.ID)
	}
}

// counter is where turns of a kind are counted, nil when they are not.
func (y *tally) counter(k Kind) *int {
	switch k {
	case Prompt:
		return &y.prompts
	case Reply:
		return &y.replies
	case ToolCall:
		return &y.calls
	case Summary, Thinking, ToolOutput:
	}
	return nil
}

func (y *tally) name(title, id string) {
	switch {
	case title == "":
	case !saysLittle(title):
		y.title, y.titleID = title, id
	case y.little == "":
		y.little = title
	}
}

// spare keeps the title of a prompt that was taken back, which names the session
// only if no other says something: also whoever takes back all has typed something.
func (y *tally) spare(title string) {
	if y.little == "" || title != "" && !saysLittle(title) && saysLittle(y.little) {
		y.little = title
	}
}

// undo takes back the count of turns that were abandoned, and counts again
// those that no longer are, by their ids.
func (y *tally) undo(changed map[string]bool) {
	if len(changed) == 0 {
		return
	}
	byHash := make(map[countedTurn]bool, len(changed))
	for id, undone := range changed {
		byHash[hashOfID(id)] = undone
	}
	for i, turn := range y.counted {
		undone, said := byHash[turn&^(kindBits|undoneBit)]
		if !said || undone == (turn&undoneBit != 0) {
			continue
		}
		y.counted[i] = turn ^ undoneBit
		if counter := y.counter(Kind(turn & kindBits)); undone {
			*counter--
		} else {
			*counter++
		}
	}
	if changed[y.titleID] && y.title != "" {
		y.spare(y.title)
		y.title = ""
	}
}

// fill completes the facts that a reader left open. Modified is the
// transcript's modification time, the last resort: copying, syncing and
// re-titling change it.
func (y *tally) fill(s *Session, modified time.Time) {
	s.Prompts, s.Replies, s.ToolCalls = y.prompts, y.replies, y.calls
	if s.Subagent {
		s.Prompts = 0 // its task was not typed by a human
	}
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
