package gather

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"sync"

	"yore/sessions"
	"yore/sessions/sqlite"
)

// Database reads a session from its database, step by step. Of a damaged one
// what can be read is kept; one that is busy, or cannot be opened, is an error.
func Database(ctx context.Context, path string, to sessions.Sink, steps ...func(*sql.DB) error) error {
	return sqlite.With(ctx, path, func(db *sql.DB) error {
		for _, step := range steps {
			if err := step(db); sqlite.Damaged(err) {
				to.Skip("damaged database", path+": "+err.Error())
				if k, ok := to.(sessions.DamageKnower); ok {
					k.Damaged()
				}
			} else if err != nil {
				return err
			}
		}
		return nil
	})
}

// Passing tells the error of a database that can be read at another time from
// none, and from those that stay: damage, and a file that the user may not read.
func Passing(err error) bool {
	return err != nil && !sqlite.Damaged(err) && !errors.Is(err, fs.ErrPermission)
}

// Memory is what databases held when they could be listed last.
type Memory[R any] struct {
	mu   sync.Mutex
	rows map[string]map[string]R // by path and by the row's id
}

// List lists a database: query sends its rows, each with an id. When it fails,
// what the database held before is there as well, so that its sessions do not
// seem to be gone while it is locked.
func (m *Memory[R]) List(ctx context.Context, path string, query func(db *sql.DB, send func(id string, row R)) error) (map[string]R, error) {
	rows := map[string]R{}
	err := sqlite.With(ctx, path, func(db *sql.DB) error {
		return query(db, func(id string, row R) {
			if id != "" {
				rows[id] = row
			}
		})
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		for id, row := range m.rows[path] {
			if _, listed := rows[id]; !listed {
				rows[id] = row
			}
		}
		return rows, err
	}
	if m.rows == nil {
		m.rows = map[string]map[string]R{}
	}
	m.rows[path] = rows
	return rows, nil
}

// Count is what a table holds of one session.
type Count struct {
	Rows int64
	Last int64 // the number of the newest row: what is written anew gets another
	Sum  int64 // of the column that was asked for
}

// Counts counts the rows of a table by the session that its column names. Sum is
// a column to add up, which the table may lack.
func Counts(ctx context.Context, db *sql.DB, name, session, sum string) (counts map[string]Count, err error) {
	table, err := sqlite.TableOf(ctx, db, name)
	if err != nil || !table.Has(session) {
		return nil, err
	}
	added := "0"
	if table.Has(sum) {
		added = "sum(" + sum + ")"
	}
	rows, err := db.QueryContext(ctx, "SELECT "+session+", count(*), max(rowid), "+added+" FROM "+name+" GROUP BY "+session)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	counts = map[string]Count{}
	for rows.Next() {
		var id sql.NullString
		var c Count
		var last, total sql.NullInt64
		if err := rows.Scan(&id, &c.Rows, &last, &total); err != nil {
			return nil, err
		}
		c.Last, c.Sum = last.Int64, total.Int64
		counts[id.String] = c
	}
	return counts, rows.Err()
}
