package watch

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches roots until it is closed.
type Watcher struct {
	o       Options
	roots   []string
	changes chan Change
	added   chan string

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu     sync.Mutex
	states map[string]State

	// Of the loop:
	system   notifier // nil when the system gives none
	noSystem error    // why
	dirs     map[string]string
	byReal   map[string]string // the path that a directory really has -> its path in dirs
	parents  map[string]bool   // watched for names in them only
	above    map[string]string // by root, the one of them by which it is watched
	collect  *collector
	mayPoll  bool // a root is polled, or states have changed since that was looked up
}

// New watches the roots: directories with all below them, or single files;
// they need not exist. When it returns, changes are no longer missed.
func New(roots []string, o Options) *Watcher {
	w := &Watcher{
		o: o.withDefaults(), changes: make(chan Change), added: make(chan string),
		states: make(map[string]State), dirs: make(map[string]string), byReal: make(map[string]string),
		parents: make(map[string]bool), above: make(map[string]string), collect: newCollector(o.Unhurried),
	}
	for _, root := range roots {
		w.roots = append(w.roots, filepath.Clean(root))
	}
	slices.Sort(w.roots)
	w.roots = slices.Compact(w.roots)
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.system, w.noSystem = w.o.open()
	w.attachAll(nil)
	w.ended.Go(w.loop)
	return w
}

// Changes tells what changes. A Change that is not taken grows meanwhile.
func (w *Watcher) Changes() <-chan Change { return w.changes }

// Add watches another root. What changed in it before is told as a change of the
// root itself.
func (w *Watcher) Add(root string) {
	select {
	case w.added <- filepath.Clean(root):
	case <-w.ctx.Done():
	}
}

// States says how each root is kept.
func (w *Watcher) States() map[string]State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.states)
}

// Close ends watching and returns when nothing of it runs any more.
func (w *Watcher) Close() {
	w.cancel()
	w.ended.Wait()
}

func (w *Watcher) attachAll(found func(path string)) {
	for _, root := range w.roots {
		w.attach(root, found)
	}
	if w.system != nil {
		w.pruneParents()
	}
}

func (w *Watcher) loop() {
	defer func() {
		w.collect.timer.Stop()
		if w.system != nil {
			_ = w.system.Close() // nothing is written through it
		}
	}()
	rescan := time.NewTicker(w.o.Rescan)
	defer rescan.Stop()
	polls := newPolls(w)
	for w.ctx.Err() == nil {
		polls.begin()
		var events <-chan fsnotify.Event
		var failures <-chan error
		if w.system != nil {
			events, failures = w.system.Changes()
		}
		var out chan Change
		change, ready := w.collect.ready()
		if ready {
			out = w.changes
		}
		select {
		case <-w.ctx.Done():
		case out <- change:
			w.collect.told()
		case root := <-w.added:
			w.root(root)
		case <-w.collect.timer.C:
			w.collect.elapsed()
		case e := <-events:
			w.event(e)
		case err := <-failures:
			w.failure(err)
		case <-rescan.C:
			w.lookAgain()
		case <-polls.timer.C:
			polls.run()
		case p := <-polls.results:
			polls.take(p)
		}
	}
}

// root watches a root that is new.
func (w *Watcher) root(root string) {
	if slices.Contains(w.roots, root) {
		return
	}
	w.roots = append(w.roots, root)
	w.attach(root, w.collect.add)
	w.collect.add(root)
}

// failure handles what the system could not tell. An overflow hides changes,
// new directories among them; of anything else that is only to be feared.
func (w *Watcher) failure(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.lookAgain()
		return
	}
	w.collect.addFull()
}

// lookAgain renews all watches and tells that anything may have changed.
func (w *Watcher) lookAgain() {
	if w.system == nil {
		w.system, w.noSystem = w.o.open()
	}
	w.attachAll(nil)
	w.collect.addFull()
}

func (w *Watcher) event(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if gone {
		w.forget(e.Name)
	}
	if e.Has(fsnotify.Create) || gone {
		w.rootsMoved(e.Name)
	}
	if w.o.ignored(e.Name) || !w.concerns(e.Name) {
		return
	}
	// Also when it is gone: another can stand in its place already.
	if (e.Has(fsnotify.Create) || gone) && isDir(e.Name) {
		w.newDir(e.Name)
	}
	w.collect.add(e.Name)
}

// rootsMoved looks anew at the roots that are path, or lie below it.
func (w *Watcher) rootsMoved(path string) {
	var moved []string
	for _, root := range w.roots {
		if Within(path, root) {
			w.attach(root, w.collect.add)
			w.collect.add(root)
			moved = append(moved, root)
		}
	}
	if len(moved) == 0 || w.system == nil {
		return
	}
	w.pruneParents()
	states := w.States()
	for _, root := range moved {
		// With the watch above it, what it had to tell of the root is dropped.
		if states[root].Mode == Watched && !exists(root) {
			w.attach(root, w.collect.add)
			w.collect.add(root)
		}
	}
}

// newDir watches a directory that has appeared below a root. What was written
// into it before the watch was set is told as well.
func (w *Watcher) newDir(dir string) {
	err := w.attachTree(dir, w.collect.add)
	if err == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, root := range w.roots {
		if Within(root, dir) {
			w.states[root], w.mayPoll = State{Polled, err}, true
		}
	}
}

// polled are the roots that are polled now.
func (w *Watcher) polled() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var roots []string
	for _, root := range w.roots {
		if w.states[root].Mode == Polled {
			roots = append(roots, root)
		}
	}
	return roots
}
