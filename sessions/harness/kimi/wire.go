package kimi

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// keptAgents is how many sub-agents are remembered: those at work at the same
// time are few.
const keptAgents = 32

// wireState is what a Read hands to the next one of the same file.
type wireState struct {
	voice
	Call   string   `json:",omitempty"` // of the parent, that began this sub-agent
	Agents []*agent `json:",omitempty"`
}

// agent is a sub-agent whose events stand among its parent's.
type agent struct {
	voice
	Of   string // the call that began it
	Task uint64 `json:",omitempty"` // hash of the prompt that the call gave

	speaker *speaker
}

// wire reads the transcript of a session of Kimi CLI, or of a sub-agent that has
// a folder of its own.
type wire struct {
	speaker
	s     *Source
	ctx   context.Context
	t     sessions.Transcript
	at    place
	st    *wireState
	known known
	own   map[string]bool // sub-agents by whether they have a transcript of their own
}

func (s *Source) readWire(ctx context.Context, t sessions.Transcript, at place, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &wire{s: s, ctx: ctx, t: t, at: at, st: store.Load[wireState](from.State), known: s.cliKnown(t, at), own: map[string]bool{}}
	r.speaker = speaker{voice: &r.st.voice, id: at.key(), to: to, facts: r.facts}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	r.pause()
	if r.st.Talk {
		to.Facts(r.facts())
	}
	for _, a := range r.st.Agents {
		if a.speaker == nil {
			continue
		}
		a.speaker.pause()
		if a.Talk {
			to.Facts(a.speaker.facts())
		}
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// facts are the session's facts as they are known now.
func (r *wire) facts() sessions.Session {
	of := r.st.Session(r.t, r.id)
	k := r.known
	of.Harness, of.Directory, of.Title = harness, k.dir, strings.TrimSpace(k.title)
	of.Model, of.Provider = k.model, store.Maker(k.model)
	if r.at.agent != "" {
		if r.st.Call == "" {
			r.st.Call = r.s.callOf(r.ctx, r.at)
		}
		of.Subagent, of.Parent, of.ParentCall = true, k.parent, r.st.Call
	}
	of.Resume = r.s.Resume(of)
	return of
}

// record reads one line.
func (r *wire) record(rec jsonl.Record) {
	line := gjson.Parse(rec.JSON())
	message := line.Get("message")
	if !message.Exists() && line.Get("type").String() == "metadata" {
		return
	}
	at := gather.Moment(line.Get("timestamp").Num)
	r.event(&r.speaker, message, sessions.Turn{At: at, ID: turnID(at, rec.Offset)}, rec.Offset)
}

// silent are the kinds of event in which nothing is said or done.
var silent = map[string]bool{
	"StepBegin": true, "StepInterrupted": true, "StepRetry": true, "TurnEnd": true, "CompactionBegin": true, "CompactionEnd": true,
	"HookTriggered": true, "HookResolved": true, "HookRequest": true, "MCPLoadingBegin": true, "MCPLoadingEnd": true, "StatusUpdate": true,
	"Notification": true, "ApprovalRequest": true, "ApprovalResponse": true, "ApprovalRequestResolved": true, "ToolCallRequest": true,
	"QuestionRequest": true,
}

// event reads what happened to the session, or to a sub-agent of it.
func (r *wire) event(s *speaker, message gjson.Result, t sessions.Turn, offset int64) {
	kind, p := message.Get("type").String(), message.Get("payload")
	if kind != "ContentPart" && kind != "ToolCallPart" {
		s.close()
	}
	switch kind {
	case "TurnBegin", "SteerInput":
		r.asked(s, t, store.Text(p.Get("user_input").Raw))
	case "BtwBegin":
		s.prompt(t, gather.Text(p.Get("question")))
	case "BtwEnd", "PlanDisplay":
		t.Kind, t.Role, t.Text = sessions.Reply, sessions.Assistant, cmp.Or(gather.Text(p.Get("response")), gather.Text(p.Get("content")))
		s.say(t)
	case "ContentPart":
		switch p.Get("type").String() {
		case "text":
			s.piece(sessions.Reply, t, gather.Text(p.Get("text")))
		case "think":
			s.piece(sessions.Thinking, t, gather.Text(p.Get("think")))
		}
	case "ToolCall":
		s.Open = part{
			Kind: sessions.ToolCall, ID: t.ID, At: t.At, Text: []byte(gather.Text(p.Get("function.arguments"))),
			Call: gather.Text(p.Get("id")), Tool: gather.Text(p.Get("function.name")),
		}
	case "ToolCallPart":
		if s.Open.Kind == sessions.ToolCall && len(s.Open.Text) < maxPart {
			s.Open.Text = append(s.Open.Text, gather.Text(p.Get("arguments_part"))...)
		}
	case "ToolResult":
		value := p.Get("return_value")
		t.Call, t.Failed = gather.Text(p.Get("tool_call_id")), value.Get("is_error").Bool()
		s.output(t, cmp.Or(store.Text(value.Get("output").Raw), gather.Text(value.Get("message"))))
	case "SubagentEvent":
		if s == &r.speaker { // they have none of their own
			r.nested(p, t, offset)
		}
	default:
		if !silent[kind] {
			s.to.Skip(store.Unknown(strings.ToLower(kind)), store.Place(r.t, offset))
		}
	}
}

// asked reads a prompt. That of a sub-agent may have been told already, as its
// parent's call gave it.
func (r *wire) asked(s *speaker, t sessions.Turn, text string) {
	for _, a := range r.st.Agents {
		if a.speaker == s && a.Task != 0 && a.Task == store.Hash(strings.TrimSpace(text)) {
			return
		}
	}
	s.prompt(t, text)
}

// nested reads an event of a sub-agent, unless that has a transcript of its own.
func (r *wire) nested(p gjson.Result, t sessions.Turn, offset int64) {
	if name := gather.Text(p.Get("agent_id")); name != "" && name == filepath.Base(name) {
		own, known := r.own[name]
		if !known {
			own = store.IsFile(filepath.Join(r.at.dir, subagentsDir, name, wireName))
			r.own[name] = own
		}
		if own {
			return
		}
	}
	call := cmp.Or(gather.Text(p.Get("parent_tool_call_id")), gather.Text(p.Get("task_tool_call_id")))
	r.event(r.agent(call, t), p.Get("event"), t, offset)
}

// agent is the sub-agent that a call began. With its first event its task is
// told, which stands in the call.
func (r *wire) agent(call string, t sessions.Turn) *speaker {
	i := slices.IndexFunc(r.st.Agents, func(a *agent) bool { return a.Of == call })
	fresh := i < 0
	if fresh {
		r.st.Agents = store.Bounded(r.st.Agents, &agent{Of: call}, keptAgents)
		i = len(r.st.Agents) - 1
	}
	a := r.st.Agents[i]
	if a.speaker == nil {
		id := agentKey(call, r.id)
		a.speaker = &speaker{voice: &a.voice, id: id, to: r.to}
		a.speaker.facts = func() sessions.Session {
			of := a.Session(r.t, id)
			of.Harness, of.Directory = harness, r.known.dir
			of.Subagent, of.Parent, of.ParentCall = true, r.id, call
			return of
		}
	}
	if task := r.Calls.Find(call).Task; fresh && task != "" {
		a.Task = store.Hash(strings.TrimSpace(task))
		t.ID += "/task"
		a.speaker.prompt(t, task)
	}
	return a.speaker
}
