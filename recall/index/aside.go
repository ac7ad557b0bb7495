package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// asideMark stands in the name of a file that was set aside before asideFormat, the
// time.
const (
	asideMark   = ".damaged-"
	asideFormat = "20060102T150405"
)

// setAside gives a file a name under which it does not count and is never
// removed.
func (s *Store) setAside(name string) {
	path, to := filepath.Join(s.dir, name), s.asideName(name)
	if err := os.Rename(path, to); err == nil {
		s.note("%s was set aside as %s", path, filepath.Base(to))
	}
}

// makeWay sets aside what stands where a file of this name is to be written and is none:
// a folder, or what a link leads to that is none.
func (s *Store) makeWay(name string) {
	if InTheWay(filepath.Join(s.dir, name)) {
		s.setAside(name)
	}
}

// InTheWay tells whether something stands at a path that is no plain file.
func InTheWay(path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || !info.Mode().IsRegular()
}

// MakeWay sets aside what stands in the directory in the place of another package's file
// and is none, where this process writes.
func (s *Store) MakeWay(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock != nil {
		s.makeWay(name)
		s.tell()
	}
}

// Put writes another package's file in the directory, so that there is never a part of one,
// and reports false when this process does not write there.
func (s *Store) Put(name string, fill func(*os.File) error) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	if err := s.mayWrite(); err != nil {
		if errors.Is(err, errMissed) {
			err = nil
		}
		return false, err
	}
	f, err := os.CreateTemp(s.dir, tempPattern)
	if err != nil {
		return true, err
	}
	defer func() {
		_ = f.Close()           // it is closed already where that matters
		_ = os.Remove(f.Name()) // and renamed
	}()
	if err := fill(f); err != nil {
		return true, err
	}
	return true, commit(f, filepath.Join(s.dir, name))
}

// RemoveFrom removes another package's file from a directory that no Store of this process
// has open, and tells whether it was there; table is Options.Table. It reports false in may
// when another process writes there, or a newer version of this program has.
func RemoveFrom(dir, name string, table uint32) (was, may bool, err error) {
	path := filepath.Join(dir, name)
	if _, err := os.Lstat(path); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return false, true, err
	}
	s := newStore(dir, New(Options{Table: table}))
	taken, err := s.take()
	defer s.release()
	if !taken || s.standBack() {
		return true, false, err
	}
	if m, err := readManifest(dir); err == nil && m != nil && m.by.beyond(s.revisions()) != nil {
		return true, false, nil
	}
	return true, true, os.Remove(path)
}

// asideName is a path that no file has yet.
func (s *Store) asideName(name string) string {
	path := filepath.Join(s.dir, name)
	to := path + asideMark + time.Now().UTC().Format(asideFormat)
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); err != nil {
			return to
		}
		to = fmt.Sprintf("%s%s%s-%d", path, asideMark, time.Now().UTC().Format(asideFormat), n)
	}
}

// setAsideAll sets everything aside that belongs to a manifest that cannot be
// read.
func (s *Store) setAsideAll() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name() == manifestName || isOurs(e.Name()) {
			s.setAside(e.Name())
		}
	}
}

// removeAside removes what was set aside, of which nobody can tell any more what it
// holds.
func (s *Store) removeAside() (failed error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, _, aside := strings.Cut(e.Name(), asideMark)
		if !aside || name != manifestName && !isOurs(name) {
			continue
		}
		failed = errors.Join(failed, s.remove(filepath.Join(s.dir, e.Name())))
	}
	return failed
}

// setAsideLost sets aside what reading found unusable, once this process writes. What
// can be read of a file must have been written anew before.
func (s *Store) setAsideLost() {
	if s.lock == nil || len(s.lost) == 0 || !s.sure() {
		return
	}
	var counts []string
	for _, name := range s.lost {
		if s.sizes[name] > 0 || name == filepath.Base(ledgerPath(s.dir, s.on.ledger.number)) {
			counts = append(counts, name)
		} else {
			s.setAside(name)
		}
	}
	s.lost = counts
}

// isOurs tells whether a name is one that only this package gives.
func isOurs(name string) bool {
	number, kind, _ := strings.Cut(name, ".")
	if len(number) != 16 || strings.Trim(number, "0123456789abcdef") != "" {
		return false
	}
	_, ours := formats[kind]
	return ours
}

// isUnfinished tells whether a name is that of a file that is not finished, or of a spill.
func isUnfinished(name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(tempPattern, "*"))
}

func segmentName(id uint64) string { return fmt.Sprintf("%016x.seg", id) }
func vectorsName(id uint64) string { return fmt.Sprintf("%016x.vec", id) }

var (
	// errUnsure is why nothing is removed until it is sure which files count.
	errUnsure = errors.New("the disk has not confirmed which files count")
	// errOthers is why a process that does not write removes nothing.
	errOthers = errors.New("another process writes there")
)

// sweep removes the files that do not count, once it is sure which do. A process that is
// about to open one of them begins anew with the next manifest. Why one may still be there is
// in left then. The caller holds mu and the lock.
func (s *Store) sweep() {
	entries, err := os.ReadDir(s.dir)
	if s.left = err; err != nil {
		return
	}
	counts := s.on.names(s.dir)
	for _, e := range entries {
		ours := isOurs(e.Name()) && !counts[e.Name()]
		switch {
		case !ours && (e.IsDir() || !isUnfinished(e.Name())): // nobody here has made it, or it counts
		case !s.sure():
			s.left = errUnsure
			return
		case e.IsDir():
			s.setAside(e.Name())
		default:
			if err := s.remove(filepath.Join(s.dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
				s.left = err
			}
		}
	}
}

// tidy is sweep after files were written of an index that is clean already: what stays of
// those holds nothing that was forgotten, and the next sweep removes it.
func (s *Store) tidy() {
	before := s.left
	if s.sweep(); before == nil {
		s.left = nil
	}
}

// How often, and how long apart, sweepPatiently tries: what the collector finds is closed
// some moments after it has ended.
const (
	sweeps     = 5
	sweepPause = 20 * time.Millisecond
)

// sweepPatiently is sweep where a file that is open cannot be removed, as on Windows: those
// that this process has read are open until the collector finds that nobody asks them any
// more.
func (s *Store) sweepPatiently() {
	for range sweeps {
		if s.sweep(); s.left == nil {
			return
		}
		runtime.GC()
		time.Sleep(sweepPause)
	}
	s.sweep()
}
