package cli

import (
	"strconv"

	"github.com/alecthomas/kong"

	"yore/recall/query"
	"yore/ui/mcp"
)

// program is the whole command line; kong reads it, and so do --help and the
// tables of the README.
type program struct {
	Demo    bool `help:"Search invented sample sessions instead of your own: yore --demo sharded cache"`
	Plain   bool `help:"Lines to be read aloud: nothing is drawn or coloured, and the screen is a dialogue: yore --plain sharded cache"`
	NoColor bool `help:"No colours; NO_COLOR does the same: yore --no-color"`

	Config string `placeholder:"FILE" help:"Use this configuration file, YORE_CONFIG does the same: yore --config other.toml"`

	ShowSecrets bool `help:"Show credentials as they are; they are masked else: yore --show-secrets"`

	Version versionFlag `short:"V" help:"Print the version: yore --version"`

	Screen   screenCommand     `cmd:"" name:"search-on-screen" default:"withargs" hidden:"" help:"Search on screen."`
	Recall   recallCommand     `cmd:"" set:"row_keys=session_id,text" help:"Print the passages that answer a question."`
	Context  contextCommand    `cmd:"" set:"row_keys=session_id,text" help:"Print one markdown digest of what answers, to paste into a prompt."`
	Read     readCommand       `cmd:"" set:"row_keys=passage,turns" help:"Print a passage with its neighbours."`
	Sessions sessionsCommand   `cmd:"" set:"row_keys=session_id,title" help:"List the sessions, newest first."`
	Index    indexCommand      `cmd:"" help:"Read all transcripts and say what was found."`
	Forget   forgetCommand     `cmd:"" help:"Remove sessions from the index for good; no transcript is changed."`
	Doctor   doctorCommand     `cmd:"" set:"row_keys=harness,sessions" help:"Say what was found, read and skipped, and what will be deleted soon."`
	Tail     tailCommand       `cmd:"" help:"Follow a log or a session, lines that repeat counted."`
	Collapse collapseCommand   `cmd:"" help:"Write lines that repeat once, with their number; nothing is lost."`
	Expand   expandCommand     `cmd:"" help:"Give back the exact bytes of collapsed text."`
	Mcp      mcpCommand        `cmd:"" name:"mcp" help:"Answer agents: a server of the Model Context Protocol on stdin and stdout."`
	Settings configCommand     `cmd:"" name:"config" set:"row_keys=key,value" help:"Print what is set, and where each value comes from."`
	Model    modelCommand      `cmd:"" help:"Show or change the model that finds what is about the same thing."`
	Widget   widgetCommand     `cmd:"" help:"Print what binds a key of your shell to choosing a session."`
	Complete completionCommand `cmd:"" name:"completion" help:"Print what makes your shell complete commands and flags."`
	Man      manCommand        `cmd:"" help:"Print the manual page: yore man | man -l -"`
	VersionC versionCommand    `cmd:"" name:"version" help:"Print the version."`
}

// filterFlags are the filters of the query language as flags; they mean the same.
// Their help is that of query.Specs (helpVars).
type filterFlags struct {
	Agent    []string `short:"a" sep:"none" placeholder:"${agent_value}" help:"${agent_help}"`
	Dir      []string `short:"d" sep:"none" placeholder:"${dir_value}" help:"${dir_help}"`
	Role     []string `sep:"none" placeholder:"${role_value}" help:"${role_help}"`
	In       []string `sep:"none" placeholder:"${in_value}" help:"${in_help}"`
	Since    string   `placeholder:"${since_value}" help:"${since_help}"`
	Before   string   `placeholder:"${before_value}" help:"${before_help}"`
	On       []string `sep:"none" placeholder:"${on_value}" help:"${on_help}"`
	Session  []string `sep:"none" placeholder:"${session_value}" help:"${session_help}"`
	Title    string   `placeholder:"${title_value}" help:"${title_help}"`
	Branch   []string `sep:"none" placeholder:"${branch_value}" help:"${branch_help}"`
	Agents   string   `placeholder:"${agents_value}" help:"${agents_help}"`
	Headless string   `placeholder:"${headless_value}" help:"${headless_help}"`
}

// filters are the flags that were given, as filters.
func (f filterFlags) filters() []query.Filter {
	var out []query.Filter
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, query.Filter{Name: name, Value: v})
			}
		}
	}
	add(query.Agent, f.Agent...)
	add(query.Dir, f.Dir...)
	add(query.Role, f.Role...)
	add(query.In, f.In...)
	add(query.Since, f.Since)
	add(query.Before, f.Before)
	add(query.On, f.On...)
	add(query.Session, f.Session...)
	add(query.Title, f.Title)
	add(query.Branch, f.Branch...)
	add(query.Agents, f.Agents)
	add(query.Headless, f.Headless)
	return out
}

// helpVars are the words by which help describes the filters.
func helpVars() kong.Vars {
	vars := kong.Vars{"expand_most": strconv.Itoa(expandMost), "hook_budget": strconv.Itoa(mcp.HookBudget)}
	for _, s := range query.Specs() {
		vars[s.Name+"_value"] = s.Value
		more := ""
		if s.Several {
			more = "; may be repeated"
		}
		vars[s.Name+"_help"] = s.Help + more + ": --" + s.Name + " " + s.Example
	}
	return vars
}

// listFlags are the filters that choose sessions for a list.
type listFlags struct {
	Agent    []string `short:"a" sep:"none" placeholder:"${agent_value}" help:"${agent_help}"`
	Dir      string   `short:"d" placeholder:"${dir_value}" help:"${dir_help}"`
	Since    string   `placeholder:"${since_value}" help:"Only sessions that were active from then on: --since 3d"`
	Title    string   `placeholder:"${title_value}" help:"${title_help}"`
	Headless string   `placeholder:"${headless_value}" help:"${headless_help}"`
}

// narrows tells whether only some of the sessions are asked for.
func (f listFlags) narrows() bool {
	return len(f.Agent) > 0 || f.Dir != "" || f.Since != "" || f.Title != "" || f.Headless != ""
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
	JSON  bool `short:"j" help:"One JSON object: --json" name:"json" xor:"form"`
	JSONL bool `help:"One JSON row a line: --jsonl" name:"jsonl" xor:"form"`

	Fields []string `placeholder:"A,B" help:"Only these keys of each JSON row: --fields ${row_keys}"`
}
