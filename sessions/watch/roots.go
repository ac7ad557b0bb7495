package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// attach sets the watches that root needs now, and forgets none: a root that
// is there is watched with all below it, an absent one by its nearest parent.
// Found is called for every file in a directory that was not watched before.
func (w *Watcher) attach(root string, found func(path string)) {
	state := State{Mode: Watched}
	delete(w.above, root)
	info, err := os.Stat(root)
	switch {
	case w.system == nil:
		state = State{Polled, w.noSystem}
	case err != nil:
		state.Mode = Absent
		if err = w.attachParent(root); err == nil && exists(root) { // by now, and nobody will tell
			w.attach(root, found)
			return
		}
	case info.IsDir():
		err = w.attachTree(root, found)
	default:
		w.above[root] = filepath.Dir(root)
		err = w.add(w.above[root], "")
	}
	if err == nil && state.Mode == Watched && w.o.shared(root) {
		err = errShared // watched too, for what is written here
	}
	if w.system != nil && err != nil {
		state = State{Polled, err}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[root], w.mayPoll = state, true
}

// attachTree watches dir and everything below it.
func (w *Watcher) attachTree(dir string, found func(path string)) error {
	isNew := false
	return tree{
		enter: func(path, target string) (bool, error) {
			if name, ok := w.byReal[target]; w.o.excluded(path) || ok && name != path {
				return false, nil
			}
			_, known := w.dirs[path]
			isNew = !known
			if known {
				return true, nil
			}
			err := w.add(path, target)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) && path != dir {
				return false, nil // gone again, or nothing that could be read
			}
			return err == nil, err
		},
		file: func(path string, _ fs.DirEntry) {
			if isNew && found != nil {
				found(path)
			}
		},
	}.walk(w.ctx, dir)
}

// add watches one directory. Target is the path by which it is known not to be
// watched twice; "" for one that is watched for a name in it alone.
func (w *Watcher) add(dir, target string) error {
	if err := w.system.Add(dir); err != nil {
		return err
	}
	if target == "" {
		w.parents[dir] = true
	} else {
		w.dirs[dir], w.byReal[target] = target, dir
	}
	return nil
}

// attachParent watches the nearest directory above an absent root that is
// there. It looks again afterwards: the root can appear meanwhile.
func (w *Watcher) attachParent(root string) error {
	for {
		parent := nearest(root)
		err := w.add(parent, "")
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went meanwhile
		}
		if err != nil {
			return err
		}
		w.above[root] = parent
		if nearest(root) == parent {
			return nil
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func nearest(path string) string {
	for {
		parent := filepath.Dir(path)
		if parent == path || isDir(parent) {
			return parent
		}
		path = parent
	}
}

// forget drops a directory that is gone and all below it. The watches below a
// renamed one would tell of paths that are no more.
func (w *Watcher) forget(gone string) {
	for dir, target := range w.dirs {
		if Within(gone, dir) {
			_ = w.system.Remove(dir) // it is mostly gone already
			delete(w.dirs, dir)
			delete(w.byReal, target)
		}
	}
	for dir := range w.parents {
		if Within(gone, dir) {
			_ = w.system.Remove(dir)
			delete(w.parents, dir)
		}
	}
}

// pruneParents drops the watches on directories above roots that nothing is
// watched by any more.
func (w *Watcher) pruneParents() {
	needed := make(map[string]bool)
	for _, parent := range w.above {
		needed[parent] = true
	}
	for dir := range w.parents {
		if !needed[dir] {
			delete(w.parents, dir)
			if _, watched := w.dirs[dir]; !watched {
				_ = w.system.Remove(dir)
			}
		}
	}
}

// concerns tells whether a change of path is one of a root: in it, or of a
// file beside it whose name continues the root's (a database's log).
func (w *Watcher) concerns(path string) bool {
	for _, root := range w.roots {
		if Within(root, path) || strings.HasPrefix(path, root+"-") {
			return true
		}
	}
	return false
}
