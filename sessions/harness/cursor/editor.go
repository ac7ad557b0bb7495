package cursor

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"slices"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// The editor's table of keys and values, and the beginnings of the keys that
// are read. There are other keys, among them secrets.
const (
	keyTable    = "cursorDiskKV"
	composerKey = "composerData:"
	bubbleKey   = "bubbleId:"
)

// recent is of how many conversations, the latest, a listing looks at the
// messages, which are written over while they come.
const recent = 100

// composer is a conversation of the editor as far as a listing needs it.
type composer struct {
	id      string
	row     int64 // grows when it is written
	updated time.Time
	side    bool
	version int64
}

// between is a condition on keys that begin with a text, in a form that uses the
// index: databases have several gigabytes.
const between = "key >= ? AND key < ?"

func keys(prefix string) []any {
	return []any{prefix, prefix[:len(prefix)-1] + string(prefix[len(prefix)-1]+1)}
}

// composers lists the editor's database.
func (s *Source) composers(ctx context.Context, path string, l *lister) error {
	rows, err := s.editor.List(ctx, path, func(db *sql.DB, send func(string, composer)) error { return listComposers(ctx, db, send) })
	for _, c := range rows {
		l.all = append(l.all, found{sessions.Transcript{
			Path: path, Unit: c.id, ID: c.id, Side: c.side, Stamp: sessions.Stamp{Mtime: c.updated, Extra: c.version},
		}, inEditor})
	}
	return err
}

func listComposers(ctx context.Context, db *sql.DB, send func(string, composer)) error {
	table, err := sqlite.TableOf(ctx, db, keyTable)
	if err != nil || !table.Has("key", "value") {
		return err
	}
	heads, err := headers(ctx, db)
	if err != nil {
		return err
	}
	all, err := composerRows(ctx, db, heads)
	slices.SortFunc(all, func(a, b composer) int { return cmp.Or(b.updated.Compare(a.updated), cmp.Compare(b.row, a.row)) })
	for i, c := range all {
		if i < recent && err == nil {
			var version int64
			version, err = bubblesVersion(ctx, db, c.id)
			c.version ^= version
		}
		send(c.id, c)
	}
	return err
}

// composerRows are the conversations, without what was said in them.
func composerRows(ctx context.Context, db *sql.DB, heads map[string]head) ([]composer, error) {
	rows, err := db.QueryContext(ctx, "SELECT key, rowid, octet_length(value) FROM "+keyTable+" WHERE "+between, keys(composerKey)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	var all []composer
	for rows.Next() {
		var key string
		var row, length sql.NullInt64
		if err := rows.Scan(&key, &row, &length); err != nil {
			return all, err
		}
		id := strings.TrimPrefix(key, composerKey)
		if id == "" || id == "empty-state-draft" || length.Int64 == 0 {
			continue
		}
		h := heads[id]
		all = append(all, composer{
			id: id, row: row.Int64, updated: h.updated, side: h.side, version: gather.Version(row.Int64, length.Int64, h.updated.UnixMilli(), h.name),
		})
	}
	return all, rows.Err()
}

// bubblesVersion tells whether messages came, went or were written over.
func bubblesVersion(ctx context.Context, db *sql.DB, id string) (int64, error) {
	var count, last, length sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT count(*), max(rowid), sum(octet_length(value)) FROM "+keyTable+" WHERE "+between, keys(bubbleKey+id+":")...).
		Scan(&count, &last, &length)
	return gather.Version(count.Int64, last.Int64, length.Int64), err
}

// head is what later releases keep of a conversation in a table of its own.
type head struct {
	workspace, name  string
	created, updated time.Time
	side             bool
}

// headers reads that table, which may not be there.
func headers(ctx context.Context, db *sql.DB) (map[string]head, error) {
	table, err := sqlite.TableOf(ctx, db, "composerHeaders")
	if err != nil || !table.Has("composerId") {
		return nil, err
	}
	heads := map[string]head{}
	err = table.Each(ctx, sqlite.Query{
		Columns: []string{"composerId", "workspaceId", "createdAt", "lastUpdatedAt", "recency", "isSubagent", "value"},
	}, func(r sqlite.Row) error {
		heads[r.Text(0)] = head{
			workspace: r.Text(1), created: gather.Moment(float64(r.Int(2))), updated: gather.Moment(float64(cmp.Or(r.Int(3), r.Int(4)))),
			side: r.Int(5) != 0, name: gather.Text(gather.Parse(r.Text(6)).Get("name")),
		}
		return nil
	})
	return heads, err
}

// written is when the database or its log was written to last.
func (r *reader) written() time.Time {
	var last time.Time
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(r.t.Path + suffix); err == nil && info.ModTime().After(last) {
			last = info.ModTime().UTC()
		}
	}
	return last
}
