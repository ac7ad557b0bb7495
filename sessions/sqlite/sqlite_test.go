package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes a database with a write-ahead log that holds its last row, and
// keeps the writer open as a running harness does.
func write(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", uri(path)+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	for _, s := range []string{
		"CREATE TABLE talk (id TEXT, said TEXT)",
		"INSERT INTO talk VALUES ('1', 'in the database')",
		"PRAGMA wal_checkpoint(TRUNCATE)",
		"INSERT INTO talk VALUES ('2', 'in the log')",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return db
}

func rows(t *testing.T, path string) []string {
	t.Helper()
	db, done, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	rs, err := db.Query("SELECT said FROM talk ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rs.Close()
	var said []string
	for rs.Next() {
		var s string
		if err := rs.Scan(&s); err != nil {
			t.Fatal(err)
		}
		said = append(said, s)
	}
	return said
}

var both = []string{"in the database", "in the log"}

func TestOpenSeesTheLogAndChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd 100%? #1", "talk.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, path)
	before := bytesOf(t, path)
	if diff := cmp.Diff(both, rows(t, path)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, bytesOf(t, path)); diff != "" {
		t.Error("reading changed the files", diff)
	}
}

func bytesOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		files[suffix] = b
	}
	return files
}

func TestOpenNeverWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.db")
	write(t, path)
	db, done, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := db.Exec("INSERT INTO talk VALUES ('3', 'by a reader')"); err == nil {
		t.Error("a reader could write")
	}
}

// A copy is read where the log's index can neither be found nor made. The test
// goes through the copy itself, because a privileged user may write anywhere.
func TestSnapshotHoldsTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.db")
	write(t, path)
	copied, err := snapshot(t.Context(), path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(both, rows(t, copied)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(copied)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		t.Errorf("the copy is readable by others: %v", mode)
	}
}

func TestOpenReadsACopyInAReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may write anywhere")
	}
	dir := filepath.Join(t.TempDir(), "harness")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "talk.db")
	write(t, source)
	path := filepath.Join(dir, "talk.db")
	for suffix, b := range bytesOf(t, source) {
		if err := os.WriteFile(path+suffix, b, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	if diff := cmp.Diff(both, rows(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.db")
	if err := os.WriteFile(garbage, []byte("this is no database, whatever its name says, and long enough to be one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(t.Context(), garbage); err == nil {
		t.Error("garbage was opened")
	}
	if _, _, err := Open(t.Context(), dir); err == nil {
		t.Error("a folder was opened")
	}
	if _, _, err := Open(t.Context(), filepath.Join(dir, "absent.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	path := filepath.Join(dir, "talk.db")
	write(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.db")
	write(t, path)
	db, done, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for table, want := range map[string]map[string]bool{
		"talk":               {"id": true, "said": true},
		"absent":             {},
		"talk'); DROP TABLE": {},
	} {
		got, err := Columns(t.Context(), db, table)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(table, diff)
		}
	}
}

func TestStampTellsAChangeInTheLogAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.db")
	db := write(t, path)
	before, err := StampOf(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := StampOf(path); again != before {
		t.Error("the stamp changed without a change")
	}
	if _, err := db.Exec("INSERT INTO talk VALUES ('3', 'later')"); err != nil {
		t.Fatal(err)
	}
	// The log may grow within one tick of the file system's clock; its size tells.
	after, err := StampOf(path)
	if err != nil {
		t.Fatal(err)
	}
	if after == before {
		t.Error("a row in the log did not change the stamp")
	}
	if after.Size != before.Size || !after.Mtime.Equal(before.Mtime) {
		t.Error("the test meant to change the log alone")
	}
	future := time.Now().Add(time.Hour)
	if err := os.Chtimes(path+"-wal", future, future); err != nil {
		t.Fatal(err)
	}
	if last, _ := StampOf(path); last == after {
		t.Error("the log's time did not change the stamp")
	}
}

func TestChanges(t *testing.T) {
	for name, want := range map[string]bool{
		"state_5.sqlite": true, "state_5.sqlite-wal": true, "state_5.sqlite-journal": true,
		"state_5.sqlite-shm": false, "state_5.sqlite.bak": false, "state_4.sqlite": false,
	} {
		if got := Changes("state_5.sqlite", name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
