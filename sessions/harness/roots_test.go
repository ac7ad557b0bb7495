package harness

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// home is the user's home in the tables below.
const home = "/h"

// userData is where editors of the Visual Studio Code family keep a user's data.
var userData = map[string]string{
	"linux": home + "/.config", "darwin": home + "/Library/Application Support", "windows": home + "/AppData/Roaming",
}

// localData is where programs with windows keep what is no setting.
var localData = map[string]string{
	"linux": home + "/.local/share", "darwin": home + "/Library/Application Support", "windows": home + "/AppData/Local",
}

// In a path, USERDATA and LOCALDATA stand for these folders, and EDITORS for a
// folder of each editor and of each remote one's server.
var (
	editorNames   = []string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Antigravity"}
	editorServers = []string{
		".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server", ".cursor-server", ".windsurf-server", ".antigravity-server",
	}
)

// everywhere are the systems.
var everywhere = []string{"linux", "darwin", "windows"}

// roots are where each harness keeps transcripts when nothing says otherwise.
// That of Aider is the project.
var roots = []struct {
	harness string
	systems []string
	path    string
}{
	{"aider", everywhere, "/project/.aider.chat.history.md"},
	{"amp", everywhere, home + "/.local/share/amp/threads"},
	{"amp", everywhere, "EDITORS/globalStorage/sourcegraph.amp/threads3"},
	{"antigravity", everywhere, home + "/.gemini/antigravity-cli"},
	{"antigravity", everywhere, home + "/.gemini/antigravity/brain"},
	{"antigravity", everywhere, home + "/.gemini/antigravity-ide/brain"},
	{"claude", everywhere, home + "/.claude/projects"},
	{"claude", everywhere, "USERDATA/Claude/claude-code-sessions"},
	{"claude", everywhere, "USERDATA/Claude/local-agent-mode-sessions"},
	{"claude", []string{"windows"}, "LOCALDATA/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude-code-sessions"},
	{"claude", []string{"windows"}, "LOCALDATA/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/local-agent-mode-sessions"},
	{"cline", everywhere, "EDITORS/globalStorage/saoudrizwan.claude-dev/tasks"},
	{"cline", everywhere, home + "/.cline/data/tasks"},
	{"cline", everywhere, home + "/.cline/data/sessions"},
	{"codex", everywhere, home + "/.codex"},
	{"continue", everywhere, home + "/.continue/sessions"},
	{"continue", everywhere, home + "/.pearai/sessions"},
	{"copilot", everywhere, home + "/.copilot"},
	{"crush", []string{"linux", "darwin"}, home + "/.local/share/crush"},
	{"crush", []string{"windows"}, "LOCALDATA/crush"},
	{"cursor", everywhere, home + "/.cursor/projects"},
	{"cursor", everywhere, home + "/.cursor-server/projects"},
	{"cursor", everywhere, home + "/.cursor/chats"},
	{"cursor", []string{"linux"}, home + "/.config/cursor/chats"},
	{"cursor", everywhere, "USERDATA/Cursor/User/globalStorage"},
	{"droid", everywhere, home + "/.factory"},
	{"gemini", everywhere, home + "/.gemini/tmp"},
	{"goose", []string{"linux", "darwin"}, home + "/.local/share/goose/sessions"},
	{"goose", []string{"darwin"}, "USERDATA/Block/goose"},
	{"goose", []string{"windows"}, "USERDATA/Block/goose/data/sessions"},
	{"hermes", everywhere, home + "/.hermes"},
	{"kilo", everywhere, home + "/.local/share/kilo"},
	{"kilo", everywhere, "EDITORS/globalStorage/kilocode.kilo-code/tasks"},
	{"kimi", everywhere, home + "/.kimi/sessions"},
	{"kimi", everywhere, home + "/.kimi-code/sessions"},
	{"kimi", everywhere, "USERDATA/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home/sessions"},
	{"kiro", everywhere, "LOCALDATA/amazon-q"},
	{"kiro", everywhere, "LOCALDATA/kiro-cli"},
	{"kiro", everywhere, home + "/.kiro/sessions"},
	{"kiro", everywhere, "USERDATA/Kiro/User/globalStorage/kiro.kiroagent"},
	{"kiro", everywhere, home + "/.kiro-server/data/User/globalStorage/kiro.kiroagent"},
	{"openclaw", everywhere, home + "/.openclaw/agents"},
	{"openclaw", everywhere, home + "/.clawdbot/agents"},
	{"openclaw", everywhere, home + "/.moltbot/agents"},
	{"openclaw", everywhere, home + "/.moldbot/agents"},
	{"opencode", everywhere, home + "/.local/share/opencode"},
	{"openhands", everywhere, home + "/.openhands/conversations"},
	{"openhands", everywhere, home + "/.openhands/sessions"},
	{"openhands", everywhere, home + "/.openhands-state/sessions"},
	{"pi", everywhere, home + "/.pi/agent/sessions"},
	{"qwen", everywhere, home + "/.qwen"},
	{"roo", everywhere, "EDITORS/globalStorage/rooveterinaryinc.roo-cline/tasks"},
	{"roo", everywhere, home + "/.vscode-mock/global-storage/tasks"},
	{"vibe", everywhere, home + "/.vibe/logs/session"},
	{"vscode-copilot", everywhere, "EDITORS/workspaceStorage"},
	{"vscode-copilot", everywhere, "EDITORS/globalStorage/state.vscdb"},
	{"vscode-copilot", everywhere, "EDITORS/globalStorage/emptyWindowChatSessions"},
	{"vscode-copilot", everywhere, "EDITORS/globalStorage/transferredChatSessions"},
	{"zed", []string{"linux"}, home + "/.local/share/zed/threads"},
	{"zed", []string{"linux"}, home + "/.var/app/dev.zed.Zed/data/zed/threads"},
	{"zed", []string{"darwin", "windows"}, "LOCALDATA/Zed/threads"},
}

