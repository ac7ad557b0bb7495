package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What happens beside a file is not heard of, and one that took its place is watched
// when it was renewed.
func TestFileHearsOfItselfAlone(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "log"), filepath.Join(dir, "other")
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(path, "")
	f := NewFile(path)
	defer f.Close()
	if f.system == nil {
		t.Skip("the system tells of no changes")
	}
	renew := func() {
		t.Helper()
		if err := f.Renew(); err != nil {
			t.Error(err)
		}
	}
	renew()
	first := func() {
		t.Helper()
		select {
		case e := <-f.Changed():
			if e.Name != path {
				t.Errorf("heard of %s", e.Name)
			}
		case <-time.After(60 * time.Second):
			t.Error("heard of nothing")
		}
	}
	for range 100 {
		put(other, "text")
	}
	put(path, "text")
	first()
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	first()
	if f.Renew() == nil {
		t.Error("what is not there is watched")
	}
	put(path, "text")
	renew()
	for drained := false; !drained; {
		select {
		case <-f.Changed():
		case <-time.After(100 * time.Millisecond):
			drained = true
		}
	}
	put(path, "more")
	first()
}
