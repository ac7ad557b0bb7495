package recall

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"yore/sessions"
)

func TestExclusionIsSticky(t *testing.T) {
	x := newExclusion(Exclude{Paths: []string{"/t/diary"}, Projects: []string{"/home/me/secret"}, Gone: true}, nil)
	key := sessions.Key{Harness: "claude", ID: "a"}
	steps := []struct {
		name    string
		u       sessions.Update
		removed bool
	}{
		{"elsewhere", sessions.Update{Session: sessions.Session{Directory: "/home/me/secrets", Path: "/t/diary.jsonl"}}, false},
		{"in the project", sessions.Update{Session: sessions.Session{Directory: "/home/me/secret/x"}, From: 1}, true},
		{"its rest", sessions.Update{Session: sessions.Session{Directory: "/home/me"}, From: 2}, true},
		{"told from the beginning", sessions.Update{Session: sessions.Session{Directory: "/home/me"}, Reset: true}, false},
		{"in the folder", sessions.Update{Session: sessions.Session{Path: "/t/diary/a.jsonl"}}, true},
		{"gone", sessions.Update{Session: sessions.Session{Gone: true}}, true},
	}
	for _, s := range steps {
		s.u.Key = key
		us := []sessions.Update{s.u}
		x.strike(us)
		if us[0].Removed != s.removed || us[0].Key != key {
			t.Errorf("%s: removed %v", s.name, us[0].Removed)
		}
	}
}

// X6: what was removed is written although nothing else is new: a session whose
// transcript was deleted is gone also for who does not look for transcripts, and one that
// is not to be kept does not come back when such ones are.
func TestARemovalAloneIsWritten(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	write(t, dir, "b", "the lattice of b")
	end(t, loadedEngine(t, keptConfig(dir, data)))
	if err := os.Remove(filepath.Join(dir, "a.log")); err != nil {
		t.Fatal(err)
	}
	end(t, loadedEngine(t, keptConfig(dir, data)))
	kept := func() map[string]bool {
		cfg := keptConfig(dir, data)
		cfg.Sources = nil
		e := loadedEngine(t, cfg)
		defer end(t, e)
		gone := map[string]bool{}
		for _, h := range ask(t, e, Query{Text: "lattice", All: true}).Hits {
			gone[h.Session.ID] = h.Session.Gone
		}
		return gone
	}
	if got := kept(); len(got) != 2 || !got["a"] {
		t.Errorf("kept are, gone or not: %v", got)
	}
	cfg := keptConfig(dir, data)
	cfg.Exclude.Gone = true
	end(t, loadedEngine(t, cfg))
	if got := kept(); len(got) != 1 || got["a"] {
		t.Errorf("kept are, gone or not: %v", got)
	}
}

// What is no longer left out is read again, also where its transcript did not change for
// long and only a row is kept of it.
func TestWhatIsNoLongerExcludedComesBack(t *testing.T) {
	for name, exclude := range map[string]func(dir string) Exclude{
		"its folder": func(dir string) Exclude { return Exclude{Paths: []string{dir}} },
		"its file":   func(dir string) Exclude { return Exclude{Paths: []string{filepath.Join(dir, "a.log")}} },
	} {
		for _, times := range []int{1, 2} {
			dir, data := t.TempDir(), t.TempDir()
			write(t, dir, "a", "the lattice of a")
			write(t, dir, "b", "the lattice of b")
			long := time.Now().Add(-1000 * time.Hour)
			for _, file := range []string{"a.log", "b.log"} {
				if err := os.Chtimes(filepath.Join(dir, file), long, long); err != nil {
					t.Fatal(err)
				}
			}
			end(t, loadedEngine(t, keptConfig(dir, data)))
			for range times {
				cfg := keptConfig(dir, data)
				cfg.Exclude = exclude(dir)
				e := loadedEngine(t, cfg)
				for _, h := range ask(t, e, Query{Text: "lattice", All: true}).Hits {
					if h.Session.ID == "a" {
						t.Errorf("%s: it is found though it is excluded", name)
					}
				}
				end(t, e)
			}
			e := loadedEngine(t, keptConfig(dir, data))
			if got := sorted(ask(t, e, Query{Text: "lattice", All: true})); got != "a b" {
				t.Errorf("%s, excluded %d times: found are %q", name, times, got)
			}
			end(t, e)
		}
	}
}

// Excluded even once, a session whose transcript was deleted is out of the index for good:
// its text is kept nowhere else, and who excludes it wants none of it kept.
func TestWhatIsGoneAndExcludedOnceDoesNotComeBack(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	write(t, dir, "b", "the lattice of b")
	end(t, loadedEngine(t, keptConfig(dir, data)))
	if err := os.Remove(filepath.Join(dir, "a.log")); err != nil {
		t.Fatal(err)
	}
	found := func(x Exclude) string {
		cfg := keptConfig(dir, data)
		cfg.Exclude = x
		e := loadedEngine(t, cfg)
		defer end(t, e)
		return sorted(ask(t, e, Query{Text: "lattice", All: true}))
	}
	if got := found(Exclude{}); got != "a b" {
		t.Fatalf("gone, it is not kept: %q", got)
	}
	for _, x := range []Exclude{{Paths: []string{dir}}, {}} {
		want := ""
		if len(x.Paths) == 0 {
			want = "b"
		}
		if got := found(x); got != want {
			t.Errorf("%v: found are %q, want %q", x, got, want)
		}
	}
}

// A session whose transcript was deleted, and that was not kept for that, leaves no name
// behind; it is there again when its transcript is.
func TestWhatIsGoneAndNotKeptHasNoName(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	write(t, dir, "b", "the lattice of b")
	end(t, loadedEngine(t, keptConfig(dir, data)))
	file := filepath.Join(dir, "a.log")
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	cfg := keptConfig(dir, data)
	cfg.Exclude.Gone = true
	end(t, loadedEngine(t, cfg))
	listed := func() (ids []string) {
		e := loadedEngine(t, keptConfig(dir, data))
		defer end(t, e)
		list, err := e.Sessions(t.Context(), SessionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			ids = append(ids, s.ID)
		}
		slices.Sort(ids)
		return ids
	}
	for range 2 {
		if got := listed(); !slices.Equal(got, []string{"b"}) {
			t.Errorf("listed are %q", got)
		}
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	if got := listed(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("when it is back: listed are %q", got)
	}
}
