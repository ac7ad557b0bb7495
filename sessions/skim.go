package sessions

import (
	"context"
	"encoding/binary"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"yore/sessions/packed"
)

// Of sub-agents there may be a hundred thousand, and to ask of each whether it changed is
// most of what a command costs that asks once. So a Library with Options.Brief leaves a
// folder of sub-agents out that a listing found quiet, as long as neither the folder
// changed, which has the time of the last transcript that came or went, nor the transcript
// of the session for which they work: a sub-agent is run by it, and its end is noted there.
// Who follows changes, and who reads all, looks at each transcript; what no rule foresaw
// (somebody writes into a transcript of long ago) is so noticed late by a command that
// asks once, and by none other. Nor does such a command learn of directories that only
// sub-agents it leaves out were at work in: of a harness that keeps transcripts where it is
// used, a root below one of them is found by who reads all.

const (
	// lookTrusted is how long a look counts: after that a command looks at all again.
	lookTrusted = 24 * time.Hour
	// sidesQuiet is how long no sub-agent in a folder must have written anything. One
	// that runs writes with every answer and tool; its session may wait meanwhile, and
	// write nothing.
	sidesQuiet = time.Hour
	// folderSettled is how long a folder must not have changed before a look, so that
	// what happened right after it would have given the folder another time: of two
	// seconds are the coarsest times of files that there are.
	folderSettled = 3 * time.Second
)

// look is how a listing found a folder of sub-agents.
type look struct {
	Folder
	root     Root
	within   []string // the folders in it
	at       time.Time
	sleeping gathering // what was listed; not known of one that was saved earlier
	shares   []share   // where it sleeps, of one that is saved
	number   uint64    // under which it was saved; 0: never
	saved    bool      // what is saved under number is this
}

// looks are the folders of sub-agents as they were listed last, by path.
type looks struct {
	mu   sync.Mutex
	all  map[string]*look
	void []uint64 // numbers of what was saved and cannot be read
}

// skim is one listing of a root whose source knows of folders: what it may leave out, and
// what it finds.
type skim struct {
	known    *looks
	sleepers *sleepers
	restless func([]share) // is called with those of a folder that does not rest
	brief    bool
	at       time.Time
	root     Root

	mu       sync.Mutex
	met      map[string]*met
	excluded map[string]bool // folders with some that are not wanted
	listed   []*look
	skipped  map[string]bool // folders that are left out
}

// met is what was sent of a folder.
type met struct {
	gathering
	newest time.Time
}

// skim begins a listing.
func (l *Library) skim(root Root) *skim {
	return &skim{known: &l.looks, sleepers: &l.sleepers, restless: func(shares []share) { l.fetch(false, shares) }, brief: l.o.Brief, at: time.Now(), root: root, met: make(map[string]*met), excluded: make(map[string]bool), skipped: make(map[string]bool)}
}

// list has a source list the root, and gives what it says went wrong.
func (s *skim) list(ctx context.Context, source Source, send func(Transcript)) error {
	if skimmer, ok := source.(Skimmer); ok {
		return skimmer.Skim(ctx, s.root, s, send)
	}
	return source.List(ctx, s.root, send)
}

// note takes in a transcript that was sent, with its print.
func (s *skim) note(t *Transcript, print uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := filepath.Dir(t.Path)
	m := s.met[dir]
	if m == nil {
		m = &met{}
		s.met[dir] = m
	}
	m.add(print, 1)
	if t.Mtime.After(m.newest) {
		m.newest = t.Mtime
	}
}

// exclude takes in a transcript that was sent and is not wanted: its folder is looked at
// again, since it may be wanted the next time.
func (s *skim) exclude(t *Transcript) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.excluded[filepath.Dir(t.Path)] = true
}

