package harness

import (
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions/harness/harnesstest"
)

// headlessID is the id of the session of whose origin a test is.
const headlessID = "019c0000-0000-7000-8000-000000000001"

// origin is how a session began, and whether no human is known to have been at it.
type origin struct {
	name  string
	files []string // paths and contents
	want  bool
}

// headless checks sessions of a harness. Where it writes that no human began a session,
// the session says so. That a human went on with it is known only of those that write who
// asks with each prompt. Gemini, Copilot, Cursor and others write nothing of it.
func headless(t *testing.T, name string, origins []origin) {
	t.Helper()
	for _, o := range origins {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for i := 0; i < len(o.files); i += 2 {
				harnesstest.Write(t, filepath.Join(home, o.files[i]), o.files[i+1])
			}
			harnesstest.Databases(t, home)
			s := harnesstest.Read(t, fresh(t, name), harnesstest.Env(home, nil)).Session(headlessID)
			if s == nil {
				t.Fatal("no session")
			}
			if s.Headless != o.want {
				t.Errorf("headless: %v", s.Headless)
			}
		})
	}
}

func TestHeadlessClaude(t *testing.T) {
	const claude = ".claude/projects/-p/" + headlessID + ".jsonl"
	said := func(entry string) string {
		return `{"type":"user","uuid":"` + entry + `","sessionId":"` + headlessID + `","entrypoint":"` + entry + `","message":{"role":"user","content":"go"}}` + "\n"
	}
	headless(t, "claude", []origin{
		{"claude -p", []string{claude, said("sdk-cli")}, true},
		{"the SDK's for Python", []string{claude, said("sdk-py")}, true},
		{"a program's on the SDK for TypeScript, at which people type too", []string{claude, said("sdk-ts")}, false},
		{"gone on with in such a program", []string{claude, said("sdk-cli") + said("sdk-ts")}, false},
		{"the action's for GitHub", []string{claude, said("claude-code-github-action")}, true},
		{"a terminal's", []string{claude, said("cli")}, false},
		{"an editor's", []string{claude, said("claude-vscode")}, false},
		{"of releases that do not say", []string{claude, `{"type":"user","uuid":"1","message":{"role":"user","content":"go"}}` + "\n"}, false},
		{"gone on with at a terminal", []string{claude, said("sdk-cli") + said("cli")}, false},
	})
}

