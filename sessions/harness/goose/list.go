package goose

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// row is a session in the database, as far as a listing needs it.
type row struct {
	stamp    sessions.Stamp
	messages int64
	side     bool
}

// List sends the sessions of the database, and those of the old files that it
// does not have.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	dir := folder(root.Path)
	path := filepath.Join(dir, databaseName)
	var rows map[string]row
	var failed error
	if s.IsFile(path) {
		rows, failed = s.known.List(ctx, path, func(db *sql.DB, send func(string, row)) error { return list(ctx, db, send) })
	}
	var files map[string]sessions.Transcript
	var err error
	if !gather.Passing(failed) { // else it is not known which files have a twin
		files, err = s.oldFiles(root, dir)
	}
	for id, r := range rows {
		if r.messages > 0 {
			delete(files, id)
		} else if _, better := files[id]; better {
			continue
		}
		send(sessions.Transcript{Root: root, Path: path, Unit: id, ID: id, Stamp: r.stamp, Side: r.side})
	}
	for _, t := range files {
		send(t)
	}
	return errors.Join(failed, err, ctx.Err())
}

// oldFiles are the sessions that have a file of their own, by id.
func (s *Source) oldFiles(root sessions.Root, dir string) (map[string]sessions.Transcript, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	files := map[string]sessions.Transcript{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		id, isLines := strings.CutSuffix(e.Name(), linesExt)
		if info, gone := os.Stat(path); isLines && id != "" && gone == nil && info.Mode().IsRegular() && !s.Excludes(path) {
			files[id] = sessions.Transcript{Root: root, Path: path, Unit: id, ID: id, Stamp: sessions.StampOf(info)}
		}
	}
	return files, err
}

// list counts the messages of each session, and takes the number of the newest
// row: a conversation that is compacted or edited is written anew.
func list(ctx context.Context, db *sql.DB, send func(string, row)) error {
	counts, err := gather.Counts(ctx, db, "messages", "session_id", "")
	if err != nil {
		return err
	}
	table, err := sqlite.TableOf(ctx, db, "sessions")
	if err != nil || !table.Has("id") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"id", "updated_at", "created_at", "name", "description", "session_type", "working_dir", "model_config_json"},
	}, func(r sqlite.Row) error {
		updated := gather.Written(r.Text(1))
		if updated.IsZero() {
			updated = gather.Written(r.Text(2))
		}
		c := counts[r.Text(0)]
		send(r.Text(0), row{
			stamp: sessions.Stamp{Mtime: updated, Extra: gather.Version(c.Rows, c.Last,
				r.Text(1), r.Text(3), r.Text(4), r.Text(5), r.Text(6), r.Text(7))},
			messages: c.Rows, side: internal(r.Text(5)),
		})
		return nil
	})
}

// scheduled is the type of a session that goose's scheduler began.
const scheduled = "scheduled"

// internal tells a session that another one began by its type.
func internal(kind string) bool { return kind == "sub_agent" || kind == "hidden" }
