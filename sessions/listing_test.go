package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Of several paths to one file the first is kept, or the one that is known; files that have an
// inode in common on two devices are several.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	place := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(place(name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"a2": "a", "b2": "b", "c2": "c"} {
		if err := os.Link(place(to), place(link)); err != nil {
			t.Skip(err)
		}
	}
	var all []found
	for _, name := range []string{"a", "b", "c", "a2", "c2", "b2", "gone"} { // all with one inode, as on several devices
		all = append(all, found{Transcript: Transcript{Path: place(name), Stamp: Stamp{Inode: 7}}})
	}
	all = append(all, found{Transcript: Transcript{Path: place("row"), Unit: "1"}}, found{Transcript: Transcript{Path: place("row"), Unit: "2"}})
	for known, want := range map[string][]string{
		"":   {"a", "b", "c", "gone", "row1", "row2"},
		"b2": {"a", "b2", "c", "gone", "row1", "row2"},
		"b":  {"a", "b", "c", "gone", "row1", "row2"},
	} {
		var got []string
		for _, f := range once(slices.Clone(all), func(u unit) bool { return u.path == place(known) }) {
			got = append(got, filepath.Base(f.Path)+f.Unit)
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %q known: %q, want %q", known, got, want)
		}
	}
}
