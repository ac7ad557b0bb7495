package codex

import (
	"context"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// The kinds of line that matter.
const (
	kindMeta      = "session_meta"
	kindContext   = "turn_context"
	kindResponse  = "response_item"
	kindEvent     = "event_msg"
	kindCompacted = "compacted"
)

// passedKinds are lines known to hold nothing that is said or done.
var passedKinds = map[string]bool{
	"world_state": true, "inter_agent_communication": true, "inter_agent_communication_metadata": true,
	"token_usage_record": true, "security_risk_score": true,
}

// rollout reads the lines of one rollout into a Sink.
type rollout struct {
	ctx    context.Context
	source *Source
	file   sessions.Transcript
	to     sessions.Sink
	state
	ledger ledger
	told   bool // Facts were sent in this reading
	omit   int  // turns not sent because an earlier reading of the whole file sent them
	at     time.Time
	offset int64 // of the line that is read now

	parent *lineage // of whom it is replayed; nil until asked for
}

// line reads one line.
func (r *rollout) line(rec jsonl.Record) {
	r.offset = rec.Offset
	line := parse(rec.JSON())
	defer func() { r.Lines++ }()
	if passedKinds[line.kind] || line.item == "token_count" {
		return
	}
	if line.kind != "" {
		r.Enveloped, r.Bare = true, false
	}
	r.follow(&line)
	switch line.kind {
	case kindMeta:
		r.meta(line)
	case kindContext:
		r.context(line.payload)
	case kindResponse:
		r.response(line.item, line.payload)
	case kindEvent:
		r.event(line.item, line.payload)
	case kindCompacted:
		r.compacted(line.payload)
	case "":
		r.bare(line)
	default:
		r.skip("unknown record kind", line.kind)
	}
}

// bare reads a line without envelope: the header, a mark of the program's
// state, or an item. Among lines with envelopes it is what was left of one.
func (r *rollout) bare(line record) {
	switch {
	case r.Enveloped:
		r.skip("unknown record kind", line.item)
	case line.item != "":
		r.Bare = true
		r.response(line.item, line.payload)
	case jsonl.Field(line.payload, "record_type") != "":
	case jsonl.Field(line.payload, "id") != "" && !r.Meta:
		r.Bare = true
		r.header(line.payload)
	default:
		r.skip("unknown record kind", "")
	}
}

// meta reads a session_meta line: the first is the rollout's own, later ones
// belong to a history that is replayed, or to the same session that is gone on with.
func (r *rollout) meta(line record) {
	id := jsonl.Text(jsonl.Field(line.payload, "id"))
	// When its own is lost to damage, the name still tells whose this is not.
	lost := r.offset > 0 && r.file.ID != "" && id != r.file.ID
	if r.Meta && id == r.id() {
		r.goneOn(line.payload)
		return
	}
	if r.Meta || lost {
		r.replayOf(id)
		return
	}
	r.header(line.payload)
	if r.Session.Start.IsZero() {
		r.Session.Start = r.at
	}
}

// context reads what a turn is done with.
func (r *rollout) context(payload string) {
	var turn, dir, model string
	fields(payload, map[string]*string{"turn_id": &turn, "cwd": &dir, "model": &model})
	if m := jsonl.Text(model); m != "" {
		r.Session.Model = m
	}
	if d := jsonl.Text(dir); d != "" && !r.Replay.On {
		r.wentTo(d)
	}
	if turn != "" {
		r.IDs.enter(jsonl.Text(turn))
	}
}

// compacted reads the border behind which the model sees a shortened history.
// That history repeats what stands before, at any size: it is not looked at.
func (r *rollout) compacted(payload string) {
	message := jsonl.Text(jsonl.Field(payload, "message"))
	if blank(message) {
		return
	}
	r.flush()
	r.turn(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, Text: dropData(message)})
}

// response reads one item of the model's history.
func (r *rollout) response(item, payload string) {
	switch item {
	case "message":
		r.message(payload)
	case "reasoning":
		r.reasoning(payload)
	case "agent_message":
		r.task(payload)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "image_generation_call":
		r.answered()
		r.call(item, payload)
	case "function_call_output", "custom_tool_call_output":
		r.output(payload)
	case "compaction", "context_compaction", "compaction_trigger", "ghost_snapshot", "tool_search_output",
		"additional_tools", "compaction_summary", "other":
	default:
		r.skip("unknown item kind", item)
	}
}

// event reads one event. Most repeat what an item says, or say nothing of the
// talk; one that is not known here loses nothing, so it is not counted.
func (r *rollout) event(item, payload string) {
	switch item {
	case "user_message":
		var message, kind string
		fields(payload, map[string]*string{"message": &message, "kind": &kind})
		if k := plain(kind); k == "" || k == "plain" {
			r.prompt(formEvent, dropData(jsonl.Text(message)), "")
		}
	case "agent_message":
		r.twin(sessions.Reply, jsonl.Text(jsonl.Field(payload, "message")), "")
	case "agent_reasoning", "agent_reasoning_raw_content":
		r.twin(sessions.Thinking, jsonl.Text(jsonl.Field(payload, "text")), "")
	case "item_completed":
		r.completed(jsonl.Field(payload, "item"))
	case "exec_command_end":
		r.commandEnd(payload)
	case "task_started", "turn_started":
		if turn := jsonl.Field(payload, "turn_id"); turn != "" {
			r.IDs.enter(jsonl.Text(turn))
		}
		r.happened()
	case "task_complete", "turn_complete":
		r.flush()
		r.happened()
	case "turn_aborted":
		r.flush()
		r.Last.Aborted = true
		r.happened()
	case "thread_rolled_back":
		r.rollback(integer(jsonl.Field(payload, "num_turns"), 0))
	case "thread_name_updated":
		r.named(payload)
	case "thread_goal_updated":
		r.goal(jsonl.Text(jsonl.Field(jsonl.Field(payload, "goal"), "objective")))
	}
}

// turn sends a turn, with its place in time and its id, unless it belongs to
// what a sub-agent's rollout repeats.
func (r *rollout) turn(t sessions.Turn) {
	if r.Replay.On && r.Session.Subagent {
		return
	}
	if t.At.IsZero() {
		t.At = r.at
	}
	if t.ID == "" {
		t.ID = r.IDs.next(t.Kind)
	}
	t.Copied = r.Replay.On
	r.happened()
	r.ledger.add(t.ID)
	r.Turns++
	if r.Turns <= r.omit {
		return
	}
	if !r.told {
		r.facts()
	}
	r.to.Turn(r.Session.ID, t, false)
}

// happened notes that the session was at work.
func (r *rollout) happened() {
	if !r.Replay.On && r.at.After(r.Session.LastActive) {
		r.Session.LastActive = r.at
	}
}

// skip counts what is not read. what comes from the file, and is shown only
// when it looks like a name.
func (r *rollout) skip(reason, what string) {
	if name(what) {
		reason += " " + what
	}
	r.to.Skip(reason, store.Place(r.file, r.offset))
}

func name(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for _, c := range []byte(s) {
		if c != '_' && c != '-' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
