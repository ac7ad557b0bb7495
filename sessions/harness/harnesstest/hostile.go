package harnesstest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// Huge is the length of a value that no harness writes, in bytes, and Growth how much
// more memory than before may be in use once it was read.
const (
	Huge   = 30 << 20
	Growth = 64 << 20
)

// Database says how the samples of a harness that keeps a database are tried.
type Database struct {
	New     func() sessions.Source
	Samples string // folder
	Path    string // of the database, below the samples
	Session string // id of a session in it
	// Optional are columns, as table.column, that some releases do not have and
	// without which all prompts are still found.
	Optional []string
	// Own says that the session has the database to itself, so that a listing need
	// not open it.
	Own bool
	// Say adds to Session a turn, as the harness would, that says "something new".
	Say []string
	// Cell puts ? where JSON of Session stands.
	Cell string
}

// Test tries what may happen to a database while it is read.
func (d Database) Test(t *testing.T) {
	t.Run("unchanged", d.unchanged)
	t.Run("locked", d.locked)
	t.Run("missing columns", d.missingColumns)
	t.Run("corrupt", d.corrupt)
	t.Run("hostile", d.hostile)
	t.Run("growing", d.growing)
	t.Run("followed", d.followed)
	t.Run("quiet", d.quiet)
}

func (d Database) home(t testing.TB) (home, path string) {
	home = Samples(t, d.Samples)
	return home, filepath.Join(home, d.Path)
}

// alone is home without a program that has the database open.
func (d Database) alone(t testing.TB) (home, path string) {
	from, written := d.home(t)
	Exec(t, written, "PRAGMA wal_checkpoint(TRUNCATE)")
	home = CopyTree(t, from)
	path = filepath.Join(home, d.Path)
	for _, log := range []string{"-wal", "-shm"} {
		if err := os.RemoveAll(path + log); err != nil {
			t.Fatal(err)
		}
	}
	return home, path
}

// unchanged: neither the database nor its log is written to.
func (d Database) unchanged(t *testing.T) {
	home, _ := d.home(t)
	before := Tree(t, home)
	Read(t, d.New(), Env(home, nil))
	if diff := cmp.Diff(before, Tree(t, home)); diff != "" {
		t.Error("reading changed the files")
	}
}

// locked: a database that cannot be read now is an error, not an empty one, and
// is there again when the lock is gone.
func (d Database) locked(t *testing.T) {
	t.Parallel()
	home, path := d.alone(t)
	src := d.New()
	before := List(t, src, Env(home, nil))
	at := before[slices.IndexFunc(before, func(tr sessions.Transcript) bool { return tr.Path == path })]
	unlock := Lock(t, path)
	read := NewRecorder()
	if _, err := src.Read(t.Context(), at, sessions.Mark{}, read); err == nil || len(read.Sessions()) != 0 {
		t.Errorf("reading a locked database: %v, %d sessions", err, len(read.Sessions()))
	}
	if err := look(t, src, Env(home, nil), at.Root, func(sessions.Transcript) {}); err == nil && !d.Own {
		t.Error("a locked database was listed without an error")
	}
	inDatabase := map[string]bool{}
	for _, tr := range before {
		inDatabase[tr.ID] = inDatabase[tr.ID] || tr.Path == path
	}
	if !d.Own { // a program that starts now does not take a poorer copy for the session
		_ = look(t, d.New(), Env(home, nil), at.Root, func(tr sessions.Transcript) { // the error was looked at above
			if inDatabase[tr.ID] {
				t.Errorf("%s is told by %s while the database is locked", tr.ID, tr.Path)
			}
		})
	}
	unlock()
	if after := List(t, src, Env(home, nil)); len(after) != len(before) {
		t.Errorf("%d transcripts after the lock, %d before", len(after), len(before))
	}
}

// missingColumns: a schema without the optional columns tells all prompts.
func (d Database) missingColumns(t *testing.T) {
	home, path := d.home(t)
	before := prompts(Read(t, d.New(), Env(home, nil)))
	for _, column := range d.Optional {
		dropColumn(t, path, column)
	}
	if diff := cmp.Diff(before, prompts(Read(t, d.New(), Env(home, nil)))); diff != "" {
		t.Errorf("prompts (-with +without the columns):\n%s", diff)
	}
}

