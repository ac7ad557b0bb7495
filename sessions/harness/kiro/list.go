package kiro

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The tables of conversations. The older has one for each folder.
const (
	tableOld = "conversations"
	tableNew = "conversations_v2"
)

// List sends the sessions of a root: those of its database, and its files. One that is
// in several places is sent of each, and told by what says the most of it.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	all := s.surveyed()
	rows, err := s.database(ctx, root.Path)
	for _, unit := range slices.Sorted(maps.Keys(rows)) {
		t := rows[unit]
		t.Root = root
		s.heed(all, &t)
		send(t)
	}
	files, failed := s.files(ctx, root)
	for _, t := range files {
		s.heed(all, &t)
		send(t)
	}
	return errors.Join(err, failed)
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
		each := func(unit string, t sessions.Transcript) {
			t.Path = path
			send(unit, t)
		}
		return errors.Join(listNew(ctx, db, each), listOld(ctx, db, each))
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
var idAtStart = lazy.Regexp(`^\s*\{\s*"conversation_id"\s*:\s*"([^"\\]+)"`)

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
		if m := idAtStart().FindStringSubmatch(start.String); m != nil {
			id = m[1]
		}
		u := unit(tableOld, folder.String, id)
		send(u, sessions.Transcript{Unit: u, ID: id, Stamp: sessions.Stamp{Size: length.Int64, Extra: gather.Version(length.Int64, start.String)}})
	}
	return rows.Err()
}
