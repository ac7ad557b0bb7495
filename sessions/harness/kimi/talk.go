package kimi

import (
	"strconv"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"timestamp":`, `{"type":"`, `{"role":"`}

// maxPart bounds a text that is put together from pieces: what follows is a text
// of its own.
const maxPart = 1 << 20

// part is a text, a thought or a call of which more pieces may come.
type part struct {
	Kind       sessions.Kind
	ID         string    `json:",omitempty"` // "" while there is none
	At         time.Time `json:",omitzero"`
	Text       []byte    `json:",omitempty"` // which is quick to add to
	Call, Tool string    `json:",omitempty"`
	Step       string    `json:",omitempty"` // that all pieces are of
}

func (p part) turn() sessions.Turn {
	return sessions.Turn{Kind: p.Kind, Role: sessions.Assistant, ID: p.ID, At: p.At, Text: string(p.Text), Call: p.Call, Tool: p.Tool}
}

// voice is what is remembered of one who speaks, the session or a sub-agent, in
// a Mark's state.
type voice struct {
	store.Facts
	Open  part
	Calls store.Calls
}

// speaker tells what one says.
type speaker struct {
	*voice
	id    string
	to    sessions.Sink
	facts func() sessions.Session
	told  bool
}

// turnID names a turn by its record. A copy of a session has the same records at
// the same places.
func turnID(at time.Time, offset int64) string {
	if at.IsZero() {
		return strconv.FormatInt(offset, 36)
	}
	return strconv.FormatInt(at.UnixMilli(), 36) + "/" + strconv.FormatInt(offset, 36)
}

// say tells a turn of the conversation, before the first what is known of the
// session.
func (s *speaker) say(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	s.Talk = true
	if !t.Copied {
		s.Said(t.At)
	}
	if !s.told {
		s.told = true
		s.to.Facts(s.facts())
	}
	s.to.Turn(s.id, t, true)
}

func (s *speaker) prompt(t sessions.Turn, text string) {
	t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, text
	s.say(t)
}

func (s *speaker) think(t sessions.Turn, text string) {
	t.Kind, t.Role, t.Text = sessions.Thinking, sessions.Assistant, text
	if strings.TrimSpace(text) != "" {
		s.to.Turn(s.id, t, false)
	}
}

// call tells a call. Its arguments are JSON, or a text that holds JSON, or one
// that was not written to its end.
func (s *speaker) call(t sessions.Turn, arguments string) {
	if !s.Calls.Begin(t.Call, store.Call{Tool: t.Tool, Task: task(arguments)}) {
		return
	}
	t.Kind, t.Role = sessions.ToolCall, sessions.Assistant
	if jsonl.Valid(arguments) {
		t.Text, t.Cut = store.Input(arguments)
	} else {
		t.Text, t.Cut = sessions.CapOutput(arguments)
	}
	s.to.Turn(s.id, t, false)
}

// maxTask is how much of a prompt to a sub-agent is remembered until that begins.
const maxTask = 16 << 10

// task is the prompt that a call gives to a sub-agent, "" when it is none.
func task(arguments string) string {
	if !jsonl.Valid(arguments) || jsonl.Field(arguments, "description") == "" {
		return ""
	}
	prompt := jsonl.Text(jsonl.Field(arguments, "prompt"))
	return strings.ToValidUTF8(prompt[:min(len(prompt), maxTask)], "")
}

// output tells what a call returned.
func (s *speaker) output(t sessions.Turn, text string) {
	call, fresh := s.Calls.End(t.Call)
	if !fresh || strings.TrimSpace(text) == "" {
		return
	}
	t.Kind, t.Role, t.Tool = sessions.ToolOutput, sessions.Assistant, call.Tool
	t.Text, t.Cut = sessions.CapOutput(text)
	s.to.Turn(s.id, t, false)
}

// piece adds to the open text, or begins one.
func (s *speaker) piece(kind sessions.Kind, t sessions.Turn, text string) {
	if s.Open.ID == "" || s.Open.Kind != kind || len(s.Open.Text) > maxPart {
		s.close()
		s.Open = part{Kind: kind, ID: t.ID, At: t.At}
	}
	s.Open.Text = append(s.Open.Text, text...)
	s.Said(t.At)
}

// close tells the open part: nothing will be added to it.
func (s *speaker) close() {
	p := s.Open
	s.Open = part{}
	switch t := p.turn(); {
	case p.ID == "":
	case p.Kind == sessions.Reply:
		s.say(t)
	case p.Kind == sessions.Thinking:
		s.think(t, t.Text)
	default:
		s.call(t, t.Text)
	}
}

// pause tells the open part as far as it can be told again, or is whole.
func (s *speaker) pause() {
	switch p := s.Open; {
	case p.ID == "":
	case p.Kind == sessions.Reply:
		s.say(p.turn())
	case p.Kind == sessions.ToolCall && jsonl.Valid(string(p.Text)):
		s.close()
	}
}
