package kiro

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The tables of conversations. The older has one for each folder.
const (
	tableOld = "conversations"
	tableNew = "conversations_v2"
)

// List sends the sessions of a root: those of its database, and its files. A
// session that is in several stores is told by one: a database before files.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	rows, err := s.database(ctx, root.Path)
	holders := s.holders(ctx)
	for _, unit := range slices.Sorted(maps.Keys(rows)) {
		t := rows[unit]
		t.Root = root
		if t.ID == "" || s.twins.Holder(t.ID, append(holders[t.ID], append(s.file(t.ID), t.Path)...)...) == t.Path {
			send(t)
		}
	}
	files, failed := s.files(ctx, root)
	for _, t := range files {
		if s.twins.Holder(t.ID, append(holders[t.ID], t.Path)...) == t.Path {
			send(t)
		}
	}
	return errors.Join(err, failed)
}

// holders are the databases of all roots that have a session, by its id: those of the
// program that took the other's sessions over come first.
func (s *Source) holders(ctx context.Context) map[string][]string {
	s.mu.Lock()
	roots := slices.Clone(s.roots)
	s.mu.Unlock()
	slices.SortStableFunc(roots, func(a, b string) int { return cmp.Compare(older(a), older(b)) })
	holders := map[string][]string{}
	for _, root := range roots {
		rows, _ := s.database(ctx, root) // an error is told when that root is listed
		for _, t := range rows {
			if !slices.Contains(holders[t.ID], t.Path) {
				holders[t.ID] = append(holders[t.ID], t.Path)
			}
		}
	}
	return holders
}

// older is 1 for the folder of the older program, 0 for any other.
func older(root string) int {
	if filepath.Base(root) == amazonQ {
		return 1
	}
	return 0
}

// file is the file that holds a session as well.
func (s *Source) file(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, root := range s.roots {
		for _, dir := range []string{root, filepath.Join(root, cliDir), filepath.Join(root, sessionsDir, cliDir)} {
			if path := filepath.Join(dir, id+documentExt); id == filepath.Base(id) && store.IsFile(path) {
				return []string{path}
			}
		}
	}
	return nil
}

// database lists a root's database; none has no sessions.
func (s *Source) database(ctx context.Context, root string) (map[string]sessions.Transcript, error) {
	path := filepath.Join(root, databaseName)
	if filepath.Base(root) == databaseName {
		path = root
	}
	if !store.IsFile(path) {
		return nil, nil
	}
	return s.known.List(ctx, path, func(db *sql.DB, send func(string, sessions.Transcript)) error {
		have := map[string]bool{}
		err := listNew(ctx, db, func(unit string, t sessions.Transcript) {
			have[t.ID] = true
			t.Path = path
			send(unit, t)
		})
		return errors.Join(err, listOld(ctx, db, func(unit string, t sessions.Transcript) {
			if !have[t.ID] {
				t.Path = path
				send(unit, t)
			}
		}))
	})
}

// unit names a row by its table, its folder and its conversation's id.
func unit(table, folder, id string) string { return table + "\x00" + folder + "\x00" + id }

func listNew(ctx context.Context, db *sql.DB, send func(string, sessions.Transcript)) error {
	table, err := sqlite.TableOf(ctx, db, tableNew)
	if err != nil || !table.Has("key", "conversation_id") {
		return err
	}
	return table.Each(ctx, sqlite.Query{Columns: []string{"key", "conversation_id", "updated_at", "created_at"}}, func(r sqlite.Row) error {
		id := r.Text(1)
		u := unit(tableNew, r.Text(0), id)
		send(u, sessions.Transcript{Unit: u, ID: id, Stamp: sessions.Stamp{
			Mtime: gather.Moment(float64(max(r.Int(2), r.Int(3)))), Extra: gather.Version(r.Int(2)),
		}})
		return nil
	})
}

// idAtStart is a conversation's id, which is the first field of its document.
var idAtStart = regexp.MustCompile(`^\s*\{\s*"conversation_id"\s*:\s*"([^"\\]+)"`)

// listOld lists the older table. It has no times: the length of what was said
// tells a change.
func listOld(ctx context.Context, db *sql.DB, send func(string, sessions.Transcript)) error {
	table, err := sqlite.TableOf(ctx, db, tableOld)
	if err != nil || !table.Has("key", "value") {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT key, octet_length(value), substr(value, 1, 200) FROM conversations`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		var folder, start sql.NullString
		var length sql.NullInt64
		if err := rows.Scan(&folder, &length, &start); err != nil {
			return err
		}
		id := ""
		if m := idAtStart.FindStringSubmatch(start.String); m != nil {
			id = m[1]
		}
		u := unit(tableOld, folder.String, id)
		send(u, sessions.Transcript{Unit: u, ID: id, Stamp: sessions.Stamp{Size: length.Int64, Extra: gather.Version(length.Int64, start.String)}})
	}
	return rows.Err()
}
