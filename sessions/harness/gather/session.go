package gather

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"yore/sessions"
)

// Session is one session as it is now.
type Session struct {
	sessions.Session
	turns  []sessions.Turn
	undone map[string]bool
}

// Add puts a turn at the end. One without any text is left out, unless it is a
// call, whose name says something too.
func (s *Session) Add(t sessions.Turn) {
	if t.Kind != sessions.ToolCall && strings.TrimSpace(t.Text) == "" {
		return
	}
	if t.Kind == sessions.ToolCall || t.Kind == sessions.ToolOutput {
		text, cut := sessions.CapOutput(t.Text)
		t.Text, t.Cut = text, t.Cut || cut
	}
	s.turns = append(s.turns, t)
}

// GoOn puts the text of a turn behind that of the last one, when that is of the same
// kind; false when it is not.
func (s *Session) GoOn(t sessions.Turn) bool {
	if len(s.turns) == 0 || s.turns[len(s.turns)-1].Kind != t.Kind {
		return false
	}
	s.turns[len(s.turns)-1].Text += t.Text
	return true
}

// Undo marks the turns with this id as abandoned.
func (s *Session) Undo(id string) {
	if id == "" {
		return
	}
	if s.undone == nil {
		s.undone = map[string]bool{}
	}
	s.undone[id] = true
}

// Empty tells whether nothing was said.
func (s *Session) Empty() bool {
	return !slices.ContainsFunc(s.turns, func(t sessions.Turn) bool { return t.Kind.Conversation() })
}

// Send sends the session's facts, and the turns that were not sent before,
// which the mark tells. Turns may have been added since, and the last one may
// have another text; else sessions.ErrRewritten is returned and nothing sent. What
// was skipped on the way is all that is skipped of the transcript.
func (s *Session) Send(from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	now := s.trail()
	before, first, err := s.goOn(from, now)
	if err != nil {
		return from, err
	}
	if all, ok := to.(sessions.AllSeer); ok {
		all.SawAll()
	}
	to.Facts(s.Session)
	for i, t := range s.turns[first:] {
		to.Turn(s.ID, t, first+i < len(before.turns))
	}
	if before.undone != now.undone {
		s.sendUndone(to)
	}
	return sessions.Mark{State: now.encode()}, nil
}

// goOn finds the first turn that is to be sent.
func (s *Session) goOn(from sessions.Mark, now trail) (before trail, first int, err error) {
	if len(from.State) == 0 {
		return trail{}, 0, nil
	}
	before, ok := decodeTrail(from.State)
	known := len(before.turns)
	if !ok || known > len(now.turns) {
		return before, 0, sessions.ErrRewritten
	}
	for first < known && before.turns[first] == now.turns[first] {
		first++
	}
	switch {
	case first == known:
		return before, first, nil
	case first == known-1 && before.last != 0 && identity(s.turns[first]) == before.last:
		return before, first, nil
	}
	return before, 0, sessions.ErrRewritten
}

// sendUndone says of every turn what it is now.
func (s *Session) sendUndone(to sessions.Sink) {
	var undone, not []string
	for _, t := range s.turns {
		if s.undone[t.ID] {
			undone = append(undone, t.ID)
		} else if t.ID != "" {
			not = append(not, t.ID)
		}
	}
	to.Undo(s.ID, slices.Compact(undone), true)
	if len(not) > 0 {
		to.Undo(s.ID, slices.Compact(not), false)
	}
}

// trail is what is remembered of the turns that were sent: their hashes.
type trail struct {
	undone uint64 // of the ids that are abandoned; 0 when there are none
	last   uint64 // of the last turn's id, kind and role; 0 when it cannot be replaced
	turns  []uint64
}

func (s *Session) trail() trail {
	var t trail
	var ids []string
	for id := range s.undone {
		ids = append(ids, id)
	}
	if len(ids) > 0 {
		slices.Sort(ids)
		t.undone = xxhash.Sum64String(strings.Join(ids, "\x00"))
	}
	t.turns = make([]uint64, len(s.turns))
	for i, turn := range s.turns {
		t.turns[i] = hash(turn)
	}
	if len(s.turns) > 0 {
		t.last = identity(s.turns[len(s.turns)-1])
	}
	return t
}

// hash covers all of a turn that is shown.
func hash(t sessions.Turn) uint64 {
	flags := []byte{byte(t.Kind), byte(t.Role), 0}
	for i, flag := range []bool{t.Failed, t.Cut, t.Copied, t.Undone} {
		if flag {
			flags[2] |= 1 << i
		}
	}
	d := xxhash.New()
	_, _ = d.Write(binary.LittleEndian.AppendUint64(flags, uint64(t.At.UnixMilli()))) // a hash takes everything
	for _, text := range []string{t.ID, t.Tool, t.Call, t.Text} {
		_, _ = d.WriteString(text)
		_, _ = d.WriteString("\x00")
	}
	return d.Sum64()
}