// surroundings are a home on a system, with variables.
func surroundings(goos string, variables map[string]string) sessions.Env {
	all := map[string]string{}
	if goos == "windows" {
		all["APPDATA"], all["LOCALAPPDATA"] = userData[goos], localData[goos]
	}
	maps.Copy(all, variables)
	return sessions.Env{Home: home, GOOS: goos, Dir: "/project", Getenv: func(name string) string { return all[name] }}
}

// spelt are the paths that one of the table stands for.
func spelt(path, goos string) []string {
	if below, ok := strings.CutPrefix(path, "EDITORS"); ok {
		var all []string
		for _, name := range editorNames {
			all = append(all, userData[goos]+"/"+name+"/User"+below)
		}
		for _, name := range editorServers {
			all = append(all, home+"/"+name+"/data/User"+below)
		}
		return all
	}
	return []string{strings.NewReplacer("USERDATA", userData[goos], "LOCALDATA", localData[goos]).Replace(path)}
}

// rootsOf are the paths of a harness's roots, with where they come from.
func rootsOf(src sessions.Source, env sessions.Env) map[string]string {
	from := map[string]string{}
	for _, r := range src.Roots(env) {
		from[filepath.ToSlash(r.Path)] = r.From
	}
	return from
}

// fresh is a Source of a harness that has read nothing yet.
func fresh(t *testing.T, harness string) sessions.Source {
	t.Helper()
	all := All()
	at := slices.IndexFunc(all, func(src sessions.Source) bool { return src.Name() == harness })
	if at < 0 {
		t.Fatalf("there is no harness %s", harness)
	}
	return all[at]
}

// Every harness is looked for where it keeps its transcripts on each system, and
// nowhere else.
func TestRoots(t *testing.T) {
	for _, src := range All() {
		for _, goos := range everywhere {
			want := map[string]string{}
			for _, r := range roots {
				if r.harness == src.Name() && slices.Contains(r.systems, goos) {
					for _, path := range spelt(r.path, goos) {
						want[path] = "default"
					}
				}
			}
			if diff := gocmp.Diff(want, rootsOf(src, surroundings(goos, nil))); diff != "" || len(want) == 0 {
				t.Errorf("%s on %s (-want +got):\n%s", src.Name(), goos, diff)
			}
		}
	}
}

