package sessions

import (
	"errors"
	"maps"
	"os"
	"slices"

	"yore/sessions/packed"
)

// Who asks once needs nothing of what sleeps in folders that it does not look into: the
// blocks of such sleepers stay on disk until somebody asks for one of them.

// leftOut are the blocks that can be left: of which all members lie in folders that were
// looked at. Others is whatever is saved besides. A block with few members is read, so that
// more can be added to it.
func leftOut(saved []Saved, accounted map[uint64]int) (left, others []Saved) {
	for _, one := range saved {
		if one.Many && one.Later != nil {
			r := packed.NewReader(one.State)
			current := r.Uvarint() == readingRevision
			if n, _ := readMembers(r); current && n >= blockMembers/2 && n == accounted[one.Number] {
				left = append(left, one)
				continue
			}
		}
		others = append(others, one)
	}
	return left, others
}

// leaveOut leaves blocks on disk until somebody asks for one of them.
func (s *sleepers) leaveOut(blocks []Saved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare(0)
	for _, one := range blocks {
		r := packed.NewReader(one.State)
		r.Uvarint() // the revision
		_, copies := readMembers(r)
		s.hoards, one.State = s.hoards || copies, nil
		s.left[one.Number] = one
	}
}

// leftOf are blocks that are left: those of some shares, or all.
func (s *sleepers) leftOf(all bool, shares []share) (left []Saved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		return slices.Collect(maps.Values(s.left))
	}
	for _, one := range shares {
		if saved, ok := s.left[one.block]; ok {
			left = append(left, saved)
		}
	}
	return left
}

// leaves tells whether there is something left.
func (s *sleepers) leaves() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.left) > 0
}

// hasName tells whether a session with a key sleeps in what was read.
func (s *sleepers) hasName(key Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.blocks) == 0 {
		return false
	}
	_, ok := s.byHash[s.byName(key)]
	return ok
}

// mayLeave tells whether sleepers can be left on disk: of none text is missing, and none
// is forgotten.
func (l *Library) mayLeave(applied *Applied) bool {
	return l.o.Brief && !applied.Doubtful && len(applied.Partial) == 0 && (l.o.Forgotten == nil || l.o.Forgets != nil && !l.o.Forgets())
}

// fetch reads blocks that were left: those of some shares, or all. One that cannot be read
// any more stays left, with all that is known of its sleepers: nothing that a listing says
// can be compared with them, and the next start is to read it with the others.
func (l *Library) fetch(all bool, shares []share) {
	l.fetching.Lock()
	defer l.fetching.Unlock()
	for _, one := range l.sleepers.leftOf(all, shares) {
		var err error
		if one.State, err = one.Later(); err != nil || !soundBlock(one.State) ||
			!l.sleepers.load(one, false, func(_ *block, d *dormant) { l.meetSleeper(d) }) {
			l.unfetched.Store(true)
			l.looks.distrust(one.Number)
		}
	}
}

// errUnfetched is why nothing that is new is read.
var errUnfetched = errors.New("what the index keeps of sub-agents that ended cannot be read")

// leavesOut counts the roots in which something may be new that is not read.
func (l *Library) leavesOut(listed []found) {
	for _, f := range listed {
		l.skips.root(f.Root, unfetched, errUnfetched)
	}
}

// fetchUnseen reads those that lie in folders of some roots which a listing neither skipped
// nor found, and all where one of them may have the name of what it found, or be that by
// another path.
func (l *Library) fetchUnseen(now *listing, asked func(Root) bool) {
	if !l.sleepers.leaves() {
		return
	}
	for _, k := range l.looks.but(now.skipped, asked) {
		l.fetch(false, k.shares)
	}
	for i := range now.found {
		f, key := &now.found[i], Key{now.found[i].Root.Harness, printableID(now.found[i].ID)}
		if f.Inode != 0 && linkedElsewhere(f.Path) || !l.shelf.holds(unitOf(f.Transcript)) && !l.sleepers.hasName(key) && l.leftBehind(key) {
			l.fetch(true, nil)
			return
		}
	}
}

// linkedElsewhere tells whether another path may lead to the file with this one.
func linkedElsewhere(path string) bool {
	info, err := os.Lstat(path)
	return err != nil || !info.Mode().IsRegular() || links(info) > 1
}

// named wakes the sleeper whose session has a key, also one that was left, and tells
// whether it did.
func (l *Library) named(key Key, waken func(*kept)) bool {
	find := func() bool { return l.sleepers.find(func(s *sleepers) uint64 { return s.byName(key) }, waken) }
	left := l.sleepers.leaves() // asked first: what is left now may be read meanwhile, and is found then
	if find() {
		return true
	}
	if !left || !l.leftBehind(key) {
		return false
	}
	l.fetch(true, nil)
	return find()
}

// leftBehind tells whether the session with a key may be one of those that were left: it is
// known, or may be a copy, of which nothing is, and none that is awake.
func (l *Library) leftBehind(key Key) bool {
	if l.claims.find(key) != nil {
		return false
	}
	_, known, _ := l.applied.Session(key)
	return known || l.sleepers.hoardsCopy(key)
}
