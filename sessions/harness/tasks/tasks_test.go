package tasks_test

import (
	"os"
	"path/filepath"
	"testing"

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
		path := filepath.Join(home, dir, "1", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
