package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"yore/sessions/watch"
)

// home is a root with the source that reads it.
type home struct {
	Root
	source Source
}

// found is a transcript as a listing found it.
type found struct {
	Transcript
	source Source
}

// listing is what stands below some roots now.
type listing struct {
	found   []found
	asleep  naps            // the sleepers that are as they were, which are not in found
	skipped map[string]bool // folders of sub-agents that were taken to be as they were
	failed  map[Root]error  // places of roots that could not be listed whole
	exclude []string        // directories in which nothing is listed
}

// list lists the roots. The roots' order and the number of goroutines do not
// change what it returns. Asleep tells of a transcript whether it is a sleeper that did
// not change, and skims what of a root may be left out.
func list(ctx context.Context, homes []home, exclude []string, parallel int, asleep func(*Transcript) (nap, uint64, bool), skims func(Root) *skim) listing {
	l := listing{failed: make(map[Root]error), skipped: make(map[string]bool), exclude: exclude}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(parallel)
	survey := surveys(ctx, homes, exclude)
	for _, h := range homes {
		group.Go(func() error {
			survey(h.source)
			some, skim := false, skims(h.Root)
			err := skim.list(ctx, h.source, func(t Transcript) {
				if excluded(t.Path, exclude) {
					skim.exclude(&t)
					return
				}
				t.Root = h.Root
				one, print, sleeps := asleep(&t)
				if t.Side {
					skim.note(&t, print)
				}
				mu.Lock()
				defer mu.Unlock()
				some = true
				if sleeps {
					l.asleep.add(one)
					return
				}
				l.found = append(l.found, found{t, h.source})
			})
			if len(skim.skipped) == 0 && !some {
				err = nothingListed(h.Path, err)
			}
			if ctx.Err() == nil {
				skim.end()
			}
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(l.skipped, skim.skipped)
			if err != nil {
				l.failed[h.place()] = err
			}
			return nil
		})
	}
	_ = group.Wait() // the errors stand in failed
	slices.SortStableFunc(l.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.Root.Harness, b.Root.Harness), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Root.Path, b.Root.Path))
	})
	return l
}

// surveys gives what has a source survey its roots, where it does that, the first time
// that it is asked for it.
func surveys(ctx context.Context, homes []home, exclude []string) func(Source) {
	once := make(map[Surveyor]func())
	for _, h := range homes {
		if s, is := h.source.(Surveyor); is && once[s] == nil {
			once[s] = sync.OnceFunc(func() { s.Survey(ctx, func(path string) bool { return excluded(path, exclude) }) })
		}
	}
	return func(source Source) {
		if s, is := source.(Surveyor); is {
			once[s]()
		}
	}
}

// errNothing is why a root could not be listed from which nothing came at all.
type errNothing struct{ error }

func (e errNothing) Unwrap() error { return e.error }

// nothingListed is what went wrong with a root that listed nothing, with the error that
// its listing ended with. Not every source notices that a folder is closed to it: it looks
// for a file by its name, and finds none.
func nothingListed(path string, err error) error {
	if err == nil {
		if err = opens(path); !errors.Is(err, fs.ErrPermission) {
			return nil
		}
	}
	return errNothing{err}
}

// opens tries whether a path can be opened.
func opens(path string) error {
	f, err := Open(path)
	if err == nil {
		_ = f.Close() // it was only opened to see whether it can be
	}
	return err
}

func excluded(path string, exclude []string) bool {
	return slices.ContainsFunc(exclude, func(dir string) bool { return watch.Within(dir, path) })
}

// unit names a transcript by where it lies.
type unit struct{ harness, path, unit string }

func unitOf(t Transcript) unit { return unit{t.Root.Harness, t.Path, t.Unit} }

// file is what all paths to one file have in common: its inode, or the path
// itself where there are no inodes.
type file struct {
	unit
	inode uint64
}

func fileOf(t Transcript) file {
	f := file{unitOf(t), t.Inode}
	if t.Inode != 0 {
		f.path = ""
	}
	return f
}

// once leaves out transcripts that another path leads to as well (symbolic
// and hard links). A path that is known already is kept, else the first. What it
// gives lies where all did.
func once(all []found, known func(unit) bool) []found {
	kept := all[:0]
	last := make(map[file]int, len(all)) // indexes into kept
	before := make(map[int]int)          // of what has the inode too, on another device
	for _, f := range all {
		id := fileOf(f.Transcript)
		newest, shared := last[id]
		at, same := newest, shared
		for same && !sameFile(kept[at].Path, f.Path) {
			at, same = before[at]
		}
		switch {
		case !same:
			if shared {
				before[len(kept)] = newest
			}
			last[id] = len(kept)
			kept = append(kept, f)
		case known(unitOf(f.Transcript)) && !known(unitOf(kept[at].Transcript)):
			kept[at] = f
		}
	}
	return kept
}

// sameFile tells whether two paths with equal inodes lead to one file: inodes
// are unique within a device only.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// newestFirst orders transcripts as they are read: what was written last comes
// first, transcripts of sub-agents after all others.
func newestFirst(a, b Transcript) int {
	if a.Side != b.Side {
		if a.Side {
			return 1
		}
		return -1
	}
	return cmp.Or(b.Mtime.Compare(a.Mtime), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Unit, b.Unit))
}