// overrides are what a variable that is set to /o does: the root that it names, and
// the usual one that is not looked at then.
var overrides = []struct{ harness, system, variable, named, instead string }{
	{"aider", "linux", "AIDER_CHAT_HISTORY_FILE", "/o", ""},
	{"amp", "windows", "XDG_DATA_HOME", "/o/amp/threads", home + "/.local/share/amp/threads"},
	{"amp", "linux", "XDG_CONFIG_HOME", "/o/Code/User/globalStorage/sourcegraph.amp/threads3", home + "/.config/Code/User/globalStorage/sourcegraph.amp/threads3"},
	{"claude", "linux", "CLAUDE_CONFIG_DIR", "/o/projects", home + "/.claude/projects"},
	{"cline", "linux", "CLINE_DIR", "/o/data/tasks", home + "/.cline/data/tasks"},
	{"cline", "linux", "CLINE_DATA_DIR", "/o/sessions", home + "/.cline/data/sessions"},
	{"cline", "linux", "CLINE_SESSION_DATA_DIR", "/o", home + "/.cline/data/sessions"},
	{"codex", "linux", "CODEX_HOME", "/o", home + "/.codex"},
	{"codex", "linux", "CODEX_SQLITE_HOME", "/o", ""},
	{"continue", "linux", "CONTINUE_GLOBAL_DIR", "/o/sessions", home + "/.continue/sessions"},
	{"copilot", "linux", "COPILOT_HOME", "/o", home + "/.copilot"},
	{"crush", "linux", "CRUSH_GLOBAL_DATA", "/o", home + "/.local/share/crush"},
	{"crush", "darwin", "XDG_DATA_HOME", "/o/crush", home + "/.local/share/crush"},
	{"cursor", "linux", "CURSOR_CONFIG_DIR", "/o/chats", home + "/.config/cursor/chats"},
	{"cursor", "linux", "XDG_CONFIG_HOME", "/o/cursor/chats", home + "/.config/cursor/chats"},
	{"cursor", "darwin", "CURSOR_CONFIG_DIR", "/o/chats", ""},
	{"cursor", "linux", "XDG_CONFIG_HOME", "/o/Cursor/User/globalStorage", home + "/.config/Cursor/User/globalStorage"},
	{"droid", "linux", "FACTORY_HOME_OVERRIDE", "/o/.factory", home + "/.factory"},
	{"gemini", "linux", "GEMINI_CLI_HOME", "/o/.gemini/tmp", home + "/.gemini/tmp"},
	{"goose", "windows", "GOOSE_PATH_ROOT", "/o/data/sessions", "/h/AppData/Roaming/Block/goose/data/sessions"},
	{"goose", "darwin", "XDG_DATA_HOME", "/o/goose/sessions", home + "/.local/share/goose/sessions"},
	{"hermes", "linux", "HERMES_HOME", "/o", home + "/.hermes"},
	{"kilo", "linux", "XDG_DATA_HOME", "/o/kilo", home + "/.local/share/kilo"},
	{"kilo", "linux", "KILO_DB", "/o", ""},
	{"kilo", "linux", "KILO_DIR", "/o", ""},
	{"kilo", "linux", "KILO_LEGACY_DIR", "/o", ""},
	{"kimi", "linux", "KIMI_SHARE_DIR", "/o/sessions", home + "/.kimi/sessions"},
	{"kimi", "linux", "KIMI_CODE_HOME", "/o/sessions", home + "/.kimi-code/sessions"},
	{"kiro", "linux", "XDG_DATA_HOME", "/o/kiro-cli", home + "/.local/share/kiro-cli"},
	{"kiro", "linux", "KIRO_HOME", "/o/sessions", ""}, // the editor looks in ~/.kiro all the same
	{"openclaw", "linux", "OPENCLAW_STATE_DIR", "/o/agents", home + "/.openclaw/agents"},
	{"openclaw", "linux", "OPENCLAW_DIR", "/o/agents", home + "/.openclaw/agents"},
	{"opencode", "windows", "XDG_DATA_HOME", "/o/opencode", home + "/.local/share/opencode"},
	{"opencode", "linux", "OPENCODE_DB", "/o", ""},
	{"openhands", "linux", "OPENHANDS_CONVERSATIONS_DIR", "/o", home + "/.openhands/conversations"},
	{"openhands", "linux", "OPENHANDS_PERSISTENCE_DIR", "/o/conversations", home + "/.openhands/conversations"},
	{"pi", "linux", "PI_CODING_AGENT_DIR", "/o/sessions", home + "/.pi/agent/sessions"},
	{"pi", "linux", "PI_CODING_AGENT_SESSION_DIR", "/o", ""},
	{"qwen", "linux", "QWEN_RUNTIME_DIR", "/o", home + "/.qwen"},
	{"qwen", "linux", "QWEN_HOME", "/o", home + "/.qwen"},
	{"roo", "linux", "XDG_CONFIG_HOME", "/o/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks", home + "/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"},
	{"vibe", "linux", "VIBE_HOME", "/o/logs/session", home + "/.vibe/logs/session"},
	{"vscode-copilot", "linux", "XDG_CONFIG_HOME", "/o/Code/User/workspaceStorage", home + "/.config/Code/User/workspaceStorage"},
	{"zed", "linux", "XDG_DATA_HOME", "/o/zed/threads", home + "/.local/share/zed/threads"},
}

