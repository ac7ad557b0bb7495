package index

import (
	"context"
	"errors"
	"os"
	"slices"

	"yore/sessions"
)

// purgeBytes of packed text that were made anew are written before more is.
const purgeBytes = 64 << 20

// Clean is what a directory was purged of.
type Clean struct {
	Hash  uint64   // names it; 0 is nothing
	Names []uint64 // hashes of the names of the sessions, ascending
}

// Equal tells whether two are the same.
func (c Clean) Equal(d Clean) bool { return c.Hash == d.Hash && slices.Equal(c.Names, d.Names) }

// Purge writes what is in memory alone, as Publish does, and has nothing stay on disk of
// sessions that the index does not hold: segments in which they have text are made anew
// one after the other, so is the ledger, and what was set aside is removed, since it may
// hold anything. Clean is what was removed from the index before; Store.Clean gives it
// from then on. A process that is killed meanwhile leaves the old or the new, and the
// next that opens the directory removes what does not count.
//
// It reports false when that is not done: another process writes, the index is closed, ctx
// has ended, or a file that does not count could not be removed, as one that is open on
// Windows; then it is tried again by the next call. Its error says what could not be written.
func (s *Store) Purge(ctx context.Context, clean Clean, save func(take func([]sessions.Saved))) (done bool, err error) {
	if writes, err := s.writes(); !writes {
		return false, err
	}
	if s.Clean().Equal(clean) {
		return s.swept(), nil
	}
	s.x.urgent.Add(1)
	defer s.x.relax()
	for s.x.do(s.x.orphaned) {
		if ctx.Err() != nil {
			return false, nil
		}
		if _, bytes := s.Unwritten(); bytes >= purgeBytes {
			if err := s.Publish(save); err != nil {
				return false, err
			}
		}
	}
	if _, left := s.x.orphaned(); left {
		return false, nil
	}
	return s.publishClean(clean, save)
}

// relax ends what urgent began, and goes on with what it put off.
func (x *Index) relax() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.urgent.Add(-1)
	close(x.relaxed)
	x.relaxed = make(chan struct{})
	x.mergeSoon()
}

// nextRelax is closed by the next relax.
func (x *Index) nextRelax() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.relaxed
}

// writes makes this process the writer if it can be.
func (s *Store) writes() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	err := s.mayWrite()
	if errors.Is(err, errMissed) {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) publishClean(clean Clean, save func(take func([]sessions.Saved))) (done bool, err error) {
	err = s.publish(save, &clean, false)
	if errors.Is(err, errMissed) {
		return false, nil
	}
	return err == nil && s.swept(), err
}

// swept tells whether no file is there that does not count; one that is, is tried to be
// removed once more.
func (s *Store) swept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left != nil && s.lock != nil {
		s.sweepPatiently()
		s.tell()
	}
	return s.left == nil
}

// Hindered tells whether this process could not remove a file that may hold what was
// forgotten.
func (s *Store) Hindered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hindered()
}

func (s *Store) hindered() bool {
	return s.lock != nil && (s.stays != nil || s.left != nil && s.on.clean.Hash != 0)
}

// IsClean tells whether the directory holds nothing any more of what is named, as far as
// is known without trying to remove it. Then nobody wants gone any more what an earlier purge
// left, and it is no longer said.
func (s *Store) IsClean(of Clean) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.on.clean.Equal(of) && (s.left == nil || of.Hash == 0)
	if known && s.stays != nil {
		s.stays = nil
		s.tell()
	}
	return known || s.lock == nil && s.CleanNow() == of.Hash
}

// Clean is what the directory was purged of last, as far as this process knows.
func (s *Store) Clean() Clean {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on.clean
}

// Missed tells whether this process can not write any more since it has missed what
// another wrote, which has ended: one that opens the directory anew can.
func (s *Store) Missed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missed
}

// ReadClean is what a directory was purged of last; nothing where that cannot be read.
func ReadClean(dir string) Clean {
	m, err := readManifest(dir)
	if m == nil || err != nil {
		return Clean{}
	}
	return m.clean
}

// CleanNow names what the directory was purged of last, by whatever process; 0 as long
// as files are there that do not count, since they may be those of before.
func (s *Store) CleanNow() uint64 {
	m, err := readManifest(s.dir)
	if m == nil || err != nil || m.clean.Hash == 0 {
		return 0
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0
	}
	counts := m.names(s.dir)
	for _, e := range entries {
		if isOurs(e.Name()) && !counts[e.Name()] || isUnfinished(e.Name()) {
			return 0
		}
	}
	return m.clean.Hash
}

// orphaned is a segment that holds text of sessions that are no more, to be made anew
// without it.
func (x *Index) orphaned() (job, bool) {
	snap := x.Snapshot()
	for scope, segs := range snap.segs {
		for _, s := range segs {
			if slices.ContainsFunc(s.table.ords, func(ord uint32) bool { _, there := snap.dir.brief(ord); return !there }) {
				return job{scope: Scope(scope), group: []*Segment{s}, read: s.bare}, true
			}
		}
	}
	return job{}, false
}
