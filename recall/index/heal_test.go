package index

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions"
)

// A segment whose file somebody cuts short, overwrites or fills with noise while it is
// open is noticed, taken out and said, the others go on, and no text is a wrong one.
func TestFileDamagedWhileOpen(t *testing.T) {
	damages := map[string]func(t *testing.T, f *os.File, size int64){
		"cut to nothing": func(t *testing.T, f *os.File, _ int64) {
			if err := f.Truncate(0); err != nil {
				t.Fatal(err)
			}
		},
		"cut in the middle": func(t *testing.T, f *os.File, size int64) {
			if err := f.Truncate(size / 3); err != nil {
				t.Fatal(err)
			}
		},
		"noise": func(t *testing.T, f *os.File, size int64) {
			if _, err := f.WriteAt([]byte(strings.Repeat("\xa5", int(size))), 0); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x, s, _ := keptIn(t, dir, hashedOptions)
			x.Apply([]sessions.Update{one("a", "why the cache is sharded", "caches again")})
			publish(t, s, "1")
			hit := segmentName(x.Snapshot().Segments(Talk)[0].ID())
			x.Apply([]sessions.Update{one("b", "lunch")})
			publish(t, s, "2")
			f, err := os.OpenFile(filepath.Join(dir, hit), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			damage(t, f, info.Size())
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}

			snap := x.Snapshot()
			for _, seg := range snap.Segments(Talk) {
				askEverything(seg)
				for doc := range uint32(seg.Len()) {
					if text := seg.Passage(doc).Text; text != "" && !strings.Contains("why the cache is sharded, caches again, lunch", text) {
						t.Errorf("wrong text %q", text)
					}
				}
			}
			if snap.Err() == nil || !x.Heal() || x.Snapshot().Err() != nil || x.Heal() {
				t.Fatal("it is not noticed, or not once")
			}
			if got := x.Snapshot().Live(Talk); got != 1 {
				t.Errorf("%d passages are left, want 1", got)
			}
			if notes := fmt.Sprint(s.Kept().Notes); !strings.Contains(notes, hit) {
				t.Errorf("notes %s do not name %s", notes, hit)
			}
			publish(t, s, "3")
			if aside, _ := filepath.Glob(filepath.Join(dir, hit+".damaged-*")); len(aside) != 1 {
				t.Errorf("set aside: %v", aside)
			}
			x.Close()
			s.Close()
			x, s, _ = keptIn(t, dir, hashedOptions)
			defer s.Close()
			defer x.Close()
			if _, whole := wholeIn(x, sessions.Key{Harness: "claude", ID: "a"}); whole {
				t.Error("what was lost is not read again")
			}
			if _, whole := wholeIn(x, sessions.Key{Harness: "claude", ID: "b"}); !whole {
				t.Error("what was not lost is read again")
			}
		})
	}
}

// What is kept of a damaged file has another ID than its segment had, since it has no words:
// what was counted by the old one would lead to terms that are not there.
func TestHealedSegmentIsAnother(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply([]sessions.Update{one("a", "why the cache is sharded")})
	publish(t, s, "1")
	x.Close()
	s.Close()
	x, s, _ = keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	x.mergeMu.Lock() // its words are not cut anew at once
	defer x.mergeMu.Unlock()

	path := filesOf(t, dir, ".seg")[0]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[sectionOf(t, data, secSequence).offset] ^= 1
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(data, 0); err != nil { // in place: it is open
		t.Fatal(err)
	}
	before := x.Snapshot().Segments(Talk)[0]
	askEverything(before)
	if !x.Heal() {
		t.Fatal("it is not noticed")
	}
	after := x.Snapshot().Segments(Talk)[0]
	if !after.bare || after.Terms() > 0 || after.ID() == before.ID() {
		t.Errorf("bare %v, %d terms, ID %x as before %x", after.bare, after.Terms(), after.ID(), before.ID())
	}
}
