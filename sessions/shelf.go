package sessions

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// shelf holds all transcripts that were ever listed, by where they lie.
type shelf struct {
	mu     sync.Mutex
	byUnit map[unit]*transcript
	byPath map[string][]*transcript
	gone   map[Key]*transcript // by the id that their name told
}

// change is a transcript with what has become of it. Of a hundred thousand that are listed
// there is one each, so it holds nothing twice.
type change struct {
	t           *transcript
	at          *Transcript // as it was listed; nil: as it is known
	first       *int64      // its size, where it is lined up by the start
	gone, isNew bool
}

// job is what the queue is to be told of it.
func (c *change) job() *job { return &job{at: *c.at, gone: c.gone} }

// inReadingOrder puts what is gone behind all that is to be read: its session
// may turn up elsewhere.
func inReadingOrder(a, b change) int {
	if a.gone != b.gone {
		if a.gone {
			return 1
		}
		return -1
	}
	return newestFirst(*a.at, *b.at)
}

// reconcile brings the shelf up to what a listing of the homes says, and
// returns what changed. A transcript that appears under a new path with the id of one that
// is missing is that one, moved, if it may be. The queue tells what is known of each.
func (s *shelf) reconcile(homes []home, l listing, q *queue, ids *claims) []change {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := once(append(l.found, s.woken(&l, q)...), func(u unit) bool { return s.byUnit[u] != nil })
	missing := s.missing(homes, l, kept, q)
	var changes []change
	for i := range kept {
		f := &kept[i]
		t, isNew := s.byUnit[unitOf(f.Transcript)], false
		if t == nil {
			t, isNew = s.place(f, l.exclude, ids, q)
		}
		before, failed := q.state(t)
		if before.gone && s.gone[Key{f.Root.Harness, f.ID}] == t {
			delete(s.gone, Key{f.Root.Harness, f.ID})
		}
		if isNew || failed || before.gone || before.at.Root != f.Root || before.at.Path != f.Path || !before.at.Same(f.Stamp) {
			q.expect(t)
			changes = append(changes, change{t: t, at: &f.Transcript, isNew: isNew})
		}
	}
	for _, t := range missing {
		if j, _ := q.state(t); s.byUnit[unitOf(j.at)] == t {
			q.expect(t)
			changes = append(changes, change{t: t, at: &j.at, gone: true})
		}
	}
	return changes
}

// woken are the transcripts that a listing saw asleep, or whose folders it took to be as
// they were, and that are awake by now: they are where they were, which nothing else can
// tell of the row of a database.
func (s *shelf) woken(l *listing, q *queue) (woken []found) {
	for _, t := range s.byUnit {
		j, _ := q.state(t)
		if !j.gone && (l.asleep.has(t.nap) || j.at.Side && l.skipped[filepath.Dir(j.at.Path)]) {
			woken = append(woken, found{j.at, t.source})
		}
	}
	return woken
}

// missing are the known transcripts of the homes that are on disk no more, or
// whose session another file holds now, in the order of their paths. They are
// entered in gone.
func (s *shelf) missing(homes []home, l listing, kept []found, q *queue) []*transcript {
	if len(s.byUnit) == 0 {
		return nil
	}
	here := make(map[unit]bool, len(kept))
	taken := make(map[Key]bool) // ids of transcripts that turned up
	for _, f := range kept {
		here[unitOf(f.Transcript)] = true
		if f.ID != "" && s.byUnit[unitOf(f.Transcript)] == nil {
			taken[Key{f.Root.Harness, f.ID}] = true
		}
	}
	var missing []*transcript
	for u, t := range s.byUnit {
		j, _ := q.state(t)
		key := Key{j.at.Root.Harness, j.at.ID}
		asked := slices.ContainsFunc(homes, func(h home) bool { return h.place() == j.at.Root.place() })
		replaced := taken[key] && l.failed[j.at.Root.place()] == nil
		if here[u] || j.gone || !asked || onDisk(j.at, l.failed[j.at.Root.place()]) && !replaced {
			continue
		}
		missing = append(missing, t)
		if j.at.ID != "" {
			s.gone[key] = t
		}
	}
	slices.SortFunc(missing, func(a, b *transcript) int {
		one, _ := q.state(a)
		other, _ := q.state(b)
		return cmp.Or(cmp.Compare(one.at.Path, other.at.Path), cmp.Compare(one.at.Unit, other.at.Unit))
	})
	return missing
}