// Rests implements Skim.
func (s *skim) Rests(f Folder) (within []string, rests bool) {
	if !s.brief {
		return nil, false
	}
	k := s.known.of(f.Path)
	if !k.saved || k.root != s.root || !k.same(f) || s.at.Before(k.at) || s.at.Sub(k.at) >= lookTrusted {
		s.restless(k.shares)
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped[f.Path] = true
	return k.within, true
}

// Listed implements Skim.
func (s *skim) Listed(f Folder, within []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = append(s.listed, &look{Folder: f, root: s.root, within: within, at: s.at})
}

// of is the look at a folder, as it is now.
func (l *looks) of(path string) (k look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.all[path]; known != nil {
		k = *known
	}
	return k
}

func (f *Folder) same(o Folder) bool {
	return f.Path == o.Path && f.Stamp.Same(o.Stamp) && f.Parent.Same(o.Parent)
}

// end takes over what a listing found. A look that says the same and is not old yet stays,
// so that it need not be saved again.
func (s *skim) end() {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	if s.known.all == nil {
		s.known.all = make(map[string]*look)
	}
	for _, f := range s.listed {
		before, sent := s.known.all[f.Path], s.met[f.Path]
		quiet := sent != nil && !s.excluded[f.Path] && s.at.Sub(sent.newest) >= sidesQuiet && s.at.Sub(f.Stamp.Mtime) >= folderSettled
		if quiet {
			f.sleeping = sent.gathering
		}
		switch {
		case before == nil && !quiet:
			continue
		case before != nil && before.root == f.root && before.same(f.Folder) && slices.Equal(before.within, f.within) &&
			f.sleeping.count > 0 && s.sleepers.gathered(f.Path) == f.sleeping && !s.at.Before(before.at) && s.at.Sub(before.at) < lookTrusted/2:
			before.sleeping = f.sleeping
			continue
		case before != nil:
			f.number = before.number
		}
		s.known.all[f.Path] = f
	}
}

// restore takes over a look that was saved. One that cannot be read is void: its folder is
// looked at.
func (l *looks) restore(saved Saved) {
	r := packed.NewReader(saved.State)
	k := &look{number: saved.Number, saved: true}
	for _, text := range [...]*string{&k.root.Harness, &k.root.Path, &k.root.From, &k.Path} {
		*text = r.String()
	}
	k.Stamp, k.Parent = readStamp(r), readStamp(r)
	k.at = r.Time()
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		k.shares = append(k.shares, share{r.Uvarint(), int(r.Uvarint())})
	}
	k.within = r.Strings()
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Bad() || r.Rest() > 0 || l.all[k.Path] != nil {
		l.void = append(l.void, saved.Number)
		return
	}
	if l.all == nil {
		l.all = make(map[string]*look)
	}
	l.all[k.Path] = k
}

func (k *look) form() []byte {
	var b []byte
	for _, text := range [...]string{k.root.Harness, k.root.Path, k.root.From, k.Path} {
		b = packed.AppendString(b, text)
	}
	b = appendStamp(appendStamp(b, &k.Stamp), &k.Parent)
	b = packed.AppendTime(b, k.at)
	b = binary.AppendUvarint(b, uint64(len(k.shares)))
	for _, one := range k.shares {
		b = binary.AppendUvarint(binary.AppendUvarint(b, one.block), uint64(one.count))
	}
	return packed.AppendStrings(b, k.within)
}

// accounted is of how many members of each block the looks speak.
func (l *looks) accounted() map[uint64]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	members := make(map[uint64]int)
	for _, k := range l.all {
		for _, one := range k.shares {
			members[one.block] += one.count
		}
	}
	return members
}

// but are the looks at folders of some roots that a listing did not skip.
func (l *looks) but(skipped map[string]bool, of func(Root) bool) (all []*look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, k := range l.all {
		if !skipped[path] && of(k.root) {
			all = append(all, k)
		}
	}
	return all
}

// distrust has the looks at folders with sleepers of a block be void: the next start reads
// the block.
func (l *looks) distrust(block uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.all {
		if slices.ContainsFunc(k.shares, func(one share) bool { return one.block == block }) {
			k.saved, k.sleeping = false, gathering{}
		}
	}
}

// clear forgets all.
func (l *looks) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all, l.void = nil, nil
}

// written are the looks that are to be saved, and those that are void: of a folder in which
// not just that sleeps which was there when it was listed. What sleeps is saved with them.
func (l *looks) written(s *sleepers, number func() uint64) (saved []Saved) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.void {
		saved = append(saved, Saved{Number: n, Folder: true})
	}
	l.void = nil
	for _, path := range slices.Sorted(maps.Keys(l.all)) {
		k := l.all[path]
		if k.saved && s.holds(path, k.shares) {
			continue
		}
		if there := s.gathered(path); there.count > 0 && there == k.sleeping {
			if k.number == 0 {
				k.number = number()
			}
			k.shares, k.saved = s.sharesOf(path), true
			saved = append(saved, Saved{Number: k.number, State: k.form(), Folder: true})
			continue
		}
		if k.number > 0 {
			saved = append(saved, Saved{Number: k.number, Folder: true})
		}
		if k.number, k.saved = 0, false; k.sleeping.count == 0 {
			delete(l.all, path)
		}
	}
	return saved
}
