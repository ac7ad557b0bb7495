package index

// Scope is where the segment's documents belong.
func (s *Segment) Scope() Scope { return s.scope }

// Unread is how many documents of the scope have no words yet: those of Tools that
// Index.IndexTools has not come to, and for a while those of which an earlier version
// of this program had cut the words.
func (s *Snapshot) Unread(scope Scope) int {
	n := 0
	for _, seg := range s.segs[scope] {
		if seg.unread {
			n += seg.live
		}
	}
	return n
}
