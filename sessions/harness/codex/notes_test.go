package codex

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// database writes one with these statements, and keeps it open so that they
// stay in its log.
func database(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return db
}

func titlesOf(t *testing.T, src *Source, root sessions.Root) (map[string]string, error) {
	t.Helper()
	notes, err := src.Notes(t.Context(), root)
	titles := map[string]string{}
	for id, n := range notes {
		titles[id] = n.Title
	}
	return titles, err
}

const index = `{"id":"a","thread_name":"first name"}
not json
{"id":"a","thread_name":"last name"}
{"id":"b","thread_name":"only here"}
{"id":"c","thread_name":"being writ`

func TestNotes(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		want       map[string]string
		err        bool
	}{
		"no database": {nil, map[string]string{"a": "last name", "b": "only here"}, false},
		"the database counts more": {
			[]string{"CREATE TABLE threads (id, name)", "INSERT INTO threads VALUES ('a', 'of the database'), ('b', ''), ('d', NULL)"},
			map[string]string{"a": "of the database", "b": "only here"}, false,
		},
		"before there were names": {
			[]string{
				"CREATE TABLE threads (id, title, first_user_message)",
				"INSERT INTO threads VALUES ('a', 'why?', 'why?'), ('d', 'renamed', 'why?')",
			},
			map[string]string{"a": "last name", "b": "only here", "d": "renamed"}, false,
		},
		"columns of another kind": {
			[]string{"CREATE TABLE threads (id, name BLOB)", "INSERT INTO threads VALUES ('a', x'ff41'), (7, 8), (NULL, 'x')"},
			map[string]string{"a": "\uFFFDA", "b": "only here", "7": "8"}, false,
		},
		"no such columns": {[]string{"CREATE TABLE threads (id)"}, map[string]string{"a": "last name", "b": "only here"}, false},
		"no such table":   {[]string{"CREATE TABLE other (id)"}, map[string]string{"a": "last name", "b": "only here"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := sessions.Root{Path: t.TempDir()}
			if err := os.WriteFile(filepath.Join(root.Path, indexName), []byte(index), 0o600); err != nil {
				t.Fatal(err)
			}
			if c.statements != nil {
				database(t, filepath.Join(root.Path, "state_5.sqlite"), c.statements...)
			}
			got, err := titlesOf(t, New(), root)
			if (err != nil) != c.err {
				t.Error(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNotesOfADamagedDatabase(t *testing.T) {
	root := sessions.Root{Path: t.TempDir()}
	path := filepath.Join(root.Path, "state_5.sqlite")
	for file, content := range map[string]string{
		filepath.Join(root.Path, indexName): index,
		path:                                "not a database at all, but as long as one would have to be to look like one",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := titlesOf(t, New(), root)
	if err == nil {
		t.Error("the damage is not told")
	}
	if diff := cmp.Diff(map[string]string{"a": "last name", "b": "only here"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A database that is locked for longer than is waited keeps what it said.
func TestNotesWhileTheDatabaseIsLocked(t *testing.T) {
	src, root := New(), sessions.Root{Path: t.TempDir()}
	db := database(t, filepath.Join(root.Path, "state_5.sqlite"), "CREATE TABLE threads (id, name)", "INSERT INTO threads VALUES ('a', 'known')")
	if got, err := titlesOf(t, src, root); err != nil || got["a"] != "known" {
		t.Fatal(got, err)
	}
	for _, s := range []string{"INSERT INTO threads VALUES ('b', 'new')", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode=DELETE", "BEGIN EXCLUSIVE"} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	got, err := titlesOf(t, src, root)
	if err == nil {
		t.Error("the lock is not told")
	}
	if diff := cmp.Diff(map[string]string{"a": "known"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if got, err := titlesOf(t, src, root); err != nil || got["b"] != "new" {
		t.Error("after the lock:", got, err)
	}
}

func TestNotesFromTheNewestGenerationElsewhere(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for name, title := range map[string]string{"state_5.sqlite": "five", "state_12.sqlite": "twelve", "state_9.sqlite": "nine", "state_x.sqlite": "no"} {
		database(t, filepath.Join(elsewhere, name), "CREATE TABLE threads (id, name)", "INSERT INTO threads VALUES ('a', '"+title+"')")
	}
	src := New()
	roots := src.Roots(harnesstest.Env(dir, map[string]string{"CODEX_SQLITE_HOME": elsewhere}))
	for _, root := range roots {
		if got, err := titlesOf(t, src, root); err != nil || got["a"] != "twelve" {
			t.Errorf("%s: %v, %v", root.Path, got, err)
		}
	}
	if !src.Aside(roots[0], filepath.Join(elsewhere, "state_12.sqlite-wal")) {
		t.Error("the log of the database elsewhere is not aside")
	}
}

func TestNotesEndWithTheirContext(t *testing.T) {
	root := sessions.Root{Path: t.TempDir()}
	if err := os.WriteFile(filepath.Join(root.Path, indexName), []byte(index), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Notes(ctx, root); err == nil {
		t.Error("no error")
	}
}

func TestAside(t *testing.T) {
	root := sessions.Root{Path: filepath.Join(string(filepath.Separator), "home", "dev", ".codex")}
	for name, want := range map[string]bool{
		"session_index.jsonl": true, "state_5.sqlite": true, "state_5.sqlite-wal": true, "state_12.sqlite-journal": true,
		"state_5.sqlite-shm": false, "logs_2.sqlite": false, "history.jsonl": false, "state_5.sqlite.sql": false,
		"sub/session_index.jsonl": false, "sessions/2026/01/02/rollout-a.jsonl": false,
	} {
		if got := New().Aside(root, filepath.Join(root.Path, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
