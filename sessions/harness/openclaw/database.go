package openclaw

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The database of an agent. What was deleted or reset goes to the archives.
const (
	databaseDir   = "agent"
	databaseName  = "openclaw-agent.sqlite"
	eventsTable   = "transcript_events"
	archivesTable = "session_transcript_archives"
)

// row is a session in a database, as far as a listing needs it.
type row struct {
	entry

	count   gather.Count
	updated int64
}

// databaseOf is the database of the agent whose sessions lie in dir.
func databaseOf(dir string) string {
	return filepath.Join(filepath.Dir(dir), databaseDir, databaseName)
}

// listRows sends the sessions in a database that have records.
func listRows(ctx context.Context, db *sql.DB, send func(id string, r row)) error {
	known, updated, err := entries(ctx, db)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, table := range []string{eventsTable, archivesTable} {
		counts, err := gather.Counts(ctx, db, table, "session_id", "")
		if err != nil {
			return err
		}
		for id, c := range counts {
			if !seen[id] {
				send(id, row{entry: known[id], count: c, updated: updated[id]})
			}
			seen[id] = true
		}
	}
	return nil
}

// entries are what a database tells of its sessions, by their ids, and when each
// was last written. The first releases call the tables differently.
func entries(ctx context.Context, db *sql.DB) (index, map[string]int64, error) {
	known, updated, ids := index{}, map[string]int64{}, map[string]string{}
	spawned := map[string]string{} // keys of parents, by id
	each := func(names []string, id string, columns []string, do func(id string, r sqlite.Row)) error {
		for _, name := range names {
			table, err := sqlite.TableOf(ctx, db, name)
			if err != nil {
				return err
			}
			if !table.Has(id, "session_key") {
				continue
			}
			err = table.Each(ctx, sqlite.Query{Columns: append([]string{id, "session_key"}, columns...)}, func(r sqlite.Row) error {
				do(r.Text(0), r)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := each([]string{"session_windows", "sessions"}, "session_id", []string{"updated_at", "transcript_updated_at", "spawned_by"}, func(id string, r sqlite.Row) {
		known[id] = entry{key: r.Text(1), window: true}
		updated[id] = max(r.Int(2), r.Int(3))
		spawned[id] = r.Text(4)
	})
	node := func(id string, r sqlite.Row) {
		doc := r.Text(2)
		if !jsonl.Valid(doc) {
			doc = ""
		}
		ids[r.Text(1)] = id
		known[id] = entry{key: r.Text(1), label: store.Title(jsonl.Field(doc, "label"))}
		if by := jsonl.Text(jsonl.Field(doc, "spawnedBy")); by != "" {
			spawned[id] = by
		}
	}
	err = errors.Join(err, each([]string{"session_nodes"}, "current_session_id", []string{"entry_json"}, node),
		each([]string{"session_entries"}, "session_id", []string{"entry_json"}, node))
	for id, e := range known {
		e.parent = ids[spawned[id]]
		known[id] = e
	}
	return known, updated, err
}

// transcript is a session of the database as it is listed.
func (r row) transcript(root sessions.Root, path, id string) sessions.Transcript {
	return sessions.Transcript{
		Root: root, Path: path, Unit: id, ID: id, Side: r.subagent(),
		Stamp: sessions.Stamp{
			Mtime: gather.Moment(float64(r.updated)),
			Extra: gather.Version(r.count.Rows, r.count.Last, r.updated, r.key, r.label, r.parent),
		},
	}
}

// records are those of a session, from the events or else from its newest
// archive.
func records(ctx context.Context, db *sql.DB, t sessions.Transcript, to sessions.Sink, each func(json string)) error {
	found := false
	err := ofSession(ctx, db, eventsTable, t.ID, "seq", []string{"event_json", "event_zstd"}, func(r sqlite.Row) error {
		found = true
		text := r.Text(0)
		if packed := r.Bytes(1); text == "" && len(packed) > 0 {
			plain, _ := unpacked(packed) // damage leaves no valid JSON
			text = string(plain)
		}
		each(text)
		return nil
	})
	if err != nil || found {
		return err
	}
	var content []byte
	packed := false
	err = ofSession(ctx, db, archivesTable, t.ID, "", []string{"encoding", "archive_blob"}, func(r sqlite.Row) error {
		content, packed = r.Bytes(1), r.Text(0) == "zstd"
		return nil
	})
	if err != nil {
		return err
	}
	if packed {
		return store.PackedOf(ctx, bytes.NewReader(content), int64(len(content)), t, starts, to, func(rec jsonl.Record) { each(rec.JSON()) })
	}
	_, err = store.LinesOf(ctx, bytes.NewReader(content), t, 0, starts, to, func(rec jsonl.Record) bool { each(rec.JSON()); return true })
	return err
}

// starts are how records begin, to find one behind damage.
var starts = []string{`{"type":"`}

// ofSession goes through a session's rows of a table, in the order of the key.
func ofSession(ctx context.Context, db *sql.DB, name, id, key string, columns []string, do func(sqlite.Row) error) error {
	table, err := sqlite.TableOf(ctx, db, name)
	if err != nil || !table.Has("session_id") || key != "" && !table.Has(key) {
		return err
	}
	return table.Each(ctx, sqlite.Query{Columns: columns, Where: "session_id = ?", Args: []any{id}, Key: key}, do)
}

func unpacked(data []byte) ([]byte, error) {
	in, err := store.Unpack(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	return io.ReadAll(in)
}
