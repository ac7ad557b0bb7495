package hermes

import (
	"context"
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// Read reads a session whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := newReader(t, t.Unit, to)
	var err error
	switch filepath.Ext(t.Path) {
	case linesExt:
		err = r.lines(ctx)
	case documentExt:
		err = r.document()
	default:
		err = gather.Database(ctx, t.Path, to,
			func(db *sql.DB) error { return r.session(ctx, db) },
			func(db *sql.DB) error { return r.messages(ctx, db) })
	}
	if err != nil {
		return from, err
	}
	r.TimeFrom = sessions.TimeMessage
	if r.LastActive.IsZero() {
		r.TimeFrom, r.LastActive = sessions.TimeHeader, r.Start
	}
	if r.LastActive.IsZero() {
		r.TimeFrom = "" // the file's
	}
	return r.Send(from, to)
}

type reader struct {
	gather.Session
	t     sessions.Transcript
	to    sessions.Sink
	tools map[string]string // names by the calls' ids
	seen  map[string]bool   // messages, by what a copy of them has in common
}

// newReader begins to read the session with this id.
func newReader(t sessions.Transcript, id string, to sessions.Sink) *reader {
	r := &reader{t: t, to: to, tools: map[string]string{}, seen: map[string]bool{}}
	r.Harness, r.ID, r.Path = harness, id, t.Path
	return r
}

// session reads what the database says of the session. What a branch, or a talk
// that was compacted, took over is its parent's.
func (r *reader) session(ctx context.Context, db *sql.DB) error {
	all, err := relations(ctx, db, r.ID)
	f := all[r.ID]
	r.Title, r.Directory, r.Branch = strings.TrimSpace(f.title), f.cwd, f.branch
	r.Headless = f.source == scheduled
	r.used(f.model)
	r.Start = gather.Moment(f.started)
	switch f.kind {
	case delegated:
		r.Subagent, r.Parent = true, f.parent
	case continued:
		r.ForkedFrom = f.parent
	case alone:
	}
	return err
}

// used notes the model.
func (r *reader) used(model string) {
	if model != "" {
		r.Model, r.Provider = model, store.Maker(model)
	}
}

// messages reads the session's messages from the database, and before them
// those of the session that it goes on with.
func (r *reader) messages(ctx context.Context, db *sql.DB) error {
	if err := r.rows(ctx, db); err != nil || r.ForkedFrom == "" {
		return err
	}
	origin := newReader(r.t, r.ForkedFrom, store.Nobody{})
	if err := origin.rows(ctx, db); err != nil {
		return err
	}
	r.CopiedFrom(&origin.Session)
	return nil
}

// typed are the kinds of message that a person wrote: any other is Hermes's own.
var typed = map[string]bool{"": true, "steer": true}

func (r *reader) rows(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "messages")
	if err != nil || !table.Has("session_id", "role") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{
			"id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "reasoning", "reasoning_content",
			"active", "compacted", "_compressed_summary", "display_kind", "display_identity",
		},
		Where: "session_id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		m := message{
			id: row.Text(0), role: row.Text(1), content: row.Text(2), call: row.Text(3), calls: gather.Parse(row.Text(4)), tool: row.Text(5),
			at: gather.Moment(row.Float(6)), thought: row.Text(7), summary: row.Int(11) != 0, hidden: !typed[row.Text(12)],
		}
		if m.thought == "" {
			m.thought = row.Text(8)
		}
		if row[9] != nil {
			m.undone = row.Int(9) == 0 && row.Int(10) == 0
		}
		// Compaction in place keeps what it takes out, and adds the last messages again.
		if identity := row.Text(13); identity != "" && !m.undone {
			if r.seen[identity] {
				return nil
			}
			r.seen[identity] = true
		}
		r.message(m)
		return nil
	})
}

// starts are how the lines of a file begin.
var starts = []string{`{"role":`, `{"content":`}

// lines reads a file of lines. Its times are local.
func (r *reader) lines(ctx context.Context) error {
	r.Start = gather.Stem(r.ID)
	_, err := store.Lines(ctx, r.t, 0, starts, r.to, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		if line.Get("role").String() == "session_meta" {
			r.meta(line, "timestamp")
			return
		}
		r.message(written(line, strconv.FormatInt(rec.Offset, 10)))
	})
	return err
}

// document reads a file that holds the whole session.
func (r *reader) document() error {
	text, err := store.Document(r.t.Path)
	if err != nil {
		return err
	}
	doc := gjson.Parse(text)
	r.meta(doc, "session_start")
	for i, m := range doc.Get("messages").Array() {
		r.message(written(m, strconv.Itoa(i)))
	}
	if at := local(doc.Get("last_updated")); r.LastActive.IsZero() {
		r.LastActive = at
	}
	return nil
}

// meta reads what a file says of its session.
func (r *reader) meta(v gjson.Result, begun string) {
	r.used(gather.Text(v.Get("model")))
	r.Title = strings.TrimSpace(gather.Text(v.Get("title")))
	if at := local(v.Get(begun)); !at.IsZero() {
		r.Start = at
	}
}

// written is a message as a file holds it. Place names it within the file.
func written(m gjson.Result, place string) message {
	w := message{
		id: place, role: gather.Text(m.Get("role")), call: gather.Text(m.Get("tool_call_id")), calls: m.Get("tool_calls"),
		tool: gather.Text(m.Get("tool_name")), at: local(m.Get("timestamp")), thought: gather.Text(m.Get("reasoning")),
	}
	if w.tool == "" {
		w.tool = gather.Text(m.Get("name"))
	}
	if w.content = gather.Text(m.Get("content")); w.content == "" {
		w.content = store.Text(m.Get("content").Raw)
	}
	return w
}

// local is a time in a file: text without a zone, or seconds.
func local(v gjson.Result) time.Time {
	if v.Type == gjson.Number {
		return gather.Moment(v.Num)
	}
	return gather.Local(gather.Text(v))
}
