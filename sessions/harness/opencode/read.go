package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
)

// Read reads a session whole, from its database or from its files, and sends
// what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	var k *talk
	var err error
	if filepath.Ext(t.Path) == ".json" {
		k, err = s.readFiles(ctx, t, to)
	} else {
		k, err = readDatabase(ctx, t, to)
	}
	if err != nil {
		return from, err
	}
	return k.tell(to).Send(from, to)
}

// readDatabase reads a session's rows.
func readDatabase(ctx context.Context, t sessions.Transcript, to sessions.Sink) (*talk, error) {
	r := rowReader{ctx, to, newTalk(t)}
	return r.k, gather.Database(ctx, t.Path, to, r.session, r.messages, r.call, r.fork)
}

// call finds the parent's call that started a sub-agent.
func (r rowReader) call(db *sql.DB) error {
	table, err := sqlite.TableOf(r.ctx, db, "part")
	if err != nil || !r.k.Subagent {
		return err
	}
	naming := sqlite.Query{Columns: []string{"data"}, Where: "session_id = ? AND instr(data, ?) > 0", Args: []any{r.k.Parent, r.k.ID}}
	if table.Has("session_id", "data") {
		err = table.Each(r.ctx, naming, func(row sqlite.Row) error {
			r.k.ParentCall = cmp.Or(r.k.ParentCall, startedBy(r.k.ID, gather.Parse(row.Text(0))))
			return nil
		})
	}
	if err != nil || r.k.ParentCall != "" {
		return err
	}
	events, err := sqlite.TableOf(r.ctx, db, "session_message")
	if err != nil || !events.Has("session_id", "data") {
		return err
	}
	return events.Each(r.ctx, naming, func(row sqlite.Row) error {
		for _, part := range gather.Parse(row.Text(0)).Get("content").Array() {
			r.k.ParentCall = cmp.Or(r.k.ParentCall, startedBy(r.k.ID, part))
		}
		return nil
	})
}

// fork reads the session that a fork repeats. Copies have new ids.
func (r rowReader) fork(db *sql.DB) error {
	if r.k.ForkedFrom == "" || r.k.ForkedFrom == r.k.ID {
		return nil
	}
	origin := &talk{data: r.k.data}
	origin.ID = r.k.ForkedFrom
	r.k.origin = origin
	from := rowReader{r.ctx, unheard{}, origin}
	if err := from.session(db); err != nil {
		return err
	}
	return from.messages(db)
}

// unheard is a Sink for what another session's reading tells.
type unheard struct{}

func (unheard) Facts(sessions.Session)           {}
func (unheard) Turn(string, sessions.Turn, bool) {}
func (unheard) Undo(string, []string, bool)      {}
func (unheard) Skip(string, string)              {}

type rowReader struct {
	ctx context.Context
	to  sessions.Sink
	k   *talk
}

// session reads what is known of the session: from the table of the second
// release, which has a row of its own for what it took over, before that of the
// first.
func (r rowReader) session(db *sql.DB) error {
	project := ""
	for _, name := range sessionTables {
		table, err := sqlite.TableOf(r.ctx, db, name)
		if err != nil {
			return err
		}
		if !table.Has("id") {
			continue
		}
		found := false
		err = table.Each(r.ctx, sqlite.Query{
			Columns: []string{"parent_id", "directory", "title", "time_created", "time_updated", "revert", "model", "fork_session_id", "project_id", "permission"},
			Where:   "id = ?", Args: []any{r.k.ID},
		}, func(row sqlite.Row) error {
			r.k.header(header{
				parent: row.Text(0), directory: row.Text(1), title: row.Text(2), created: row.Int(3), updated: row.Int(4),
				revert: gather.Parse(row.Text(5)), model: gather.Parse(row.Text(6)), fork: row.Text(7),
				permission: gather.Parse(row.Text(9)),
			})
			found, project = true, row.Text(8)
			return nil
		})
		if err != nil {
			return err
		}
		if found {
			r.k.second = name == secondSessions
			break
		}
	}
	return r.worktree(db, project)
}

