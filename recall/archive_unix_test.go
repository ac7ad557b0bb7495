//go:build unix

package recall

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// fullEnv names the directory in which a child process finds the disk full.
const fullEnv = "YORE_TEST_FULL"

// TestFullDisk: where there is no room, all is answered, it is said once, and
// nothing is left behind.
func TestFullDisk(t *testing.T) {
	if home := os.Getenv(fullEnv); home != "" {
		onFullDisk(t, home)
		return
	}
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := newBusy(filepath.Join(home, "logs"), 3)
	for range 200 {
		if err := b.step(); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$")
	c.Env = append(os.Environ(), fullEnv+"="+home)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left, err := os.ReadDir(filepath.Join(home, "data"))
	if err != nil || len(left) != 1 || left[0].Name() != "lock" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func onFullDisk(t *testing.T, home string) {
	const bytes = 4 << 10
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: bytes}); err != nil {
		t.Skip(err)
	}
	e := Open(keptConfig(filepath.Join(home, "logs"), filepath.Join(home, "data")))
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.Keep(); err == nil {
		t.Fatal("there was room")
	}
	a := ask(t, e, Query{Text: "lattice"})
	if len(a.Hits) == 0 || len(a.Notes) != 1 || strings.Count(a.Notes[0], "too large") != 1 {
		t.Errorf("%d hits, notes %q", len(a.Hits), a.Notes)
	}
	if err := e.Close(); err != nil {
		t.Errorf("it is said again: %v", err)
	}
}
