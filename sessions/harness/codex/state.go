package codex

import (
	"encoding/json"
	"time"

	"yore/sessions"
)

// state is what has to be remembered of a rollout's beginning to read on as if
// it were read in one go. It is kept in a Mark, so it must stay small however
// long the rollout is.
type state struct {
	Session sessions.Session
	Named   bool // Session.Title is a name that was given, not a nickname
	Meta    bool // the rollout's own session_meta is read

	Driven bool `json:",omitempty"` // a program asked in it once
	Sat    bool `json:",omitempty"` // a person did

	Bare, Enveloped bool // which era its lines are of, as far as it is known

	Lines int64
	Turns int // sent so far

	Replay replay
	IDs    numbering
	Twins  twins
	Last   lastPrompt
	Calls  []openCall // calls without output yet, oldest first
	Goal   uint64     `json:",omitempty"` // hash of the objective that was told last
}

// lastPrompt is what tells a prompt's twin, or its repetition, from a new one.
type lastPrompt struct {
	Hash     uint64
	Form     form
	Answered bool // something came back
	Aborted  bool // its turn was broken off
	Any      bool // there was one of the session's own
}

// openCall is a tool call whose output is to come.
type openCall struct {
	ID   string
	Tool string
	// Held is an output that an event gave; the item that says it again is
	// worth more.
	Held *heldOutput `json:",omitempty"`
}

type heldOutput struct {
	Text   string
	Cut    bool
	Failed bool
	At     time.Time
}

// maxOpenCalls bounds the calls that wait for an output; parallel calls are
// few, and a call from before an interruption never gets one.
const maxOpenCalls = 64

// decode is the state in a mark; false when there is none that can be read.
func decode(b []byte) (state, bool) {
	var s state
	if len(b) == 0 || json.Unmarshal(b, &s) != nil {
		return state{}, false
	}
	return s, true
}

// encode is the form of it that decode reads.
func (s *state) encode() []byte {
	b, err := json.Marshal(s)
	if err != nil { // a year beyond 9999 in a time: not to be resumed
		return nil
	}
	return b
}
