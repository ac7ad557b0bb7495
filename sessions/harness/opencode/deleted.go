package opencode

import (
	"context"
	"database/sql"

	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// How the second generation notes in its table of values that it took over the
// sessions of the first.
const (
	takeoverKey = "migration.v1-v2"
	takenOver   = "completed"
)

// deleted marks the sessions that the second generation took over and deleted
// since: it deletes its own row and all that it numbered of the session, and leaves
// the first generation's rows, in which the session would come up again. A session
// on which the first generation worked later is there: it is never taken over.
func deleted(ctx context.Context, db *sql.DB, rows []row) error {
	at, err := takeover(ctx, db)
	if err != nil || at == 0 {
		return err
	}
	numbered, err := sqlite.TableOf(ctx, db, "event_sequence")
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if r.second || r.updated > at {
			continue
		}
		r.deleted = true
		if !numbered.Has("aggregate_id") {
			continue
		}
		query := sqlite.Query{Columns: []string{"seq"}, Where: "aggregate_id = ?", Args: []any{r.id}}
		err := numbered.Each(ctx, query, func(sqlite.Row) error {
			r.deleted = false // it was left out when the others were taken over
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// takeover is when the sessions of the first generation were all taken over, in
// milliseconds; zero while they are not.
func takeover(ctx context.Context, db *sql.DB) (at int64, err error) {
	values, err := sqlite.TableOf(ctx, db, "kv")
	if err != nil || !values.Has("key", "value", "time_updated") {
		return 0, err
	}
	query := sqlite.Query{Columns: []string{"value", "time_updated"}, Where: "key = ?", Args: []any{takeoverKey}}
	return at, values.Each(ctx, query, func(r sqlite.Row) error {
		if gather.Parse(r.Text(0)).Get("phase").String() == takenOver {
			at = r.Int(1)
		}
		return nil
	})
}
