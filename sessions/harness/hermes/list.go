package hermes

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// row is a session in the database, as far as a listing needs it.
type row struct {
	stamp    sessions.Stamp
	messages int64
	side     bool
}

// List sends the sessions of the database, and those of the files that it does
// not have.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	path := filepath.Join(root.Path, databaseName)
	var rows map[string]row
	var failed error
	if s.IsFile(path) {
		rows, failed = s.known.List(ctx, path, func(db *sql.DB, send func(string, row)) error { return list(ctx, db, send) })
	}
	for id, r := range rows {
		if r.messages > 0 {
			send(sessions.Transcript{Root: root, Path: path, Unit: id, ID: id, Stamp: r.stamp, Side: r.side})
		}
	}
	if gather.Passing(failed) { // then it is not known which files have a twin
		return failed
	}
	return errors.Join(failed, s.files(ctx, root, func(t sessions.Transcript) {
		if rows[t.ID].messages == 0 {
			send(t)
		}
	}))
}

// files sends the sessions that have a file of their own. Of one that has two,
// the lines count: they are what goes on.
func (s *Source) files(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		t.Unit = t.ID
		send(t)
	})
	dir := store.Below(root.Path, filesDir)
	_, names := l.Folder(dir)
	names = s.Rest(dir, names)
	lines := map[string]bool{}
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, linesExt); ok && id != "" {
			lines[id] = true
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
	for _, name := range names {
		stem, ok := strings.CutPrefix(strings.TrimSuffix(name, documentExt), documentName)
		if ok && filepath.Ext(name) == documentExt && stem != "" && !lines[stem] {
			l.Send(filepath.Join(dir, name), stem, false)
		}
	}
	return l.Err()
}

// list counts the messages of each session, those that stand apart from those
// that were rewound.
func list(ctx context.Context, db *sql.DB, send func(string, row)) error {
	counts, err := gather.Counts(ctx, db, "messages", "session_id", "active")
	if err != nil {
		return err
	}
	all, err := relations(ctx, db, "")
	for id, r := range all {
		c := counts[id]
		send(id, row{
			stamp: sessions.Stamp{
				Mtime: gather.Moment(max(r.ended, r.started)),
				Extra: gather.Version(c.Rows, c.Last, c.Sum, r.title, r.model, r.cwd, r.branch, r.parent, int64(r.kind)),
			},
			messages: c.Rows, side: r.kind == delegated,
		})
	}
	return err
}
