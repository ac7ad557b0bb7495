package index

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"yore/sessions"
)

const lockName = "lock"

// Store keeps an Index in a directory. Of all processes that have one open for
// the same directory, one writes: the first, and when it has ended the next that
// tries and has missed nothing. The others keep in memory what is new.
//
// All that counts is named by the manifest; a process that is killed at any
// moment leaves the last manifest and what it names as they were, and at most
// some files besides.
type Store struct {
	dir string
	x   *Index

	kept atomic.Pointer[Kept] // as Kept tells it

	mu      sync.Mutex // of all below; held while something is written
	lock    *os.File   // nil while another process writes
	on      manifest   // what is on disk
	ledger  ledger
	models  map[uint64]uint64 // of the vectors on disk, by segment
	sizes   map[string]int64  // of the segments' files, by name
	pending map[recordKey][]byte
	shown   *Snapshot // of which the sessions are on disk
	lost    []string  // names of files that are damaged and still to be set aside
	notes   []string
	failed  error                   // of the last Publish
	missed  bool                    // another process has written and ended since: see Missed
	left    error                   // why files may be there that do not count: see sweep
	stays   error                   // why the last purge did not remove all that was set aside
	unsure  bool                    // a power cut may bring back the manifest before on
	taken   bool                    // the process that held the lock before may have left that open: see sure
	sync    func(dir string) error  // SyncDir, but in tests
	remove  func(path string) error // os.RemoveAll, but in tests
	newer   bool                    // a newer version has written: see Newer
}

// Kept is what a Store has on disk.
type Kept struct {
	Dir      string
	Segments int
	Bytes    int64    // of all files that count
	Writes   bool     // this process writes; else another does, or none can
	Notes    []string // what went wrong, for the user: which file and what became of it
}

// OpenStore opens the directory for an index that is empty yet, and fills it with
// what is there. It returns the states of the transcripts that belong to it.
// What is damaged is set aside under another name, and said in Kept.Notes; what a newer
// version of this program wrote is left alone, see Newer. An error says why nothing can
// be kept in the directory; then the index may hold what another process wrote there, and
// goes on in memory.
func OpenStore(dir string, x *Index) (s *Store, saved []sessions.Saved, err error) {
	s = newStore(dir, x)
	saved, err = s.begin()
	return s, saved, err
}

func newStore(dir string, x *Index) *Store {
	s := &Store{dir: dir, x: x, sizes: make(map[string]int64), models: make(map[uint64]uint64), pending: make(map[recordKey][]byte), shown: x.Snapshot(), sync: SyncDir, remove: os.RemoveAll}
	s.on = s.nothing()
	return s
}

// begin does what OpenStore does.
func (s *Store) begin() (saved []sessions.Saved, err error) {
	err = os.MkdirAll(s.dir, 0o700)
	if err == nil {
		_, err = s.take()
	}
	if !s.standBack() {
		saved = s.fill()
	}
	if s.newer {
		s.on.clean = ReadClean(s.dir) // it stays forgotten in memory too
	}
	s.setAsideLost()
	s.x.dir.Store(&s.dir)
	switch {
	case s.lock == nil && s.CleanNow() != s.on.clean.Hash:
		s.left = errOthers
	case s.lock != nil && s.on.generation > 0:
		s.sweep() // what a killed process left
	}
	s.tell()
	s.x.mu.Lock()
	s.x.mergeSoon()
	s.x.mu.Unlock()
	return saved, err
}

// fill is read, after which the directory can be written to whatever was there.
func (s *Store) fill() []sessions.Saved {
	saved, err := s.read()
	if err == nil || !s.newer && s.standBack() { // a newer version may have written since that was asked
		return saved
	}
	s.note("%s cannot be used: %v", filepath.Join(s.dir, manifestName), err)
	if s.lock != nil {
		s.setAsideAll()
	}
	return nil
}

