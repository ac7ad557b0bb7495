package index

import (
	"iter"
	"weak"

	"yore/sessions"
)

// Snapshot is one consistent view of the corpus. It never changes.
type Snapshot struct {
	// Generation grows with every Apply. Merging leaves it as it is.
	Generation uint64

	segs  [scopes][]*Segment
	dir   directory
	names *names
}

// Entry is one session as a Snapshot has it. It must not be changed.
type Entry struct {
	sessions.Session
	// Numbered is how many passages there are: they have the numbers from 0 to
	// Numbered-1. Snapshot.At finds them.
	Numbered int

	hung uint32 // turns that were hung on its passages
}

// Ref is where a passage or a hung turn stands in one Snapshot.
type Ref struct {
	Seg *Segment
	Doc uint32
}

// Segments are the scope's segments with this snapshot's tombstones, in no
// particular order. The slice must not be changed.
func (s *Snapshot) Segments(scope Scope) []*Segment { return s.segs[scope] }

// Err is why some of what the snapshot holds cannot be read any more, nil as long as
// all can. Index.Heal takes it out of the next one.
func (s *Snapshot) Err() error {
	for _, segs := range s.segs {
		for _, seg := range segs {
			if err := seg.err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sessions is one more than the largest session ordinal. Ordinals are given in
// the order in which sessions are first seen and are never given to another
// session, so some of them may name none (Session returns nil).
func (s *Snapshot) Sessions() int { return s.dir.size }

// Session is the session with this ordinal, nil when there is none (any more). Of a
// sub-agent it may be made at each call: see Brief.
func (s *Snapshot) Session(ord uint32) *Entry { return s.dir.at(ord) }

// Entries are all sessions by ordinal, in their order. To look at each of them costs less
// so than by Session.
func (s *Snapshot) Entries() iter.Seq2[uint32, *Entry] { return s.dir.each }

// Roll is what was known of all sessions at a time. The zero Roll is that of no session.
// It tells what is new and keeps nothing of what it knew in memory.
type Roll struct{ pages []weak.Pointer[page] }

// Roll is what the snapshot knows of them.
func (s *Snapshot) Roll() Roll {
	r := Roll{make([]weak.Pointer[page], len(s.dir.pages))}
	for i, p := range s.dir.pages {
		r.pages[i] = weak.Make(p)
	}
	return r
}

// Since gives the sessions of which something else may be known than in an earlier
// Roll of the same Index, by ordinal and in their order, and some besides; nil is one
// that is not there.
func (s *Snapshot) Since(r Roll) iter.Seq2[uint32, *Entry] {
	return func(yield func(uint32, *Entry) bool) { s.dir.since(r, true, yield) }
}

// UnpackedSince is Since with nil for sub-agents that Session would make: see Brief.
func (s *Snapshot) UnpackedSince(r Roll) iter.Seq2[uint32, *Entry] {
	return func(yield func(uint32, *Entry) bool) { s.dir.since(r, false, yield) }
}

// Brief is the least that is known of a session, at no cost; false when there is none.
func (s *Snapshot) Brief(ord uint32) (b Brief, ok bool) { return s.dir.brief(ord) }

// Briefs are those of all sessions by ordinal, in their order, at less than Brief of each.
func (s *Snapshot) Briefs() iter.Seq2[uint32, Brief] { return s.dir.briefs }

// Count is how many sessions there are, and how many of them are sub-agents.
func (s *Snapshot) Count() (all, subagents int) { return s.dir.count() }

// Find is the ordinal of a session.
func (s *Snapshot) Find(key sessions.Key) (ord uint32, ok bool) {
	ord, ok = s.names.find(key)
	if !ok {
		return 0, false
	}
	if _, ok = s.dir.brief(ord); !ok {
		return 0, false
	}
	return ord, true
}

// At finds a passage of a session by its number.
func (s *Snapshot) At(ord, number uint32) (Ref, bool) {
	b, ok := s.dir.brief(ord)
	if !ok {
		return Ref{}, false
	}
	for _, seg := range s.segs[b.scope()] {
		if doc, ok := seg.find(ord, number); ok {
			return Ref{seg, doc}, true
		}
	}
	return Ref{}, false
}

// scope is where the session's passages stand.
func (b *Brief) scope() Scope {
	if b.Subagent {
		return Agents
	}
	return Talk
}

// scopeOf is where a session's passages stand.
func scopeOf(s *sessions.Session) Scope {
	if s.Subagent {
		return Agents
	}
	return Talk
}

// Live is how many passages (or hung turns) the scope holds.
func (s *Snapshot) Live(scope Scope) int {
	n := 0
	for _, seg := range s.segs[scope] {
		n += seg.live
	}
	return n
}

// Tokens is the sum of their lengths in tokens. Tool texts count from
// Index.IndexTools on.
func (s *Snapshot) Tokens(scope Scope) int64 {
	n := int64(0)
	for _, seg := range s.segs[scope] {
		n += seg.tokens
	}
	return n
}

// Same finds every passage of Talk and Agents that holds a turn part with this
// key (Segment.TurnKeys), in no particular order.
func (s *Snapshot) Same(key uint64) []Ref {
	var refs []Ref
	for _, scope := range [...]Scope{Talk, Agents} {
		for _, seg := range s.segs[scope] {
			for _, doc := range seg.copies.of(key) {
				if !seg.Dead(uint32(doc)) {
					refs = append(refs, Ref{seg, uint32(doc)})
				}
			}
		}
	}
	return refs
}

// Repeated tells whether Same finds more than one.
func (s *Snapshot) Repeated(key uint64) bool {
	n := 0
	for _, scope := range [...]Scope{Talk, Agents} {
		for _, seg := range s.segs[scope] {
			for _, doc := range seg.copies.of(key) {
				if !seg.Dead(uint32(doc)) {
					n++
				}
				if n > 1 {
					return true
				}
			}
		}
	}
	return false
}
