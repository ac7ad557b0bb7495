package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions/jsonl"
)

func TestCacheReadsWhatChanged(t *testing.T) {
	dir := t.TempDir()
	var c Cache[string]
	reads := 0
	get := func() string {
		return c.Get(filepath.Join(dir, "f"), func(path string) string { reads++; text, _ := Small(path); return text })
	}
	for _, step := range []struct {
		text, want string
		reads      int
	}{{"", "", 0}, {"a", "a", 1}, {"", "a", 1}, {"bb", "bb", 2}} {
		if step.text != "" {
			write(t, dir, "f", step.text)
		}
		if got := get(); got != step.want || reads != step.reads {
			t.Errorf("%q after %d reads, want %q after %d", got, reads, step.want, step.reads)
		}
	}
	if err := os.Remove(filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	if got := get(); got != "" {
		t.Errorf("gone: %q", got)
	}
}

// What a reading that failed gave is not kept, and where a number is given only so
// many files are remembered, those that were asked for last.
func TestCacheForgets(t *testing.T) {
	dir := t.TempDir()
	c := Cache[string]{Most: 2}
	for _, name := range []string{"a", "b", "c"} {
		write(t, dir, name, name)
	}
	var reads []string
	get := func(name string, err error) string {
		value, got := c.Try(filepath.Join(dir, name), func(path string) (string, error) {
			reads = append(reads, name)
			text, _ := Small(path)
			return text, err
		})
		if got != nil && !errors.Is(got, err) {
			t.Errorf("%s: %v", name, got)
		}
		return value
	}
	for _, step := range []struct {
		name string
		err  error
	}{{"a", io.ErrUnexpectedEOF}, {"a", nil}, {"b", nil}, {"a", nil}, {"c", nil}, {"a", nil}, {"b", nil}} {
		if got := get(step.name, step.err); got != step.name {
			t.Errorf("%s: %q", step.name, got)
		}
	}
	get("none", nil) // takes no place
	get("a", nil)
	get("none of it", nil)
	get("b", nil)
	if got := strings.Join(reads, ""); got != "aabcb" {
		t.Errorf("read %s", got)
	}
}

// nameIn is what a document calls itself.
func nameIn(doc string) string { return jsonl.Text(jsonl.Field(doc, "name")) }

// A file that is being written is what it was when it was whole last, until it is gone.
func TestCacheKeepsWhatWasWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "doc.json")
	var c Cache[string]
	for _, step := range []struct {
		text, want string
		seen       bool
	}{ // no two that follow each other are of one length: a clock may tick slowly
		{`{"name":"on`, "", false}, {`{"name":"one"}`, "one", true}, {``, "one", true}, {`{"name":"se`, "one", true}, {`{"name":"second"}`, "second", true}, {`{}`, "", true},
		{`{"name":"three"}`, "three", true}, {`"` + strings.Repeat("x", maxSidecar) + `"`, "three", true}, {"gone", "", true}, {`{"name":`, "", false},
	} {
		if step.text == "gone" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, dir, "doc.json", step.text)
		}
		if got, seen := c.Sidecar(path, nameIn); got != step.want || seen != step.seen {
			t.Errorf("%.20q: %q, seen %v, want %q", step.text, got, seen, step.want)
		}
	}
}

// A file that is not whole is read once until it changes, and one that could not be read
// each time that it is asked for.
func TestCacheReadsOnceWhatIsNotWhole(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "f", "half")
	var c Cache[string]
	reads, fails := 0, ErrUnfinished
	ask := func() (value string, seen bool) {
		return c.Whole(path, func(path string) (string, error) {
			reads++
			text, _ := Small(path)
			return text, fails
		})
	}
	for _, step := range []struct {
		text  string
		fails error
		reads int
		want  string
	}{
		{"half", ErrUnfinished, 1, "half"}, {"half, and more", ErrUnfinished, 1, "half, and more"}, {"shut", io.ErrUnexpectedEOF, 2, "shut"},
		{"all of it", nil, 1, "all of it"}, {"anew", ErrUnfinished, 1, "all of it"},
	} {
		write(t, dir, "f", step.text)
		reads, fails = 0, step.fails
		for range 2 {
			if got, _ := ask(); got != step.want {
				t.Errorf("%q: %q, want %q", step.text, got, step.want)
			}
		}
		if reads != step.reads {
			t.Errorf("%q was read %d times, want %d", step.text, reads, step.reads)
		}
	}
}

// A file that cannot be looked at is not taken to be gone.
func TestCacheOfWhatCannotBeLookedAt(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "doc.json", `{"name":"one"}`)
	var c Cache[string]
	ask := func() string { name, _ := c.Sidecar(path, nameIn); return name }
	if got := ask(); got != "one" {
		t.Fatal(got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("doc.json", path); err != nil { // which leads to itself
		t.Skip(err)
	}
	if got := ask(); got != "one" {
		t.Errorf("%q, want what was there", got)
	}
	other := filepath.Join(dir, "other.json")
	if err := os.Symlink("other.json", other); err != nil {
		t.Fatal(err)
	}
	if _, seen := c.Sidecar(other, nameIn); seen {
		t.Error("what never could be looked at was seen")
	}
}