// identity names a turn that a later one may replace, 0 one that none may.
func identity(t sessions.Turn) uint64 {
	if t.ID == "" || !t.Kind.Conversation() {
		return 0
	}
	return xxhash.Sum64String(string([]byte{byte(t.Kind), byte(t.Role)}) + t.ID)
}

func (t trail) encode() []byte {
	b := make([]byte, 0, 8*(2+len(t.turns)))
	for _, h := range append([]uint64{t.undone, t.last}, t.turns...) {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

func decodeTrail(b []byte) (trail, bool) {
	if len(b) < 16 || len(b)%8 != 0 {
		return trail{}, false
	}
	hashes := make([]uint64, len(b)/8)
	for i := range hashes {
		hashes[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return trail{hashes[0], hashes[1], hashes[2:]}, true
}

// CopiedFrom marks the turns at the beginning that repeat those of another
// session, and gives them the ids that they have there; it tells how many these are.
// A copy may lack what was abandoned there.
func (s *Session) CopiedFrom(origin *Session) (copied int) {
	repeated := s.repeated(origin.turns, origin.undone)
	kept := slices.DeleteFunc(slices.Clone(origin.turns), func(t sessions.Turn) bool { return origin.undone[t.ID] })
	if stood := s.repeated(kept, nil); len(stood) >= len(repeated) {
		repeated = stood // what was typed again after it was gone back on is not what was gone back on
	}
	for i, id := range repeated {
		s.turns[i].ID, s.turns[i].Copied = id, true
	}
	return len(repeated)
}

// repeated are the ids of those of another session's turns that the ones at the
// beginning repeat; what differs is passed over where it is abandoned.
func (s *Session) repeated(turns []sessions.Turn, abandoned map[string]bool) (ids []string) {
	for _, o := range turns {
		if len(ids) == len(s.turns) {
			break
		}
		if t := &s.turns[len(ids)]; t.Kind == o.Kind && t.Text == o.Text {
			ids = append(ids, o.ID)
		} else if !abandoned[o.ID] {
			break
		}
	}
	return ids
}

// Repeats marks the turns that another session has too, by their ids.
func (s *Session) Repeats(origin *Session) {
	type told struct {
		id, text string
		kind     sessions.Kind
	}
	theirs := map[told]bool{}
	for _, t := range origin.turns {
		theirs[told{t.ID, t.Text, t.Kind}] = t.ID != ""
	}
	for i := range s.turns {
		t := &s.turns[i]
		t.Copied = t.Copied || theirs[told{t.ID, t.Text, t.Kind}]
	}
}

// Retells marks what another session tells too, in that order, whatever its calls look
// like there; it tells how much is said in both.
func (s *Session) Retells(origin *Session) (said int) {
	marked := 0
	shared := s.shared(origin)
	for _, i := range shared {
		s.turns[i].Copied = true
		for ; marked < i; marked++ { // the calls between
			s.turns[marked].Copied = s.turns[marked].Copied || !s.turns[marked].Kind.Conversation()
		}
	}
	return len(shared)
}

// SaidIn tells whether another session says all that is said, in that order.
func (s *Session) SaidIn(other *Session) bool {
	said := 0
	for _, t := range s.turns {
		if t.Kind.Conversation() {
			said++
		}
	}
	return len(s.shared(other)) == said
}

// shared are the places of what another session says too, in that order.
func (s *Session) shared(origin *Session) (at []int) {
	theirs := origin.turns
	for i, t := range s.turns {
		if !t.Kind.Conversation() {
			continue
		}
		found := slices.IndexFunc(theirs, func(o sessions.Turn) bool {
			return o.Kind == t.Kind && strings.TrimSpace(o.Text) == strings.TrimSpace(t.Text)
		})
		if found >= 0 {
			theirs = theirs[found+1:]
			at = append(at, i)
		}
	}
	return at
}

// OnlyRepeats tells whether nothing is said but what another session says.
func (s *Session) OnlyRepeats() bool {
	return !slices.ContainsFunc(s.turns, func(t sessions.Turn) bool { return t.Kind.Conversation() && !t.Copied })
}

// UndoAll marks every turn that has an id as abandoned.
func (s *Session) UndoAll() {
	for _, t := range s.turns {
		s.Undo(t.ID)
	}
}
