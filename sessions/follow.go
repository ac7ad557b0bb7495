package sessions

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/sessions/watch"
)

// listingShare bounds what listing costs while sessions come and go: one that
// took long is repeated after this many times its own duration.
const listingShare = 10

// follower turns what the watcher tells into work. A file that is known is
// read at once; anything else makes its root be listed, or noted, anew.
type follower struct {
	l *Library

	mu   sync.Mutex
	todo map[Root]errand
	wake chan struct{} // there is something in todo
}

// errand is what has to be looked at anew for a root.
type errand struct{ list, notes bool }

// follow works until ctx ends.
func (l *Library) follow(ctx context.Context, w *watch.Watcher) {
	f := &follower{l: l, todo: make(map[Root]errand), wake: make(chan struct{}, 1)}
	var lister sync.WaitGroup
	lister.Go(func() { f.runErrands(ctx) })
	defer lister.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-w.Changes():
			f.change(c)
		}
	}
}

func (f *follower) change(c watch.Change) {
	if c.Full {
		f.l.wandering.again()
		for _, h := range f.l.places() {
			f.want(h.Root, errand{list: true, notes: true})
		}
	}
	for _, path := range c.Paths {
		if !f.changed(path) {
			f.look(path)
		}
	}
}

// changed has the transcript in the file with this path read; false when the
// path does not name one transcript that is there.
func (f *follower) changed(path string) bool {
	for {
		f.l.wakeAt(path)
		known := f.l.shelf.at(path)
		if len(known) != 1 {
			return false
		}
		j, _ := f.l.queue.state(known[0])
		info, err := os.Stat(path)
		if err != nil || j.gone || j.at.Unit != "" || j.at.Path == "" { // it was just listed, and is not in line yet
			return false
		}
		at := j.at
		at.Stamp = StampOf(info)
		at.Extra = j.at.Extra
		if f.l.queue.push(known[0], &job{at: at}) {
			return true
		}
	}
}

// look has the roots looked at to which path belongs.
func (f *follower) look(path string) {
	for _, h := range f.l.places() {
		annotator, ok := h.source.(Annotator)
		switch {
		case ok && annotator.Aside(h.Root, path):
			f.want(h.Root, errand{notes: true})
		case watch.Within(h.Path, path), strings.HasPrefix(path, h.Path+"-"), watch.Within(path, h.Path):
			sharer, ok := h.source.(Sharer)
			f.want(h.Root, errand{list: true, notes: ok && sharer.Shared(h.Root, path)})
		}
	}
}

func (f *follower) want(root Root, e errand) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.todo[root]
	f.todo[root] = errand{list: before.list || e.list, notes: before.notes || e.notes}
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *follower) runErrands(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		}
		begin := time.Now()
		f.run(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(listingShare * time.Since(begin)):
		}
	}
}

func (f *follower) run(ctx context.Context) {
	f.mu.Lock()
	todo := f.todo
	f.todo = make(map[Root]errand)
	f.mu.Unlock()
	var homes []home
	for _, h := range f.l.places() {
		if todo[h.Root].list {
			homes = append(homes, h)
		}
		if todo[h.Root].notes {
			f.l.annotate(ctx, h)
		}
	}
	if len(homes) == 0 {
		return
	}
	changes := f.l.list(ctx, homes)
	slices.SortStableFunc(changes, inReadingOrder)
	for _, c := range changes {
		f.l.queue.push(c.t, c.job())
	}
}

// annotate reads a root's notes again and has the sessions told for which they
// changed.
func (l *Library) annotate(ctx context.Context, h home) {
	changed, err := l.notes.read(ctx, h)
	l.skips.root(h.Root, unreadableNotes, err)
	for _, id := range changed {
		l.awake(Key{h.Harness, id}, func(t *transcript) bool { return l.queue.push(t, nil) })
	}
}
