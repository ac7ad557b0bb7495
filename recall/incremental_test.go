package recall

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/sessions"
)

// family changes transcripts of sessions and of what works for them: they grow, are
// written anew, renamed and deleted, and some have not been touched for long.
type family struct {
	*busy
	moment time.Time // later at each change, so that none hides behind a time
}

func (f *family) name() string {
	name := fmt.Sprintf("s%d", f.rand.IntN(4))
	if f.rand.IntN(2) == 0 {
		name = fmt.Sprintf("side%dfor%s", f.rand.IntN(4), name)
	}
	return name
}

func (f *family) path(name string) string { return filepath.Join(f.dir, name+".log") }

func (f *family) change(t *testing.T) {
	t.Helper()
	name := f.name()
	path, mode := f.path(name), os.O_APPEND
	switch f.rand.IntN(10) {
	case 0:
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return
	case 1:
		if err := os.Rename(path, f.path(f.name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return
	case 2:
		mode = os.O_TRUNC
	}
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|mode, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = log.WriteString(f.line(name))
	f.moment = f.moment.Add(time.Millisecond)
	if err = errors.Join(err, log.Close()); err == nil && f.rand.IntN(3) > 0 {
		err = os.Chtimes(path, f.moment, f.moment)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// record is all that is told of a session.
type record struct {
	sessions.Session
	Said []sessions.Passage
	Hung int
}

// records are those of all sessions, also of such as are gone.
func records(t *testing.T, e *Engine) map[string]record {
	t.Helper()
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, snap := map[string]record{}, e.snapshot()
	for ord := range uint32(snap.Sessions()) {
		entry := snap.Session(ord)
		if entry == nil {
			continue
		}
		r := record{Session: entry.Session}
		for n := range uint32(entry.Numbered) {
			ref, ok := snap.At(ord, n)
			if !ok {
				t.Fatalf("%s: passage %d is missing", entry.ID, n)
			}
			r.Said = append(r.Said, ref.Seg.Passage(ref.Doc))
			r.Hung += len(snap.HungAt(ord, n))
		}
		all[entry.ID] = r
	}
	return all
}

// keeping is what an index that was kept has to hold: what stands on disk, and what it
// held of sessions that are gone from there, less what is forgotten.
func (f *family) keeping(t *testing.T, data string, held map[string]record) map[string]record {
	t.Helper()
	fresh := Open(keptConfig(f.dir, ""))
	defer fresh.Close()
	want := records(t, fresh)
	for id, r := range held {
		if _, err := os.Stat(f.path(id)); err != nil { // else nothing is said there any more
			r.Gone = true
			want[id] = r
		}
	}
	stones := forgottenIn(t, data)
	maps.DeleteFunc(want, func(id string, _ record) bool {
		_, own := stones[sessions.Key{Harness: "plain", ID: id}]
		_, with := stones[sessions.Key{Harness: "plain", ID: parentOf(id)}]
		return own || with
	})
	return want
}

func (f *family) compare(t *testing.T, e *Engine, held map[string]record) map[string]record {
	t.Helper()
	got, want := records(t, e), f.keeping(t, e.cfg.DataDir, held)
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if !reflect.DeepEqual(got[id], want[id]) {
			t.Errorf("%s: %+v\nwant %+v", id, got[id], want[id])
		}
	}
	if len(got) != len(want) || t.Failed() {
		t.Fatalf("%q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for id := range want {
		said := slices.ContainsFunc(want[id].Said, func(p sessions.Passage) bool { return strings.Contains(p.Text, wordOf(id)) })
		hits := ask(t, e, Query{Text: `"` + wordOf(id) + `"`, All: true, Limit: 1000}).Hits
		if found := slices.ContainsFunc(hits, func(h Hit) bool { return h.Session.ID == id && h.Matched != Topic }); found != said {
			t.Fatalf("%s is found by its word: %v, want %v", id, found, said)
		}
	}
	if notes := e.Status().Notes; len(notes) > 0 {
		t.Fatal(notes)
	}
	return got
}

// However transcripts of sessions and of their sub-agents change between starts, are
// renamed or deleted, and whatever is forgotten and called back: what is kept plus what
// is read is what a reading of everything gives, with what was said in sessions that are
// gone, and without what is forgotten.
func TestIncrementalEqualsFullForFamilies(t *testing.T) {
	for seed := range uint64(6) {
		data := t.TempDir()
		f := &family{newBusy(t.TempDir(), seed), time.Now().Add(-24 * time.Hour)}
		var held map[string]record
		for range 14 {
			for range f.rand.IntN(25) {
				f.change(t)
			}
			e := loadedEngine(t, keptConfig(f.dir, data))
			held = f.compare(t, e, held)
			choice := Choice{Sessions: []string{f.name()}}
			switch f.rand.IntN(3) {
			case 0:
				all, err := e.Choose(t.Context(), choice)
				if err == nil {
					var done bool
					if done, err = e.Forget(t.Context(), all); !done {
						t.Errorf("%v is not forgotten", choice.Sessions)
					}
				}
				if err != nil && !errors.Is(err, ErrNoSession) {
					t.Fatal(err)
				}
				held = f.compare(t, e, held)
			case 1:
				if _, err := CallBack(data, choice); err != nil && !errors.Is(err, ErrNoSession) {
					t.Fatal(err)
				}
			}
			end(t, e)
		}
	}
}
