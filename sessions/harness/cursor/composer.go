package cursor

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// bubble is a message of the editor, or one call with its result.
type bubble struct {
	id    string
	at    time.Time
	data  gjson.Result
	place int // in the conversation's list, -1 when it is not there
}

// composer reads a conversation of the editor.
func (r *reader) composer(ctx context.Context) error {
	return gather.Database(ctx, r.t.Path, r.to, func(db *sql.DB) error { return r.conversation(ctx, db) })
}

func (r *reader) conversation(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, keyTable)
	if err != nil || !table.Has("key", "value") {
		return err
	}
	doc, err := gather.KeyValue(ctx, table, composerKey+r.ID)
	if err != nil {
		return err
	}
	if !doc.IsObject() {
		r.to.Skip("damaged conversation", r.t.Path+": "+composerKey+r.ID)
	}
	if doc.Get("isDraft").Bool() {
		return nil
	}
	heads, err := headers(ctx, db)
	if err != nil {
		return err
	}
	bubbles, err := r.bubbles(ctx, table, doc)
	for _, b := range bubbles {
		if b.at.After(r.LastActive) {
			r.LastActive, r.TimeFrom = b.at, sessions.TimeMessage
		}
		r.bubble(b)
	}
	r.facts(ctx, doc, heads[r.ID])
	if err != nil || !r.Subagent {
		return err
	}
	return r.parent(ctx, table, doc)
}

// facts takes what the conversation and its header say.
func (r *reader) facts(ctx context.Context, doc gjson.Result, h head) {
	r.Title = strings.TrimSpace(cmp.Or(gather.Text(doc.Get("name")), h.name))
	if model := gather.Text(doc.Get("modelConfig.modelName")); model != "" && model != "default" {
		r.Model = model
	}
	r.Provider = store.Maker(r.Model)
	if r.Start = gather.Moment(doc.Get("createdAt").Float()); r.Start.IsZero() {
		r.Start = h.created
	}
	if r.LastActive.IsZero() {
		r.LastActive, r.TimeFrom = gather.Moment(doc.Get("lastUpdatedAt").Float()), sessions.TimeHeader
	}
	for _, known := range []time.Time{h.updated, r.Start} {
		if r.LastActive.IsZero() {
			r.LastActive = known
		}
	}
	if r.LastActive.IsZero() {
		r.TimeFrom = ""
	}
	r.Running = doc.Get("unfinishedRunAt").Type == gjson.Number
	r.Subagent = h.side || doc.Get("isSubagent").Bool() || doc.Get("subagentInfo").IsObject()
	r.Directory = gather.Text(doc.Get("workspaceIdentifier.uri.fsPath"))
	if r.Directory == "" {
		id := cmp.Or(gather.Text(doc.Get("workspaceIdentifier.id")), h.workspace)
		r.Directory = cmp.Or(r.s.workspaceOf(ctx, r.t.Path, id, r.ID), gather.Text(doc.Get("trackedGitRepos.0.repoPath")))
	}
}

// bubbles are the messages in order. The conversation lists them, but after it
// was restored the list may name few of those that are there: the others are put
// where their times say. Old conversations hold their messages themselves.
func (r *reader) bubbles(ctx context.Context, table sqlite.Table, doc gjson.Result) ([]bubble, error) {
	places, started := map[string]int{}, map[string]gjson.Result{}
	for i, h := range doc.Get("fullConversationHeadersOnly").Array() {
		id := gather.Text(h.Get("bubbleId"))
		places[id], started[id] = i, h
	}
	var listed, others []bubble
	add := func(id string, data gjson.Result) {
		if !data.IsObject() {
			r.to.Skip("damaged message", r.t.Path+": "+bubbleKey+r.ID+":"+id)
			return
		}
		b := bubble{id: id, data: data, place: -1, at: told(data, started[id])}
		if place, ok := places[id]; ok {
			b.place = place
			listed = append(listed, b)
		} else {
			others = append(others, b)
		}
	}
	prefix := bubbleKey + r.ID + ":"
	err := table.Each(ctx, sqlite.Query{Columns: []string{"key", "value"}, Where: between, Args: keys(prefix), Key: "key"}, func(row sqlite.Row) error {
		add(strings.TrimPrefix(row.Text(0), prefix), gather.Parse(row.Text(1)))
		return nil
	})
	if len(listed)+len(others) == 0 {
		for i, data := range doc.Get("conversation").Array() {
			id := gather.Text(data.Get("bubbleId"))
			places[id] = i
			add(id, data)
		}
	}
	slices.SortStableFunc(listed, func(a, b bubble) int { return cmp.Compare(a.place, b.place) })
	slices.SortStableFunc(others, func(a, b bubble) int { return a.at.Compare(b.at) })
	return merged(listed, others), err
}

// merged puts others, which are in order, each before the first of the list that is
// later; those without a time, and without anything later, come last.
func merged(listed, others []bubble) []bubble {
	dated, _ := slices.BinarySearchFunc(others, time.Time{}, func(b bubble, _ time.Time) int {
		if b.at.IsZero() {
			return -1
		}
		return 1
	})
	undated, others := others[:dated], others[dated:]
	all := make([]bubble, 0, len(listed)+len(undated)+len(others))
	for _, l := range listed {
		for len(others) > 0 && l.at.After(others[0].at) {
			all, others = append(all, others[0]), others[1:]
		}
		all = append(all, l)
	}
	return append(append(all, undated...), others...)
}

