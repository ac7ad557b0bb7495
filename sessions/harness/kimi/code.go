package kimi

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// codeState is what a Read hands to the next one of the same file.
type codeState struct {
	voice
	Prompts prompts
	Call    string `json:",omitempty"` // of the parent, that began this sub-agent
	Forked  bool   `json:",omitempty"` // it repeats something of another session
	Lineage int64  `json:",omitempty"` // by which that was told
	Beside  *state `json:",omitempty"` // what stood beside the session when that was whole last

	Original string `json:",omitempty"` // transcript of the session that was taken over
}

// code reads the transcript of a session of Kimi Code, or of a sub-agent.
type code struct {
	speaker
	s     *Source
	ctx   context.Context
	t     sessions.Transcript
	at    place
	st    *codeState
	known known
	undo  bool // something was taken back
}

// maxStep bounds the text of one step that is told again when more of it comes.
const maxStep = 16 << 10

func (s *Source) readCode(ctx context.Context, t sessions.Transcript, at place, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &code{s: s, ctx: ctx, t: t, at: at, st: store.Load[codeState](from.State)}
	r.known = s.codeKnown(at, r.st)
	lineage := r.known.lineage()
	if len(from.State) > 0 && lineage != r.st.Lineage {
		return from, sessions.ErrRewritten
	}
	r.st.Lineage = lineage
	if r.known.original != "" && from.Offset == 0 && !goesOn(ctx, t) {
		return sessions.Mark{State: store.Save(r.st)}, nil
	}
	r.speaker = speaker{voice: &r.st.voice, id: at.key(), to: to, facts: r.facts}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	if r.undo {
		to.Undo(r.id, r.undone(from.Offset, offset), true)
	}
	if r.st.Talk {
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// goesOn tells whether something was said in a session since it was taken over:
// what came with it has no times.
func goesOn(ctx context.Context, t sessions.Transcript) bool {
	own := false
	store.Again(ctx, t, math.MaxInt64, starts, func(rec jsonl.Record) {
		talk := strings.HasPrefix(jsonl.Plain(jsonl.Field(rec.JSON(), "type")), "context.append_")
		own = own || talk && !jsonl.Time(jsonl.Field(rec.JSON(), "time")).IsZero()
	})
	return own
}

// facts are the session's facts as they are known now.
func (r *code) facts() sessions.Session {
	k, f := r.known, r.st.Facts
	if r.at.agent == "" && !k.began.IsZero() {
		f.Start = k.began
	}
	if k.dir != "" {
		f.Dir = k.dir
	}
	of := f.Session(r.t, r.id)
	of.Harness, of.Title = harness, k.title
	if f.Last.IsZero() && !k.active.IsZero() {
		of.LastActive, of.TimeFrom = k.active, sessions.TimeHeader
	}
	if r.st.Forked {
		of.ForkedFrom = k.forked
	}
	if r.at.agent != "" {
		if r.st.Call == "" {
			r.st.Call = r.s.callOf(r.ctx, r.at)
		}
		of.Subagent, of.Parent, of.ParentCall = true, k.parent, r.st.Call
	}
	of.Resume = r.s.Resume(of)
	return of
}

// ignored are the beginnings of the kinds of record in which nothing is said or
// done.
var ignored = []string{
	"turn.", "llm.", "tools.", "permission.", "plan_mode.", "swarm_mode.", "full_compaction.", "micro_compaction.", "context.", "goal.", "mcp.", "forked",
	"cron.", "interaction.", "interruptionReminder.", "plan.", "plugin.", "prompt.", "runtime.", "staleGuard.", "task.", "token_counting.", "tower_mode.",
}

// record reads one line.
func (r *code) record(rec jsonl.Record) {
	line := gjson.Parse(rec.JSON())
	at := jsonl.Time(line.Get("time").Raw)
	t := sessions.Turn{Role: sessions.Assistant, At: at, ID: turnID(at, rec.Offset), Copied: r.copied(at)}
	switch kind := line.Get("type").String(); kind {
	case "metadata":
		r.Began(jsonl.Time(line.Get("created_at").Raw))
	case "config.update", "profile.bind":
		r.Went(gather.Text(line.Get("cwd")))
		r.used(line.Get("modelAlias"))
	case "usage.record":
		r.used(line.Get("model"))
	case "turn.prompt", "turn.steer":
		if text, human := r.typed(line, line.Get("input").Raw); human {
			r.st.Prompts.typed(t.ID, text)
			r.prompt(t, text)
		}
	case "context.append_message":
		r.st.Forked = r.st.Forked || t.Copied
		r.message(t, line.Get("message"))
	case "context.append_loop_event":
		r.st.Forked = r.st.Forked || t.Copied
		r.event(t, line.Get("event"))
	case "context.apply_compaction":
		r.summary(t, gather.Text(line.Get("summary")))
	case "context.undo":
		r.undo = true
	default:
		for _, begins := range ignored {
			if strings.HasPrefix(kind, begins) {
				return
			}
		}
		r.to.Skip(store.Unknown(kind), store.Place(r.t, rec.Offset))
	}
}

// copied tells whether a record came from another session: a fork holds what was
// said before it began, and what was taken over has no time.
func (r *code) copied(at time.Time) bool {
	return r.known.forked != "" && (at.IsZero() || r.known.original == "" && at.Before(r.known.began))
}

func (r *code) used(model gjson.Result) {
	if name := short(gather.Text(model)); name != "" {
		r.Model = name
	}
}

// typed is what somebody wrote, of a record's content in the user's name; false
// when Kimi Code put it there. Of a command that stands for a longer text the
// command is told. A sub-agent's first prompt is its task.
func (r *code) typed(v gjson.Result, content string) (text string, human bool) {
	origin := v.Get("origin")
	word := func(path string) string { return gather.Text(origin.Get(path)) }
	switch kind := word("kind"); kind {
	case "user", "":
		_, text = wrote(content)
		return text, true
	case "skill_activation":
		if by := word("trigger"); by == "" || by == "user-slash" {
			return command(word("skillName"), word("skillArgs")), true
		}
	case "plugin_command":
		return command(word("commandName"), word("commandArgs")), true
	case "system_trigger":
		if r.at.agent != "" && word("name") == "subagent" {
			return store.Text(content), true
		}
	}
	return "", false
}

func command(name, words string) string {
	if name == "" {
		return ""
	}
	return strings.TrimSpace("/" + name + " " + words)
}

// message reads a message that the model was given.
func (r *code) message(t sessions.Turn, m gjson.Result) {
	content := m.Get("content").Raw
	switch role := m.Get("role").String(); role {
	case "user":
		text, human := r.typed(m, content)
		if !human {
			return
		}
		id, repeated := r.st.Prompts.given(t.ID, text)
		if summary, _ := wrote(content); summary != "" {
			r.summary(t, summary)
		} else if !repeated {
			t.ID = id
			r.prompt(t, text)
		}
	case "assistant":
		r.think(t, thoughts(content))
		t.Kind, t.Text = sessions.Reply, store.Text(content)
		r.say(t)
		for _, c := range m.Get("toolCalls").Array() {
			t.Call, t.Tool = gather.Text(c.Get("id")), gather.Text(c.Get("function.name"))
			r.call(t, gather.Text(c.Get("function.arguments")))
		}
	case "tool":
		t.Call = gather.Text(m.Get("toolCallId"))
		var text string
		text, t.Failed = returned(content)
		t.Failed = t.Failed || m.Get("isError").Bool()
		r.output(t, text)
	}
}

// event reads a step of the agent's work.
func (r *code) event(t sessions.Turn, e gjson.Result) {
	switch kind := e.Get("type").String(); kind {
	case "content.part":
		part := e.Get("part")
		if part.Get("type").String() == "think" {
			r.think(t, gather.Text(part.Get("think")))
		} else if text, ok := store.BlockText(part.Raw); ok {
			r.part(t, text, gather.Text(e.Get("stepUuid")))
		}
	case "tool.call":
		t.Call, t.Tool = gather.Text(e.Get("toolCallId")), gather.Text(e.Get("name"))
		r.call(t, e.Get("args").Raw)
	case "tool.result":
		result := e.Get("result")
		t.Call, t.Failed = gather.Text(e.Get("toolCallId")), result.Get("isError").Bool()
		r.output(t, store.Text(result.Get("output").Raw))
	case "step.end":
		r.used(e.Get("model"))
	}
}

// part tells a text of the reply. All texts of one step are one reply.
func (r *code) part(t sessions.Turn, text, step string) {
	o := &r.Open
	if step == "" || o.ID == "" || o.Step != step || len(o.Text) > maxStep {
		*o = part{Kind: sessions.Reply, ID: t.ID, At: t.At, Step: step}
	} else {
		o.Text = append(o.Text, sessions.TurnGap...)
	}
	o.Text = append(o.Text, text...)
	if !t.Copied {
		r.Said(t.At)
	}
	t.Kind, t.ID, t.At, t.Text = sessions.Reply, o.ID, o.At, string(o.Text)
	r.say(t)
}

func (r *code) summary(t sessions.Turn, text string) {
	t.Kind, t.Role, t.Text = sessions.Summary, sessions.Assistant, text
	r.say(t)
}
