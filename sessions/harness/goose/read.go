package goose

import (
	"cmp"
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// Read reads a session whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{t: t, to: to}
	r.Harness, r.ID, r.Path = harness, t.Unit, t.Path
	var err error
	if filepath.Ext(t.Path) == linesExt {
		err = r.lines(ctx)
	} else {
		err = gather.Database(ctx, t.Path, to,
			func(db *sql.DB) error { return r.session(ctx, db) },
			func(db *sql.DB) error { return r.messages(ctx, db) },
			func(db *sql.DB) error { return r.call(ctx, db) })
	}
	if err != nil {
		return from, err
	}
	r.TimeFrom = sessions.TimeMessage
	if r.LastActive.IsZero() {
		r.TimeFrom = ""
	}
	return r.Send(from, to)
}

type reader struct {
	gather.Session
	t     sessions.Transcript
	to    sessions.Sink
	tools map[string]string // names by the calls' ids
}

// unnamed are titles that stand until a session has a name.
var unnamed = lazy.Regexp(`^(CLI Session|New [Ss]ession( \d+)?|New [Cc]hat)?$`)

func (r *reader) title(texts ...string) {
	for _, text := range texts {
		text = strings.TrimSpace(store.Without(text, "<info-msg>", "</info-msg>"))
		if r.Title == "" && !unnamed().MatchString(text) {
			r.Title = text
		}
	}
}

func (r *reader) session(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "sessions")
	if err != nil || !table.Has("id") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"name", "description", "session_type", "working_dir", "created_at", "model_config_json", "parent_session_id"},
		Where:   "id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		r.title(row.Text(0), row.Text(1))
		r.Subagent, r.Headless = internal(row.Text(2)), row.Text(2) == scheduled
		r.Directory = row.Text(3)
		r.Start = gather.Written(row.Text(4))
		r.Model = gather.Text(gather.Parse(row.Text(5)).Get("model_name"))
		r.Provider = store.Maker(r.Model)
		r.Parent = row.Text(6)
		return nil
	})
}

func (r *reader) messages(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "messages")
	if err != nil || !table.Has("session_id", "content_json") {
		return err
	}
	var all []message
	err = table.Each(ctx, sqlite.Query{
		Columns: []string{"message_id", "role", "content_json", "created_timestamp", "metadata_json"},
		Where:   "session_id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		m := message{id: row.Text(0), role: row.Text(1), content: gather.Parse(row.Text(2)), created: gather.Moment(float64(row.Int(3)))}
		m.hidden = gather.Parse(row.Text(4)).Get("userVisible").Type == gjson.False
		if !m.content.IsArray() {
			r.to.Skip("damaged message", r.t.Path+": session "+r.ID+", message "+m.id)
			return nil
		}
		all = append(all, m)
		return nil
	})
	slices.SortStableFunc(all, func(a, b message) int { return a.created.Compare(b.created) })
	for _, m := range all {
		r.message(m)
	}
	return err
}

// call finds the parent's call whose result names this session.
func (r *reader) call(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "messages")
	if err != nil || r.Parent == "" || !table.Has("session_id", "content_json") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"content_json"}, Where: "session_id = ? AND instr(content_json, ?) > 0", Args: []any{r.Parent, r.ID},
	}, func(row sqlite.Row) error {
		for _, block := range gather.Parse(row.Text(0)).Array() {
			if kind := block.Get("type").String(); (kind == "toolRequest" || kind == "toolResponse") && strings.Contains(block.Raw, r.ID) {
				r.ParentCall = cmp.Or(r.ParentCall, gather.Text(block.Get("id")))
			}
		}
		return nil
	})
}

// starts are how the lines of an old file begin.
var starts = []string{`{"role":`, `{"working_dir":`, `{"id":`}

// lines reads an old file: a line about the session, which may be missing, and
// one a message.
func (r *reader) lines(ctx context.Context) error {
	r.Start = gather.Stem(r.ID)
	_, err := store.Lines(ctx, r.t, 0, starts, r.to, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		if role := gather.Text(line.Get("role")); role != "" {
			r.message(message{id: gather.Text(line.Get("id")), role: role, content: line.Get("content"), created: gather.Moment(line.Get("created").Float())})
			return
		}
		r.Directory = gather.Text(line.Get("working_dir"))
		r.title(gather.Text(line.Get("description")))
	})
	return err
}
