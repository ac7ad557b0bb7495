package recall

import (
	"sync"
	"sync/atomic"
)

// A search takes some megabytes while it goes on and gives them back for the next: thrown
// away they were collected at every fifth keystroke, which made that half as long again.

// workspace is what a search takes.
type workspace struct {
	rows       []rows // by segment, so that each finds its size again
	sessions   []float32
	candidates []candidate
	grouped    []candidate // what groups are made of
	spares     []spare
}

// groupedMost is for how many candidates the room stays once an answer is given, some hundred
// bytes for each: far more than a screen asks for, and far less than all that match.
const groupedMost = 4 << 10

var workspaces = sync.Pool{New: func() any { return &workspace{} }}

// lastLent is a workspace beside the pool, which two collections between two questions
// empty, as an answer that is long to write down takes them.
var lastLent atomic.Pointer[workspace]

// rows have an element for each document of a segment. What else is noted of the segment
// while a search goes on lies with them.
type rows struct {
	scores []float32 // BM25
	found  []uint32  // words held
	near   []uint32  // words held in a close spelling only

	runs []runMatches // sessions with matches
	rest []uint64     // matches that are no candidates, as in matchSet
}

// clean makes rows for n documents.
func (r *rows) clean(n int) {
	if cap(r.scores) < n {
		r.scores, r.found, r.near = make([]float32, n), make([]uint32, n), make([]uint32, n)
	}
	r.scores, r.found, r.near = r.scores[:n], r.found[:n], r.near[:n]
	clear(r.scores)
	clear(r.found)
	clear(r.near)
}

// borrow takes a workspace and gives each segment its tally in it.
func (s *search) borrow() {
	if s.lent = lastLent.Swap(nil); s.lent == nil {
		s.lent = workspaces.Get().(*workspace)
	}
	n := len(s.corpus.segs)
	if more := n - len(s.lent.rows); more > 0 {
		s.lent.rows = append(s.lent.rows, make([]rows, more)...)
	}
	clear(s.lent.rows[n:]) // of segments that were merged since
	s.tallies = make([]tally, n)
	for i, seg := range s.corpus.segs {
		s.tallies[i] = tally{seg: seg, rows: &s.lent.rows[i]}
	}
}

// release gives back what a search has taken; nothing may look at it afterwards.
func (s *search) release() {
	s.tallies = nil
	for _, r := range s.readers {
		r.release()
	}
	if s.lent != nil {
		clear(s.lent.candidates[:cap(s.lent.candidates)])
		clear(s.lent.grouped)
		if s.lent.grouped = s.lent.grouped[:0]; cap(s.lent.grouped) > groupedMost {
			s.lent.grouped = nil
		}
		if !lastLent.CompareAndSwap(nil, s.lent) {
			workspaces.Put(s.lent)
		}
		s.lent = nil
	}
}

// room is n elements of what is kept in a workspace, with whatever stands there.
func room[T any](kept *[]T, n int) []T {
	if cap(*kept) < n {
		*kept = make([]T, n)
	}
	return (*kept)[:n]
}
