package droid

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"type":"`}

// newSession is the title of a session that has none yet.
const newSession = "New Session"

// ignored are the kinds of record that hold nothing to read.
var ignored = map[string]bool{"todo_state": true, "agent_turn_outcome": true, "session_end": true, "session_settings": true}

// state is what a Read hands to the next one of the same file.
type state struct {
	store.Facts
	Title              string   `json:",omitempty"`
	Parent, ParentCall string   `json:",omitempty"`
	ForkedFrom         string   `json:",omitempty"`
	ForkedAt           string   `json:",omitempty"` // the last copied message's id
	Copying            bool     `json:",omitempty"` // that message is still to come
	Beside             settings `json:",omitzero"`  // what stood beside it last
	Calls              store.Calls
}

// reader reads one transcript once.
type reader struct {
	ctx      context.Context
	source   *Source
	t        sessions.Transcript
	to       sessions.Sink
	id       string
	st       *state
	told     bool
	original map[string]bool // ids of the messages of the session it was forked from
}

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{ctx: ctx, source: s, t: t, to: to, st: store.Load[state](from.State)}
	r.id = strings.TrimSuffix(filepath.Base(t.Path), transcriptExt)
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	if r.st.Talk { // its settings may be new where no record is
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// record reads one line.
func (r *reader) record(rec jsonl.Record) {
	json := rec.JSON()
	switch kind := jsonl.Plain(jsonl.Field(json, "type")); kind {
	case "session_start":
		r.header(json)
	case "message":
		r.message(json)
	case "compaction_state", "summary":
		r.summary(json)
	default:
		if !ignored[kind] {
			r.to.Skip(store.Unknown(kind), store.Place(r.t, rec.Offset))
		}
	}
}

// header reads the first line.
func (r *reader) header(json string) {
	var title, given string
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "cwd":
			r.st.Went(jsonl.Plain(v))
		case "title":
			title = store.Title(v)
		case "sessionTitle":
			given = store.Title(v)
		case "callingSessionId":
			r.st.Parent = jsonl.Text(v)
		case "callingToolUseId":
			r.st.ParentCall = jsonl.Text(v)
		case "parent":
			r.st.ForkedFrom = jsonl.Text(v)
		case "forkedAtMessageId":
			r.st.ForkedAt = jsonl.Text(v)
		}
	}
	r.st.Title = ""
	for _, t := range []string{title, given} {
		if t != "" && t != newSession {
			r.st.Title = t
		}
	}
	r.st.Copying = r.st.ForkedFrom != ""
}

// message reads what somebody said, called or returned.
func (r *reader) message(json string) {
	var id, role, model, content string
	var at time.Time
	hidden := false
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "id":
			id = jsonl.Text(v)
		case "timestamp":
			at = jsonl.Time(v)
		case "visibility":
			hidden = hidden || oneSided[jsonl.Plain(v)]
		case "message":
			role, content = jsonl.Plain(jsonl.Field(v, "role")), jsonl.Field(v, "content")
			model = cmp.Or(jsonl.Plain(jsonl.Field(v, "modelId")), jsonl.Plain(jsonl.Field(v, "model")))
			// A message for one side alone is the program's, as is a hook's.
			hidden = hidden || oneSided[jsonl.Plain(jsonl.Field(v, "visibility"))] || jsonl.Field(v, "hookEventName") != ""
		case "model":
			model = cmp.Or(model, jsonl.Plain(v))
		}
	}
	r.st.Said(at)
	turn := sessions.Turn{At: at, ID: id, Copied: r.copied(id)}
	switch role {
	case "assistant":
		if model != "" {
			r.st.Model = ownModel(model)
		}
		r.assistant(turn, content)
	case "user":
		r.outputs(turn, content)
		if text := typed(content); hidden || text == "" {
			return
		} else if shell := bashResult(text); shell != "" {
			r.command(turn, shell)
		} else {
			turn.Kind, turn.Role, turn.Text = sessions.Prompt, sessions.User, text
			r.say(turn)
		}
	}
}

// oneSided are the visibilities of messages that only the model, or only the user,
// is to see.
var oneSided = map[string]bool{"llm_only": true, "user_only": true}

// bashResult is the JSON of a command that the user ran, "" when a text is none.
func bashResult(text string) string {
	if strings.HasPrefix(text, `{"type":"bash_result"`) && jsonl.Valid(text) {
		return text
	}
	return ""
}

// command sends a command that the user ran, and what it printed.
func (r *reader) command(t sessions.Turn, json string) {
	t.Kind, t.Role, t.Tool, t.Call = sessions.ToolCall, sessions.User, userShell, t.ID
	t.Text, t.Cut = sessions.CapOutput(jsonl.Text(jsonl.Field(json, "command")))
	r.to.Turn(r.id, t, false)
	var printed []string
	for _, field := range []string{"stdout", "stderr"} {
		printed = append(printed, jsonl.Text(jsonl.Field(json, field)))
	}
	t.Kind = sessions.ToolOutput
	exit := jsonl.Field(json, "exitCode")
	t.Failed = exit != "" && exit != "0" && exit != "null"
	if t.Text, t.Cut = sessions.CapOutput(store.Joined("\n", printed...)); t.Text != "" {
		r.to.Turn(r.id, t, false)
	}
}

