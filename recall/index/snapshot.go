package index

import (
	"yore/sessions"
)

// Snapshot is one consistent view of the corpus. It never changes.
type Snapshot struct {
	// Generation grows with every Apply. Merging leaves it as it is.
	Generation uint64

	segs  [scopes][]*Segment
	names *names
}

// Entry is one session as a Snapshot has it.
type Entry struct {
	sessions.Session
	// Numbered is how many passages there are: they have the numbers from 0 to
	// Numbered-1.
	Numbered int
}

// Ref is where a passage or a hung turn stands in one Snapshot.
type Ref struct {
	Seg *Segment
	Doc uint32
}

// Segments are the scope's segments with this snapshot's tombstones, in no
// particular order. The slice belongs to the snapshot.
func (s *Snapshot) Segments(scope Scope) []*Segment { return s.segs[scope] }

// Sessions is one more than the largest session ordinal. Ordinals are given in
// the order in which sessions are first seen and are never given again, so
// some of them may name no session (Session returns nil).
func (s *Snapshot) Sessions() int { return 0 }

// Session is the session with this ordinal, nil when there is none (any more).
func (s *Snapshot) Session(ord uint32) *Entry { return nil }

// Find is the ordinal of a session.
func (s *Snapshot) Find(key sessions.Key) (ord uint32, ok bool) { return 0, false }

// At finds passage number of a session.
func (s *Snapshot) At(ord, number uint32) (Ref, bool) { return Ref{}, false }

// HungAt finds what hangs on passage number of a session, in transcript order.
func (s *Snapshot) HungAt(ord, number uint32) []Ref { return nil }

// Live is how many passages (or hung turns) the scope holds.
func (s *Snapshot) Live(scope Scope) int { return 0 }

// Tokens is the sum of their lengths in tokens.
func (s *Snapshot) Tokens(scope Scope) int64 { return 0 }

// Same finds every passage of Talk and Agents that holds a turn part with this
// key (Segment.TurnKeys), in no particular order.
func (s *Snapshot) Same(key uint64) []Ref { return nil }
