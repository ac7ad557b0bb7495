package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// recent is of how many sessions, the latest, a listing looks at the last
// messages. An answer that is being written changes its parts without changing
// its session; an older session changes its own row when it is gone on with.
const recent = 100

// row is a session in a database, as far as a listing needs it.
type row struct {
	id       string
	parent   string
	updated  int64
	version  int64 // of its row and its last messages
	messages int64 // -1 when they were not counted
	second   bool  // the second generation of releases has it
	leftOver int64 // when it had it that has deleted it since, in milliseconds; 0 when it is there
}

// List sends the sessions of all databases and JSON files below root, each
// once. A database that cannot be read now is an error; the sessions that it had
// before keep the JSON files of the same sessions from coming up meanwhile.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	databases, err := s.databasesOf(root.Path)
	errs := []error{err}
	best := map[string]sessions.Transcript{}
	counts := map[string]row{}
	leftOver := map[string]int64{}
	for _, path := range databases {
		rows, err := s.known.List(ctx, path, func(db *sql.DB, send func(string, row)) error { return s.query(ctx, db, path, send) })
		errs = append(errs, err)
		for _, r := range rows {
			if r.leftOver > 0 {
				leftOver[r.id] = r.leftOver
				continue
			}
			if other, twice := counts[r.id]; twice && !richer(r, other) {
				continue
			}
			counts[r.id] = r
			best[r.id] = sessions.Transcript{
				Root: root, Path: path, Unit: r.id, ID: r.id, Side: r.parent != "",
				Stamp: sessions.Stamp{Mtime: time.UnixMilli(r.updated).UTC(), Extra: r.version},
			}
		}
	}
	files := map[string]sessions.Transcript{}
	if !slices.ContainsFunc(errs, gather.Passing) { // else it is not known which files have a twin
		files, err = s.listFiles(ctx, root)
		errs = append(errs, err)
	}
	for id, at := range leftOver {
		if t, twin := files[id]; twin && document(t.Path).Get("time.updated").Int() <= at {
			delete(files, id)
		}
	}
	for id, t := range best {
		if counts[id].messages != 0 {
			delete(files, id)
		} else if _, better := files[id]; better {
			continue
		}
		send(t)
	}
	for _, t := range files {
		send(t)
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// richer tells which of two copies of a session holds more.
func richer(a, b row) bool {
	return cmp.Or(cmp.Compare(a.messages, b.messages), cmp.Compare(a.updated, b.updated)) > 0
}

// databasesOf are the databases in a data folder; root may be a database itself.
func (s *Source) databasesOf(root string) ([]string, error) {
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return s.Rest("", []string{root}), nil
	}
	entries, err := os.ReadDir(root)
	var paths []string
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && s.isDatabase(e.Name()) {
			paths = append(paths, path)
		}
	}
	return s.Rest("", paths), err
}

// The tables of sessions. Those of the second generation of releases, since 2026,
// are in a table of their own, in the same database; the first time it takes over
// those of the first, which stay there, too.
const secondSessions = "session_v2"

var sessionTables = []string{secondSessions, "session"}

func (s *Source) query(ctx context.Context, db *sql.DB, path string, send func(string, row)) error {
	var rows []row
	var errs []error
	at := map[string]int{}
	for _, name := range sessionTables {
		table, err := sqlite.TableOf(ctx, db, name)
		if err != nil {
			return err
		}
		if !table.Has("id") {
			continue
		}
		errs = append(errs, table.Each(ctx, sqlite.Query{
			Columns: []string{"id", "parent_id", "time_updated", "time_created", "title", "revert", "time_archived", "directory", "model"},
		}, func(r sqlite.Row) error {
			found := row{
				id: r.Text(0), parent: r.Text(1), updated: max(r.Int(2), r.Int(3)), messages: -1, second: name == secondSessions,
				version: gather.Version(r.Int(2), r.Text(4), r.Text(5), r.Int(6), r.Text(7), r.Text(8)),
			}
			if i, twice := at[found.id]; twice {
				rows[i].version = gather.Version(rows[i].version, found.version)
				rows[i].updated = max(rows[i].updated, found.updated)
				return nil
			}
			at[found.id] = len(rows)
			rows = append(rows, found)
			return nil
		}))
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.updated, a.updated) })
	err := errors.Join(errs...)
	if err == nil { // else it is not known which the second generation has
		err = markLeftOvers(ctx, db, rows)
	}
	if gather.Passing(err) {
		return err // what was told last holds until all can be asked
	}
	err = errors.Join(err, s.tail(ctx, db, path, rows))
	for _, r := range rows {
		send(r.id, r)
	}
	return err
}