// userShell is the tool of a command that the user ran.
const userShell = "bash"

// assistant sends the parts of the assistant's message: all of its text at the
// place of the first.
func (r *reader) assistant(turn sessions.Turn, content string) {
	turn.Role = sessions.Assistant
	reply := func() {
		t := turn
		t.Kind, t.Text = sessions.Reply, store.Text(content)
		content = ""
		if strings.TrimSpace(t.Text) != "" {
			r.say(t)
		}
	}
	if strings.HasPrefix(content, `"`) {
		reply()
		return
	}
	for block := range store.Blocks(content) {
		switch jsonl.Plain(jsonl.Field(block, "type")) {
		case "text":
			reply()
		case "thinking":
			t := turn
			t.Kind, t.Text = sessions.Thinking, jsonl.Text(jsonl.Field(block, "thinking"))
			if strings.TrimSpace(t.Text) != "" {
				r.to.Turn(r.id, t, false)
			}
		case "tool_use":
			r.call(turn, block)
		}
	}
}

func (r *reader) call(turn sessions.Turn, block string) {
	turn.Kind, turn.Call = sessions.ToolCall, jsonl.Text(jsonl.Field(block, "id"))
	turn.Tool = jsonl.Text(jsonl.Field(block, "name"))
	if !r.st.Calls.Begin(turn.Call, store.Call{Tool: turn.Tool}) {
		return
	}
	turn.Text, turn.Cut = store.Input(jsonl.Field(block, "input"))
	r.to.Turn(r.id, turn, false)
}

// outputs sends what tools returned, which stands in the user's messages.
func (r *reader) outputs(turn sessions.Turn, content string) {
	for block := range store.Blocks(content) {
		if jsonl.Plain(jsonl.Field(block, "type")) != "tool_result" {
			continue
		}
		t := turn
		t.Kind, t.Role, t.Call = sessions.ToolOutput, sessions.Assistant, jsonl.Text(jsonl.Field(block, "tool_use_id"))
		call, fresh := r.st.Calls.End(t.Call)
		if !fresh {
			continue
		}
		t.Tool, t.Failed = call.Tool, jsonl.Field(block, "is_error") == "true"
		t.Text, t.Cut = sessions.CapOutput(store.Text(jsonl.Field(block, "content")))
		r.to.Turn(r.id, t, false)
	}
}

// summary sends what a compaction left of the talk before it.
func (r *reader) summary(json string) {
	t := sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant}
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "id":
			t.ID = jsonl.Text(v)
		case "timestamp":
			t.At = jsonl.Time(v)
		case "summaryText", "body":
			t.Text = jsonl.Text(v)
		}
	}
	t.Copied = r.copied(t.ID)
	if strings.TrimSpace(t.Text) != "" {
		r.say(t)
	}
}

// say sends a conversation turn, before the first of them what is known of the
// session.
func (r *reader) say(t sessions.Turn) {
	r.st.Talk = true
	if !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.id, t, t.ID != "")
}

// What the program writes into the user's messages.
const (
	reminderOpens, reminderCloses = "<system-reminder>", "</system-reminder>"
	queryOpens, queryCloses       = "<user_query>", "</user_query>"
)

// notificationTag is around what the program tells in the user's messages.
const notificationTag = "system-notification"

// notices match texts, whole, with which the program tells there what happened.
var notices = lazy.Regexp(`^(?:Background task \S*\d\S* (?:completed|failed|finished|exited|stopped|timed out|was (?:killed|cancelled|stopped))\b[^\n?]*|` +
	`Request (?:interrupted|cancelled)(?: by (?:the )?user)?\.?|Interrupted|(?:BYOK Error: |The AI model timed out|The model repeatedly issued)[^\n?]*|Skill "[^"\n]+" activated\.?)$`)

// asked matches where a query begins that the program put tags around: at the start
// of a line, or behind another tag.
var asked = lazy.Regexp(`(?:^|[\n>])[ \t\r]*` + queryOpens)

// typed is what a human wrote in a message: each block without the program's
// reminders, and out of the tags that it puts around a query.
func typed(content string) string {
	blocks := []string{}
	if strings.HasPrefix(content, `"`) {
		blocks = append(blocks, jsonl.Text(content))
	}
	for block := range store.Blocks(content) {
		if text, ok := store.BlockText(block); ok {
			blocks = append(blocks, text)
		}
	}
	var words []string
	for _, text := range blocks {
		text = store.Without(text, reminderOpens, reminderCloses)
		if at := asked().FindStringIndex(text); at != nil {
			query, _, _ := strings.Cut(text[at[1]:], queryCloses)
			text = strings.TrimSpace(query)
		}
		if text != "" && !store.Tagged(text, notificationTag) && !notices().MatchString(text) {
			words = append(words, text)
		}
	}
	return strings.Join(words, sessions.TurnGap)
}
