package sessions

import "time"

// Key names one session across all harnesses.
type Key struct {
	Harness string // contract name: "claude", "codex", ...
	ID      string // the harness's own id, whole
}

// TimeFrom says where a session's times come from.
type TimeFrom string

// The places a session's times can come from, best first.
const (
	TimeMessage TimeFrom = "message" // the records' own times
	TimeHeader  TimeFrom = "header"  // the transcript's header
	TimeName    TimeFrom = "name"    // the file's name
	TimeMtime   TimeFrom = "mtime"   // the file's modification time
)

// Session is what is known of one transcript apart from its text.
type Session struct {
	Key
	Provider      string // the model's maker where known ("anthropic", "openai", ...), else ""
	Directory     string // where it began; resume there
	LastDirectory string // where it last was, "" when it never moved
	Title         string // by the harness's own rules; "" until a prompt is read
	Branch        string
	Model         string
	Start         time.Time // zero when unknown
	LastActive    time.Time // newest message time; zero when unknown
	TimeFrom      TimeFrom

	Prompts   int // what a human typed here; copies in a fork aside
	Replies   int // assistant messages that have text; copies aside
	ToolCalls int // calls by the assistant; copies aside
	Passages  int // all, copies included

	Headless   bool   // a program, a schedule or a one-shot command began it; nobody is known to have sat at it
	Subagent   bool   // it worked for another session
	Parent     string // that session's id; may name one whose file is gone
	ParentCall string // the parent's tool call that started it, by the harness's key
	ForkedFrom string // id of the session whose history it repeats

	Running bool     // the harness says it is at work now
	Gone    bool     // its transcript is no longer on disk
	Path    string   // the transcript's file
	Resume  []string // argument vector that goes on with it, to be run in Directory
}
