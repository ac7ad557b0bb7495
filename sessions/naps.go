package sessions

// nap is the number of a transcript that slept at least once: the same each time, and no
// other has it. 0: it never slept.
type nap uint32

// naps is a set of them, one bit for each: those that a listing found as they were.
type naps []uint64

func (n *naps) add(one nap) {
	for int(one/64) >= len(*n) {
		*n = append(*n, 0)
	}
	(*n)[one/64] |= 1 << (one % 64)
}

func (n naps) has(one nap) bool {
	return one > 0 && int(one/64) < len(n) && n[one/64]>>(one%64)&1 > 0
}

// unchanged is the nap of the sleeper that a listing found as it was, and in any case the
// print of what it found.
func (s *sleepers) unchanged(t *Transcript) (one nap, print uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare(0)
	print = s.printOf(t)
	row, ok := s.byHash[s.byPlace(t.Path, t.Unit)]
	if !ok {
		return 0, print, false
	}
	return s.rows[row].nap, print, !s.rows[row].gone && s.rows[row].print == print
}

// in adds to naps those in some folders.
func (s *sleepers) in(folders map[string]bool, to *naps) {
	if len(folders) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.blocks {
		b.each(func(i int, d *dormant) bool {
			if d.side && !d.gone && folders[string(d.dir())] {
				to.add(s.rows[b.rows[i]].nap)
			}
			return true
		})
	}
}

// linked tells for each of some files whether it is one that a listing saw asleep, by
// another path.
func (s *sleepers) linked(found []found, seen naps) []bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	byInode := make(map[uint64][]int)
	for i, f := range found {
		if f.Inode != 0 {
			byInode[f.Inode] = append(byInode[f.Inode], i)
		}
	}
	out := make([]bool, len(found))
	for row := range s.rows {
		at := &s.rows[row]
		if at.in == nil || !seen.has(at.nap) {
			continue
		}
		for _, i := range byInode[at.inode] {
			at.in.each(func(index int, d *dormant) bool {
				if index == at.index && string(d.root[0]) == found[i].Root.Harness && string(d.unit) == found[i].Unit {
					out[i] = out[i] || sameFile(string(d.path), found[i].Path)
				}
				return index < at.index
			})
		}
	}
	return out
}

// missing wakes those below some roots that a listing did not see and of which lost is
// true. The mutex is not held while that is asked: a disk may take long to answer.
func (s *sleepers) missing(below func(Root) bool, seen naps, lost func(Transcript) bool, waker func(*kept)) {
	var away naps
	for one, at := range s.unseen(below, seen) {
		if lost(at) {
			away.add(one)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := range s.having(func(at *sleeper) bool { return away.has(at.nap) }) {
		s.wake(b, func(i int, _ *dormant) bool { return away.has(s.rows[b.rows[i]].nap) }, waker)
	}
}

// unseen are those below some roots that a listing did not see, and where they lay.
func (s *sleepers) unseen(below func(Root) bool, seen naps) map[nap]Transcript {
	s.mu.Lock()
	defer s.mu.Unlock()
	unseen := make(map[nap]Transcript)
	for b := range s.having(func(at *sleeper) bool { return !at.gone && !seen.has(at.nap) && below(at.in.root) }) {
		b.each(func(i int, d *dormant) bool {
			if one := s.rows[b.rows[i]].nap; !d.gone && !seen.has(one) {
				unseen[one] = Transcript{Root: d.rootOf(), Path: string(d.path), Unit: string(d.unit)}
			}
			return true
		})
	}
	return unseen
}

// having are the blocks with one of which want is true. The caller holds mu.
func (s *sleepers) having(want func(*sleeper) bool) map[*block]bool {
	blocks := make(map[*block]bool)
	for row := range s.rows {
		if at := &s.rows[row]; at.in != nil && want(at) {
			blocks[at.in] = true
		}
	}
	return blocks
}
