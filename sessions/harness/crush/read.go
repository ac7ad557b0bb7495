package crush

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// Read reads a session whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{to: to}
	r.Harness, r.ID, r.Path = harness, t.Unit, t.Path
	r.Directory = s.work(filepath.Dir(t.Path))
	err := gather.Database(ctx, t.Path, to,
		func(db *sql.DB) error { return r.session(ctx, db) },
		func(db *sql.DB) error { return r.messages(ctx, db) })
	if err != nil {
		return from, err
	}
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeMessage
	}
	return r.Send(from, to)
}

type reader struct {
	gather.Session
	to      sessions.Sink
	summary string // the message that sums up what was said before it
}

// untitled are the titles of sessions that have none yet.
var untitled = map[string]bool{"New Session": true, "Untitled Session": true, "New Agent Session": true}

func (r *reader) session(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "sessions")
	if err != nil || !table.Has("id") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"title", "parent_session_id", "created_at", "summary_message_id"}, Where: "id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		if title := strings.TrimSpace(row.Text(0)); !untitled[title] {
			r.Title = title
		}
		r.Start, r.summary = gather.Moment(float64(row.Int(2))), row.Text(3)
		if r.Parent = row.Text(1); r.Parent != "" {
			r.Subagent = true
			// <message>$$<call>; before, the call alone.
			r.ParentCall = r.ID[strings.LastIndexByte(r.ID, '$')+1:]
		}
		return nil
	})
}

// message is a row of messages.
type message struct {
	id, role, model  string
	created, updated time.Time
	finished         int64
	summary          bool
	parts            gjson.Result
}

// messages reads what was said. Times have seconds, so that many rows share
// one; among those the order of writing counts.
func (r *reader) messages(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "messages")
	if err != nil || !table.Has("session_id", "parts") {
		return err
	}
	var all []message
	err = table.Each(ctx, sqlite.Query{
		Columns: []string{"id", "role", "model", "created_at", "updated_at", "finished_at", "is_summary_message", "parts"},
		Where:   "session_id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		m := message{
			id: row.Text(0), role: row.Text(1), model: row.Text(2), finished: row.Int(5), parts: gather.Parse(row.Text(7)),
			created: gather.Moment(float64(row.Int(3))), updated: gather.Moment(float64(row.Int(4))),
		}
		// Only later releases mark it in the message too.
		m.summary = row.Int(6) != 0 || m.id == r.summary && m.id != ""
		if !m.parts.IsArray() {
			r.to.Skip("damaged message", r.Path+": message "+m.id)
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

func (r *reader) message(m message) {
	for _, at := range []time.Time{m.created, m.updated} {
		if at.After(r.LastActive) {
			r.LastActive = at
		}
	}
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: m.created, ID: m.id}
	switch {
	case m.summary:
		t.Kind = sessions.Summary
	case m.role == "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	case m.role == "assistant":
		if m.model != "" {
			r.Model, r.Provider = m.model, store.Maker(m.model)
		}
	case m.role != "tool":
		return // what the model is told by the program
	}
	text := words(m.parts)
	for _, part := range m.parts.Array() {
		data := part.Get("data")
		switch kind := part.Get("type").String(); kind {
		case "text":
			t.Text = text
			r.Add(t)
			text = ""
		case "reasoning":
			thought := t
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(data.Get("thinking"))
			r.Add(thought)
		case "tool_call":
			r.call(t, m, data)
		case "tool_result":
			r.result(t, data)
		case "shell_command":
			r.shell(t, data)
		case "finish", "image_url", "binary":
		default:
			r.to.Skip(store.Unknown(kind), r.Path+": message "+m.id)
		}
	}
}

// words are all texts of a message.
func words(parts gjson.Result) string {
	var texts []string
	for _, part := range parts.Array() {
		if part.Get("type").String() == "text" {
			texts = append(texts, gather.Text(part.Get("data.text")))
		}
	}
	return store.Joined(sessions.TurnGap, texts...)
}

// call reads a call. While it is being written its input is no JSON yet.
func (r *reader) call(t sessions.Turn, m message, data gjson.Result) {
	if m.finished == 0 && data.Get("finished").Type == gjson.False {
		return
	}
	t.Kind, t.Tool, t.Call = sessions.ToolCall, gather.Text(data.Get("name")), gather.Text(data.Get("id"))
	t.Text, t.Cut = store.Input(data.Get("input").Raw)
	r.Add(t)
}

func (r *reader) result(t sessions.Turn, data gjson.Result) {
	t.Kind, t.Role, t.Tool, t.Call = sessions.ToolOutput, sessions.Assistant, gather.Text(data.Get("name")), gather.Text(data.Get("tool_call_id"))
	t.Text, t.Failed = gather.Text(data.Get("content")), data.Get("is_error").Bool()
	r.Add(t)
}

// shell reads a command that the user ran himself.
func (r *reader) shell(t sessions.Turn, data gjson.Result) {
	t.Kind, t.Tool, t.Call, t.Text = sessions.ToolCall, "shell", t.ID, gather.Text(data.Get("command"))
	r.Add(t)
	t.Kind, t.Role, t.Text, t.Failed = sessions.ToolOutput, sessions.Assistant, gather.Text(data.Get("output")), data.Get("exit_code").Int() != 0
	r.Add(t)
}