// onDisk tells whether a transcript that was not listed is there all the same:
// its root could not be listed, or another path to it was.
func onDisk(t Transcript, failed error) bool {
	if t.Unit != "" {
		return failed != nil
	}
	_, err := os.Stat(t.Path)
	return err == nil || !os.IsNotExist(err)
}

// place puts a transcript under a path that is not known yet. It tells whether
// it is a new one.
func (s *shelf) place(f *found, exclude []string, ids *claims, q *queue) (t *transcript, isNew bool) {
	key := Key{f.Root.Harness, f.ID}
	t, moved := s.gone[key]
	if moved = moved && f.ID != ""; moved {
		j, _ := q.state(t)
		if moved = mayBe(j.at, f.Transcript, exclude); moved {
			delete(s.gone, key)
			s.take(t, j.at)
		}
	}
	if !moved {
		t = &transcript{source: f.source, at: f.Transcript}
		if f.ID != "" {
			ids.take(t, f.ID)
		}
	}
	s.prepare(0)
	s.byUnit[unitOf(f.Transcript)] = t
	s.byPath[f.Path] = append(s.byPath[f.Path], t)
	return t, !moved
}

// mayBe tells whether what counts as gone may be what was found: its harness goes on in
// another file and leaves it where it is, or it was moved, for what was found is as long, or
// the same file with more in it. Anything else may be a copy that lags behind it, and has to
// say as much to take its place: see sift.
func mayBe(gone, found Transcript, exclude []string) bool {
	if !excluded(gone.Path, exclude) && gone.Path != "" && onDisk(gone, nil) {
		return true
	}
	if gone.Unit != "" || found.Unit != "" {
		return gone.Unit == found.Unit && gone.Size == found.Size && gone.Extra == found.Extra && gone.Mtime.Equal(found.Mtime)
	}
	return gone.Size == found.Size || gone.Size < found.Size && gone.Inode == found.Inode && gone.Inode != 0
}

// take takes a transcript from where it lies. The caller holds mu.
func (s *shelf) take(t *transcript, at Transcript) {
	delete(s.byUnit, unitOf(at))
	s.byPath[at.Path] = slices.DeleteFunc(s.byPath[at.Path], func(o *transcript) bool { return o == t })
	if len(s.byPath[at.Path]) == 0 {
		delete(s.byPath, at.Path)
	}
}

// withdraw takes a transcript from the shelf if it lies where it says and the queue lets
// go of it, and tells whether it did.
func (s *shelf) withdraw(t *transcript, q *queue) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byUnit[unitOf(t.at)] != t || !q.retire(t) {
		return false
	}
	s.take(t, t.at)
	if key := (Key{t.at.Root.Harness, t.at.ID}); s.gone[key] == t {
		delete(s.gone, key)
	}
	return true
}

// holds tells whether a transcript lies there.
func (s *shelf) holds(u unit) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byUnit[u] != nil
}

// restore puts a transcript back where it lay. Where another lies by now it
// counts as missing until it turns up elsewhere.
func (s *shelf) restore(t *transcript) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare(0)
	if s.byUnit[unitOf(t.at)] != nil {
		t.job.at.Path, t.job.gone = "", true
	}
	if t.job.gone && t.at.ID != "" {
		s.gone[Key{t.at.Root.Harness, t.at.ID}] = t
	}
	s.byUnit[unitOf(t.job.at)] = t
	s.byPath[t.job.at.Path] = append(s.byPath[t.job.at.Path], t)
}

// expect makes room for so many transcripts.
func (s *shelf) expect(transcripts int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare(transcripts)
}

// prepare makes the maps, for so many transcripts where that is known. The caller
// holds mu.
func (s *shelf) prepare(transcripts int) {
	if s.byUnit == nil {
		s.byUnit, s.byPath = make(map[unit]*transcript, transcripts), make(map[string][]*transcript, transcripts)
		s.gone = make(map[Key]*transcript)
	}
}

// all are all transcripts, in no particular order.
func (s *shelf) all() []*transcript {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.byUnit))
}

// at are the transcripts that lie in the file with this path.
func (s *shelf) at(path string) []*transcript {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.byPath[path])
}
