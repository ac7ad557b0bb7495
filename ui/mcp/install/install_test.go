package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/sessions"
)

var (
	command = []string{"/opt/yore bin/yore", "mcp"}
	noon    = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

func surroundings(home string) sessions.Env {
	return sessions.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: "linux"}
}

// files are where each agent has its configuration below a home directory.
var files = map[string]string{
	"claude": ".claude.json", "codex": ".codex/config.toml", "cursor": ".cursor/mcp.json",
	"gemini": ".gemini/settings.json", "opencode": ".config/opencode/opencode.json",
	"vscode-copilot": ".config/Code/User/mcp.json",
}

func written(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(t *testing.T, home, agent string) Change {
	t.Helper()
	c, err := Put(surroundings(home), agent, command)
	if err != nil {
		t.Fatal(agent, err)
	}
	return c
}

func apply(t *testing.T, c Change, after time.Duration) string {
	t.Helper()
	backup, err := c.Apply(noon.Add(after))
	if err != nil {
		t.Fatal(err)
	}
	return backup
}

func place(t *testing.T, home, file, text string) string {
	t.Helper()
	path := filepath.Join(home, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// cases are what a configuration can hold, and what it holds with the server.
var cases = map[string]map[string][2]string{
	"claude": {
		"empty":  {"", "{\n  \"mcpServers\": {\n    \"yore\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/yore bin/yore\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		"others": {"{\n  \"numStartups\": 7,\n  \"mcpServers\": {}\n}", "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"yore\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/yore bin/yore\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}"},
		"flat":   {`{"a":1,"mcpServers":{"b":{"command":"b"}}}`, `{"a":1,"mcpServers":{"yore": {"type": "stdio", "command": "/opt/yore bin/yore", "args": ["mcp"]}, "b":{"command":"b"}}}`},
	},
	"cursor": {
		"tabs":    {"{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n", "{\r\n\t\"mcpServers\": {\r\n\t\t\"yore\": {\r\n\t\t\t\"command\": \"/opt/yore bin/yore\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t},\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n"},
		"an old":  {`{"mcpServers": {"yore": {"command": "/old/yore", "args": ["mcp"], "env": {"A": "1"}}}}`, `{"mcpServers": {"yore": {"command": "/opt/yore bin/yore", "args": ["mcp"], "env": {"A": "1"}}}}`},
		"a part":  {`{"mcpServers": {"yore": {"command": "/opt/yore bin/yore"}}}`, `{"mcpServers": {"yore": {"args": ["mcp"], "command": "/opt/yore bin/yore"}}}`},
		"a shell": {`{"mcpServers": {"yore": {}}}`, "{\"mcpServers\": {\"yore\": {\n  \"command\": \"/opt/yore bin/yore\",\n  \"args\": [\"mcp\"]\n}}}"},
		"a mark":  {"\uFEFF{}", "\uFEFF{\n  \"mcpServers\": {\n    \"yore\": {\n      \"command\": \"/opt/yore bin/yore\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}"},
	},
	"gemini": {
		"comments": {
			"// mine\n{\n    // look\n    \"theme\": \"x\", /* why */\n    \"mcpServers\": { // servers\n        /* one */ \"b\": {}, // last\n    },\n}\n",
			"// mine\n{\n    // look\n    \"theme\": \"x\", /* why */\n    \"mcpServers\": { // servers\n        \"yore\": {\n            \"command\": \"/opt/yore bin/yore\",\n            \"args\": [\"mcp\"]\n        },\n        /* one */ \"b\": {}, // last\n    },\n}\n",
		},
		"a comment alone": {
			"{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"yore\": {\n      \"command\": \"/opt/yore bin/yore\",\n      \"args\": [\"mcp\"]\n    }\n    // none yet\n  }\n}\n",
		},
	},
	"opencode": {
		"schema": {"{\n  \"$schema\": \"https://x\"\n}\n", "{\n  \"mcp\": {\n    \"yore\": {\n      \"type\": \"local\",\n      \"command\": [\"/opt/yore bin/yore\", \"mcp\"]\n    }\n  },\n  \"$schema\": \"https://x\"\n}\n"},
	},
	"vscode-copilot": {
		"inputs": {"{\n\t\"servers\": {},\n\t\"inputs\": []\n}", "{\n\t\"servers\": {\n\t\t\"yore\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/yore bin/yore\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t},\n\t\"inputs\": []\n}"},
	},
	"codex": {
		"empty": {"", "[mcp_servers.yore]\ncommand = \"/opt/yore bin/yore\"\nargs = [\"mcp\"]\n"},
		"comments": {
			"# mine\r\nmodel = \"x\" # why\r\n[mcp_servers.b] # b\r\ncommand = 'b'",
			"# mine\r\nmodel = \"x\" # why\r\n[mcp_servers.b] # b\r\ncommand = 'b'\r\n\r\n[mcp_servers.yore]\r\ncommand = \"/opt/yore bin/yore\"\r\nargs = [\"mcp\"]\r\n",
		},
		"an old": {
			"[mcp_servers.yore] # search\nargs = [\n  'mcp', # so\n  'x' ]\ncommand = '/old' # here\nstartup_timeout_sec = 9\n\n[mcp_servers.yore.env]\nA = '1'\n[b]\n",
			"[mcp_servers.yore] # search\nargs = [\"mcp\"]\ncommand = \"/opt/yore bin/yore\" # here\nstartup_timeout_sec = 9\n\n[mcp_servers.yore.env]\nA = '1'\n[b]\n",
		},
		"dotted":   {"mcp_servers.b.command = 'b'\n", "mcp_servers.b.command = 'b'\n\n[mcp_servers.yore]\ncommand = \"/opt/yore bin/yore\"\nargs = [\"mcp\"]\n"},
		"no value": {"[mcp_servers.yore]", "[mcp_servers.yore]\ncommand = \"/opt/yore bin/yore\"\nargs = [\"mcp\"]"},
	},
}

func TestPutEditsInPlaceAndDropUndoes(t *testing.T) {
	for agent, texts := range cases {
		for what, text := range texts {
			t.Run(agent+" "+what, func(t *testing.T) {
				home := t.TempDir()
				path := place(t, home, files[agent], text[0])
				c := put(t, home, agent)
				if c.None() || c.File != path || !strings.Contains(c.Diff(), "+") {
					t.Fatal(c.Diff())
				}
				if written(t, path) != text[0] {
					t.Fatal("looking has changed the file")
				}
				backup := apply(t, c, 0)
				if got := written(t, path); got != text[1] {
					t.Fatalf("got  %q\nwant %q", got, text[1])
				}
				if written(t, backup) != text[0] {
					t.Error("the copy is not what was there")
				}
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
					t.Error(info.Mode(), err)
				}
				if again := put(t, home, agent); !again.None() {
					t.Errorf("not there yet: %s", again.Diff())
				}
				had := strings.Contains(text[0], "yore")
				undo, err := Drop(surroundings(home), agent)
				if err != nil {
					t.Fatal(err)
				}
				apply(t, undo, time.Hour)
				got := written(t, path)
				if !had && got != text[0] {
					t.Errorf("undone %q, was %q", got, text[0])
				}
				if strings.Contains(strings.ReplaceAll(got, "yore bin/yore", ""), "yore") {
					t.Errorf("not taken out: %q", got)
				}
				if undo, err = Drop(surroundings(home), agent); err != nil || !undo.None() {
					t.Error("there is more to take out", err)
				}
			})
		}
	}
}

// What somebody changed since stays when the server is taken out.
func TestDropKeepsWhatChangedSince(t *testing.T) {
	for agent, texts := range cases {
		for what, text := range texts {
			t.Run(agent+" "+what, func(t *testing.T) {
				home := t.TempDir()
				f, _ := find(agent)
				path := place(t, home, files[agent], text[0])
				apply(t, put(t, home, agent), 0)
				since := written(t, path) + "\n\n"
				if agent == "codex" {
					since += "[later]\na = 1\n"
				}
				place(t, home, files[agent], since)
				undo, err := Drop(surroundings(home), agent)
				if err != nil {
					t.Fatal(err)
				}
				apply(t, undo, time.Hour)
				got := written(t, path)
				if left, err := f.form.command([]byte(got)); err != nil || left != nil {
					t.Errorf("%q is left: %q %v", left, got, err)
				}
				for _, word := range []string{"//", "#", "later", "theme", "\"b\"", "$schema", "inputs", "numStartups"} {
					if n := strings.Count(since, word); strings.Count(got, word) != n && !strings.Contains(text[0], "yore") {
						t.Errorf("%q stood there %d times: %q", word, n, got)
					}
				}
			})
		}
	}
}

func TestAbsentFileIsMadeAndRemoved(t *testing.T) {
	for agent, file := range files {
		home := t.TempDir()
		c := put(t, home, agent)
		if backup := apply(t, c, 0); backup != "" {
			t.Error(agent, "a copy of nothing:", backup)
		}
		path := filepath.Join(home, file)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(written(t, path), command[0]) {
			t.Fatal(agent, info, err)
		}
		undo, err := Drop(surroundings(home), agent)
		if err != nil || undo.None() {
			t.Fatal(agent, err)
		}
		apply(t, undo, time.Hour)
		if isThere(path) {
			t.Error(agent, written(t, path))
		}
		if undo, err = Drop(surroundings(home), agent); err != nil || !undo.None() {
			t.Error(agent, err)
		}
	}
}

func TestMalformedIsRefusedAndLeftAlone(t *testing.T) {
	for agent, texts := range map[string][]string{
		"claude":   {"{", "[]", `{"mcpServers": []}`, `{"mcpServers": {"yore": 7}}`, `{"a": 1, "a": 2}`, `{"mcpServers": {}, "mcpServers": {}}`, "{}{}", "null", "\x00", `{"a": "` + "\n" + `"}`, "<<<<<<< HEAD\n{}\n", strings.Repeat("[", 20_000_000)},
		"opencode": {"{ /* }", "mcp: yore"},
		"codex":    {"[", "a = ", "mcp_servers = 7", "mcp_servers = {b = {command = 'b'}}", "[mcp_servers]\nyore = 7", "mcp_servers.yore.command = 'x'", "[mcp_servers]\nyore = {command = 'x'}", "a = 1\na = 2", "[[mcp_servers]]", "{}", "\xff"},
	} {
		for _, text := range texts {
			home := t.TempDir()
			path := place(t, home, files[agent], text)
			_, err := Put(surroundings(home), agent, command)
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %.100q: %v", agent, text, err)
			}
			if c, err := Drop(surroundings(home), agent); err == nil && !c.None() {
				t.Errorf("%s: %q: taken out: %s", agent, text, c.Diff())
			}
			if written(t, path) != text {
				t.Errorf("%s: %q was changed", agent, text)
			}
		}
	}
}

func TestLinkIsFollowedAndStays(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	real := place(t, elsewhere, "dots/mcp.json", "{}\n")
	link := filepath.Join(home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	backup := apply(t, put(t, home, "cursor"), 0)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	if !strings.Contains(written(t, real), "yore") || filepath.Dir(backup) != filepath.Dir(real) {
		t.Error(written(t, real), backup)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := Put(surroundings(home), "cursor", command); !errors.Is(err, ErrRefused) {
		t.Error("a link to nothing was followed:", err)
	}
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	home := t.TempDir()
	path := place(t, home, files["cursor"], "{}\n")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Put(surroundings(home), "cursor", command); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "read-only") {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(home, ".codex"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, files["codex"]), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Put(surroundings(home), "codex", command); !errors.Is(err, ErrRefused) {
		t.Error("a folder was taken for a file:", err)
	}
	if _, err := Put(surroundings(""), "claude", command); !errors.Is(err, ErrRefused) || !strings.HasSuffix(err.Error(), "set HOME to an absolute path") {
		t.Error(err)
	}
	if _, err := Put(surroundings(home), "aider", command); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "cursor") {
		t.Error(err)
	}
}

func TestChangeSinceTheLookIsRefused(t *testing.T) {
	home := t.TempDir()
	path := place(t, home, files["claude"], "{}\n")
	c := put(t, home, "claude")
	place(t, home, files["claude"], "{\"a\": 1}\n")
	if _, err := c.Apply(noon); !errors.Is(err, ErrRefused) || written(t, path) != "{\"a\": 1}\n" {
		t.Error(err, written(t, path))
	}
	if names, _ := filepath.Glob(path + "*"); len(names) != 1 {
		t.Error(names)
	}
}

func TestPlacesFollowTheEnvironment(t *testing.T) {
	home := t.TempDir()
	env := surroundings(home)
	variables := map[string]string{
		"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "GEMINI_CLI_HOME": "/g", "XDG_CONFIG_HOME": "/xdg",
	}
	env.Getenv = func(name string) string { return variables[name] }
	for agent, want := range map[string]string{
		"claude": "/c/.claude.json", "codex": "/x/config.toml", "gemini": "/g/.gemini/settings.json",
		"opencode": "/xdg/opencode/opencode.json", "vscode": "/xdg/Code/User/mcp.json", "cursor": home + "/.cursor/mcp.json",
	} {
		a, ok := find(agent)
		if _, file := a.place(env); !ok || file != want {
			t.Errorf("%s: %q", agent, file)
		}
	}
	place(t, home, ".config/opencode/opencode.jsonc", "{}")
	if c := put(t, home, "open-code"); filepath.Base(c.File) != "opencode.jsonc" {
		t.Error(c.File)
	}
	if got := Present(surroundings(home)); len(got) != 1 || got[0] != "opencode" {
		t.Error(got)
	}
}

// A relative path leads elsewhere from every folder in which the agent is started:
// nothing is written below the one that yore happens to be in.
func TestRelativePlacesAreRefused(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for agent, m := range map[string]struct{ variable, file string }{
		"claude": {"CLAUDE_CONFIG_DIR", "sub/.claude.json"}, "codex": {"CODEX_HOME", "sub/config.toml"},
		"gemini": {"GEMINI_CLI_HOME", "sub/.gemini/settings.json"}, "opencode": {"OPENCODE_CONFIG", "sub"},
	} {
		env := surroundings(t.TempDir())
		env.Getenv = func(name string) string { return map[string]string{m.variable: "sub"}[name] }
		_, err := Put(env, agent, command)
		if said := fmt.Sprint(err); !errors.Is(err, ErrRefused) || !strings.Contains(said, "set "+m.variable+" to an absolute path") || !strings.Contains(said, filepath.Join(here, m.file)) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(here, "*")); len(names) != 0 {
		t.Error(names)
	}
}

// A variable may name a folder that is not there, as a misspelt one does: nothing is made
// there, which no agent would read, and Codex does not start.
func TestAbsentPlacesAreRefused(t *testing.T) {
	for agent, variable := range map[string]string{"claude": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME", "gemini": "GEMINI_CLI_HOME", "opencode": "OPENCODE_CONFIG"} {
		folder := filepath.Join(t.TempDir(), "sub")
		value := folder
		if agent == "opencode" {
			value = filepath.Join(folder, "own.json")
		}
		env := surroundings(t.TempDir())
		env.Getenv = func(name string) string { return map[string]string{variable: value}[name] }
		_, err := Put(env, agent, command)
		if said := fmt.Sprint(err); !errors.Is(err, ErrRefused) || !strings.Contains(said, variable+" names "+value) || !strings.Contains(said, "no folder "+folder) {
			t.Errorf("%s: %v", agent, err)
		}
		// Nor is there anything to take away, for which the folder would be needed.
		if c, err := Drop(env, agent); err != nil || !c.None() {
			t.Errorf("%s, taken away: %v", agent, err)
		}
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if c, err := Put(env, agent, command); err != nil || !strings.HasPrefix(c.File, folder) {
			t.Errorf("%s in an empty folder: %s, %v", agent, c.File, err)
		}
	}
	// An agent's own folder, and those of the system, are made.
	home := t.TempDir()
	env := surroundings(home)
	env.Getenv = func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": filepath.Join(home, "config")}[name]
	}
	for _, agent := range []string{"codex", "opencode"} {
		if _, err := Put(env, agent, command); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
	}
}

// fuzzForm tries a form on any file: what it edits it can edit no further, and what it
// takes out is gone. An error is as good as an edit.
func fuzzForm(f *testing.F, form form, toml bool) {
	for agent, texts := range cases {
		if (agent == "codex") == toml {
			for _, text := range texts {
				f.Add([]byte(text[0]))
				f.Add([]byte(text[1]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		after, err := form.put(data, command)
		if string(data) != before {
			t.Fatal("the file itself was changed")
		}
		if err != nil {
			return
		}
		if again, err := form.put(after, command); err != nil || string(again) != string(after) {
			t.Fatalf("put %q, and again %q: %v", after, again, err)
		}
		if got, err := form.command(after); err != nil || len(got) != 2 || got[0] != command[0] {
			t.Fatalf("%q starts %q: %v", after, got, err)
		}
		if gone, err := form.drop(after); err == nil {
			if left, err := form.command(gone); err != nil || left != nil {
				t.Fatalf("%q is left of %q: %v", gone, after, err)
			}
		}
	})
}

func FuzzJSON(f *testing.F) { fuzzForm(f, jsonForm{"mcpServers", plain}, false) }

func FuzzTOML(f *testing.F) { fuzzForm(f, tomlForm{}, true) }

func TestLongConfigurationIsRefused(t *testing.T) {
	env := sessions.Env{Home: t.TempDir(), Getenv: func(string) string { return "" }, GOOS: "linux"}
	long := make([]byte, largest+1)
	if err := os.WriteFile(filepath.Join(env.Home, ".claude.json"), long, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Put(env, "claude", []string{"/bin/yore", "mcp"}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "16 MB") {
		t.Error(err)
	}
}
