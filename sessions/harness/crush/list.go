package crush

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// recent is of how many sessions, the latest, a listing looks at the last
// messages, which are written over many times a second while they come.
const recent = 100

// titlePrefix begins the ids of sessions in which a model was only asked for a
// title.
const titlePrefix = "title-"

// row is a session as far as a listing needs it.
type row struct {
	id    string
	stamp sessions.Stamp
	side  bool
}

// List sends the sessions of a root's databases.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	databases, err := s.databases(ctx, root.Path)
	errs := []error{err}
	for _, path := range databases {
		rows, err := s.known.List(ctx, path, func(db *sql.DB, send func(string, row)) error { return list(ctx, db, send) })
		errs = append(errs, err)
		for id, r := range rows {
			send(sessions.Transcript{Root: root, Path: path, Unit: id, ID: id, Stamp: r.stamp, Side: r.side})
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

func list(ctx context.Context, db *sql.DB, send func(string, row)) error {
	table, err := sqlite.TableOf(ctx, db, "sessions")
	if err != nil || !table.Has("id") {
		return err
	}
	var rows []row
	err = table.Each(ctx, sqlite.Query{Columns: []string{"id", "parent_session_id", "title", "updated_at", "created_at", "message_count"}}, func(r sqlite.Row) error {
		if !strings.HasPrefix(r.Text(0), titlePrefix) {
			rows = append(rows, row{
				id: r.Text(0), side: r.Text(1) != "",
				stamp: sessions.Stamp{
					Mtime: gather.Moment(float64(max(r.Int(3), r.Int(4)))), Extra: gather.Version(r.Text(2), r.Int(3), r.Int(5)),
				},
			})
		}
		return nil
	})
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.stamp.Mtime.Unix(), a.stamp.Mtime.Unix()) })
	messages, missing := sqlite.TableOf(ctx, db, "messages")
	err = errors.Join(err, missing)
	for i, r := range rows {
		if i < recent && err == nil && messages.Has("session_id", "parts") {
			var version int64
			version, err = tail(ctx, db, r.id)
			r.stamp.Extra ^= version
		}
		send(r.id, r)
	}
	return err
}

// tail tells whether messages came or went, and whether one of the last was
// written over. Times have seconds; the length of what is said tells more.
func tail(ctx context.Context, db *sql.DB, id string) (int64, error) {
	var count, last, length sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT count(*), max(rowid) FROM messages WHERE session_id = ?", id).Scan(&count, &last)
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT sum(octet_length(parts)) FROM "+
			"(SELECT parts FROM messages WHERE session_id = ? ORDER BY rowid DESC LIMIT 3)", id).Scan(&length)
	}
	return gather.Version(count.Int64, last.Int64, length.Int64), err
}
