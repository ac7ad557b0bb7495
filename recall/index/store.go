package index

import (
	"errors"
	"fmt"
	"maps"
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
	failed  error // of the last Publish
	missed  bool  // another process has written and ended since: see Missed
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
// What is damaged or of another format is set aside under another name, and said
// in Kept.Notes. An error says why nothing can be kept in the directory; then
// the index may hold what another process wrote there, and goes on in memory.
func OpenStore(dir string, x *Index) (*Store, []sessions.Saved, error) {
	s := &Store{dir: dir, x: x, sizes: make(map[string]int64), models: make(map[uint64]uint64), pending: make(map[recordKey][]byte), shown: x.Snapshot()}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		_, err = s.take()
	}
	saved, readErr := s.read()
	if readErr != nil {
		s.note("%s cannot be used: %v", filepath.Join(dir, manifestName), readErr)
		if s.lock != nil {
			s.setAsideAll()
		}
	}
	s.setAsideLost()
	if s.lock != nil && s.on.generation > 0 {
		s.sweep() // what a killed process left
	}
	s.tell()
	x.mu.Lock()
	x.mergeSoon()
	x.mu.Unlock()
	return s, saved, err
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
	if !taken {
		_ = f.Close() // it was not written
		return false, err
	}
	s.lock = f
	return true, nil
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
// the index, into which nothing may have been applied yet.
func (s *Store) Reject(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note("what is kept in %s cannot be used: %v", s.dir, why)
	if s.lock != nil {
		s.setAsideAll()
	}
	s.on, s.ledger = manifest{}, ledger{}
	clear(s.sizes)
	clear(s.models)
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
	if s.failed != nil {
		k.Notes = append(k.Notes, fmt.Sprintf("The index could not be written to %s: %v", s.dir, s.failed))
	}
	s.kept.Store(&k)
}

func (s *Store) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// Unwritten is how many passages, and how many bytes of text, are in memory
// alone.
func (s *Store) Unwritten() (passages int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for scope, segs := range s.x.Snapshot().segs {
		for _, seg := range segs {
			if s.has(seg.id) {
				continue
			}
			bytes += int64(len(seg.texts.packed))
			if Scope(scope) != Tools {
				passages += seg.live
			}
		}
	}
	return passages, bytes
}

func (s *Store) has(id uint64) bool { return s.sizes[segmentName(id)] > 0 }

// errMissed is why a process that could write does not.
var errMissed = errors.New("another process has written since this one began")

// Publish writes what is in memory alone. Save calls its argument with the
// states of the transcripts that changed, in a moment in which the index holds
// just what they speak of. It does nothing while another process writes.
func (s *Store) Publish(save func(take func([]sessions.Saved))) error {
	err := s.publish(save, nil)
	if errors.Is(err, errMissed) {
		return nil
	}
	return err
}

// publish does what Publish does, or what Purge does in the end where clean is given.
// It is errMissed that another process writes.
func (s *Store) publish(save func(take func([]sessions.Saved)), clean *Clean) error {
	s.x.mergeMu.Lock()
	defer s.x.mergeMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	if err := s.mayWrite(); err != nil {
		if !errors.Is(err, errMissed) {
			s.failed = err
		}
		return err
	}
	s.takeLost()
	var snap *Snapshot
	save(func(states []sessions.Saved) {
		snap = s.x.Snapshot()
		for _, state := range states {
			s.pending[stateKey(state)] = state.State
		}
	})
	if s.failed = s.write(snap, clean); s.failed != nil {
		s.sweep() // half an index is no use, and the disk may be full
	}
	return s.failed
}

// mayWrite makes this process the writer if it can be.
func (s *Store) mayWrite() error {
	if s.lock != nil {
		return nil
	}
	if s.missed {
		return errMissed
	}
	taken, err := s.take()
	if err != nil {
		return err
	}
	if !taken {
		return errMissed
	}
	now, err := readManifest(s.dir)
	if err == nil && (now == nil && s.on.generation == 0 || now != nil && now.generation == s.on.generation) {
		s.setAsideLost()
		return nil
	}
	s.release()
	s.missed = true
	return errMissed
}

// write makes what snap shows the content of the directory, and with clean nothing else.
func (s *Store) write(snap *Snapshot, clean *Clean) error {
	records := s.records(snap)
	next := manifest{generation: s.on.generation, ordinals: uint32(snap.dir.size), written: s.on.written}
	next.ledger, next.clean = s.on.ledger, s.on.clean
	if clean != nil {
		next.clean = *clean
	}
	sizes := make(map[string]int64)
	var written []*content
	remade := false // vectors that are on disk
	for scope := range snap.segs {
		for _, seg := range s.gather(Scope(scope), snap.segs[scope]) {
			fresh := !s.has(seg.id)
			again := !fresh && s.outdated(seg)
			if fresh || again {
				written = append(written, seg.content)
			}
			remade = remade || again
			if err := s.writeSegment(seg, &snap.dir, sizes); err != nil {
				return err
			}
			next.segments = append(next.segments, kept{seg.id, seg.dead, seg.undone})
			next.written = max(next.written, seg.id)
		}
	}
	if len(records) == 0 && !remade && string(next.encode()) == string(s.on.encode()) && len(sizes) == len(s.sizes) {
		return nil
	}
	next.generation++
	end, keep, err := s.ledger.put(s.dir, records, clean != nil)
	if err != nil {
		return err
	}
	next.ledger = end
	if clean != nil {
		if err := s.removeAside(); err != nil {
			return err
		}
	}
	if err := next.write(s.dir); err != nil {
		return err
	}
	keep()
	s.on, s.sizes = next, sizes
	packed, changed := snap.dir.pack()
	s.shown = &Snapshot{dir: packed}
	if changed {
		s.x.pack(&snap.dir, &packed)
	}
	clear(s.pending)
	if clean != nil {
		s.lost = nil // nothing is kept that may hold what was removed
	}
	s.setAsideLost()
	for _, c := range written {
		s.leave(c)
	}
	s.sweep()
	return nil
}

// stateKey is under what a state is kept.
func stateKey(s sessions.Saved) recordKey {
	if s.Many {
		return recordKey{recordSleepers, s.Number}
	}
	return recordKey{recordTranscript, s.Number}
}

// records are what the ledger lacks.
func (s *Store) records(snap *Snapshot) map[recordKey][]byte {
	records := make(map[recordKey][]byte)
	maps.Copy(records, s.pending)
	for at, now := range snap.dir.pages {
		var shown *page
		if at < len(s.shown.dir.pages) {
			shown = s.shown.dir.pages[at]
		}
		if now == shown {
			continue
		}
		for i := range uint32(chunk) {
			ord := uint32(at)*chunk + i
			if int64(ord) < int64(snap.dir.size) && (shown == nil || now == nil || !now.same(shown, i)) {
				records[recordKey{recordSession, uint64(ord)}] = appendEntry(nil, snap.dir.at(ord))
			}
		}
	}
	return records
}

// gather makes few segments of the small ones that are in memory alone, and
// returns what the directory is to hold of a scope.
func (s *Store) gather(scope Scope, segs []*Segment) []*Segment {
	const small = 4096
	var out []*Segment
	fresh := map[bool][]*Segment{}
	for _, seg := range segs {
		if s.has(seg.id) || seg.live > small {
			out = append(out, seg)
		} else {
			fresh[seg.unread] = append(fresh[seg.unread], seg)
		}
	}
	for _, unread := range [...]bool{false, true} {
		rest := fresh[unread]
		for len(rest) > 1 {
			group := fit(rest, MaxDocs, maxBytes)
			if len(group) < 2 {
				break // even the smallest are too large together
			}
			m := newMerger(group, new(atomic.Bool))
			content := m.merge() // of what is in memory, so that nothing can fail
			s.x.replace(scope, group, content, m.docs, MaxDocs)
			out = append(out, newSegment(content, s.x.cache))
			rest = slices.DeleteFunc(rest, func(seg *Segment) bool { return slices.Contains(group, seg) })
		}
		out = append(out, rest...)
	}
	return out
}

// leave leaves to its files what of a segment need not be in memory. If they cannot be
// opened again, it stays where it is.
func (s *Store) leave(c *content) {
	left, err := c.leave(filepath.Join(s.dir, segmentName(c.id)))
	if err != nil {
		return
	}
	if vectors, err := c.vectors.leave(filepath.Join(s.dir, vectorsName(c.id))); err == nil {
		left.vectors = vectors
	}
	s.x.exchange(left)
}
