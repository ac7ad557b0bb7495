package kiro

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

// The names in today's form, of the editor and of the command line's third
// version: a folder for each session, in one for its workspace.
const (
	messagesName = "messages.jsonl"
	stateName    = "session.json"
	subDir       = "sub-executions" // of sub-agents
)

// silent are the kinds of record in which nothing is said. What is told of a
// sub-agent stands in its own file, and in the call that began it.
var silent = map[string]bool{
	"session_metadata": true, "session_event": true, "usage_summary": true, "turn_start": true, "turn_end": true,
	"steering_inclusion": true, "pending_interaction": true, "interaction_resolved": true, "sub_agent_start": true, "sub_agent_complete": true,
	"ContextualHookInvoked": true, "tool_revert": true, "agent_note": true,
}

// spoken are the kinds of record that follow a prompt. Where one does without, the
// prompt stands in the record of the session's start.
var spoken = map[string]bool{"assistant": true, "tool_call": true, "tool_result": true}

// elided stands for thoughts that are encrypted.
const elided = "..."

// native reads a session of today's form. What a fork repeats belongs to the
// session that it was forked from.
func (r *reader) native(ctx context.Context) error {
	dir := filepath.Dir(r.t.Path)
	if filepath.Base(dir) == subDir {
		dir = filepath.Dir(dir)
		r.Subagent, r.Parent = true, filepath.Base(dir)
		r.ParentCall = r.s.callOf(ctx, filepath.Join(dir, messagesName), r.ID)
	}
	of := r.s.state(filepath.Join(dir, stateName))
	r.Directory = of.directory
	r.model(of.model)
	if !r.Subagent {
		r.Title = of.title
		r.lineage(ctx, of.parent, of.reason)
	}
	err := r.messages(ctx)
	if r.Subagent && err == nil {
		err = r.forked(ctx, of)
	}
	if origin := r.origin; origin != nil {
		r.CopiedFrom(&origin.Session)
		r.Repeats(&origin.Session) // behind a summary of what was forked
	}
	r.TimeFrom = sessions.TimeMessage
	if r.LastActive.IsZero() {
		r.fileTime()
	}
	return err
}

// state is what the document of a session of today's form says of it.
type state struct{ directory, title, model, parent, reason string }

// state is that in a file: while it is being written, what it said before.
func (s *Source) state(path string) state {
	of, _ := s.states.Sidecar(path, func(doc string) state {
		of := gather.Parse(doc)
		return state{
			directory: cmp.Or(gather.Text(of.Get("workspacePaths.0")), gather.Text(of.Get("rootPaths.0"))), title: titleOf(of),
			model: gather.Text(of.Get("modelId")), parent: gather.Text(of.Get("parentSessionId")), reason: gather.Text(of.Get("createdReason")),
		}
	})
	return of
}

// noTitle is the title of a session that has none yet.
const noTitle = "New Session"

// titleOf is the title in a session's document.
func titleOf(doc gjson.Result) string {
	title := strings.TrimSpace(gather.Text(doc.Get("title")))
	if title == noTitle {
		return ""
	}
	return title
}

// isFork tells a fork of another session, which is named by its id, from its
// sub-agent.
func isFork(parent, reason string) bool {
	return parent != "" && parent == filepath.Base(parent) && reason != forSubagent
}

// forSubagent is why a session was created that a sub-agent works in.
const forSubagent = "subagent"

// lineage tells whose sub-agent a session is, or whose fork.
func (r *reader) lineage(ctx context.Context, parent, reason string) {
	switch {
	case reason == forSubagent && parent == filepath.Base(parent):
		r.Subagent, r.Parent = true, parent
	case isFork(parent, reason):
		r.ForkedFrom = parent
		path := r.s.surveyed().origin(r.t.Path, parent)
		origin := r.s.reader(sessions.Transcript{Path: path, ID: parent}, store.Nobody{})
		if path != "" && origin.messages(ctx) == nil { // else its own is all there is
			r.origin = origin
		}
	}
}

// forked compares a sub-agent that came with a fork with that of the session which was
// forked. It is errElsewhere when that one says all of it.
func (r *reader) forked(ctx context.Context, of state) error {
	path := r.s.surveyed().forkedSub(r.t.Path, of)
	if path == "" {
		return nil
	}
	origin := r.s.reader(sessions.Transcript{Path: path, ID: r.ID}, store.Nobody{})
	if origin.messages(ctx) != nil || origin.Empty() {
		return ctx.Err() // its own words are all there is
	}
	if r.SaidIn(&origin.Session) {
		return errElsewhere
	}
	r.Retells(&origin.Session)
	return nil
}

// forkedSub is the transcript that a sub-agent of a fork was copied from, by what is said
// of its session; "" when that is no fork of a session that is there: without that one's
// messages its sub-agents are not told.
func (p *places) forkedSub(path string, of state) string {
	parent := of.forkedFrom()
	if dir := filepath.Dir(path); filepath.Base(dir) == subDir && parent != "" {
		if origin := p.origin(filepath.Join(filepath.Dir(dir), messagesName), parent); origin != "" {
			sub := filepath.Join(filepath.Dir(origin), subDir, filepath.Base(path))
			if !p.excluded(sub) {
				return sub
			}
		}
	}
	return ""
}

// forkedFrom is the id of the session that one is a fork of, "" when it is none.
func (of state) forkedFrom() string {
	if !isFork(of.parent, of.reason) {
		return ""
	}
	return of.parent
}

