package index

import (
	"cmp"
	"slices"
)

// HungAt finds what hangs on a passage of a session, in transcript order.
func (s *Snapshot) HungAt(ord, number uint32) []Ref {
	if _, ok := s.dir.brief(ord); !ok {
		return nil
	}
	var refs []Ref
	for _, seg := range s.segs[Tools] {
		from, to := seg.table.since(ord, number)
		for doc := from; doc < to && seg.table.number[doc] == number; doc++ {
			if !seg.Dead(doc) {
				refs = append(refs, Ref{seg, doc})
			}
		}
	}
	slices.SortFunc(refs, func(a, b Ref) int {
		return cmp.Compare(a.Seg.table.order[a.Doc], b.Seg.table.order[b.Doc])
	})
	return refs
}
