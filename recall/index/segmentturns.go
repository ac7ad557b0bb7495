package index

import (
	"iter"
	"slices"
	"time"

	"yore/sessions"
)

// TurnKeys are, for each span of a passage, a hash of its text with blanks
// folded: equal in every copy of it. The slice must not be changed.
func (s *Segment) TurnKeys(doc uint32) []uint64 {
	if s.scope == Tools {
		return nil
	}
	from, to := s.turns.of(doc)
	return slices.Clip(s.turns.keys[from:to])
}

// TurnIDs are, for each span of a passage, a hash of the turn's id; 0 when it
// has none, or the segment's Err says why it is not known. The slice must not be changed.
func (s *Segment) TurnIDs(doc uint32) []uint64 {
	from, to := s.turns.of(doc)
	ids, _ := s.turns.ids.all()
	return slices.Clip(ids[from:to])
}

// Turns are the spans of a document with no more than kind, role and time, to the
// second; ok is false when they are not known so, and its text has to be read. They
// may lie in buf.
func (s *Segment) Turns(doc uint32, buf []sessions.Span) (spans []sessions.Span, ok bool) {
	kinds, known := s.turns.kinds.all()
	times, timed := s.turns.at.all()
	if !known || !timed {
		return nil, false
	}
	from, to := s.turns.of(doc)
	spans = buf[:0]
	for turn := from; turn < to; turn++ {
		kind, at := kinds[turn], times[turn]
		span := sessions.Span{Kind: sessions.Kind(kind & 0xf), Role: sessions.Role(kind >> 4)}
		if at == unknownTime {
			return nil, false
		}
		if at != 0 {
			span.At = time.Unix(int64(at), 0)
		}
		spans = append(spans, span)
	}
	return spans, true
}

// Kinds are those of the spans of a document; ok is false when they are not known, and
// its text has to be read.
func (s *Segment) Kinds(doc uint32) (kinds iter.Seq[sessions.Kind], ok bool) {
	all, known := s.turns.kinds.all()
	times, timed := s.turns.at.all()
	from, to := s.turns.of(doc)
	if !known || !timed || slices.Contains(times[from:to], unknownTime) {
		return nil, false
	}
	return func(yield func(sessions.Kind) bool) {
		for _, kind := range all[from:to] {
			if !yield(sessions.Kind(kind & 0xf)) {
				return
			}
		}
	}, true
}

// TurnWords are, for each span of a passage, how many of the ids that Sequence gives
// come before it; nil when that is not known, and in Tools. They must not be changed.
func (s *Segment) TurnWords(doc uint32) []uint16 {
	if s.scope == Tools {
		return nil
	}
	from, to := s.turns.of(doc)
	before := s.turns.words[from:to:to]
	if !slices.IsSorted(before) || len(before) == 0 || int(before[len(before)-1]) > int(s.table.length[doc]) || before[len(before)-1] == unknownWords {
		return nil
	}
	return before
}

// withUndone is s with the turns of a session whose ids are in flags marked as
// abandoned or not; s itself when that changes nothing. It reports false when the ids of
// its turns cannot be read.
func (s *Segment) withUndone(ord uint32, flags map[uint64]bool) (*Segment, bool) {
	from, to := s.table.run(ord)
	if from == to {
		return s, true
	}
	ids, ok := s.turns.ids.all()
	if !ok {
		return s, false
	}
	c := s
	for turn := s.turns.first.get(from); turn < s.turns.first.get(to); turn++ {
		undone, named := flags[ids[turn]]
		if !named || undone == s.undone.has(turn) {
			continue
		}
		if c == s {
			changed := *s
			c = &changed
			c.undone = s.undone.own(s.turns.ids.len())
		}
		if undone {
			c.undone.set(turn)
		} else {
			c.undone.unset(turn)
		}
	}
	return c, true
}
