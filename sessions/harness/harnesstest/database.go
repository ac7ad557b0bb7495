package harnesstest

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // registers "sqlite"
)

// Databases makes each database below dir from the statements that lie beside
// its place, in a file of its name with ".sql" behind. The rows stay in the
// write-ahead log, and the writer stays connected, as while the harness runs.
func Databases(t testing.TB, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".sql" {
			return err
		}
		statements, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		Exec(t, strings.TrimSuffix(path, ".sql"), "PRAGMA wal_autocheckpoint=0", string(statements))
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Exec runs statements on a database as its harness would, and stays connected
// until the test ends. The last connection that closes a database writes its
// log back.
func Exec(t testing.TB, path string, statements ...string) *sql.DB {
	t.Helper()
	// Like a harness it waits for a moment when somebody reads.
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return db
}

// Lock keeps everyone from reading a database until it is unlocked, as a harness does
// that writes to it.
func Lock(t testing.TB, path string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, s := range []string{"PRAGMA journal_mode=DELETE", "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(s, err)
		}
	}
	return func() {
		t.Helper()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Samples copies a folder of samples and makes its databases.
func Samples(t testing.TB, from string) (home string) {
	t.Helper()
	home = CopyTree(t, from)
	Databases(t, home)
	return home
}

// Tree is every file below dir and what it holds, but for the index of a
// database's log, which readers share.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, "-shm") {
			return err
		}
		content, err := os.ReadFile(path)
		tree[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
