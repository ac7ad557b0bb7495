package kiro

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

const (
	documentExt = ".json"
	linesExt    = ".jsonl"
)

// Read reads a session whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := s.reader(t, to)
	var err error
	if isNative(t.Path) {
		err = r.native(ctx)
	} else {
		err = r.content(ctx)
	}
	if err == nil {
		err = r.compare(ctx)
	}
	switch {
	case errors.Is(err, errElsewhere) && len(from.State) > 0:
		return from, sessions.ErrRewritten // it was told before
	case errors.Is(err, errElsewhere):
		return sessions.Mark{}, nil
	case err != nil:
		return from, err
	}
	return r.Send(from, to)
}

// isNative tells whether a path is that of a session of today's form, or of a sub-agent
// of one.
func isNative(path string) bool {
	return filepath.Base(path) == messagesName || filepath.Base(filepath.Dir(path)) == subDir
}

// isWorkspace tells whether a path is that of a session that the editor kept before.
func isWorkspace(path string) bool {
	return filepath.Base(filepath.Dir(filepath.Dir(path))) == workspaces
}

// content reads what is said in a session, whatever its form.
func (r *reader) content(ctx context.Context) error {
	switch path := r.t.Path; {
	case filepath.Base(path) == databaseName:
		return gather.Database(ctx, path, r.to, func(db *sql.DB) error { return r.row(ctx, db) })
	case isNative(path):
		return r.messages(ctx)
	case filepath.Ext(path) == chatExt:
		return r.chat()
	case isWorkspace(path):
		return r.workspace()
	}
	return r.lines(ctx)
}

type reader struct {
	gather.Session
	s     *Source
	t     sessions.Transcript
	to    sessions.Sink
	tools map[string]string // names by the calls' ids

	origin *reader // of the session that it repeats, nil when there is none

	// In today's form:
	start *sessions.Turn // what the session began with, until something is said
	asked bool           // that is known to be a person's
	run   string         // the execution of the last answer
}

func (s *Source) reader(t sessions.Transcript, to sessions.Sink) *reader {
	r := &reader{s: s, t: t, to: to, tools: map[string]string{}}
	r.Harness, r.ID, r.Path = harness, t.ID, t.Path
	return r
}

// row reads a conversation from a database. The newer table has times of its
// own, which are renewed when a conversation is gone on with.
func (r *reader) row(ctx context.Context, db *sql.DB) error {
	parts := strings.SplitN(r.t.Unit, "\x00", 3)
	if len(parts) < 3 {
		return nil
	}
	table, err := sqlite.TableOf(ctx, db, parts[0])
	if err != nil || !table.Has("key", "value") {
		return err
	}
	q := sqlite.Query{Columns: []string{"value", "created_at", "updated_at"}, Where: "key = ?", Args: []any{parts[1]}}
	if parts[0] == tableNew {
		q.Where, q.Args = "key = ? AND conversation_id = ?", []any{parts[1], parts[2]}
	}
	r.Directory = parts[1]
	return table.Each(ctx, q, func(row sqlite.Row) error {
		doc := gather.Parse(row.Text(0))
		if !doc.IsObject() {
			r.to.Skip("damaged conversation", r.t.Path+": "+parts[1])
			return nil
		}
		id := gather.Text(doc.Get("conversation_id"))
		if r.ID == "" {
			r.ID = id
		}
		if parts[0] == tableOld && parts[2] != "" && id != parts[2] {
			return nil // another one took its place since it was listed
		}
		r.conversation(doc)
		if at := gather.Moment(float64(row.Int(2))); !at.IsZero() {
			r.LastActive, r.TimeFrom = at, sessions.TimeHeader
		}
		if at := gather.Moment(float64(row.Int(1))); !at.IsZero() {
			r.Start = at
		}
		r.fileTime()
		return nil
	})
}

// fileTime is the time of a conversation that tells none.
func (r *reader) fileTime() {
	if info, err := os.Stat(r.t.Path); err == nil && r.LastActive.IsZero() {
		r.LastActive, r.TimeFrom = info.ModTime().UTC(), sessions.TimeMtime
	}
}

// about is what the document of a session of the command line says of it.
type about struct {
	directory, title, parent, model string
	began, active                   time.Time
}

func readAbout(text string) about {
	doc := gather.Parse(text)
	return about{
		directory: gather.Text(doc.Get("cwd")), title: strings.TrimSpace(gather.Text(doc.Get("title"))), parent: gather.Text(doc.Get("parent_session_id")),
		model: gather.Text(doc.Get("session_state.rts_model_state.model_info.model_id")),
		began: gather.Written(gather.Text(doc.Get("created_at"))), active: gather.Written(gather.Text(doc.Get("updated_at"))),
	}
}

