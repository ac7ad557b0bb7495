package gather_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions/harness/gather"
)

// A file that is replaced by one of its length within a tick of the clock is
// another version.
func TestVersionOfAFileInAnothersPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	version := func(name, text string) int64 {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name, path); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return gather.Version("a", info)
	}
	before := version(path, "appended")
	if again := version(path, "appended"); again != before {
		t.Error("the same file is another version")
	}
	if after := version(path+".new", "replaced"); after == before {
		t.Error("what took its place is the same version")
	}
}
