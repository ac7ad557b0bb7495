package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"yore/sessions"
	"yore/sessions/harness"
	"yore/sessions/store"
)

// name is that of the server's entry.
const name = "yore"

// agent is one agent program that can be told of the server.
type agent struct {
	name string
	// home is the folder that is there where the agent was ever used, and file its
	// configuration; "" when the environment does not tell.
	place func(env sessions.Env) (home, file string)
	form  form
}

// form is a language of configuration files, and an agent's way to write the entry.
type form interface {
	// put is data with an entry that starts command. What the entry has beside that
	// stays.
	put(data []byte, command []string) ([]byte, error)
	// drop is data without the entry.
	drop(data []byte) ([]byte, error)
	// command is what the entry starts; nil without an entry.
	command(data []byte) ([]string, error)
}

// agents are all that can be told, by their contract names.
var agents = []agent{
	{"claude", claudePlace, jsonForm{"mcpServers", typed("stdio")}},
	{"codex", below("CODEX_HOME", ".codex", "config.toml"), tomlForm{}},
	{"cursor", below("", ".cursor", "mcp.json"), jsonForm{"mcpServers", plain}},
	{"gemini", geminiPlace, jsonForm{"mcpServers", plain}},
	{"opencode", openCodePlace, jsonForm{"mcp", joined}},
	{"vscode-copilot", codePlace, jsonForm{"servers", typed("stdio")}},
}

// Names are the names of all agents that can be told.
func Names() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

// Present are the names of the agents that are or were in use here.
func Present(env sessions.Env) []string {
	var names []string
	for _, a := range agents {
		if home, file := a.place(env); isThere(home) || isThere(file) {
			names = append(names, a.name)
		}
	}
	return names
}

func isThere(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

// find is the agent that somebody calls so.
func find(called string) (agent, bool) {
	canonical, ok := harness.Canonical(called)
	if !ok {
		return agent{}, false
	}
	for _, a := range agents {
		if a.name == canonical {
			return a, true
		}
	}
	return agent{}, false
}

// ownVariables are those by which the agents themselves are told of another folder than
// their own, or file.
var ownVariables = []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG"}

// file is where the agent has its configuration, and unmade the reason for which none may
// be made there, if there is one. A variable that names a relative path is an error:
// Codex, for one, takes that below whatever folder it is started in. Nothing is made for
// one that names a folder that is not there: Codex does not start then, and where the
// name is misspelt, no agent would ever read it.
func (a agent) file(env sessions.Env) (file string, unmade, err error) {
	relative, own, getenv := "", "", env.Getenv
	env.Getenv = func(name string) string {
		value := getenv(name)
		if value != "" && !filepath.IsAbs(value) {
			relative = name
		}
		if value != "" && slices.Contains(ownVariables, name) {
			own = name
		}
		return value
	}
	_, file = a.place(env)
	switch {
	case file == "":
		return "", nil, fmt.Errorf("where %s has its configuration is not known: set HOME to an absolute path", a.name)
	case filepath.IsAbs(file):
		return file, absent(own, getenv(own), file), nil
	}
	here, err := filepath.Abs(file)
	if err != nil {
		return "", nil, err
	}
	return "", nil, fmt.Errorf("%s is a relative path, by which %s has another configuration in every folder, here %s: set %s to an absolute path", relative, a.name, here, relative)
}

// absent is the error for a variable by which the file is known, and whose folder is not
// there; nil without a variable.
func absent(variable, value, file string) error {
	if variable == "" {
		return nil
	}
	folder := value
	if value == file {
		folder = filepath.Dir(file)
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s names %s, and there is no folder %s: make it, or set %s to the right one", variable, value, folder, variable)
	}
	return nil
}

// below is a file in a folder that a variable names, else in one of the home
// directory.
func below(variable, folder, file string) func(sessions.Env) (string, string) {
	return func(env sessions.Env) (string, string) {
		dir := ""
		if variable != "" {
			dir = env.Getenv(variable)
		}
		if dir == "" && env.Home != "" {
			dir = filepath.Join(env.Home, folder)
		}
		if dir == "" {
			return "", ""
		}
		return dir, filepath.Join(dir, file)
	}
}

// claudePlace: Claude Code has its file beside its folder, unless the folder is
// another: then it is in it.
func claudePlace(env sessions.Env) (home, file string) {
	const file0 = ".claude.json"
	if dir := env.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir, filepath.Join(dir, file0)
	}
	if env.Home == "" {
		return "", ""
	}
	return filepath.Join(env.Home, ".claude"), filepath.Join(env.Home, file0)
}

// geminiPlace: the variable names what stands for the home directory.
func geminiPlace(env sessions.Env) (home, file string) {
	if dir := env.Getenv("GEMINI_CLI_HOME"); dir != "" {
		env.Home = dir
	}
	return below("", ".gemini", "settings.json")(env)
}

// openCodePlace: with comments the file may end in .jsonc, which is read last and so
// wins.
func openCodePlace(env sessions.Env) (home, file string) {
	if file := env.Getenv("OPENCODE_CONFIG"); file != "" {
		return filepath.Dir(file), file
	}
	base := env.Getenv("XDG_CONFIG_HOME")
	if base == "" && env.Home != "" {
		base = filepath.Join(env.Home, ".config")
	}
	if base == "" {
		return "", ""
	}
	home = filepath.Join(base, "opencode")
	for _, name := range []string{"opencode.jsonc", "opencode.json", "config.json"} {
		if file = filepath.Join(home, name); isThere(file) {
			return home, file
		}
	}
	return home, filepath.Join(home, "opencode.json")
}

// codePlace is the folder of a user of Visual Studio Code.
func codePlace(env sessions.Env) (home, file string) {
	home = store.AppFolder(env, "Code", "User").Path
	if home == "" {
		return "", ""
	}
	return home, filepath.Join(home, "mcp.json")
}
