package copilot

import (
	"cmp"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// keptAgents is how many sub-agents are remembered: those at work at the same
// time are few.
const keptAgents = 32

// maxTask is how much of a prompt to a sub-agent is remembered until that
// begins.
const maxTask = 16 << 10

// agent is a sub-agent, whose events stand among its parent's.
type agent struct {
	store.Facts
	ID, Call, Name string
	Task           uint64 `json:",omitempty"` // hash of the prompt that the parent's call gave
	Calls          store.Calls
	Mused          uint64 `json:",omitempty"` // as the session's
}

// task is the prompt that a call gives to a sub-agent, "" when it is none.
func task(arguments string) string {
	if inner := jsonl.Text(arguments); jsonl.Valid(inner) {
		arguments = inner
	}
	prompt := jsonl.Text(jsonl.Field(arguments, "prompt"))
	return strings.ToValidUTF8(prompt[:min(len(prompt), maxTask)], "")
}

// agent is the sub-agent that an event belongs to, nil for the session's own.
// With its first event its task is told, which stands in its parent's call.
func (r *reader) agent(e event) *agent {
	if e.agent == "" {
		return nil
	}
	for _, a := range r.st.Agents {
		if a.ID == e.agent {
			return a
		}
	}
	a := &agent{ID: e.agent, Call: cmp.Or(e.parent, e.agent)}
	if call := jsonl.Text(jsonl.Field(e.data, "toolCallId")); call != "" && e.kind == "subagent.started" {
		a.Call = call
		a.Name = jsonl.Text(jsonl.Field(e.data, "agentDisplayName"))
	}
	r.st.Agents = store.Bounded(r.st.Agents, a, keptAgents)
	task := r.st.Calls.Find(a.Call).Task
	a.Task = store.Hash(strings.TrimSpace(task))
	r.say(e, sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: e.at, ID: a.Call + "/task", Text: task})
	return a
}

// calls are those of the session, or the sub-agent, that an event belongs to.
func (r *reader) calls(e event) *store.Calls {
	if a := r.agent(e); a != nil {
		return &a.Calls
	}
	return &r.st.Calls
}

// agentID is the id of a sub-agent's session. Its parent's stands last: a
// beginning of that has to name the parent.
func (r *reader) agentID(a *agent) string { return a.ID + "@" + r.id }

// agentFacts are a sub-agent's facts as they are known now.
func (r *reader) agentFacts(a *agent) sessions.Session {
	s := a.Session(r.t, r.agentID(a))
	own := r.facts()
	s.Harness, s.Directory, s.Branch = harness, own.Directory, own.Branch
	s.Subagent, s.Parent, s.ParentCall = true, r.id, a.Call
	return s
}
