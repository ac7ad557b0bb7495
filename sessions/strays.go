package sessions

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A root that is configured no longer, or a history whose directory nobody names any more,
// is neither listed nor followed. What is known of it stays; before everything counts as
// loaded it is looked whether its transcripts are still there.

// endStrays has the sessions told that they are gone of whose transcripts nothing is left
// in roots that are looked at no more, and tells whether there are any. Not everything is
// loaded before.
func (l *Library) endStrays(ctx context.Context) bool {
	strays := l.strays(ctx)
	for i := range strays {
		if s := &strays[i]; l.queue.push(s.t, s.job()) {
			l.press(s.t, true)
		}
	}
	return len(strays) > 0
}

// strays are the transcripts in roots that are looked at no more, of which nothing is left.
func (l *Library) strays(ctx context.Context) []change {
	looked := make(map[Root]bool)
	for _, h := range l.places() {
		looked[h.place()] = true
	}
	for _, root := range slices.Concat(l.shelf.roots(l.queue), l.sleepers.roots()) {
		if place := root.place(); !looked[place] && l.reads(root) && !answers(ctx, root.Path) {
			looked[place] = true // nothing can be told of it
		}
	}
	stray := func(root Root) bool { return l.reads(root) && !looked[root.place()] }
	l.lulling.Lock()
	defer l.lulling.Unlock()
	if l.sleepers.sleepIn(stray) {
		l.sleepers.missing(stray, nil, func(t Transcript) bool { return ctx.Err() == nil && vanished(t.Path) }, l.waken)
	}
	if ctx.Err() != nil {
		return nil
	}
	return l.shelf.strays(l.queue, stray)
}

// diskPatience is how long it is waited for a disk to say whether a root is there.
const diskPatience = 2 * time.Second

// answers tells whether a disk does so. One that was mounted from a machine that is away may
// take minutes.
func answers(ctx context.Context, root string) bool {
	done := make(chan struct{})
	go func() {
		_, _ = os.Stat(root) // whatever it says
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	case <-time.After(diskPatience):
	}
	return false
}

// roots are those in which any sleep.
func (s *sleepers) roots() (roots []Root) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.blocks {
		if !slices.Contains(roots, b.root) {
			roots = append(roots, b.root)
		}
	}
	return roots
}

// roots are those of the transcripts, each once.
func (s *shelf) roots(q *queue) []Root {
	s.mu.Lock()
	defer s.mu.Unlock()
	roots := make(map[Root]bool)
	for _, t := range s.byUnit {
		j, _ := q.state(t)
		roots[j.at.Root] = true
	}
	return slices.Collect(maps.Keys(roots))
}

// sleepIn tells whether any sleep in some roots.
func (s *sleepers) sleepIn(in func(Root) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.blocks {
		if in(b.root) {
			return true
		}
	}
	return false
}

// strays are the transcripts in roots of which stray is true, and of which nothing is left,
// in the order of their paths. They are entered in gone.
func (s *shelf) strays(q *queue, stray func(Root) bool) (changes []change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.byUnit {
		j, _ := q.state(t)
		if j.gone || !stray(j.at.Root) || !vanished(j.at.Path) {
			continue
		}
		if j.at.ID != "" {
			s.gone[Key{j.at.Root.Harness, j.at.ID}] = t
		}
		q.expect(t)
		changes = append(changes, change{t: t, at: &j.at, gone: true})
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(strings.Compare(a.at.Path, b.at.Path), strings.Compare(a.at.Unit, b.at.Unit))
	})
	return changes
}

// vanished tells whether there surely is no file at a path. What lies on another machine is
// not asked for.
func vanished(path string) bool {
	if !local(filepath.Clean(path)) {
		return false
	}
	_, err := os.Stat(path)
	return os.IsNotExist(err)
}
