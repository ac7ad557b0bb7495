package zed

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// maxThread is how large a thread may be when it is unpacked. Large ones have
// some megabytes.
const maxThread = 64 << 20

// Read reads a thread whole and sends what is new in it.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{to: to, tools: map[string]string{}}
	r.Harness, r.ID, r.Path = harness, t.Unit, t.Path
	err := gather.Database(ctx, t.Path, to,
		func(db *sql.DB) error { return r.thread(ctx, db) },
		func(db *sql.DB) error { return r.call(ctx, db) })
	if err != nil {
		return from, err
	}
	return r.Send(from, to)
}

type reader struct {
	gather.Session
	to    sessions.Sink
	tools map[string]string // names by the ids of old calls whose result has yet to come
}

func (r *reader) thread(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, threadsName)
	if err != nil || !table.Has("id", "data") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"summary", "updated_at", "created_at", "parent_id", "folder_paths", "folder_paths_order", "data_type", "data"},
		Where:   "id = ?", Args: []any{r.ID},
	}, func(row sqlite.Row) error {
		if title := strings.TrimSpace(row.Text(0)); title != "New Thread" {
			r.Title = title
		}
		if r.LastActive = gather.Written(row.Text(1)); !r.LastActive.IsZero() {
			r.TimeFrom = sessions.TimeHeader
		}
		r.Start = gather.Written(row.Text(2))
		r.Parent, r.Subagent = row.Text(3), row.Text(3) != ""
		r.Directory = firstFolder(row.Text(4), row.Text(5))
		doc, err := document(row.Text(6), row.Bytes(7))
		if err != nil {
			r.to.Skip("damaged thread", r.Path+": thread "+r.ID+": "+err.Error())
			return nil
		}
		r.document(doc)
		return nil
	})
}

// firstFolder is the folder that was opened first. The folders are stored one a
// line, sorted; their order says at which place each was.
func firstFolder(paths, order string) string {
	folders := strings.Split(paths, "\n")
	for i, place := range strings.Split(order, ",") {
		if strings.TrimSpace(place) == "0" && i < len(folders) {
			return folders[i]
		}
	}
	return folders[0]
}

// document is a thread's JSON.
func document(kind string, data []byte) (gjson.Result, error) {
	if kind == "zstd" {
		in, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return gjson.Result{}, err
		}
		defer in.Close()
		if data, err = io.ReadAll(io.LimitReader(in, maxThread+1)); err != nil {
			return gjson.Result{}, err
		}
		if len(data) > maxThread {
			return gjson.Result{}, fmt.Errorf("longer than %d MB unpacked", maxThread>>20)
		}
	}
	doc := gather.Parse(string(data))
	if !doc.IsObject() {
		return doc, fmt.Errorf("no JSON document of type %q", kind)
	}
	return doc, nil
}

// call finds the parent's call whose result names this thread.
func (r *reader) call(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, threadsName)
	if err != nil || r.Parent == "" || !table.Has("id", "data") {
		return err
	}
	return table.Each(ctx, sqlite.Query{
		Columns: []string{"data_type", "data"}, Where: "id = ?", Args: []any{r.Parent},
	}, func(row sqlite.Row) error {
		doc, _ := document(row.Text(0), row.Bytes(1)) // counted when the parent itself is read
		for _, m := range doc.Get("messages").Array() {
			for id, result := range m.Get("Agent.tool_results").Map() {
				if strings.Contains(result.Raw, r.ID) {
					r.ParentCall = strings.Clone(id)
				}
			}
		}
		return nil
	})
}

// document reads what was said. Messages have no times.
func (r *reader) document(doc gjson.Result) {
	r.Parent = cmp.Or(r.Parent, gather.Text(doc.Get("subagent_context.parent_thread_id")))
	r.Subagent = r.Parent != ""
	r.Model = gather.Text(doc.Get("model.model"))
	r.Provider = store.Maker(r.Model)
	for i, m := range doc.Get("messages").Array() {
		place := "#" + strconv.Itoa(i) // an id for what has none
		switch {
		case m.Get("User").Exists():
			r.user(m.Get("User"), place)
		case m.Get("Agent").Exists():
			r.agent(m.Get("Agent"), place)
		case m.Get("Compaction").Exists():
			r.summary(m.Get("Compaction"), place)
		case m.Get("role").Exists():
			r.old(m)
		case m.Type == gjson.String: // "Resume"
		default:
			r.to.Skip("unknown message kind", r.Path+": thread "+r.ID)
		}
	}
	for _, field := range []string{"detailed_summary", "detailed_summary_state.Generated"} {
		r.summary(doc.Get(field), field)
	}
}

// summary reads a summary, which is a text or has one in it.
func (r *reader) summary(v gjson.Result, id string) {
	text := gather.Text(v)
	for _, field := range []string{"text", "summary", "content", "Summary", "Text"} {
		text = cmp.Or(text, gather.Text(v.Get(field)))
	}
	r.Add(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, ID: id, Text: text})
}

