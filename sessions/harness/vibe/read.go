package vibe

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"role":"`}

// meta is what is taken of a meta.json.
type meta struct {
	id, parent, title, model, branch, dir string
	start, end                            time.Time
}

// meta is what stands beside the messages in a session's folder.
func (s *Source) meta(dir string) meta {
	m, _ := s.metas.Sidecar(filepath.Join(dir, metaName), func(doc string) meta { return metaOf(gjson.Parse(doc)) })
	return m
}

func metaOf(doc gjson.Result) meta {
	text := func(path string) string { return gather.Text(doc.Get(path)) }
	return meta{
		id: text("session_id"), parent: text("parent_session_id"), title: strings.TrimSpace(text("title")), model: text("config.active_model"),
		branch: text("git_branch"), dir: text("environment.working_directory"), start: gather.Written(text("start_time")), end: gather.Written(text("end_time")),
	}
}

// state is what a Read hands to the next one of the same session.
type state struct {
	Talk  bool `json:",omitempty"`
	Calls store.Calls
}

type reader struct {
	s    *Source
	t    sessions.Transcript
	to   sessions.Sink
	meta meta
	st   *state
	told bool
	// place is the id of a message that has none of its own.
	place string
}

// Read reads the messages behind the mark.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if filepath.Base(t.Path) != messagesName {
		return sessions.Mark{}, s.readEarly(t, to)
	}
	r := &reader{s: s, t: t, to: to, meta: s.meta(filepath.Dir(t.Path)), st: store.Load[state](from.State)}
	if r.meta.id == "" {
		return from, fmt.Errorf("%s: the %s beside it, which names the session, is not there or %w", t.Path, metaName, store.ErrUnfinished)
	}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.message)
	if r.st.Talk {
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// facts are those of meta.json: messages have no times.
func (r *reader) facts() sessions.Session {
	m := r.meta
	f := store.Facts{Branch: m.branch, Model: m.model, Talk: true}
	f.Began(m.start)
	f.Went(m.dir)
	of := f.Session(r.t, m.id)
	of.Harness, of.Title, of.Provider = harness, m.title, store.Maker(m.model)
	if !m.end.IsZero() {
		of.LastActive, of.TimeFrom = m.end, sessions.TimeHeader
	}
	of.Parent = m.parent // of a sub-agent, or of what a compaction left behind
	if r.t.Side {
		of.Subagent = true
		of.Parent = cmp.Or(m.parent, r.s.meta(filepath.Dir(filepath.Dir(filepath.Dir(r.t.Path)))).id)
	}
	of.Resume = r.s.Resume(of)
	return of
}

// message reads one line.
func (r *reader) message(rec jsonl.Record) {
	r.said(gjson.Parse(rec.JSON()), rec.Offset == 0, store.Place(r.t, rec.Offset))
}

// said reads a message; first tells the one that a session begins with.
func (r *reader) said(m gjson.Result, first bool, place string) {
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: cmp.Or(gather.Text(m.Get("message_id")), r.place)}
	switch role := m.Get("role").String(); role {
	case "user":
		t.Kind, t.Role = sessions.Prompt, sessions.User
		shown := m.Get("user_display_content") // a text, or the blocks that an editor sent
		t.Text = cmp.Or(gather.Text(shown), store.Text(shown.Get("content").Raw), store.Text(m.Get("content").Raw))
		if injected(m, t.Text) {
			summary := compacted().FindStringSubmatch(t.Text)
			if summary != nil {
				t.Text = summary[1] // the prompts beside it are repeated
			} else if !first || r.meta.parent == "" || r.t.Side {
				return
			}
			t.Kind, t.Role = sessions.Summary, sessions.Assistant // what came before the compaction
		}
		r.send(t, true)
	case "assistant":
		thought := t
		thought.Kind, thought.Text = sessions.Thinking, gather.Text(m.Get("reasoning_content"))
		r.send(thought, false)
		t.Text = store.Text(m.Get("content").Raw)
		r.send(t, true)
		for _, call := range m.Get("tool_calls").Array() {
			r.call(t, call)
		}
	case "tool":
		r.output(t, m)
	case "system":
	default:
		r.to.Skip(store.Unknown(role), place)
	}
}

// compacted matches what a compaction left of what came before.
var compacted = lazy.Regexp(`<compaction_summary>\n((?s:.*))\n</compaction_summary>\s*$`)

// injected tells whether a user's message is Vibe's own; early releases do not
// say so.
func injected(m gjson.Result, text string) bool {
	if m.Get("injected").Bool() {
		return true
	}
	return store.Tagged(text, "vibe_warning") || store.Tagged(text, "system-reminder")
}

func (r *reader) call(t sessions.Turn, call gjson.Result) {
	t.Call, t.Tool = gather.Text(call.Get("id")), gather.Text(call.Get("function.name"))
	if !r.st.Calls.Begin(t.Call, store.Call{Tool: t.Tool}) {
		return
	}
	t.Kind = sessions.ToolCall
	t.Text, t.Cut = store.Input(call.Get("function.arguments").Raw)
	r.to.Turn(r.meta.id, t, false)
}

func (r *reader) output(t sessions.Turn, m gjson.Result) {
	t.Call = gather.Text(m.Get("tool_call_id"))
	call, fresh := r.st.Calls.End(t.Call)
	if !fresh {
		return
	}
	t.Kind, t.Tool = sessions.ToolOutput, cmp.Or(call.Tool, gather.Text(m.Get("name")))
	t.Text, t.Cut = sessions.CapOutput(store.Text(m.Get("content").Raw))
	r.send(t, false)
}

// send sends a turn that has text, before the first of the conversation what is
// known of the session.
func (r *reader) send(t sessions.Turn, talk bool) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	r.st.Talk = r.st.Talk || talk
	if r.st.Talk && !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.meta.id, t, talk)
}
