package tasks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cline"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/roo"
)

// write makes a home of a command line with the files of one task.
func write(t testing.TB, dir string, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range files {
		harnesstest.Write(t, filepath.Join(home, dir, "1", name), text)
	}
	return home
}

// What tasks hold besides what is in the samples.
func TestRows(t *testing.T) {
	t.Parallel()
	read := harnesstest.Read(t, cline.New(), harnesstest.Env(write(t, ".cline/data/tasks", map[string]string{"ui_messages.json": `[
		{"ts":1770804000000,"type":"say","say":"text","text":"go"},
		{"ts":1770804000001,"type":"say","say":"text","text":"so","reasoning":"hm"},
		{"ts":1770804000002,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"x\"}"},
		{"ts":1770804000003,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"x\"}"},
		{"ts":1770804000004,"type":"ask","ask":"use_mcp_server","text":"{\"serverName\":\"s\",\"toolName\":\"find\",\"arguments\":\"{\\\"q\\\":\\\"y\\\"}\"}"},
		{"ts":1770804000005,"type":"say","say":"mcp_server_response","text":"found"},
		{"ts":1770804000006,"type":"say","say":"browser_action_result","text":"{\"screenshot\":\"AAAA\",\"logs\":\"loaded\"}"},
		{"ts":1770804000007,"type":"ask","ask":"plan_mode_respond","text":"{\"response\":\"the plan\"}"},
		{"ts":1770804000008,"type":"ask","ask":"followup","text":"plain?"},
		{"ts":1770804000009,"type":"say","say":"user_feedback_diff","text":"{\"path\":\"x\",\"diff\":\"+1\"}"},
		{"ts":1770804000010,"type":"say","say":"new_thing","text":"?"},
		{"ts":"soon","type":7},7]`}), nil))
	s := read.Session("1")
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : go", "thinking : hm", "reply : so", "tool call readFile: x", "tool call find: y", "tool output find: found",
		"tool output find: loaded", "reply : the plan", "reply : plain?", "prompt : path: x\ndiff: +1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"cline", "--taskId", "1"}, cline.New().Resume(s.Session)); diff != "" {
		t.Error(diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind new_thing": 1, "unknown record kind": 2})
}

// The rows show a part of an output or nothing; all of it was told to the model.
// The first output of a tool of the same kind, used on the same, is the call's.
// Rows of the newest releases: the task has a kind of its own, as have plans,
// sub-agents and the summary before a task goes on.
func TestNewRows(t *testing.T) {
	t.Parallel()
	read := harnesstest.Read(t, cline.New(), harnesstest.Env(write(t, ".cline/data/tasks", map[string]string{"ui_messages.json": `[
		{"ts":1770804000000,"type":"say","say":"task","text":"go"},
		{"ts":1770804000001,"type":"say","say":"text","text":"so"},
		{"ts":1770804000002,"type":"ask","ask":"act_mode_respond","text":"{\"response\":\"now\"}"},
		{"ts":1770804000003,"type":"say","say":"use_subagents","text":"{\"prompts\":[\"look\",\"ask\"]}"},
		{"ts":1770804000004,"type":"say","say":"subagent","text":"{\"status\":\"completed\",\"items\":[{\"result\":\"seen\"},{\"error\":\"x\"}]}"},
		{"ts":1770804000005,"type":"say","say":"tool","text":"{\"tool\":\"summarizeTask\",\"content\":\"in short\"}"},
		{"ts":1770804000006,"type":"say","say":"compaction","text":"{}"},
		{"ts":1770804000007,"type":"say","say":"plan_completion_result","text":"the plan"}]`}), nil))
	var got []string
	for _, turn := range read.Session("1").Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : go", "reply : so", "reply : now", "tool call use_subagents: look\n\nask", "tool output use_subagents: seen", "summary : in short", "reply : the plan",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, nil)
}

func TestWholeOutputs(t *testing.T) {
	t.Parallel()
	rows := `[{"ts":1,"type":"say","say":"text","text":"go"},
		{"ts":2,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"it's x\"}"},
		{"ts":3,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"it's x\"}"},
		{"ts":4,"type":"ask","ask":"command","text":"make"},{"ts":5,"type":"say","say":"command_output","text":"a piece"},
		{"ts":6,"type":"say","say":"command","text":"lost"},{"ts":7,"type":"say","say":"command_output","text":"all there is"},
		{"ts":8,"type":"say","say":"tool","text":"{\"tool\":\"editedExistingFile\",\"path\":\"it's x\",\"diff\":\"+1\"}"},
		{"ts":9,"type":"say","say":"tool","text":"{\"tool\":\"searchFiles\",\"path\":\"d\",\"regex\":\"a.b\"}"},
		{"ts":10,"type":"ask","ask":"use_mcp_server","text":"{\"serverName\":\"s\",\"toolName\":\"find\",\"arguments\":\"{}\"}"},
		{"ts":11,"type":"say","say":"mcp_server_response","text":"a piece"},
		{"ts":12,"type":"ask","ask":"browser_action_launch","text":"http://x"},
		{"ts":13,"type":"say","say":"command","text":"make"}]`
	exchanged := `[{"role":"user","content":[{"type":"text","text":"<task>\ngo\n</task>"}]},7,
		{"role":"user","content":[{"type":"text","text":"[read_file for 'it's x'] Result:"},{"type":"text","text":"one"},{"type":"text","text":"two"},
			{"type":"text","text":"<environment_details>\n# Current Working Directory (/w) Files\n</environment_details>"},{"type":"text","text":"no output"}]},
		{"role":"user","content":[{"type":"text","text":"[execute_command for 'make'] Result:\n\nThe tool execution failed: boom"}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"replace_in_file","input":{"path":"it's x","diff":"+1"}},
			{"type":"tool_use","id":"2","name":"execute_command","input":{"command":"d"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"saved"}],"is_error":true},{"type":"tool_result","tool_use_id":"2","content":"not of d"}]},
		{"role":"user","content":[{"type":"text","text":"[search_files for 'a.b' in '*.go'] Result:\nhit"},{"type":"text","text":"[use_mcp_tool for 's'] Result:\nall"},
			{"type":"text","text":"[browser_action for 'launch'] Result:\nloaded"},{"type":"text","text":"[execute_command for 'make'] Result:\nsecond"}]}]`
	for _, name := range []string{"api_conversation_history.json", "claude_messages.json"} {
		s := harnesstest.Read(t, cline.New(), harnesstest.Env(write(t, ".cline/data/tasks", map[string]string{"ui_messages.json": rows, name: exchanged}), nil)).Session("1")
		var got []string
		for _, turn := range s.Turns {
			if turn.Kind == sessions.ToolOutput {
				line := turn.Tool + ": " + turn.Text
				if turn.Failed {
					line = "failed " + line
				}
				got = append(got, line)
			}
		}
		want := []string{
			"readFile: one\ntwo", "failed execute_command: The tool execution failed: boom", "execute_command: all there is", "failed editedExistingFile: saved",
			"searchFiles: hit", "find: all", "browser_action: loaded", "execute_command: second",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if s.ToolCalls != 8 || s.Directory != "/w" {
			t.Errorf("%d calls in %s", s.ToolCalls, s.Directory)
		}
	}
}

// A task's own item goes before what the model was told, and a damaged one costs
// itself only.
func TestFacts(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{`{"workspace":"/own"}`: "/own", `{"workspace":`: "/told (x)", "": "/told (x)"} {
		read := harnesstest.Read(t, roo.New(), harnesstest.Env(write(t, ".vscode-mock/global-storage/tasks", map[string]string{
			"ui_messages.json":              `[{"ts":1770804000000,"type":"say","say":"text","text":"go"}]`,
			"history_item.json":             item,
			"api_conversation_history.json": `[{"role":"user","content":"<environment_details>\n<model>gpt-5</model>\n# Current Workspace Directory (/told (x)) Files\n</environment_details>"}]`,
		}), nil))
		if s := read.Session("1"); s.Directory != want || s.Model != "gpt-5" || s.Provider != "openai" {
			t.Errorf("%s: %+v", item, s.Session)
		}
	}
}

// A change beside the messages changes the stamp: it may tell the directory.
func TestStamp(t *testing.T) {
	t.Parallel()
	const dir = ".cline/data/tasks"
	home := write(t, dir, map[string]string{"ui_messages.json": `[{"ts":1,"type":"say","say":"text","text":"go"}]`})
	list := func() sessions.Transcript { return harnesstest.List(t, cline.New(), harnesstest.Env(home, nil))[0] }
	before := list()
	if err := os.WriteFile(filepath.Join(home, dir, "1", "history_item.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list().Same(before.Stamp) {
		t.Error("the same stamp")
	}
}

// Whatever was exchanged with the model, it changes nothing of what was said.
func FuzzSent(f *testing.F) {
	const rows = `[{"ts":1,"type":"say","say":"text","text":"go"},{"ts":2,"type":"say","say":"command","text":"ls"},
		{"ts":3,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"x\"}"},{"ts":4,"type":"say","say":"text","text":"done"}]`
	for _, seed := range []string{
		`[{"role":"user","content":[{"type":"text","text":"[execute_command for 'ls'] Result:\nfiles"},{"type":"text","text":"more"}]}]`,
		`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"read_file","input":{"path":"x"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"one"}]}]`,
		"[{\"role\":\"user\",\"content\":[{\"text\":\"[read_file for 'x'] Result:\x80\"},7,[]]},{\"content\":{}}]", `{`, `[[[]]]`,
	} {
		f.Add([]byte(seed))
	}
	const name = "api_conversation_history.json"
	home := write(f, ".cline/data/tasks", map[string]string{"ui_messages.json": rows, name: ""})
	f.Fuzz(func(t *testing.T, exchanged []byte) {
		if err := os.WriteFile(filepath.Join(home, ".cline/data/tasks/1", name), exchanged, 0o600); err != nil {
			t.Fatal(err)
		}
		s := harnesstest.Read(t, cline.New(), harnesstest.Env(home, nil)).Session("1")
		if diff := cmp.Diff([]string{"go", "done"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" || s.ToolCalls != 2 {
			t.Errorf("%d calls, said (-want +got):\n%s", s.ToolCalls, diff)
		}
		if outputs := s.Texts(sessions.ToolOutput); len(outputs) > 2 || !utf8.ValidString(strings.Join(outputs, "")) {
			t.Errorf("outputs: %q", outputs)
		}
	})
}

// Before their lists had files, the editor remembered them.
func TestRememberedLists(t *testing.T) {
	t.Parallel()
	const global = ".config/Code/User/globalStorage"
	for key, source := range map[string]sessions.Source{"saoudrizwan.claude-dev": cline.New(), "RooVeterinaryInc.roo-cline": roo.New()} {
		home := write(t, filepath.Join(global, strings.ToLower(key), "tasks"), map[string]string{
			"ui_messages.json": `[{"ts":1770804000000,"type":"say","say":"text","text":"go"}]`,
		})
		harnesstest.Exec(t, filepath.Join(home, global, "state.vscdb"), "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT INTO ItemTable VALUES ('`+key+`', '{"apiKey":"none","taskHistory":[{"id":"0"},{"id":"1","workspace":"/home/mira/a","modelId":"m-1","parentTaskId":"0"}]}')`)
		s := harnesstest.Read(t, source, harnesstest.Env(home, nil)).Session("1").Session
		if s.Directory != "/home/mira/a" || s.Model != "m-1" || s.Parent != "0" || !s.Subagent {
			t.Errorf("%s: %+v", key, s)
		}
	}
}

// The folder that the user chose for the tasks in an editor's settings, which have
// comments, and settings that choose none.
func TestChosenFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings string // DIR stands for the folder
		found    bool
	}{
		"chosen":       {"// mine\n{\"a.b\": [1,], \"roo-cline.customStoragePath\": \"DIR\", /* so */}", true},
		"not absolute": {`{"roo-cline.customStoragePath": "tasks"}`, false},
		"no text":      {`{"roo-cline.customStoragePath": ["DIR"]}`, false},
		"none":         {`{"roo-cline.customStoragePath": ""}`, false},
		"no settings":  {`{"roo-cline.customStoragePath": "DIR"`, false},
		"too deep":     {strings.Repeat("[", 4<<20) + `"roo-cline.customStoragePath"`, false},
	} {
		home := write(t, "chosen/tasks", map[string]string{"ui_messages.json": `[{"ts":1770804000000,"type":"say","say":"text","text":"go"}]`})
		text := strings.ReplaceAll(c.settings, "DIR", filepath.ToSlash(filepath.Join(home, "chosen")))
		harnesstest.Write(t, filepath.Join(home, ".config/Code/User/settings.json"), text)
		s := harnesstest.Read(t, roo.New(), harnesstest.Env(home, nil)).Session("1")
		if found := s != nil; found != c.found {
			t.Errorf("%s: found %t", name, found)
		}
		if s != nil && roo.New().Resume(s.Session) != nil {
			t.Errorf("%s: the command line does not have it", name)
		}
	}
}