func TestRootsThatVariablesName(t *testing.T) {
	for _, c := range overrides {
		got := rootsOf(fresh(t, c.harness), surroundings(c.system, map[string]string{c.variable: "/o"}))
		if got[c.named] != c.variable {
			t.Errorf("%s: %s names no %s, but %v", c.harness, c.variable, c.named, got)
		}
		if _, still := got[c.instead]; still {
			t.Errorf("%s: %s is looked at beside %s", c.harness, c.instead, c.variable)
		}
	}
}

// Every harness takes several folders more, as from another machine, and each once.
func TestRootsThatUsersAdd(t *testing.T) {
	added := []string{"/mnt/laptop", "/mnt/box", "/mnt/laptop"}
	for _, src := range All() {
		env := surroundings("linux", nil)
		env.Extra = map[string][]string{src.Name(): added}
		var got []string
		for _, r := range src.Roots(env) {
			if r.From == "config" && r.Harness == src.Name() {
				got = append(got, filepath.ToSlash(r.Path))
			}
		}
		slices.SortFunc(got, func(a, b string) int { return cmp.Compare(b, a) })
		if diff := gocmp.Diff(added[:2], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", src.Name(), diff)
		}
	}
}

// A folder of another machine may be named as it lies there: any that leads to where a
// harness keeps its transcripts, as ~/.config/Code does.
func TestRootsOnTheWay(t *testing.T) {
	for _, r := range roots {
		if r.harness == "aider" || r.harness == "crush" || !slices.Contains(r.systems, "linux") {
			continue // these look for projects below what is named
		}
		for _, path := range spelt(r.path, "linux") {
			below := strings.TrimPrefix(path, home+"/")
			laptop := t.TempDir()
			want := filepath.Join(laptop, below)
			if err := os.MkdirAll(want, 0o700); err != nil {
				t.Fatal(err)
			}
			for dir := filepath.Dir(want); dir != laptop; dir = filepath.Dir(dir) {
				env := surroundings("linux", nil)
				env.Extra = map[string][]string{r.harness: {dir}}
				if got := rootsOf(fresh(t, r.harness), env); got[filepath.ToSlash(want)] != "config" {
					t.Errorf("%s: %s does not lead to %s", r.harness, dir, below)
				}
			}
		}
	}
}

// Without a home, and without anything that names a folder, there is no root but
// in the directory of use.
func TestRootsWithoutAHome(t *testing.T) {
	for _, src := range All() {
		env := sessions.Env{GOOS: "linux", Getenv: func(string) string { return "" }}
		if got := src.Roots(env); len(got) > 0 {
			t.Errorf("%s: %v", src.Name(), got)
		}
	}
}
