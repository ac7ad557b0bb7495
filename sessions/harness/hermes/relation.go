package hermes

import (
	"context"
	"database/sql"
	"slices"

	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// relation is how a session came from the one that it names as its parent.
type relation int

const (
	alone     relation = iota
	delegated          // it worked for the parent
	continued          // it goes on with the parent's talk, or begins anew after it
)

// ends are the reasons for which a session ends that another one goes on with:
// compaction, a branch, and those for which a chat begins anew.
var ends = []string{
	"compression", "branched", "session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired",
}

// facts are what the database says of a session apart from its messages.
type facts struct {
	title, model, cwd, branch, parent string
	started, ended                    float64 // seconds since 1970
	kind                              relation

	config, end, source string
}

// scheduled is the source of sessions that Hermes's scheduler began.
const scheduled = "cron"

// relations reads all sessions, by id, or with an id that one and its parent:
// what a session is to its parent is told by how the parent ended.
func relations(ctx context.Context, db *sql.DB, id string) (map[string]facts, error) {
	table, err := sqlite.TableOf(ctx, db, "sessions")
	if err != nil || !table.Has("id") {
		return nil, err
	}
	all := map[string]facts{}
	query := sqlite.Query{
		Columns: []string{"id", "title", "model", "cwd", "git_branch", "parent_session_id", "started_at", "ended_at", "model_config", "end_reason", "source"},
	}
	read := func(r sqlite.Row) error {
		all[r.Text(0)] = facts{
			title: r.Text(1), model: r.Text(2), cwd: r.Text(3), branch: r.Text(4), parent: r.Text(5),
			started: r.Float(6), ended: r.Float(7), config: r.Text(8), end: r.Text(9), source: r.Text(10),
		}
		return nil
	}
	if id != "" {
		query.Where, query.Args = "id = ?", []any{id}
	}
	if err := table.Each(ctx, query, read); err != nil {
		return all, err
	}
	if id != "" && all[id].parent != "" {
		query.Args = []any{all[id].parent}
		err = table.Each(ctx, query, read)
	}
	for id, f := range all {
		f.kind = f.relation(all[f.parent])
		all[id] = f
	}
	return all, err
}

// relation tells what the session is to its parent. Marks in its settings say
// so, if they name this parent: a continued session takes over its parent's.
func (f facts) relation(parent facts) relation {
	if f.parent == "" {
		return alone
	}
	config := gather.Parse(f.config)
	for mark, kind := range map[string]relation{"_delegate_from": delegated, "_branched_from": continued, "_reset_from": continued} {
		if gather.Text(config.Get(mark)) == f.parent {
			return kind
		}
	}
	if f.source != "tool" && slices.Contains(ends, parent.end) {
		return continued
	}
	return delegated
}