// take tries to become the one that writes. The caller holds mu, or has the only
// reference.
func (s *Store) take() (bool, error) {
	if s.lock != nil {
		return true, nil
	}
	f, err := s.openLock()
	if err != nil {
		return false, err
	}
	taken, err := lockFile(f)
	if !taken || !s.locked(f) { // it may have been removed before it was locked
		_ = f.Close() // it was not written
		return false, err
	}
	s.lock, s.taken = f, true
	return true, nil
}

// sure tells whether a power cut brings back no former manifest. One that was killed right
// after it wrote one may have left that open.
func (s *Store) sure() bool {
	if s.taken && s.sync(s.dir) == nil {
		s.taken = false
	}
	return !s.taken && !s.unsure
}

// locked tells whether a lock is the directory's: somebody may have removed that while it
// was open, with all else or alone, and another process make it anew at any moment, which
// then writes there.
func (s *Store) locked(lock *os.File) bool {
	own, err := lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(filepath.Join(s.dir, lockName))
	return err == nil && os.SameFile(own, now)
}

// openLock opens the file that is locked. A folder in its place is set aside, by a name
// that only a folder has: another process may have put a file there meanwhile.
func (s *Store) openLock() (*os.File, error) {
	path := filepath.Join(s.dir, lockName)
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) }
	f, err := open()
	if err != nil && os.Rename(path+string(filepath.Separator), s.asideName(lockName)) == nil {
		f, err = open()
	}
	if err != nil && InTheWay(path) {
		return nil, fmt.Errorf("%w: remove it", err)
	}
	return f, err
}

func (s *Store) release() {
	if s.lock != nil {
		_ = s.lock.Close() // it was not written
		s.lock = nil
	}
}

// Close lets another process write. What was not published stays unwritten.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
	s.tell()
}

// Reject sets everything aside, since what was kept cannot be used, and empties
// the index, into which nothing may have been applied yet. What comes then has none of the
// ids and ordinals of before, by which what is unpacked or merged just now is known.
func (s *Store) Reject(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note("what is kept in %s cannot be used: %v", s.dir, why)
	if s.lock != nil {
		s.setAsideAll()
	}
	s.on, s.ledger, s.lost = s.nothing(), ledger{}, nil
	clear(s.sizes)
	clear(s.models)
	clear(s.pending)
	s.show(&Snapshot{names: &s.x.names}, nil, false)
	s.tell()
}

// Kept says what is on disk. It never waits for what is being written.
func (s *Store) Kept() Kept {
	k := *s.kept.Load()
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	for _, l := range s.x.lost {
		k.Notes = append(slices.Clip(k.Notes), s.lossNote(l))
	}
	return k
}

func (s *Store) lossNote(l loss) string {
	if l.rest {
		return fmt.Sprintf("%s is damaged, and what can be read of it is kept: %v", filepath.Join(s.dir, l.name), l.why)
	}
	return fmt.Sprintf("%s cannot be used any more: %v", filepath.Join(s.dir, l.name), l.why)
}

// takeLost notes the files that were lost since, which are no longer the index's, and
// sets them aside.
func (s *Store) takeLost() {
	s.x.Heal()
	for _, l := range s.x.takeLost() {
		s.notes = append(s.notes, s.lossNote(l))
		s.lost = append(s.lost, l.name)
		if !l.rest {
			delete(s.sizes, l.name)
		}
	}
	s.setAsideLost()
}

// tell brings up to date what Kept says. The caller holds mu.
func (s *Store) tell() {
	k := Kept{Dir: s.dir, Segments: len(s.on.segments), Bytes: s.on.ledger.size, Writes: s.lock != nil, Notes: slices.Clone(s.notes)}
	for _, size := range s.sizes {
		k.Bytes += size
	}
	if s.failed != nil && !errors.Is(s.failed, s.stays) { // which is said below
		k.Notes = append(k.Notes, fmt.Sprintf("The index could not be written to %s: %v", s.dir, s.failed))
	}
	if s.hindered() {
		k.Notes = append(k.Notes, fmt.Sprintf("What was forgotten may still stand in a file that cannot be removed yet, which is tried again: %v", cmp.Or(s.stays, s.left)))
	}
	s.kept.Store(&k)
}

func (s *Store) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}
