package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/recall/index"
)

// Beside a process that writes the index, the chosen model goes although the adapted table
// stays, and it is said what to do about that one.
func TestChosenModelGoesBesideAWriter(t *testing.T) {
	home := demoHomeCopy(t)
	dir := filepath.Join(home, ".local", "share", "yore")
	model, table := filepath.Join(dir, "model"), filepath.Join(dir, "table")
	if err := os.MkdirAll(model, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(table, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := index.New(index.Options{})
	defer x.Close()
	writer, _, err := index.OpenStore(dir, x)
	if err != nil || !writer.Kept().Writes {
		t.Fatalf("no writer: %v", err)
	}
	defer writer.Close()
	for _, want := range []string{"the chosen model is no longer in use, but ", "the embedded model stays adapted"} {
		got := invoke(home, "model", "embedded")
		if got.code != exitUsage || !strings.Contains(got.err, want) || !strings.Contains(got.err, "yore mcp, and run this again") {
			t.Errorf("exit %d, stderr %q", got.code, got.err)
		}
		if _, err := os.Stat(model); !os.IsNotExist(err) {
			t.Errorf("the chosen model: %v", err)
		}
	}
	writer.Close()
	if got := invoke(home, "model", "embedded"); got.code != exitFound {
		t.Errorf("then exit %d, stderr %q", got.code, got.err)
	}
	if _, err := os.Stat(table); !os.IsNotExist(err) {
		t.Errorf("the adapted table: %v", err)
	}
}