// dropColumn takes a column away, and the indexes and triggers of its table,
// which may need it.
func dropColumn(t *testing.T, path, column string) {
	t.Helper()
	table, name, _ := strings.Cut(column, ".")
	db := Exec(t, path)
	rows, err := db.QueryContext(t.Context(), "SELECT type, name FROM sqlite_schema WHERE type IN ('index', 'trigger') AND name NOT LIKE 'sqlite_%' AND tbl_name = ?", table)
	if err != nil {
		t.Fatal(err)
	}
	var drop []string
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			t.Fatal(err)
		}
		drop = append(drop, fmt.Sprintf(`DROP %s "%s"`, kind, name))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	Exec(t, path, append(drop, fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", table, name))...)
}

func prompts(r *Recorder) map[string][]string {
	all := map[string][]string{}
	for _, s := range r.Sessions() {
		all[s.ID] = s.Texts(sessions.Prompt)
	}
	return all
}

// corrupt: damage costs what it hits, and is said; nothing panics.
func (d Database) corrupt(t *testing.T) {
	home, path := d.alone(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		content := slices.Clone(whole)
		switch i % 4 {
		case 0:
			content = content[:random.IntN(len(content))]
		case 1:
			clear(content[random.IntN(len(content)):])
		default:
			for range 1 << random.IntN(10) {
				content[100+random.IntN(len(content)-100)] = byte(random.Uint32())
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		src := d.New()
		for _, root := range src.Roots(Env(home, nil)) {
			var all []sessions.Transcript
			_ = src.List(t.Context(), root, func(tr sessions.Transcript) { all = append(all, tr) }) // may fail, must not panic
			for _, tr := range all {
				_, _ = src.Read(t.Context(), tr, sessions.Mark{}, NewRecorder())
			}
		}
	}
}

// hostile: whatever stands in a cell costs its session only, and stays out of
// memory once it was read.
func (d Database) hostile(t *testing.T) {
	home, path := d.home(t)
	quiet := prompts(Read(t, d.New(), Env(home, nil)))
	for name, cell := range map[string]string{
		"nested":        strings.Repeat("[", 1<<20),
		"nested deeper": strings.Repeat(`{"a":`, 1<<18) + "1" + strings.Repeat("}", 1<<18),
		"a huge text":   `[{"type":"text","more":"` + strings.Repeat("y", Huge) + `"}]`,
		"no JSON":       strings.Repeat("\x00x", Huge/2),
		"a number":      "7",
		"nothing":       "",
	} {
		if _, err := Exec(t, path).ExecContext(t.Context(), d.Cell, []byte(cell)); err != nil {
			t.Fatal(err)
		}
		before := InUse()
		loud := prompts(Read(t, d.New(), Env(home, nil)))
		if grown := InUse() - before; grown > Growth {
			t.Errorf("%s: %d MB more are in use", name, grown>>20)
		}
		for id, said := range quiet {
			if id != d.Session && !slices.Equal(loud[id], said) {
				t.Errorf("%s: %s says %q, and %q before", name, id, loud[id], said)
			}
		}
	}
}

// InUse is how many bytes of memory are in use.
func InUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// growing: a new row changes the stamp of its session alone, and reading on
// tells what is new alone. The row lies in the log.
func (d Database) growing(t *testing.T) {
	home, path := d.home(t)
	src, read := d.New(), NewRecorder()
	marks, stamps := map[string]sessions.Mark{}, map[string]sessions.Stamp{}
	for _, tr := range List(t, src, Env(home, nil)) {
		marks[tr.Path+tr.Unit], stamps[tr.Path+tr.Unit] = ReadOne(t, src, tr, read), tr.Stamp
	}
	for _, tr := range List(t, src, Env(home, nil)) {
		if !tr.Same(stamps[tr.Path+tr.Unit]) {
			t.Errorf("the stamp of %s changed without a change", tr.Unit)
		}
	}
	before := len(read.Session(d.Session).Turns)
	Exec(t, path, append([]string{"PRAGMA wal_autocheckpoint=0"}, d.Say...)...)
	var changed []string
	for _, tr := range List(t, src, Env(home, nil)) {
		if tr.Same(stamps[tr.Path+tr.Unit]) {
			continue
		}
		changed = append(changed, tr.ID)
		if _, err := src.Read(t.Context(), tr, marks[tr.Path+tr.Unit], read); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{d.Session}, changed); diff != "" {
		t.Errorf("changed sessions (-want +got):\n%s", diff)
	}
	turns := read.Session(d.Session).Turns
	if len(turns) != before+1 || !strings.Contains(turns[len(turns)-1].Text, "something new") {
		t.Errorf("%d turns after %d, the last says %q", len(turns), before, turns[len(turns)-1].Text)
	}
}

// Fuzz puts any bytes where JSON stands: nothing may panic, and reading again
// from the mark tells nothing new.
func (d Database) Fuzz(f *testing.F) {
	home, path := d.home(f)
	db := Exec(f, path)
	src := d.New()
	at := sessions.Transcript{}
	for _, tr := range List(f, src, Env(home, nil)) {
		if tr.ID == d.Session {
			at = tr
		}
	}
	f.Fuzz(func(t *testing.T, cell []byte) {
		if _, err := db.ExecContext(t.Context(), d.Cell, cell); err != nil {
			t.Fatal(err)
		}
		mark := ReadOne(t, src, at, NewRecorder())
		again := NewRecorder()
		if _, err := src.Read(t.Context(), at, mark, again); err != nil {
			t.Errorf("reading on: %v", err)
		}
		if s := again.Session(d.Session); s != nil {
			t.Errorf("reading on told %d turns again", len(s.Turns))
		}
	})
}
