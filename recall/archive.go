package recall

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"yore/recall/index"
	"yore/recall/tombstone"
	"yore/sessions"
)

// When what is new is written.
const (
	// keepPassages new passages, or keepBytes of packed text with what hangs on
	// them, are written at once: about what is made in a second or two of a first
	// reading, and enough that what is made of it is not merged again and again.
	keepPassages = 8192
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
	dir      string
	index    *index.Index
	unwanted *exclusion
	library  *sessions.Library

	shown  chan struct{} // closed when the index holds what the directory does
	store  *index.Store  // once shown is closed
	note   string        // the same: why nothing can be kept
	opened chan struct{} // closed when the library knows it too

	changed chan struct{}               // holds one signal
	done    chan struct{}               // closed when run has ended
	heeding sync.Mutex                  // held by who obeys the tombstones
	obeyed  atomic.Pointer[index.Clean] // what was done last
}

func newArchive(dir string, x *index.Index, unwanted *exclusion, library *sessions.Library) *archive {
	a := &archive{
		dir: dir, index: x, unwanted: unwanted, library: library,
		shown: make(chan struct{}), opened: make(chan struct{}),
		changed: make(chan struct{}, 1), done: make(chan struct{}),
	}
	a.obeyed.Store(new(unwanted.forgotten.clean()))
	return a
}

// open fills the index with what the directory holds, less what is not wanted any more,
// and has the library go on from there. Shown is called in between, since that takes
// the longer the more transcripts there are. It leaves off when ctx ends.
func (a *archive) open(ctx context.Context, shown func()) {
	store, saved, err := index.OpenStore(a.dir, a.index)
	if err != nil {
		a.note = fmt.Sprintf("The index is kept in memory alone, nothing can be written to %s: %v.", a.dir, err)
	}
	a.store = store
	if a.unwanted.forgotten.blocked() {
		store.MakeWay(tombstone.Name)
	}
	a.unwanted.forgotten.remember(store.Clean())
	a.obeyed.Store(new(a.unwanted.forgotten.clean()))
	excluded := a.unwanted.sweep(a.index)
	close(a.shown)
	shown()
	applied := a.index.Applied()
	for _, key := range excluded { // so that the library does not take their transcripts for read
		applied.Partial[key] = true
	}
	err = a.library.Restore(ctx, saved, applied)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		store.Reject(err)
	}
	close(a.opened)
	a.index.Relieve(a.relieve)
}

// relieve writes what was merged, when it is much. Kept tells what goes wrong.
func (a *archive) relieve() {
	if _, bytes := a.store.Unwritten(); bytes >= keepBytes {
		_ = a.store.Publish(a.library.Save)
	}
}

// ready waits until the directory is opened. It reports false when ctx ended before.
func (a *archive) ready(ctx context.Context) bool {
	select {
	case <-a.opened:
		return true
	case <-ctx.Done():
		return isClosed(a.opened)
	}
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
	if !a.ready(ctx) {
		return
	}
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
	if !isClosed(a.opened) {
		a.store.Close()
		return nil // nothing was read
	}
	said := len(a.notes()) > 0
	err := a.store.PublishLast(a.library.Save)
	a.store.Close()
	if said {
		return nil // once is enough
	}
	return err
}

// notes are what went wrong with the directory, for the user.
func (a *archive) notes() []string {
	if a == nil || !isClosed(a.shown) {
		return nil
	}
	if a.note != "" {
		return []string{a.note}
	}
	notes := a.store.Kept().Notes
	if note := a.unwanted.forgotten.note(); note != "" {
		notes = append(slices.Clip(notes), note)
	}
	return notes
}
