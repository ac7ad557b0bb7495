package cli

// program is the whole command line; kong reads it, and so do --help and the
// tables of the README.
type program struct {
	Demo    bool `help:"Search invented sample sessions instead of your own: yore --demo sharded cache"`
	NoColor bool `help:"No colours; NO_COLOR does the same: yore --no-color"`

	Version versionFlag `help:"Print the version: yore --version"`

	Screen   screenCommand   `cmd:"" name:"${screen}" default:"withargs" hidden:"" help:"Search on screen."`
	Recall   recallCommand   `cmd:"" help:"Print the passages that answer a question."`
	Read     readCommand     `cmd:"" help:"Print a passage with its neighbours."`
	Sessions sessionsCommand `cmd:"" help:"List the sessions, newest first."`
	Index    indexCommand    `cmd:"" help:"Read all transcripts and say what was found."`
	VersionC versionCommand  `cmd:"" name:"version" help:"Print the version."`
}

// screenName is the name by which the default command can be addressed. It is
// one that no query begins with: "yore recall ..." has to stay a command, and
// "yore -- recall ..." a query.
const screenName = "search-on-screen"

// filters are the flags that narrow a search or a list.
type filters struct {
	Agent   []string `placeholder:"NAME" sep:"none" help:"Only sessions of this agent program; may be repeated: --agent claude --agent codex"`
	Since   string   `placeholder:"WHEN" help:"Only what was said from then on: --since 3d, --since yesterday, --since 2026-05-01"`
	Exclude []string `placeholder:"ID" sep:"none" help:"Leave this session out, by its whole id; may be repeated: --exclude 7c1e5b0a-3f52-4d0e-9a41-5b6f0c2d8e11"`
}

// output says how a list is printed.
type output struct {
	JSON  bool `help:"One JSON object: --json" name:"json" xor:"form"`
	JSONL bool `help:"One JSON row a line: --jsonl" name:"jsonl" xor:"form"`
}
