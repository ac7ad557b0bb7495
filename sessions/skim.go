package sessions

import (
	"bytes"
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
// asks once, and by none other.

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
	sleeping gathering
	number   uint64 // under which it was saved; 0: never
	saved    bool   // what is saved under number is this
}

// gathering is what sleeps in one folder.
type gathering struct {
	count  int
	prints uint64 // of all, by exclusive or
}

func (g *gathering) add(print uint64, count int) {
	g.count += count
	g.prints ^= print
}

// looks are the folders of sub-agents as they were listed last, by path.
type looks struct {
	mu  sync.Mutex
	all map[string]*look
}

// skim is one listing of a root whose source knows of folders: what it may leave out, and
// what it finds.
type skim struct {
	known *looks
	brief bool
	at    time.Time
	root  Root

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
func (l *looks) skim(root Root, brief bool) *skim {
	return &skim{known: l, brief: brief, at: time.Now(), root: root, met: make(map[string]*met), excluded: make(map[string]bool), skipped: make(map[string]bool)}
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
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	k := s.known.all[f.Path]
	if k == nil || !k.saved || k.root != s.root || !k.same(f) || s.at.Before(k.at) || s.at.Sub(k.at) >= lookTrusted {
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
		case before != nil && before.root == f.root && before.same(f.Folder) && before.sleeping == f.sleeping &&
			slices.Equal(before.within, f.within) && s.at.Sub(before.at) < lookTrusted/2:
			continue
		case before != nil:
			f.number = before.number
		}
		s.known.all[f.Path] = f
	}
}

// restore takes over a look that was saved; false when it is none.
func (l *looks) restore(saved Saved) bool {
	r := packed.NewReader(saved.State)
	k := &look{number: saved.Number, saved: true}
	for _, text := range [...]*string{&k.root.Harness, &k.root.Path, &k.root.From, &k.Path} {
		*text = r.String()
	}
	k.Stamp, k.Parent = readStamp(r), readStamp(r)
	k.at = r.Time()
	k.sleeping.count = r.Int()
	k.within = r.Strings()
	if r.Bad() || r.Rest() > 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = make(map[string]*look)
	}
	l.all[k.Path] = k
	return true
}

func (k *look) form() []byte {
	var b []byte
	for _, text := range [...]string{k.root.Harness, k.root.Path, k.root.From, k.Path} {
		b = packed.AppendString(b, text)
	}
	b = appendStamp(appendStamp(b, &k.Stamp), &k.Parent)
	b = packed.AppendTime(b, k.at)
	b = binary.AppendVarint(b, int64(k.sleeping.count))
	return packed.AppendStrings(b, k.within)
}

// confirm compares what was restored with what sleeps, and drops what does not agree.
func (l *looks) confirm(s *sleepers) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.all {
		if there := s.gathered(k.Path); there.count == k.sleeping.count {
			k.sleeping = there
		} else {
			k.sleeping = gathering{}
		}
	}
}

// clear forgets all.
func (l *looks) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// written are the looks that are to be saved, and those that are void: of a folder in which
// not just that sleeps which was there when it was listed. What sleeps is saved with them.
func (l *looks) written(s *sleepers, number func() uint64) (saved []Saved) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(l.all)) {
		k := l.all[path]
		good := k.sleeping.count > 0 && k.sleeping == s.gathered(path)
		switch {
		case good && !k.saved:
			if k.number == 0 {
				k.number = number()
			}
			saved = append(saved, Saved{Number: k.number, State: k.form(), Folder: true})
		case !good && k.number > 0:
			saved = append(saved, Saved{Number: k.number, Folder: true})
			k.number = 0
		}
		k.saved = good
		if k.sleeping.count == 0 {
			delete(l.all, path)
		}
	}
	return saved
}

// dir is the folder in which a sleeper lies.
func (d *dormant) dir() packed.Front {
	return d.path[:max(bytes.LastIndexByte(d.path, filepath.Separator), 0)]
}

// gather counts a sleeper in its folder, or takes it out.
func (s *sleepers) gather(d *dormant, print uint64, count int) {
	if !d.side || d.gone {
		return
	}
	key := sum(s.seed, hashFolder, d.dir())
	g := s.folders[key]
	g.add(print, count)
	if s.folders[key] = g; g.count == 0 {
		delete(s.folders, key)
	}
}

// gathered is what sleeps in a folder.
func (s *sleepers) gathered(dir string) gathering {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.folders) == 0 {
		return gathering{}
	}
	return s.folders[sum(s.seed, hashFolder, dir)]
}