// user reads a prompt. Of a file that it mentions only the path was typed.
func (r *reader) user(m gjson.Result, place string) {
	var b strings.Builder
	for _, part := range m.Get("content").Array() {
		b.WriteString(gather.Text(part.Get("Text")))
		b.WriteString(mentioned(part.Get("Mention.uri")))
	}
	r.Add(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, ID: cmp.Or(gather.Text(m.Get("id")), place), Text: strings.TrimSpace(b.String())})
}

// mentioned is what a mention leads to: a path, or a name.
func mentioned(uri gjson.Result) string {
	if uri.Type == gjson.String {
		return gather.Text(uri)
	}
	text := ""
	uri.ForEach(func(_, kind gjson.Result) bool {
		for _, field := range []string{"abs_path", "path", "uri", "url", "name"} {
			text = cmp.Or(text, gather.Text(kind.Get(field)))
		}
		return false
	})
	return text
}

// agent reads an answer, with its calls and what they returned.
func (r *reader) agent(m gjson.Result, place string) {
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: place}
	text := texts(m.Get("content"), "Text")
	results := m.Get("tool_results").Map()
	for _, part := range m.Get("content").Array() {
		use := part.Get("ToolUse")
		switch {
		case part.Get("Text").Exists():
			t.Text = text
			r.Add(t)
			text = ""
		case part.Get("Thinking").Exists():
			thought := t
			thought.Kind, thought.Text = sessions.Thinking, gather.Text(part.Get("Thinking.text"))
			r.Add(thought)
		case use.Exists():
			id := gather.Text(use.Get("id"))
			r.used(t, id, use, results[id])
		case part.Get("RedactedThinking").Exists(), part.Get("Image").Exists():
		default:
			r.to.Skip("unknown content kind", r.Path+": thread "+r.ID)
		}
	}
}

// used sends a call and its result.
func (r *reader) used(t sessions.Turn, id string, use, result gjson.Result) {
	t.Kind, t.Call, t.Tool = sessions.ToolCall, id, gather.Text(use.Get("name"))
	t.Text, t.Cut = store.Input(use.Get("input").Raw)
	r.Add(t)
	if result.Exists() {
		r.returned(t, result)
	}
}

// returned sends what a call returned.
func (r *reader) returned(t sessions.Turn, result gjson.Result) {
	t.Kind, t.Cut, t.Failed = sessions.ToolOutput, false, result.Get("is_error").Bool()
	content := result.Get("content")
	t.Text = cmp.Or(gather.Text(content), gather.Text(content.Get("Text")), texts(content, "Text"), gather.Result(result.Get("output").Raw))
	r.Add(t)
}

// texts are the texts of a content that stand in the field of this name.
func texts(content gjson.Result, field string) string {
	var all []string
	for _, part := range content.Array() {
		all = append(all, gather.Text(part.Get(field)))
	}
	return store.Joined(sessions.TurnGap, all...)
}

// old reads a message of the documents up to 0.2.0. Its context is text of
// files that were attached.
func (r *reader) old(m gjson.Result) {
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: strings.Clone(m.Get("id").Raw)}
	switch m.Get("role").String() {
	case "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
	case "system":
		return
	}
	var words, thoughts []string
	for _, segment := range m.Get("segments").Array() {
		text := gather.Text(segment.Get("text"))
		switch {
		case strings.TrimSpace(text) == "":
		case segment.Get("type").String() == "text":
			words = append(words, text)
		case segment.Get("type").String() == "thinking":
			thoughts = append(thoughts, text)
		}
	}
	thought := t
	thought.Kind, thought.Text = sessions.Thinking, strings.Join(thoughts, sessions.TurnGap)
	r.Add(thought)
	t.Text = strings.Join(words, sessions.TurnGap)
	r.Add(t)
	r.oldTools(t, m)
}

// oldTools reads the calls of such a message, and what calls returned: that stands
// with the call, or in 0.1.0 in the next message, which is in the user's name.
func (r *reader) oldTools(t sessions.Turn, m gjson.Result) {
	results := map[string]gjson.Result{}
	for _, result := range m.Get("tool_results").Array() {
		id := gather.Text(result.Get("tool_use_id"))
		if tool, called := r.tools[id]; called {
			delete(r.tools, id)
			t.Role, t.Call, t.Tool = sessions.Assistant, id, tool
			r.returned(t, result)
			continue
		}
		results[id] = result
	}
	for _, use := range m.Get("tool_uses").Array() {
		id := gather.Text(use.Get("id"))
		r.used(t, id, use, results[id])
		if !results[id].Exists() {
			r.tools[id] = gather.Text(use.Get("name"))
		}
	}
}