// lines reads a session of the command line: a document about it, and a line
// a message.
func (r *reader) lines(ctx context.Context) error {
	of, _ := r.s.abouts.Sidecar(r.t.Path, readAbout)
	r.Directory, r.Title, r.Start, r.LastActive = of.directory, of.title, of.began, of.active
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeHeader
	}
	r.Parent, r.Subagent = of.parent, of.parent != ""
	r.model(of.model)
	t := r.t
	t.Path = strings.TrimSuffix(t.Path, documentExt) + linesExt
	var stand messages
	_, err := store.Lines(ctx, t, 0, []string{`{"version":`}, r.to, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		data := line.Get("data")
		m := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: gather.Text(data.Get("message_id"))}
		switch kind := gather.Text(line.Get("kind")); kind {
		case "Prompt":
			m.Kind, m.Role = sessions.Prompt, sessions.User
			if m.At = gather.Moment(data.Get("meta.timestamp").Float()); m.At.IsZero() {
				m.At = gather.Written(gather.Text(line.Get("timestamp")))
			}
		case "AssistantMessage", "ToolResults":
		case "Compaction":
			m.Kind, m.Text = sessions.Summary, gather.Text(data.Get("summary"))
			r.Add(m)
			stand = messages{before: len(data.Get("messages_snapshot").Array())}
			return
		case "ResetTo":
			for _, id := range stand.reset(data.Get("target_index")) {
				r.Undo(id)
			}
			return
		case "Clear": // what was said before it stays, and is gone back on no more
			stand = messages{}
			return
		default:
			r.to.Skip(store.Unknown(strings.ToLower(kind)), store.Place(t, rec.Offset))
			return
		}
		stand.ids = append(stand.ids, m.ID)
		r.message(m, data.Get("content"))
	})
	return err
}

// messages are those that stand, as the command line counts them.
type messages struct {
	before int // how many stand from before a compaction
	ids    []string
}

// reset goes back to a number of messages, and tells which are abandoned.
func (m *messages) reset(to gjson.Result) (abandoned []string) {
	left := int(to.Int()) - m.before
	if to.Type != gjson.Number || to.Int() < 0 || left >= len(m.ids) {
		return nil
	}
	left = max(left, 0)
	abandoned, m.ids = m.ids[left:], m.ids[:left:left]
	return abandoned
}

// message reads the content of a line.
func (r *reader) message(m sessions.Turn, content gjson.Result) {
	var words []string
	for _, block := range content.Array() {
		if text := gather.Text(block.Get("data")); block.Get("kind").String() == "text" && strings.TrimSpace(text) != "" {
			words = append(words, text)
		}
	}
	m.Text = strings.Join(words, sessions.TurnGap)
	r.Add(m)
	m.Text = ""
	for _, block := range content.Array() {
		data := block.Get("data")
		switch block.Get("kind").String() {
		case "thinking":
			thought := m
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(data.Get("text"))
			r.Add(thought)
		case "toolUse":
			r.call(m, gather.Text(data.Get("toolUseId")), gather.Text(data.Get("name")), data.Get("input"))
		case "toolResult":
			r.output(m, gather.Text(data.Get("toolUseId")), data)
		}
	}
}

// call and output send what a tool was asked for and what it said.
func (r *reader) call(m sessions.Turn, id, name string, input gjson.Result) {
	m.Kind, m.Call, m.Tool = sessions.ToolCall, id, name
	m.Text, m.Cut = store.Input(input.Raw)
	r.tools[id] = name
	r.Add(m)
}

func (r *reader) output(m sessions.Turn, id string, result gjson.Result) {
	m.Kind, m.Role, m.Call, m.Tool = sessions.ToolOutput, sessions.Assistant, id, r.tools[id]
	m.Failed = strings.EqualFold(result.Get("status").String(), "error")
	var texts []string
	for _, part := range result.Get("content").Array() {
		value := part
		for _, field := range []string{"Text", "Json", "data", "text"} {
			if v := part.Get(field); v.Exists() {
				value = v
			}
		}
		texts = append(texts, gather.Result(value.Raw))
		if exit := value.Get("exit_status").String(); exit != "" && exit != "0" && !strings.HasSuffix(exit, " 0") { // a command's
			m.Failed = true
		}
	}
	m.Text = strings.Join(texts, "\n")
	r.Add(m)
}
