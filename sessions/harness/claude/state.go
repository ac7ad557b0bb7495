package claude

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// How much a state remembers. What is older cannot change any more in files
// that the harness writes.
const (
	keptAnswers = 4    // messages that may get further records
	keptParts   = 256  // records of one message
	keptCalls   = 64   // calls that wait for their output
	keptDone    = 16   // calls that just had it
	keptQueue   = 32   // prompts that wait to be repeated
	keptLeaves  = 64   // summaries whose session is not known yet
	keptForks   = 4096 // places at which a prompt was typed
	keptChains  = 16   // sub-agents that stand in their parent's file
	keptLinks   = 64   // records of one of those that may be answered
	keptThin    = 16   // records without turns, which stand just before a prompt
	keptUndone  = 4096 // turns on abandoned branches
)

// state is what a Read hands to the next one of the same file, as JSON in
// Mark.State: what is known of the session, and what a later record can refer
// to. Reading a file in any steps gives the same turns because one Read keeps
// no more than this either.
type state struct {
	facts
	Custom, AI, Agent  string  `json:",omitempty"` // titles by who gave them
	Summary            summary `json:",omitzero"`
	Parent, ParentCall string  `json:",omitempty"`
	ForkedFrom         string  `json:",omitempty"`

	Ended   uint64             `json:",omitempty"` // hash of the record at which Summary ends
	Own     bool               `json:",omitempty"` // a record of its own was seen
	Repeats bool               `json:",omitempty"` // a sub-agent's file begins with its parent's talk
	Begun   bool               `json:",omitempty"` // something was said
	Leaves  map[string]summary `json:",omitempty"` // summaries by the record they end at
	Answers []*answer          `json:",omitempty"` // newest last
	Calls   []call             `json:",omitempty"` // newest last
	Done    []uint64           `json:",omitempty"` // hashes of the ids of calls
	Held    []held             `json:",omitempty"`
	Queue   []queued           `json:",omitempty"`
	Queued  []uint64           `json:",omitempty"` // hashes of the latest queued prompts
	Ran     string             `json:",omitempty"` // the command of the user that may print something
	Chains  []*chain           `json:",omitempty"`
	Chained int                `json:",omitempty"` // chains so far

	Forks    []uint64 `json:",omitempty"` // hashes of what prompts follow
	Thin     []thin   `json:",omitempty"` // newest last
	Branched bool     `json:",omitempty"` // two prompts have the same parent
	Undone   []string `json:",omitempty"` // turns reported as abandoned
}

// facts are what the records of one session tell about it.
type facts struct {
	Dir, LastDir, Branch, Model string    `json:",omitempty"`
	Start, Last                 time.Time `json:",omitzero"`
	Talk                        bool      `json:",omitempty"` // it holds conversation: it is a session
	Driven, Sat                 bool      `json:",omitempty"` // a program asked; somebody sat at it
}

// driven are the ways to start the program in which another one asks: "claude -p",
// the SDK for Python and the action for GitHub. The SDK for TypeScript ("sdk-ts") is
// not among them: editors and desktop programs are built on it, at which people type.
var driven = []string{"sdk-cli", "sdk-py", "claude-code-github-action"}

// entered notes what the program was started as when a record was written. A session
// that a program began may be gone on with by somebody.
func (f *facts) entered(entry string) {
	switch {
	case slices.Contains(driven, entry):
		f.Driven = true
	case entry != "":
		f.Sat = true
	}
}

// observe notes what the envelope of a record tells.
func (f *facts) observe(e record) {
	if e.cwd != "" && e.cwd != f.LastDir {
		f.LastDir = strings.Clone(e.cwd)
		if f.Dir == "" {
			f.Dir = f.LastDir
		}
	}
	if e.branch != "" && e.branch != f.Branch {
		f.Branch = strings.Clone(e.branch)
	}
	at := instant(e.at)
	if at.IsZero() {
		return
	}
	if f.Start.IsZero() || at.Before(f.Start) {
		f.Start = at
	}
	if (e.kind == "user" || e.kind == "assistant") && at.After(f.Last) {
		f.Last = at
	}
}

// decodeState reads a state; an unreadable one is empty.
func decodeState(data []byte) *state {
	s := &state{}
	if len(data) > 0 && json.Unmarshal(data, s) != nil {
		s = &state{}
	}
	return s
}

// encode writes a state.
func (s *state) encode() []byte {
	data, err := json.Marshal(s)
	if err != nil { // only for a time beyond the year 9999
		s.Start, s.Last = time.Time{}, time.Time{}
		data, _ = json.Marshal(s)
	}
	return data
}

// title is the session's title by the harness's ranks; index is the one of the
// project's index.
func (s *state) title(index string) string {
	for _, title := range []string{s.Custom, s.AI, s.Agent, s.Summary.Title, index} {
		if title != "" {
			return title
		}
	}
	return ""
}
