package sessions

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/sessions/watch"
)

const (
	// dirsMost bounds in how many directories it is looked, parents included: more
	// than anybody works in, and a hundredth of a second where they are on a disk.
	dirsMost = 2048
	// roamPause is how long new directories are collected before it is looked there.
	roamPause = time.Second
)

// wandering knows the directories that sessions name, for harnesses that keep
// transcripts where they are used.
type wandering struct {
	mu   sync.Mutex
	dirs map[string]time.Time // with the time of the last work there
	wake chan struct{}        // there is something to look for
}

// note remembers that a session was at work in a directory.
func (w *wandering) note(dir string, at time.Time) {
	if dir == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before, known := w.dirs[dir]
	if w.dirs == nil {
		w.dirs = make(map[string]time.Time)
	}
	if !known || at.After(before) {
		w.dirs[dir] = at
	}
	if !known {
		w.again()
	}
}

// again has all directories looked at once more.
func (w *wandering) again() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// places are the directories to look in, each once: first, then those of the
// latest work, each with those above it.
func (w *wandering) places(first string) []string {
	w.mu.Lock()
	dirs := maps.Clone(w.dirs)
	w.mu.Unlock()
	latest := slices.SortedFunc(maps.Keys(dirs), func(a, b string) int { return dirs[b].Compare(dirs[a]) })
	var places []string
	seen := make(map[string]bool)
	for _, dir := range append([]string{first}, latest...) {
		if !local(dir) {
			continue
		}
		for dir = filepath.Clean(dir); !seen[dir] && len(places) < dirsMost; dir = filepath.Dir(dir) {
			seen[dir] = true
			places = append(places, dir)
		}
	}
	return places
}

// local tells whether looking at a path asks no other machine: transcripts name
// it, and may be written by anybody.
func local(dir string) bool {
	share := strings.HasPrefix(filepath.VolumeName(dir), `\\`) || strings.HasPrefix(dir, "//")
	return filepath.IsAbs(dir) && !share && !watch.Within("/net", filepath.Clean(dir)) // where hosts are mounted by their names
}

// wanders tells whether a source keeps transcripts where it is used.
func wanders(s Source) bool {
	_, is := s.(Wanderer)
	return is
}

// roam closes loaded when everything is read, also what lies in the directories
// that sessions name, and the directories are told of which only the hash was known;
// then it looks there whenever a new one is named.
func (l *Library) roam(ctx context.Context) {
	var wake chan struct{} // only then
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.idle:
			l.outstanding.Add(1) // so that what is put in line below is not all before it is whole
			isNew := l.pushKnown(l.lookAround(ctx))
			l.lineUp(isNew)
			strayed := l.endStrays(ctx)
			placed := l.placeNamed(true)
			switch {
			case ctx.Err() != nil:
				return
			case len(isNew) > 0 || placed || strayed:
				l.arrived()
			case l.outstanding.Add(-1) == 0 && wake == nil:
				close(l.loaded)
				wake = l.wandering.wake
			}
		case <-wake:
			for _, c := range l.pushKnown(l.lookAround(ctx)) {
				l.queue.push(c.t, c.job())
			}
			l.placeNamed(false)
			select {
			case <-ctx.Done():
			case <-time.After(roamPause):
			}
		}
	}
}

// pushKnown has the transcripts read that others may be at work on, and returns
// the new ones.
func (l *Library) pushKnown(changes []change) []change {
	return slices.DeleteFunc(changes, func(c change) bool {
		if !c.isNew {
			l.queue.push(c.t, c.job())
		}
		return !c.isNew
	})
}

// lookAround looks for transcripts in the directories that sessions name, and
// returns those that were not known.
func (l *Library) lookAround(ctx context.Context) []change {
	var found []home
	if slices.ContainsFunc(l.o.Sources, wanders) {
		for _, dir := range l.wandering.places(l.o.Env.Dir) {
			if ctx.Err() != nil {
				return nil
			}
			if !excluded(dir, l.o.Exclude) {
				found = append(found, l.in(dir)...)
			}
		}
	}
	if found = l.settleIn(found); len(found) == 0 {
		return nil
	}
	return l.list(ctx, found)
}

// in are the roots that lie in a directory.
func (l *Library) in(dir string) (found []home) {
	for _, source := range l.o.Sources {
		w, ok := source.(Wanderer)
		if !ok {
			continue
		}
		for _, root := range w.In(dir) {
			root.Harness, root.Path = source.Name(), filepath.Clean(root.Path)
			if l.listed(root.Path) {
				continue
			}
			if info, err := os.Lstat(root.Path); err == nil && info.Mode().IsRegular() { // a link may lead anywhere
				found = append(found, home{root, source})
			}
		}
	}
	return found
}

// listed tells whether a file is known from a folder that is listed.
func (l *Library) listed(path string) bool {
	return slices.ContainsFunc(l.shelf.at(path), func(t *transcript) bool {
		j, _ := l.queue.state(t)
		in := func(h home) bool { return h.Root == j.at.Root && h.Path != path }
		return slices.ContainsFunc(l.places(), in)
	})
}

// settleIn adds homes, follows them, and returns those that are new.
func (l *Library) settleIn(found []home) []home {
	l.mu.Lock()
	defer l.mu.Unlock()
	found = slices.DeleteFunc(found, func(h home) bool {
		same := func(known home) bool { return known.Harness == h.Harness && known.Path == h.Path }
		if slices.ContainsFunc(l.homes, same) {
			return true
		}
		l.homes = append(l.homes, h)
		return false
	})
	for _, h := range found {
		if l.watcher != nil {
			l.watcher.Add(h.Path)
		}
	}
	return found
}

// remember takes over where transcripts lay in an earlier run, and which
// directories their sessions name.
func (l *Library) remember(restored []*transcript) {
	l.steady.RLock() // Reconsider may take sessions out of them
	defer l.steady.RUnlock()
	var homes []home
	for _, t := range restored {
		if t.source != nil && wanders(t.source) && !t.gone && t.at.Path == t.at.Root.Path {
			homes = append(homes, home{t.at.Root, t.source})
		}
		for _, b := range t.sessions {
			l.notice(b.sent)
			l.hashed.nameless(b.sent.Key, b.sent.Directory, t.at.Path)
		}
	}
	l.settleIn(homes)
}

// notice remembers where a session was at work.
func (l *Library) notice(s *Session) {
	l.hashed.name(s.Directory)
	l.hashed.name(s.LastDirectory)
	l.wandering.note(s.Directory, s.LastActive)
	l.wandering.note(s.LastDirectory, s.LastActive)
}