// forkOf is the transcript that one of today's form is a fork of, "" when it is none.
func (s *Source) forkOf(p *places, path string) string {
	if filepath.Base(path) != messagesName {
		return ""
	}
	parent := s.state(filepath.Join(filepath.Dir(path), stateName)).forkedFrom()
	if parent == "" {
		return ""
	}
	return p.origin(path, parent)
}

// starts are how lines begin, to find one behind damage.
var starts = []string{`{"id":`, `{"payload":`}

// payloadOf is what a line holds, which may be written as a text.
func payloadOf(line gjson.Result) gjson.Result {
	payload := line.Get("payload")
	if payload.Type == gjson.String {
		return gather.Parse(payload.Str)
	}
	return payload
}

// messages reads the lines of a session.
func (r *reader) messages(ctx context.Context) error {
	var stand []string // ids of what was not reverted
	_, err := store.Lines(ctx, r.t, 0, starts, r.to, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		payload := payloadOf(line)
		id := gather.Text(line.Get("id"))
		if payload.Get("type").String() == "tombstone" {
			r.run = ""                                           // what is answered from here on goes on with nothing
			if payload.Get("kind").String() != "summarization" { // which makes nothing undone
				stand = r.revert(stand, gather.Text(payload.Get("effectiveFromMessageId")))
			}
			return
		}
		if payload.Get("type").String() == "session_start" {
			id = cmp.Or(gather.Text(payload.Get("messageId")), id)
		}
		stand = append(stand, id)
		r.payload(sessions.Turn{
			Kind: sessions.Reply, Role: sessions.Assistant, ID: id, At: r.moment(gather.Written(gather.Text(line.Get("timestamp")))),
		}, payload, store.Place(r.t, rec.Offset))
	})
	if r.asked {
		r.begin()
	}
	return err
}

// begin tells the prompt that the session began with, unless it is told.
func (r *reader) begin() {
	if r.start != nil {
		r.Add(*r.start)
	}
	r.start, r.asked = nil, false
}

// revert marks what stands from a message on as abandoned, and returns what still
// stands.
func (r *reader) revert(stand []string, from string) []string {
	at := slices.Index(stand, from)
	if at < 0 || from == "" {
		return stand
	}
	for _, id := range stand[at:] {
		r.Undo(id)
	}
	return stand[:at]
}

// words are what a line says.
func words(p gjson.Result) string {
	content := p.Get("content")
	if content.IsObject() {
		content = content.Get("text")
	}
	return store.Text(content.Raw)
}

// answers reads a part of an answer, which is written a paragraph after the other.
func (r *reader) answers(t sessions.Turn, p gjson.Result) {
	operation := gather.Text(p.Get("operationType"))
	switch {
	case operation == "Reasoning", operation == "" && p.Get("reasoningSignature").Exists():
		t.Kind = sessions.Thinking
		if strings.TrimSpace(t.Text) == elided {
			return
		}
	case operation == "Summary":
		t.Kind = sessions.Summary
	}
	run := gather.Text(p.Get("executionId"))
	if t.Kind != sessions.Thinking && run != "" && run == r.run && r.GoOn(t) {
		return
	}
	if strings.TrimSpace(t.Text) != "" {
		r.Add(t)
		r.run = run
	}
}

// forced tells whether a prompt has another role than the user's: the program's own
// words.
func forced(p gjson.Result) bool {
	role := p.Get("forcedRole").String() // "" where there is none
	return role != "" && role != "false" && role != "user"
}

// role begins what a session is told that is to play one, in the record of its start.
const role = "You are"

// prompted reads a prompt. That of the session's start waits for what follows: it may be
// said again. What the program begins with, which has no id, is told only where it is
// answered and nothing else was asked.
func (r *reader) prompted(t sessions.Turn, p gjson.Result, first bool) {
	t.Kind, t.Role = sessions.Prompt, sessions.User
	if first {
		own := gather.Text(p.Get("messageId")) == "" && slices.ContainsFunc(append(instructions, role), func(b string) bool { return strings.HasPrefix(t.Text, b) })
		r.start, r.asked = &t, !own
		return
	}
	if r.start != nil && r.asked && strings.TrimSpace(r.start.Text) != strings.TrimSpace(t.Text) {
		r.begin()
	}
	r.start, r.asked = nil, false
	r.Add(t)
}

// payload reads what a line holds.
func (r *reader) payload(t sessions.Turn, p gjson.Result, place string) {
	t.Text = words(p)
	id := gather.Text(p.Get("toolCallId"))
	kind := gather.Text(p.Get("type"))
	if spoken[kind] {
		r.begin()
	}
	switch {
	case kind == "user", kind == "session_start":
		if !forced(p) {
			r.prompted(t, p, kind == "session_start")
		}
	case kind == "assistant":
		r.answers(t, p)
	case kind == "tool_call":
		if _, again := r.tools[id]; !again || id == "" {
			r.call(t, id, gather.Text(p.Get("toolName")), p.Get("args"))
		}
	case kind == "tool_result":
		t.Kind, t.Call, t.Tool = sessions.ToolOutput, id, r.tools[id]
		success := p.Get("success")
		t.Failed = success.Exists() && !success.Bool()
		r.Add(t)
	case !silent[kind]:
		r.to.Skip(store.Unknown(strings.ToLower(kind)), place)
	}
}
