package cli

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A database that its harness holds at the first look leaves its sessions out, which is
// not to be taken for there being none.
func TestLockedAtTheFirstLookIsSaid(t *testing.T) {
	home := demoHomeCopy(t)
	path := filepath.Join(home, ".hermes", "state.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	holder, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Close() }()
	holder.SetMaxOpenConns(1)
	for _, s := range []string{"CREATE TABLE sessions (id TEXT)", "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := holder.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{"sessions"}, {"sessions", "--json"}, {"recall", "sharded cache"}, {"recall", "--json", "sharded cache"}, {"context", "sharded cache"}} {
		got := invoke(home, command...)
		if got.code != exitFound || strings.Count(got.err, path) != 1 || !strings.Contains(got.err, "locked") {
			t.Errorf("%q: exit %d, stderr %q", command, got.code, got.err)
		}
		if len(command) > 1 && command[1] == "--json" && !strings.Contains(got.out, "no other program holds the file") {
			t.Errorf("%q does not note it", command)
		}
	}
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	if got := invoke(home, "sessions"); strings.Contains(got.err, path) {
		t.Errorf("after the lock: %q", got.err)
	}
}
