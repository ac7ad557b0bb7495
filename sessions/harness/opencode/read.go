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
		k, err = readFiles(ctx, t, to)
	} else {
		k, err = readDatabase(ctx, t, to)
	}
	if err != nil {
		return from, err
	}
	return k.tell().Send(from, to)
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
	err := rowReader{r.ctx, unheard{}, origin}.messages(db)
	r.k.origin = origin
	return err
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

func (r rowReader) session(db *sql.DB) error {
	table, err := sqlite.TableOf(r.ctx, db, "session")
	if err != nil || !table.Has("id") {
		return err
	}
	project := ""
	err = table.Each(r.ctx, sqlite.Query{
		Columns: []string{"parent_id", "directory", "title", "time_created", "time_updated", "revert", "model", "fork_session_id", "project_id"},
		Where:   "id = ?", Args: []any{r.k.ID},
	}, func(row sqlite.Row) error {
		r.k.header(header{
			parent: row.Text(0), directory: row.Text(1), title: row.Text(2), created: row.Int(3), updated: row.Int(4),
			revert: gather.Parse(row.Text(5)), model: gather.Parse(row.Text(6)), fork: row.Text(7),
		})
		project = row.Text(8)
		return nil
	})
	if err != nil || r.k.Directory != "" {
		return err
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

// messages reads the messages and their parts; of a session that has none, the
// events that later releases keep instead.
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
	if len(r.k.messages) == 0 {
		return r.events(t.events)
	}
	return r.parts(t.parts)
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

func (r rowReader) events(table sqlite.Table) error {
	if !table.Has("id", "session_id", "type", "data") {
		return nil
	}
	type event struct {
		seq int64
		row sqlite.Row
	}
	var events []event
	err := table.Each(r.ctx, r.of("id", "type", "data", "time_created", "time_updated", "seq"), func(row sqlite.Row) error {
		events = append(events, event{row.Int(5), row})
		return nil
	})
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.seq, b.seq) })
	for _, e := range events {
		id, kind := e.row.Text(0), e.row.Text(1)
		data := gather.Parse(e.row.Text(2))
		switch {
		case !data.IsObject():
			r.to.Skip("damaged event", r.k.Path+": event "+id)
		case !r.k.event(id, kind, e.row.Int(3), data):
			r.to.Skip("unknown event kind "+kind, r.k.Path+": event "+id)
		}
		r.k.active(e.row.Int(4))
	}
	return err
}