// told is a message's time, by itself or by its entry in the list.
func told(data, listed gjson.Result) time.Time {
	for _, v := range []gjson.Result{
		data.Get("createdAt"), listed.Get("createdAt"), listed.Get("startedAtMs"), data.Get("startedAtMs"), data.Get("timingInfo.clientStartTime"),
	} {
		at := gather.Written(gather.Text(v))
		if v.Type == gjson.Number {
			at = gather.Moment(v.Float())
		}
		if !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// Types of bubbles.
const (
	bubbleUser      = 1
	bubbleAssistant = 2
)

func (r *reader) bubble(b bubble) {
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: b.at, ID: b.id}
	switch kind := b.data.Get("type").Int(); kind {
	case bubbleUser:
		t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, typed(gather.Text(b.data.Get("text")))
		r.Add(t)
		return
	case bubbleAssistant:
	default:
		r.to.Skip("unknown message kind", r.t.Path+": "+bubbleKey+r.ID+":"+b.id)
		return
	}
	if model := gather.Text(b.data.Get("modelInfo.modelName")); model != "" && model != "default" {
		r.Model = model
	}
	thought := t
	thought.Kind, thought.Text = sessions.Thinking, gather.Text(b.data.Get("thinking.text"))
	r.Add(thought)
	t.Text = unredacted(gather.Text(b.data.Get("text")))
	r.Add(t)
	if tool := b.data.Get("toolFormerData"); tool.Get("name").Exists() {
		r.tool(t, tool)
	}
}

// tool reads a call and its result. Both are JSON inside of texts, or packed.
func (r *reader) tool(t sessions.Turn, tool gjson.Result) {
	packed := unpack(gather.Text(tool.Get("toolCallBinary")))
	t.Kind, t.Tool = sessions.ToolCall, gather.Text(tool.Get("name"))
	t.Call, _, _ = strings.Cut(gather.Text(tool.Get("toolCallId")), "\n") // the second line is another service's id
	t.Text, t.Cut = store.Input(cmp.Or(nonempty(tool.Get("params")), nonempty(tool.Get("rawArgs"))))
	t.Text = cmp.Or(t.Text, all(packed.asked))
	r.Add(t)
	result := gather.Parse(gather.Text(tool.Get("result")))
	failure := gather.Parse(gather.Text(tool.Get("error")))
	output, bad := packed.said()
	t.Kind, t.Cut = sessions.ToolOutput, false
	t.Failed = failure.Exists() || tool.Get("status").String() == "error" || result.Get("exitCode").Int() != 0 || bad
	t.Text = cmp.Or(
		gather.Text(result.Get("output")), gather.Text(result.Get("contents")), gather.Text(tool.Get("additionalData.precomputedDiff")), output,
		gather.Result(result.Raw), gather.Text(failure.Get("clientVisibleErrorMessage")), gather.Result(failure.Raw),
		gather.Text(tool.Get("result")), gather.Text(tool.Get("error")), all(packed.result))
	r.Add(t)
}

// nonempty is a value as it is written, "" for an empty text.
func nonempty(v gjson.Result) string {
	if v.Raw == `""` {
		return ""
	}
	return v.Raw
}

// parent finds the conversation that a sub-agent worked for, its call, and
// whether another sub-agent took its place.
func (r *reader) parent(ctx context.Context, table sqlite.Table, doc gjson.Result) error {
	r.Parent = gather.Text(doc.Get("subagentInfo.parentComposerId"))
	args := append(keys(composerKey), r.ID)
	err := table.Each(ctx, sqlite.Query{Columns: []string{"key", "value"}, Where: between + " AND instr(value, ?) > 0", Args: args, Key: "key"}, func(row sqlite.Row) error {
		id := strings.TrimPrefix(row.Text(0), composerKey)
		other := gather.Parse(row.Text(1))
		if id == r.ID {
			return nil
		}
		for _, field := range []string{"subagentComposerIds", "supersededSubagentComposerIds"} {
			for _, child := range other.Get(field).Array() {
				if gather.Text(child) != r.ID {
					continue
				}
				r.Parent = cmp.Or(r.Parent, id)
				if field != "subagentComposerIds" {
					r.UndoAll()
				}
			}
		}
		return nil
	})
	if err != nil || r.Parent == "" {
		return err
	}
	args = append(keys(bubbleKey+r.Parent+":"), r.ID)
	return table.Each(ctx, sqlite.Query{Columns: []string{"value"}, Where: between + " AND instr(value, ?) > 0", Args: args, Key: "key"}, func(row sqlite.Row) error {
		tool := gather.Parse(row.Text(0)).Get("toolFormerData")
		if strings.Contains(tool.Raw, r.ID) {
			call, _, _ := strings.Cut(gather.Text(tool.Get("toolCallId")), "\n")
			r.ParentCall = cmp.Or(r.ParentCall, call)
		}
		return nil
	})
}
