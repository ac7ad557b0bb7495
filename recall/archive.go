package recall

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// When what is new is written.
const (
	// keepPassages new passages, or keepBytes of packed text with what hangs on
	// them, are written at once: about what is made in a second or two of a first
	// reading, and enough for a segment that is worth its file.
	keepPassages = 4096
	keepBytes    = 32 << 20
	// keepIdle is how long nothing must have changed before less is written, and
	// keepLatest how long that may be put off while changes go on.
	keepIdle   = 3 * time.Second
	keepLatest = 30 * time.Second
	// keepAgain is how long after a failure it is tried again.
	keepAgain = time.Minute
)

// archive writes what an Engine holds to its directory.
type archive struct {
	store   *index.Store
	library *sessions.Library
	changed chan struct{} // holds one signal
	done    chan struct{} // closed when run has ended
	note    string        // why nothing can be kept

	index    *index.Index
	unwanted *exclusion
	heeding  sync.Mutex    // held by who obeys the tombstones
	obeyed   uint64        // their hash when that was done last
	heeded   chan struct{} // closed when heed has ended
}

// openArchive fills the index with what the directory holds, and gives a library
// that goes on from there.
func openArchive(dir string, x *index.Index, unwanted *exclusion, library func() *sessions.Library) *archive {
	a := &archive{
		library: library(), changed: make(chan struct{}, 1), done: make(chan struct{}),
		index: x, unwanted: unwanted, heeded: make(chan struct{}), obeyed: unwanted.forgotten.hash(),
	}
	store, saved, err := index.OpenStore(dir, x)
	if err != nil {
		a.note = fmt.Sprintf("The index is kept in memory alone, nothing can be written to %s: %v.", dir, err)
	}
	a.store = store
	unwanted.sweep(x)
	if err := a.library.Restore(saved, x.Applied()); err != nil {
		store.Reject(err)
		a.library = library()
	}
	return a
}

// signal says that something changed.
func (a *archive) signal() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// run writes when there is enough that is new, or when there was a pause, until
// ctx ends.
func (a *archive) run(ctx context.Context) {
	defer close(a.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.changed:
		}
		if !a.await(ctx) {
			return
		}
		if err := a.store.Publish(a.library.Save); err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(keepAgain):
		}
	}
}

// await waits until it is time to write. It reports false when ctx ended.
func (a *archive) await(ctx context.Context) bool {
	latest := time.After(keepLatest)
	for {
		if passages, bytes := a.store.Unwritten(); passages >= keepPassages || bytes >= keepBytes {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-a.changed:
		case <-time.After(keepIdle):
			return true
		case <-latest:
			return true
		}
	}
}

// close writes what is left, after run has ended and nothing is read any more.
func (a *archive) close() error {
	<-a.done
	<-a.heeded
	said := len(a.notes()) > 0
	err := a.store.Publish(a.library.Save)
	a.store.Close()
	if said {
		return nil // once is enough
	}
	return err
}

// notes are what went wrong with the directory, for the user.
func (a *archive) notes() []string {
	if a == nil {
		return nil
	}
	if a.note != "" {
		return []string{a.note}
	}
	notes := a.store.Kept().Notes
	if err := a.unwanted.forgotten.failed(); err != nil {
		notes = append(slices.Clip(notes), fmt.Sprintf("What was forgotten is not known, and may be read again: %v", err))
	}
	return notes
}
