package tombstone

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"yore/sessions"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func stone(id, dir string) Stone {
	return Stone{Key: sessions.Key{Harness: "claude", ID: id}, Directory: dir, At: noon}
}

func read(t *testing.T, dir string) List {
	t.Helper()
	l, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The last line about a session counts, and each change gives another hash.
func TestTheLastLineCounts(t *testing.T) {
	dir := t.TempDir()
	if l := read(t, dir); l.Hash != 0 || len(l.Stones) != 0 {
		t.Fatalf("%+v of nothing", l)
	}
	a, b := stone("a", "/home/me/<a> & \"b\""), stone("b ~2", "")
	b.With = "a"
	must(t, Forget(dir, []Stone{a, b}))
	first := read(t, dir)
	if want := map[sessions.Key]Stone{a.Key: a, b.Key: b}; !reflect.DeepEqual(first.Stones, want) {
		t.Errorf("%+v, want %+v", first.Stones, want)
	}
	must(t, CallBack(dir, []Stone{a}))
	second := read(t, dir)
	if want := map[sessions.Key]Stone{b.Key: b}; !reflect.DeepEqual(second.Stones, want) || second.Hash == first.Hash {
		t.Errorf("%+v, want %+v", second, want)
	}
	must(t, Forget(dir, []Stone{a}))
	if third := read(t, dir); len(third.Stones) != 2 || third.Hash == first.Hash {
		t.Errorf("%+v", third)
	}
	info, err := os.Stat(filepath.Join(dir, Name))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// A line that was cut short, and one of something else, cost themselves.
func TestATornLineCostsItself(t *testing.T) {
	dir := t.TempDir()
	must(t, Forget(dir, []Stone{stone("a", "")}))
	path := filepath.Join(dir, Name)
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(data, "\x00\xff\n[1]\n{\"harness\":\"claude\",\"sess"...), 0o600))
	must(t, Forget(dir, []Stone{stone("b", "")}))
	if l := read(t, dir); len(l.Stones) != 2 {
		t.Errorf("%+v", l.Stones)
	}
}

// What stands in the file's place is neither read nor written.
func TestSomethingElseInItsPlace(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, Name), 0o700))
	if _, err := Read(dir); err == nil {
		t.Error("a folder was read")
	}
	if err := Forget(dir, []Stone{stone("a", "")}); err == nil {
		t.Error("a folder was written")
	}
}

// No bytes make reading panic, and what is forgotten behind them counts.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\n{\"harness\":\"claude\",\"session\":\"a\",\"at\":\"2026-05-01T12:00:00Z\",\"back\":true}\n"))
	f.Add([]byte("{\"harness\":\"claude\",\"session\":\"b\",\"at\":7}\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, Name), data, 0o600))
		b := stone("b", "/x")
		must(t, Forget(dir, []Stone{b}))
		if l := read(t, dir); l.Stones[b.Key] != b || l.Hash == 0 {
			t.Errorf("%+v", l.Stones)
		}
	})
}