// worktree finds where a session works whose row does not say it.
func (r rowReader) worktree(db *sql.DB, project string) error {
	if r.k.Directory != "" {
		return nil
	}
	projects, err := sqlite.TableOf(r.ctx, db, "project")
	if err != nil || !projects.Has("id") {
		return err
	}
	return projects.Each(r.ctx, sqlite.Query{Columns: []string{"worktree"}, Where: "id = ?", Args: []any{project}}, func(row sqlite.Row) error {
		r.k.worktree(row.Text(0))
		return nil
	})
}

// messages reads what was said: messages with their parts, the events that later
// releases keep instead, and the prompts that wait for their turn.
func (r rowReader) messages(db *sql.DB) error {
	t, err := tablesOf(r.ctx, db)
	if err != nil {
		return err
	}
	if t.messages.Has("id", "session_id", "data") {
		err = t.messages.Each(r.ctx, r.of("id", "time_created", "data"), func(row sqlite.Row) error {
			m := message{id: row.Text(0), created: row.Int(1), data: gather.Parse(row.Text(2))}
			if !m.data.IsObject() {
				r.to.Skip("damaged message", r.k.Path+": message "+m.id)
			}
			r.k.messages = append(r.k.messages, m)
			return nil
		})
		if err != nil {
			return err
		}
		slices.SortStableFunc(r.k.messages, func(a, b message) int {
			return cmp.Or(cmp.Compare(a.created, b.created), strings.Compare(a.id, b.id))
		})
	}
	if len(r.k.messages) > 0 {
		if err := r.parts(t.parts); err != nil {
			return err
		}
	}
	if err := r.events(t.events); err != nil {
		return err
	}
	return r.waiting(t.waiting)
}

func (r rowReader) of(columns ...string) sqlite.Query {
	return sqlite.Query{Columns: columns, Where: "session_id = ?", Args: []any{r.k.ID}}
}

func (r rowReader) parts(table sqlite.Table) error {
	if !table.Has("id", "message_id", "session_id", "data") {
		return nil
	}
	type part struct {
		id   string
		data gjson.Result
	}
	byMessage := map[string][]part{}
	err := table.Each(r.ctx, r.of("id", "message_id", "data", "time_updated"), func(row sqlite.Row) error {
		byMessage[row.Text(1)] = append(byMessage[row.Text(1)], part{row.Text(0), slim(row.Text(2))})
		r.k.active(row.Int(3))
		return nil
	})
	for i := range r.k.messages {
		m := &r.k.messages[i]
		parts := byMessage[m.id]
		slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.id, b.id) })
		for _, p := range parts {
			if !p.data.IsObject() {
				r.to.Skip("damaged part", r.k.Path+": part "+p.id)
				continue
			}
			if p.id == r.k.revertPart && m.id == r.k.revert {
				m.kept = len(m.parts)
			}
			m.parts = append(m.parts, p.data)
		}
	}
	return err
}

// maxPart is how long a part may be and still be kept whole until the session's
// other parts are read.
const maxPart = 64 << 10

// slim is a part's document without what nobody reads of it: images, and the
// middle of a long output.
func slim(text string) gjson.Result {
	part := gather.Parse(text)
	output := part.Get("state.output")
	switch {
	case len(text) <= maxPart:
	case part.Get("type").String() == "file":
		return gather.Parse(`{"type":"file"}`)
	case len(output.Raw) > maxPart/2 && output.Type == gjson.String:
		short, _ := sessions.CapOutput(gather.Text(output))
		quoted, err := json.Marshal(short)
		if err != nil { // never of a string
			return part
		}
		return gather.Parse(text[:output.Index] + string(quoted) + `,"` + cutField + `":true` + text[output.Index+len(output.Raw):])
	}
	return part
}

// cutField marks a call's state whose output is shortened.
const cutField = "yore_cut"
