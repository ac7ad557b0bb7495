package cli

// program is the whole command line; kong reads it, and so do --help and the
// tables of the README.
type program struct {
	Demo    bool `help:"Search invented sample sessions instead of your own: yore --demo sharded cache"`
	NoColor bool `help:"No colours; NO_COLOR does the same: yore --no-color"`

	Version versionFlag `help:"Print the version: yore --version"`

	Screen   screenCommand   `cmd:"" name:"search-on-screen" default:"withargs" hidden:"" help:"Search on screen."`
	Recall   recallCommand   `cmd:"" help:"Print the passages that answer a question."`
	Read     readCommand     `cmd:"" help:"Print a passage with its neighbours."`
	Sessions sessionsCommand `cmd:"" help:"List the sessions, newest first."`
	Index    indexCommand    `cmd:"" help:"Read all transcripts and say what was found."`
	VersionC versionCommand  `cmd:"" name:"version" help:"Print the version."`
}

// filters are the flags that narrow a search or a list.
type filters struct {
	Agent []string `placeholder:"NAME" sep:"none" help:"Only sessions of this agent program; may be repeated: --agent claude --agent codex"`
	Since string   `placeholder:"WHEN" help:"Only what was said from then on: --since 3d, --since yesterday, --since 2026-05-01"`
}

// check refuses what does not go together.
func (o output) check() error {
	if len(o.Fields) > 0 && !o.JSON && !o.JSONL {
		return usagef("--fields picks keys of JSON rows: add --json or --jsonl")
	}
	return nil
}

// output says how a list is printed.
type output struct {
	JSON  bool `help:"One JSON object: --json" name:"json" xor:"form"`
	JSONL bool `help:"One JSON row a line: --jsonl" name:"jsonl" xor:"form"`

	Fields []string `placeholder:"A,B" help:"Only these keys of each JSON row: --fields session_id,text"`
}
