package sessions

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// What rests stays on disk: who asks once makes no row of it, and reads just the blocks that
// are needed for what changed.
func TestWhatRestsStaysOnDisk(t *testing.T) {
	const many = 2 * blockMembers
	cases := map[string]struct {
		change func(d *diary) error
		rows   int // that are read before the end
		holds  func(d *diary) bool
	}{
		"nothing": {func(*diary) error { return nil }, 0, func(*diary) bool { return true }},
		"another session": {
			func(d *diary) error { d.f.put(t, "new.log", line{ID: "1", Text: "new"}); return nil }, 0,
			func(d *diary) bool { return d.corpus.text("new") == "new" },
		},
		"a new sub-agent": {
			func(d *diary) error { d.f.put(t, "main/side-new.log", line{ID: "1", Text: "new"}); return nil }, many,
			func(d *diary) bool { return d.corpus.text("side-new") == "new" },
		},
		"one of the same name": {
			func(d *diary) error { d.f.put(t, "other/side-007.log", line{ID: "1", Text: "new"}); return nil }, 2 * many,
			func(d *diary) bool { return d.corpus.text("side-007~2") == "new" },
		},
		"another path to one": {
			func(d *diary) error {
				return os.Link(filepath.Join(d.f.dir, "main", "side-007.log"), filepath.Join(d.f.dir, "other", "side-link.log"))
			}, 2 * many,
			func(d *diary) bool { return d.corpus.known["side-link"] == nil },
		},
		"a folder that goes": {
			func(d *diary) error { return os.RemoveAll(filepath.Join(d.f.dir, "main")) }, many,
			func(d *diary) bool { return d.corpus.session("side-007").Gone },
		},
		"a title from elsewhere": {
			func(d *diary) error { d.f.put(t, "notes", "side-007 a new title\n"); return nil }, 2 * many,
			func(d *diary) bool { return d.corpus.session("side-007").Title == "a new title" },
		},
		"a state that cannot be read": {
			func(d *diary) error {
				d.unreadable = errors.New("gone")
				d.f.add(t, "main.log", line{ID: "2", Text: "more"})
				return nil
			}, 0,
			func(d *diary) bool { return d.corpus.text("side-007") == "task" },
		},
		"a state that cannot be read, and the folder goes": {
			func(d *diary) error {
				d.unreadable = errors.New("gone")
				return os.RemoveAll(filepath.Join(d.f.dir, "main"))
			}, 0,
			func(d *diary) bool { return d.corpus.text("side-007") == "task" },
		},
		"a sub-agent that grew": {
			func(d *diary) error {
				d.f.add(t, "main.log", line{ID: "2", Text: "more"})
				d.f.add(t, "main/side-007.log", line{ID: "2", Text: "more"})
				return nil
			}, many,
			func(d *diary) bool { return d.corpus.text("side-007") == "task\n\nmore" },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := manyAtRest(t)
			if err := tc.change(d); err != nil {
				t.Fatal(err)
			}
			l := d.start(t)
			d.f.onRead = nil
			if n := len(l.sleepers.rows); n > 1 || !l.sleepers.leaves() {
				t.Errorf("%d rows at the start", n)
			}
			if err := l.Run(t.Context(), d.corpus.apply); err != nil {
				t.Fatal(err)
			}
			if n := len(l.sleepers.rows); n < tc.rows || n > tc.rows+8 {
				t.Errorf("%d rows at the end", n)
			}
			d.save(l)
			if !tc.holds(d) {
				t.Errorf("of %d sessions side-007 is %+v", len(d.corpus.ids()), d.corpus.session("side-007"))
			}
			unread := d.unreadable != nil
			if missing := slices.ContainsFunc(l.Skipped(), Skipped.Missing); missing != unread || l.Progress().Complete == unread {
				t.Errorf("what may be missing is told: %v; complete: %v", missing, l.Progress().Complete)
			}
			if d.unreadable = nil; unread {
				d.run(t)
				d.sameAsFresh(t)
			}
			if name != "another path to one" { // that is found by the next listing
				d.holdsAll(t)
			}
			d.brief = false
			d.run(t)
			if name != "one of the same name" && name != "another path to one" {
				d.sameAsFresh(t)
			}
		})
	}
}

// manyAtRest is a diary of two sessions each with sub-agents of several blocks, and of one
// with a single one, all at rest.
func manyAtRest(t *testing.T) *diary {
	t.Helper()
	const many = 2 * blockMembers
	d := newDiary(t)
	d.source = &skimmer{fake: d.f}
	for _, folder := range []string{"main", "still", "other"} {
		d.f.put(t, folder+".log", line{ID: "1", Text: "words of " + folder})
	}
	d.f.put(t, "other/side-other.log", line{ID: "1", Text: "task", Parent: "other"})
	for k, folder := range []string{"main", "still"} {
		for i := range many {
			name := fmt.Sprintf("%s/side-%03d.log", folder, i+k*500)
			d.f.put(t, name, line{ID: "1", Text: "task", Parent: folder})
			d.quiet(t, name)
		}
	}
	d.quiet(t, "other/side-other.log", "main", "still", "other")
	d.run(t)
	d.brief = true
	return d
}

// holdsAll checks that a Library that starts now counts each transcript that is there.
func (d *diary) holdsAll(t *testing.T) {
	t.Helper()
	h := d.start(t).Holdings()[Root{"fake", d.f.dir, "default"}]
	sides, err := filepath.Glob(filepath.Join(d.f.dir, "*", "side-*.log"))
	logs, logsErr := filepath.Glob(filepath.Join(d.f.dir, "*.log"))
	if err := errors.Join(err, logsErr); err != nil || h.Transcripts != len(sides)+len(logs) {
		t.Errorf("holds %d of %d, %v", h.Transcripts, len(sides)+len(logs), err)
	}
}

// While a block is read it still counts as left: what sleeps in it keeps its name and the
// look at its folder, whoever else asks meanwhile.
func TestABlockIsLeftUntilItIsRead(t *testing.T) {
	d := manyAtRest(t)
	l := d.start(t)
	var first sync.Once
	for n, one := range l.sleepers.left {
		later := one.Later
		one.Later = func() ([]byte, error) {
			first.Do(func() { // later some woke
				if saved := l.looks.written(&l.sleepers, l.unsaved.next); len(saved) > 0 {
					t.Errorf("%d looks are void while it is read", len(saved))
				}
			})
			if !l.sleepers.leaves() {
				t.Error("nothing is left while it is read")
			}
			return later()
		}
		l.sleepers.left[n] = one
	}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			tr := &transcript{at: Transcript{Root: Root{Harness: "fake"}}}
			id := fmt.Sprintf("side-%03d", 7+i+i%2*500)
			if name := l.claim(tr, id); name != id+"~2" {
				t.Errorf("another one of the name %s is called %s", id, name)
			}
		})
	}
	group.Wait()
}

// Room for the sleepers is made once, before the first is read.
func TestRoomIsMadeForWhatIsNotLeft(t *testing.T) {
	d := manyAtRest(t)
	maps.DeleteFunc(d.states, func(_ uint64, saved Saved) bool { return saved.Folder })
	l := d.start(t)
	if n, room := len(l.sleepers.rows), cap(l.sleepers.rows); n < 4*blockMembers || room >= n+blockMembers {
		t.Errorf("there is room for %d, of %d", room, n)
	}
}