// tail adds to the versions of the latest sessions that of their messages. One
// that falls behind keeps its last: it did not change by getting old.
func (s *Source) tail(ctx context.Context, db *sql.DB, path string, rows []row) error {
	t, err := tablesOf(ctx, db)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range rows {
		key := path + "\x00" + rows[i].id
		if i < recent {
			messages, version, err := t.tail(ctx, db, rows[i].id)
			if err != nil {
				return err
			}
			rows[i].messages, s.tails[key] = messages, version
		}
		rows[i].version ^= s.tails[key]
	}
	return nil
}

// tail counts a session's messages and parts, which tells deleted ones, and
// finds the latest change in its last messages.
func (t tables) tail(ctx context.Context, db *sql.DB, id string) (messages, version int64, err error) {
	var parts, last, changed sql.NullInt64
	scan := func(query string, into ...any) {
		if err == nil {
			err = db.QueryRowContext(ctx, query, id).Scan(into...)
		}
	}
	if t.messages.Has("session_id", "id", "time_created") {
		scan("SELECT count(*), max(rowid) FROM message WHERE session_id = ?", &messages, &last)
		if t.parts.Has("session_id") {
			scan("SELECT count(*), max(rowid) FROM part WHERE session_id = ?", &parts, &last)
		}
		if t.parts.Has("message_id", "time_updated") {
			scan("SELECT max(time_updated) FROM part WHERE message_id IN "+
				"(SELECT id FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 3)", &changed)
		}
	}
	version = gather.Version(messages, parts.Int64, last.Int64, changed.Int64)
	if t.events.Has("session_id") {
		var events int64
		last, changed = sql.NullInt64{}, sql.NullInt64{}
		scan("SELECT count(*), max(rowid) FROM session_message WHERE session_id = ?", &events, &last)
		if t.events.Has("time_updated") {
			scan("SELECT max(time_updated) FROM session_message WHERE session_id = ?", &changed)
		}
		version = gather.Version(version, events, last.Int64, changed.Int64)
		messages = max(messages, events) // one that was taken over stands in both
	}
	for i, table := range t.waiting {
		if table.Has("session_id") {
			var waiting int64
			scan("SELECT count(*), max(rowid) FROM "+waitingTables[i]+" WHERE session_id = ?", &waiting, &last)
			version = gather.Version(version, waiting, last.Int64)
		}
	}
	return messages, version, err
}

// tables are those that hold what was said.
type tables struct {
	messages, parts, events sqlite.Table
	waiting                 []sqlite.Table // for their turn
}

// waitingTables are those of prompts that wait for their turn, by release.
var waitingTables = []string{"session_inbox", "session_pending", "session_input"}

func tablesOf(ctx context.Context, db *sql.DB) (t tables, err error) {
	for name, table := range map[string]*sqlite.Table{"message": &t.messages, "part": &t.parts, "session_message": &t.events} {
		if *table, err = sqlite.TableOf(ctx, db, name); err != nil {
			return t, err
		}
	}
	for _, name := range waitingTables {
		table, err := sqlite.TableOf(ctx, db, name)
		if err != nil {
			return t, err
		}
		t.waiting = append(t.waiting, table)
	}
	return t, nil
}

// temporary tells a file that is being written.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") || filepath.Ext(name) != ".json"
}
