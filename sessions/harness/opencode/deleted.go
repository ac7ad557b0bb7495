package opencode

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"

	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// How the second generation notes in its table of values that all sessions of the
// first were taken over.
const (
	takeoverKey    = "migration.v1-v2"
	completedPhase = "completed"
)

// markLeftOvers marks the sessions that the second generation took over and deleted
// since: it deletes its own row and all that it numbered of the session, and leaves
// the first generation's rows, in which the session would come up again. A session
// on which the first generation worked later, or that it imported, is there: it is
// never taken over.
func markLeftOvers(ctx context.Context, db *sql.DB, rows []row) error {
	at, err := takeover(ctx, db)
	if err != nil || at == 0 {
		return err
	}
	old := map[string]bool{}
	for _, r := range rows {
		if !r.second && r.updated <= at {
			old[r.id] = true
		}
	}
	// Those that are numbered were left out when the others were taken over.
	if err := without(ctx, db, old, "event_sequence", sqlite.Query{Columns: []string{"aggregate_id"}, Key: "aggregate_id"}); err != nil {
		return err
	}
	// An import leaves what is in a session's own row, and dates the rows of what was
	// said by itself.
	for _, name := range []string{"message", "part"} {
		later := sqlite.Query{Columns: []string{"session_id", "time_updated"}, Where: "time_updated > ? AND ", Args: []any{at}, Key: "id"}
		if err := without(ctx, db, old, name, later); err != nil {
			return err
		}
	}
	for i := range rows {
		if old[rows[i].id] {
			rows[i].leftOver = at
		}
	}
	return nil
}

// without takes those out of ids that a table names in rows that a query asks for, in
// its first column. A table without the query's columns names none.
func without(ctx context.Context, db *sql.DB, ids map[string]bool, name string, query sqlite.Query) error {
	table, err := sqlite.TableOf(ctx, db, name)
	if err != nil || len(ids) == 0 || !table.Has(query.Columns...) || !table.Has(query.Key) {
		return err
	}
	list, err := json.Marshal(slices.Collect(maps.Keys(ids)))
	if err != nil {
		return err
	}
	query.Where += query.Columns[0] + " IN (SELECT value FROM json_each(?))" // by its index, where it has one
	query.Args = append(query.Args, string(list))
	return table.Each(ctx, query, func(r sqlite.Row) error {
		delete(ids, r.Text(0))
		return nil
	})
}

// takeover is when the sessions of the first generation were all taken over, in
// milliseconds; zero while they are not.
func takeover(ctx context.Context, db *sql.DB) (at int64, err error) {
	values, err := sqlite.TableOf(ctx, db, "kv")
	if err != nil || !values.Has("key", "value", "time_updated") {
		return 0, err
	}
	query := sqlite.Query{Columns: []string{"value", "time_updated"}, Where: "key = ?", Args: []any{takeoverKey}, Key: "key"}
	return at, values.Each(ctx, query, func(r sqlite.Row) error {
		if gather.Parse(r.Text(0)).Get("phase").String() == completedPhase {
			at = r.Int(1)
		}
		return nil
	})
}