func TestHeadlessCodex(t *testing.T) {
	const codex = ".codex/sessions/2026/07/01/rollout-2026-07-01T08-00-00-" + headlessID + ".jsonl"
	rollout := func(meta string) string {
		return `{"timestamp":"2026-07-01T08:00:00Z","type":"session_meta","payload":{"id":"` + headlessID + `"` + meta + `}}` + "\n" +
			`{"timestamp":"2026-07-01T08:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"go"}}` + "\n"
	}
	headless(t, "codex", []origin{
		{"codex exec", []string{codex, rollout(`,"source":"exec","originator":"codex_exec"`)}, true},
		{"a server's for programs", []string{codex, rollout(`,"source":"mcp"`)}, true},
		{"codex exec of a release without sources", []string{codex, rollout(`,"originator":"codex_exec"`)}, true},
		{"a terminal's", []string{codex, rollout(`,"source":"cli","originator":"codex_cli_rs"`)}, false},
		{"a sub-agent of codex exec", []string{codex, rollout(`,"source":{"subagent":"review"},"originator":"codex_exec"`)}, true},
		{"a sub-agent of a terminal's", []string{codex, rollout(`,"source":{"subagent":"review"},"originator":"codex_cli_rs"`)}, false},
		{"begun by codex exec and named otherwise", []string{codex, rollout(`,"source":"cli","originator":"codex_exec"`)}, false},
		{"codex exec, gone on with at a terminal", []string{codex, rollout(`,"source":"exec","originator":"codex_exec"`) + rollout(`,"source":"cli","originator":"codex_cli_rs"`)}, false},
		{"a terminal's, gone on with by codex exec", []string{codex, rollout(`,"source":"cli"`) + rollout(`,"source":"exec"`)}, false},
		{"an editor's, gone on with by codex exec", []string{codex, rollout(`,"source":"vscode","originator":"codex_vscode"`) + rollout(`,"source":"exec","originator":"codex_exec"`)}, false},
		{"a terminal's by its originator, gone on with by codex exec", []string{codex, rollout(`,"originator":"codex_cli_rs"`) + rollout(`,"originator":"codex_exec"`)}, false},
		{"codex exec, gone on with at a terminal and by codex exec again", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"cli"`) + rollout(`,"source":"exec"`)}, false},
		{"codex exec, gone on with by codex exec", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"exec"`)}, true},
		{"of whom it does not say, gone on with by codex exec", []string{codex, rollout("") + rollout(`,"source":"exec"`)}, true},
		{"codex exec, gone on with by who is not known", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"unknown","originator":"mine"`)}, true},
		{"told again without saying by whom", []string{codex, rollout(`,"source":"exec"`) + rollout("")}, true},
	})
}

// headlessPrompt is a prompt in the lines of two harnesses.
const headlessPrompt = `{"type":"message","id":"p","message":{"role":"user","content":"go"}}` + "\n"

func TestHeadlessDroid(t *testing.T) {
	const droid = ".factory/sessions/-p/" + headlessID
	headless(t, "droid", []origin{
		{"droid exec", []string{droid + ".jsonl", headlessPrompt, droid + ".settings.json", `{"tags":[{"name":"exec"}]}`}, true},
		{"a sub-agent, which always runs so", []string{droid + ".jsonl", headlessPrompt, droid + ".settings.json", `{"tags":[{"name":"exec"},{"name":"subagent","metadata":{"callingSessionId":"p"}}]}`}, false},
		{"with another tag", []string{droid + ".jsonl", headlessPrompt, droid + ".settings.json", `{"tags":[{"name":"execution"},7]}`}, false},
	})
}

func TestHeadlessCline(t *testing.T) {
	const cline = ".cline/data/sessions/" + headlessID + "/" + headlessID
	messages := `{"messages":[{"id":"1","role":"user","content":"go"}]}`
	headless(t, "cline", []origin{
		{"without a terminal", []string{cline + ".messages.json", messages, cline + ".json", `{"interactive":false}`}, true},
		{"at a terminal", []string{cline + ".messages.json", messages, cline + ".json", `{"interactive":true}`}, false},
		{"of a release that does not say", []string{cline + ".messages.json", messages, cline + ".json", `{}`}, false},
	})
}

func TestHeadlessQwen(t *testing.T) {
	const qwen = ".qwen/projects/-p/chats/" + headlessID + ".jsonl"
	task := `{"uuid":"1","type":"user","message":{"parts":[{"text":"go"}]}}` + "\n"
	from := func(source string) string {
		return `{"uuid":"0","type":"system","subtype":"session_source","systemPayload":{"sourceType":"` + source + `"}}` + "\n" + task
	}
	headless(t, "qwen", []origin{
		{"scheduled", []string{qwen, from("scheduled_task")}, true},
		{"of a browser", []string{qwen, from("web_shell")}, false},
	})
}

// headlessRow is a database with the row of the session in a table of sessions, and with
// what else is stated.
func headlessRow(table, columns, kind string, messages ...string) string {
	return "CREATE TABLE sessions (" + columns + "); INSERT INTO sessions (id, " + table + ") VALUES ('" + headlessID + "', '" + kind + "');" + strings.Join(messages, "")
}

func TestHeadlessGoose(t *testing.T) {
	const goose = ".local/share/goose/sessions/sessions.db.sql"
	recipe := func(kind string) string {
		return headlessRow("session_type", "id TEXT, session_type TEXT", kind, "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT); ",
			`INSERT INTO messages VALUES (1, '`+headlessID+`', 'user', '[{"type":"text","text":"go"}]')`)
	}
	headless(t, "goose", []origin{
		{"scheduled", []string{goose, recipe("scheduled")}, true},
		{"a user's", []string{goose, recipe("user")}, false},
	})
}

func TestHeadlessHermes(t *testing.T) {
	const hermes = ".hermes/state.db.sql"
	job := func(kind string) string {
		return headlessRow("source", "id TEXT, source TEXT", kind, "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL); ",
			`INSERT INTO messages VALUES (1, '`+headlessID+`', 'user', 'go', 1783765801)`)
	}
	headless(t, "hermes", []origin{
		{"scheduled", []string{hermes, job("cron")}, true},
		{"a messenger's", []string{hermes, job("telegram")}, false},
	})
}

func TestHeadlessOpenClaw(t *testing.T) {
	const claw = ".openclaw/agents/main/sessions/" + headlessID + ".jsonl"
	const index = ".openclaw/agents/main/sessions/sessions.json"
	replied := `{"type":"message","id":"r","message":{"role":"assistant","content":"All well."}}` + "\n"
	job7 := `{"type":"message","id":"j","message":{"role":"user","content":"[cron:7f3c Backup] Report the backups."}}` + "\n"
	headless(t, "openclaw", []origin{
		{"a schedule's by its key", []string{claw, headlessPrompt, index, `{"agent:main:cron:7f3c:run:1":{"sessionId":"` + headlessID + `"}}`}, true},
		{"a schedule's of releases before agents", []string{claw, headlessPrompt, index, `{"cron:7f3c":{"sessionId":"` + headlessID + `"}}`}, true},
		{"a channel's by its key", []string{claw, headlessPrompt, index, `{"agent:main:main":{"sessionId":"` + headlessID + `"}}`}, false},
		{"a schedule's by its prompt", []string{claw, job7 + replied}, true},
		{"gone on with after a schedule", []string{claw, job7 + replied + headlessPrompt}, false},
	})
}

func TestHeadlessOpenCode(t *testing.T) {
	const code = ".local/share/opencode/opencode.db.sql"
	const tree = ".local/share/opencode/storage/"
	rules := func(denied ...string) string {
		var all []string
		for _, permission := range denied {
			all = append(all, `{"permission":"`+permission+`","action":"deny","pattern":"*"}`)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	ran := func(rules string) string {
		return "CREATE TABLE session (id TEXT, permission TEXT, time_created INTEGER); CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT); " +
			"CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT); INSERT INTO session VALUES ('" + headlessID + "', '" + rules + "', 1); " +
			`INSERT INTO message VALUES ('m', '` + headlessID + `', 1, '{"role":"user"}'); INSERT INTO part VALUES ('p', 'm', '` + headlessID + `', '{"type":"text","text":"go"}')`
	}
	headless(t, "opencode", []origin{
		{"opencode run", []string{code, ran(rules("question", "plan_enter", "plan_exit"))}, true},
		{"that may ask", []string{code, ran(rules("plan_enter", "plan_exit"))}, false},
		{"without rules", []string{code, ran("")}, false},
		{"opencode run, in files", []string{
			tree + "session/global/" + headlessID + ".json", `{"id":"` + headlessID + `","permission":` + rules("question", "plan_enter", "plan_exit") + `}`,
			tree + "message/" + headlessID + "/m.json", `{"role":"user"}`, tree + "part/m/p.json", `{"type":"text","text":"go"}`,
		}, true},
	})
}
