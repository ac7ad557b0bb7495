package harness

import (
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions/harness/harnesstest"
)

// Where a harness writes that no human began a session, the session says so. That a
// human went on with it is known only of those that write who asks with each prompt.
// Gemini, Copilot, Cursor and others write nothing of it.
func TestHeadless(t *testing.T) {
	const (
		id     = "019c0000-0000-7000-8000-000000000001"
		claude = ".claude/projects/-p/" + id + ".jsonl"
		codex  = ".codex/sessions/2026/07/01/rollout-2026-07-01T08-00-00-" + id + ".jsonl"
		droid  = ".factory/sessions/-p/" + id
		cline  = ".cline/data/sessions/" + id + "/" + id
		qwen   = ".qwen/projects/-p/chats/" + id + ".jsonl"
		goose  = ".local/share/goose/sessions/sessions.db.sql"
		hermes = ".hermes/state.db.sql"
		code   = ".local/share/opencode/opencode.db.sql"
		tree   = ".local/share/opencode/storage/"
		claw   = ".openclaw/agents/main/sessions/" + id + ".jsonl"
		index  = ".openclaw/agents/main/sessions/sessions.json"
	)
	said := func(entry string) string {
		return `{"type":"user","uuid":"` + entry + `","sessionId":"` + id + `"` + strings.ReplaceAll(`,"entrypoint":"E"`, "E", entry) + `,"message":{"role":"user","content":"go"}}` + "\n"
	}
	rollout := func(meta string) string {
		return `{"timestamp":"2026-07-01T08:00:00Z","type":"session_meta","payload":{"id":"` + id + `"` + meta + `}}` + "\n" +
			`{"timestamp":"2026-07-01T08:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"go"}}` + "\n"
	}
	asked := `{"type":"message","id":"p","message":{"role":"user","content":"go"}}` + "\n"
	replied := `{"type":"message","id":"r","message":{"role":"assistant","content":"All well."}}` + "\n"
	job7 := `{"type":"message","id":"j","message":{"role":"user","content":"[cron:7f3c Backup] Report the backups."}}` + "\n"
	messages := `{"messages":[{"id":"1","role":"user","content":"go"}]}`
	task := `{"uuid":"1","type":"user","message":{"parts":[{"text":"go"}]}}` + "\n"
	from := func(source string) string {
		return `{"uuid":"0","type":"system","subtype":"session_source","systemPayload":{"sourceType":"` + source + `"}}` + "\n" + task
	}
	row := func(table, columns, kind string, messages ...string) string {
		return "CREATE TABLE sessions (" + columns + "); INSERT INTO sessions (id, " + table + ") VALUES ('" + id + "', '" + kind + "');" + strings.Join(messages, "")
	}
	recipe := func(kind string) string {
		return row("session_type", "id TEXT, session_type TEXT", kind, "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT); ",
			`INSERT INTO messages VALUES (1, '`+id+`', 'user', '[{"type":"text","text":"go"}]')`)
	}
	job := func(kind string) string {
		return row("source", "id TEXT, source TEXT", kind, "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL); ",
			`INSERT INTO messages VALUES (1, '`+id+`', 'user', 'go', 1783765801)`)
	}
	rules := func(denied ...string) string {
		var all []string
		for _, permission := range denied {
			all = append(all, `{"permission":"`+permission+`","action":"deny","pattern":"*"}`)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	ran := func(rules string) string {
		return "CREATE TABLE session (id TEXT, permission TEXT, time_created INTEGER); CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT); " +
			"CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT); INSERT INTO session VALUES ('" + id + "', '" + rules + "', 1); " +
			`INSERT INTO message VALUES ('m', '` + id + `', 1, '{"role":"user"}'); INSERT INTO part VALUES ('p', 'm', '` + id + `', '{"type":"text","text":"go"}')`
	}
	for _, c := range []struct {
		name, harness string
		files         []string // paths and contents
		want          bool
	}{
		{"claude -p", "claude", []string{claude, said("sdk-cli")}, true},
		{"the SDK's for Python", "claude", []string{claude, said("sdk-py")}, true},
		{"a program's on the SDK for TypeScript, at which people type too", "claude", []string{claude, said("sdk-ts")}, false},
		{"gone on with in such a program", "claude", []string{claude, said("sdk-cli") + said("sdk-ts")}, false},
		{"the action's for GitHub", "claude", []string{claude, said("claude-code-github-action")}, true},
		{"a terminal's", "claude", []string{claude, said("cli")}, false},
		{"an editor's", "claude", []string{claude, said("claude-vscode")}, false},
		{"of releases that do not say", "claude", []string{claude, `{"type":"user","uuid":"1","message":{"role":"user","content":"go"}}` + "\n"}, false},
		{"gone on with at a terminal", "claude", []string{claude, said("sdk-cli") + said("cli")}, false},
		{"codex exec", "codex", []string{codex, rollout(`,"source":"exec","originator":"codex_exec"`)}, true},
		{"a server's for programs", "codex", []string{codex, rollout(`,"source":"mcp"`)}, true},
		{"codex exec of a release without sources", "codex", []string{codex, rollout(`,"originator":"codex_exec"`)}, true},
		{"a terminal's", "codex", []string{codex, rollout(`,"source":"cli","originator":"codex_cli_rs"`)}, false},
		{"a sub-agent of codex exec", "codex", []string{codex, rollout(`,"source":{"subagent":"review"},"originator":"codex_exec"`)}, true},
		{"a sub-agent of a terminal's", "codex", []string{codex, rollout(`,"source":{"subagent":"review"},"originator":"codex_cli_rs"`)}, false},
		{"begun by codex exec and named otherwise", "codex", []string{codex, rollout(`,"source":"cli","originator":"codex_exec"`)}, false},
		{"codex exec, gone on with at a terminal", "codex", []string{codex, rollout(`,"source":"exec","originator":"codex_exec"`) + rollout(`,"source":"cli","originator":"codex_cli_rs"`)}, false},
		{"a terminal's, gone on with by codex exec", "codex", []string{codex, rollout(`,"source":"cli"`) + rollout(`,"source":"exec"`)}, false},
		{"an editor's, gone on with by codex exec", "codex", []string{codex, rollout(`,"source":"vscode","originator":"codex_vscode"`) + rollout(`,"source":"exec","originator":"codex_exec"`)}, false},
		{"a terminal's by its originator, gone on with by codex exec", "codex", []string{codex, rollout(`,"originator":"codex_cli_rs"`) + rollout(`,"originator":"codex_exec"`)}, false},
		{"codex exec, gone on with at a terminal and by codex exec again", "codex", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"cli"`) + rollout(`,"source":"exec"`)}, false},
		{"codex exec, gone on with by codex exec", "codex", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"exec"`)}, true},
		{"of whom it does not say, gone on with by codex exec", "codex", []string{codex, rollout("") + rollout(`,"source":"exec"`)}, true},
		{"codex exec, gone on with by who is not known", "codex", []string{codex, rollout(`,"source":"exec"`) + rollout(`,"source":"unknown","originator":"mine"`)}, true},
		{"told again without saying by whom", "codex", []string{codex, rollout(`,"source":"exec"`) + rollout("")}, true},
		{"droid exec", "droid", []string{droid + ".jsonl", asked, droid + ".settings.json", `{"tags":[{"name":"exec"}]}`}, true},
		{"a sub-agent, which always runs so", "droid", []string{droid + ".jsonl", asked, droid + ".settings.json", `{"tags":[{"name":"exec"},{"name":"subagent","metadata":{"callingSessionId":"p"}}]}`}, false},
		{"with another tag", "droid", []string{droid + ".jsonl", asked, droid + ".settings.json", `{"tags":[{"name":"execution"},7]}`}, false},
		{"without a terminal", "cline", []string{cline + ".messages.json", messages, cline + ".json", `{"interactive":false}`}, true},
		{"at a terminal", "cline", []string{cline + ".messages.json", messages, cline + ".json", `{"interactive":true}`}, false},
		{"of a release that does not say", "cline", []string{cline + ".messages.json", messages, cline + ".json", `{}`}, false},
		{"scheduled", "qwen", []string{qwen, from("scheduled_task")}, true},
		{"of a browser", "qwen", []string{qwen, from("web_shell")}, false},
		{"scheduled", "goose", []string{goose, recipe("scheduled")}, true},
		{"a user's", "goose", []string{goose, recipe("user")}, false},
		{"scheduled", "hermes", []string{hermes, job("cron")}, true},
		{"a messenger's", "hermes", []string{hermes, job("telegram")}, false},
		{"a schedule's by its key", "openclaw", []string{claw, asked, index, `{"agent:main:cron:7f3c:run:1":{"sessionId":"` + id + `"}}`}, true},
		{"a schedule's of releases before agents", "openclaw", []string{claw, asked, index, `{"cron:7f3c":{"sessionId":"` + id + `"}}`}, true},
		{"a channel's by its key", "openclaw", []string{claw, asked, index, `{"agent:main:main":{"sessionId":"` + id + `"}}`}, false},
		{"a schedule's by its prompt", "openclaw", []string{claw, job7 + replied}, true},
		{"gone on with after a schedule", "openclaw", []string{claw, job7 + replied + asked}, false},
		{"opencode run", "opencode", []string{code, ran(rules("question", "plan_enter", "plan_exit"))}, true},
		{"that may ask", "opencode", []string{code, ran(rules("plan_enter", "plan_exit"))}, false},
		{"without rules", "opencode", []string{code, ran("")}, false},
		{"opencode run, in files", "opencode", []string{
			tree + "session/global/" + id + ".json", `{"id":"` + id + `","permission":` + rules("question", "plan_enter", "plan_exit") + `}`,
			tree + "message/" + id + "/m.json", `{"role":"user"}`, tree + "part/m/p.json", `{"type":"text","text":"go"}`,
		}, true},
	} {
		t.Run(c.harness+" "+c.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for i := 0; i < len(c.files); i += 2 {
				harnesstest.Write(t, filepath.Join(home, c.files[i]), c.files[i+1])
			}
			harnesstest.Databases(t, home)
			src := fresh(t, c.harness)
			s := harnesstest.Read(t, src, harnesstest.Env(home, nil)).Session(id)
			if s == nil {
				t.Fatal("no session")
			}
			if s.Headless != c.want {
				t.Errorf("headless: %v", s.Headless)
			}
		})
	}
}
