package recall

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// indexIn is what lies in a directory, but for the lock and what goes with who made it.
func indexIn(t *testing.T, data string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if e.Name() == "lock" || strings.HasPrefix(e.Name(), "tmp-") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(data, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// standsBack waits until an engine has said, once, that it leaves its directory to a newer
// version.
func standsBack(t *testing.T, e *Engine) {
	t.Helper()
	await(t, "that it stands back", func() bool { return len(e.Status().Notes) > 0 })
	if s := e.Status(); len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "written by a newer yore") || s.Kept.Writes {
		t.Errorf("it is said: %q, writes %v", s.Notes, s.Kept.Writes)
	}
}

// laterFormat makes the manifest one of a later format.
func laterFormat(t *testing.T, data string) {
	path := filepath.Join(data, "manifest")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len("yoreman\n")]++
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A screen or server that stays open while a newer version writes the index goes on: it
// keeps what it shows, reads what comes, says once that it keeps nothing, and changes no
// file. One whose files the older version cannot read, and one that only made them by
// later rules, are the same to it; what the latter read is not read again.
func TestReaderBesideANewerVersion(t *testing.T) {
	for what, upgrade := range map[string]func(t *testing.T, data string){
		"another format": laterFormat,
		"another table":  nil,
	} {
		t.Run(what, func(t *testing.T) {
			dir, data := t.TempDir(), t.TempDir()
			write(t, dir, "a", "the lattice of a")
			cfg := keptConfig(dir, data)
			cfg.Watch = true
			later := cfg
			if upgrade == nil {
				later.table = 99
			}
			newer, older := loadedEngine(t, later), loadedEngine(t, cfg)
			write(t, dir, "b", "the lattice of b")
			awaitAnswers(t, newer, "a", "b")
			awaitAnswers(t, older, "a", "b")
			end(t, newer)
			if upgrade != nil {
				upgrade(t, data)
			}
			before := indexIn(t, data)

			stop := asking(t, older, "a", "b")
			standsBack(t, older)
			stop()
			write(t, dir, "c", "the lattice of c")
			awaitAnswers(t, older, "a", "b", "c")
			if err := errors.Join(older.Keep(), older.Close()); err != nil {
				t.Error(err)
			}
			next := loadedEngine(t, cfg)
			standsBack(t, next)
			awaitAnswers(t, next, "a", "b", "c")
			if err := next.Adapt(t.Context()); !errors.Is(err, ErrNotWriting) {
				t.Errorf("it adapts: %v", err)
			}
			if upgrade == nil && next.Status().Kept.Segments == 0 {
				t.Error("what is kept is not read")
			}
			end(t, next)
			if !maps.Equal(indexIn(t, data), before) {
				t.Error("the directory was changed")
			}
			if upgrade != nil {
				return
			}
			last := loadedEngine(t, later)
			defer last.Close()
			if s := last.Status(); len(s.Notes) > 0 || !s.Kept.Writes {
				t.Errorf("the newer version: %+v", s)
			}
			awaitAnswers(t, last, "a", "b", "c")
		})
	}
}
