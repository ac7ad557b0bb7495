package index

import "slices"

// loss is a file that cannot be read any more.
type loss struct {
	name string
	why  error
	rest bool // what can be read of it is still in use
}

// Heal takes out of the index what cannot be read any more, since somebody changed
// or cut short its file or the disk failed, and tells whether there was any. Of a
// segment the texts stay that can be read, and their words are cut anew: sessions that
// are gone from disk are nowhere else. That the others are not whole, Applied tells the
// next Library. Vectors alone are made anew. What a Snapshot of before holds goes on to
// give nothing. The Store says what happened and sets the files aside.
func (x *Index) Heal() bool {
	snap := x.Snapshot()
	ill := func(s *Segment) bool { return s.err() != nil }
	if !slices.ContainsFunc(snap.segs[:], func(segs []*Segment) bool { return slices.ContainsFunc(segs, ill) }) {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	for scope, segs := range next.segs {
		next.segs[scope] = nil
		for _, s := range segs {
			if healed := x.healed(s); healed != nil {
				next.segs[scope] = append(next.segs[scope], healed)
			}
		}
	}
	next.Generation++
	x.now.Store(&next)
	x.mergeSoon()
	return true
}

// healed is s without what cannot be read of it, nil when that is all. The caller
// holds mu.
func (x *Index) healed(s *Segment) *Segment {
	if why := s.content.file.err(); why != nil {
		rest := s.salvaged()
		x.lost = append(x.lost, loss{segmentName(s.id), why, rest != nil})
		x.lacks = x.lacks || rest == nil || rest.live < s.live
		return rest
	}
	why := s.vectors.file.err()
	if why == nil {
		return s
	}
	x.lost = append(x.lost, loss{vectorsName(s.id), why, false})
	c, fresh := *s.content, *s
	c.vectors, fresh.content = vectors{}, &c
	return &fresh
}

// Lacks tells whether Heal took text out of the index that the next Library reads again.
func (x *Index) Lacks() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.lacks
}

// takeLost gives the files that were lost since it was last called.
func (x *Index) takeLost() []loss {
	x.mu.Lock()
	defer x.mu.Unlock()
	lost := x.lost
	x.lost = nil
	return lost
}
