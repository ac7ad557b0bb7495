package sessions

import "time"

// Kind is what a turn is.
type Kind uint8

// The kinds of turn. Prompt, Reply and Summary are conversation and are cut
// into numbered passages; the others hang on a passage.
const (
	Prompt     Kind = iota // typed by a human (in a sub-agent: its task)
	Reply                  // text of the assistant
	Summary                // compaction summary: neither typed nor answered
	Thinking               // reasoning
	ToolCall               // a call, its input as text
	ToolOutput             // what a call returned
)

var kindNames = [...]string{"prompt", "reply", "summary", "thinking", "tool call", "tool output"}

// String is the kind as the user reads it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Conversation tells whether turns of this kind are numbered in passages.
func (k Kind) Conversation() bool { return k <= Summary }

// Role is who speaks: "user" or "assistant".
type Role uint8

// The roles. A tool's output counts as the assistant's side of the talk.
const (
	User Role = iota
	Assistant
)

// String is the role's name in filters and JSON.
func (r Role) String() string {
	if r == User {
		return "user"
	}
	return "assistant"
}

// Turn is one message, or one tool call or output, of a session.
type Turn struct {
	Kind Kind
	Role Role
	At   time.Time // zero when the record has none
	ID   string    // the message's id in its harness, the same in every copy of it; may be ""
	Text string    // UTF-8, as the transcript says it: a reader does not clean it

	Tool   string // ToolCall, ToolOutput: the tool's name ("" when an output's call is unknown)
	Call   string // ToolCall, ToolOutput: the id that joins the two
	Failed bool   // ToolOutput: the harness marked it as an error
	Cut    bool   // Text is shortened (CapOutput, a spill that is gone)

	Copied bool // repeated from another session (fork, resume, replay)
	Undone bool // rewound, rolled back or on an abandoned branch
}
