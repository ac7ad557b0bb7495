package sessions

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"

	"yore/sessions/packed"
)

// flock is the sub-agents that sleep in one folder.
type flock struct {
	gathering
	shares []share // of each block, in the order of their numbers
}

// gathering is how many transcripts there are, and the prints of all, by exclusive or.
type gathering struct {
	count  int
	prints uint64
}

func (g *gathering) add(print uint64, count int) {
	g.count += count
	g.prints ^= print
}

// share is how many of a folder a block has. A block in which anything else sleeps than
// before it was saved has another number, or more members: so equal shares are the same
// sleepers.
type share struct {
	block uint64
	count int
}

// add counts one more, or less, in a block.
func (f *flock) add(print, block uint64, count int) {
	f.gathering.add(print, count)
	i, found := slices.BinarySearchFunc(f.shares, block, func(s share, n uint64) int { return cmp.Compare(s.block, n) })
	if !found {
		f.shares = slices.Insert(f.shares, i, share{block: block})
	}
	if f.shares[i].count += count; f.shares[i].count == 0 {
		f.shares = slices.Delete(f.shares, i, i+1)
	}
}

// dir is the folder in which a sleeper lies.
func (d *dormant) dir() packed.Front {
	return d.path[:max(bytes.LastIndexByte(d.path, filepath.Separator), 0)]
}

// gather counts a sleeper of a block in its folder, or takes it out.
func (s *sleepers) gather(d *dormant, print, block uint64, count int) {
	if !d.side || d.gone {
		return
	}
	key := sum(s.seed, hashFolder, d.dir())
	f := s.flocks[key]
	if f == nil {
		f = &flock{}
		s.flocks[key] = f
	}
	if f.add(print, block, count); f.count == 0 {
		delete(s.flocks, key)
	}
}

// gathered is what sleeps in a folder, as far as it was read.
func (s *sleepers) gathered(dir string) gathering {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.flock(dir); f != nil {
		return f.gathering
	}
	return gathering{}
}

// flock is that of a folder, nil when nothing sleeps there. The caller holds mu.
func (s *sleepers) flock(dir string) *flock {
	if len(s.flocks) == 0 {
		return nil
	}
	return s.flocks[sum(s.seed, hashFolder, dir)]
}

// sharesOf are those of a folder.
func (s *sleepers) sharesOf(dir string) []share {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.flock(dir); f != nil {
		return slices.Clone(f.shares)
	}
	return nil
}

// holds tells whether just what shares say sleeps in a folder; what was left on disk does.
func (s *sleepers) holds(dir string, shares []share) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var there []share
	if f := s.flock(dir); f != nil {
		there = f.shares
	}
	for _, one := range shares {
		if _, left := s.left[one.block]; left {
			continue
		}
		if len(there) == 0 || there[0] != one {
			return false
		}
		there = there[1:]
	}
	return len(there) == 0
}
