package vscode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/vscode"
)

const (
	samples = "../../../testdata/samples/vscode-copilot"
	storage = ".config/Code/User/workspaceStorage"
	chats   = storage + "/9c1b7fd2e4a0456b8d7f0e1a2b3c4d5e/chatSessions"
	umlauts = "3a7e5c10-8d24-4f6b-a1b9-6c0e2d4f8a93"
	weights = "71d0b6c8-2f1e-4a39-9d57-e8b3a5c6f012"
)

// What a correct reader gets from the samples: every fact and count, nothing
// that was replaced or cancelled, no chat without a prompt.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, vscode.New(), samples)
	harnesstest.Expect(t, read, "vscode-copilot", map[string]sessions.Session{
		umlauts: {
			Title: "Garbled umlauts in supplier CSV", Directory: "/home/mira/src/csv tools", Model: "claude-sonnet-4.6", Provider: "anthropic",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-06-15 09:00:00"), LastActive: harnesstest.Day("2026-06-15 09:01:35"),
			Prompts: 2, Replies: 2, ToolCalls: 1, Resume: []string{"code", "/home/mira/src/csv tools"},
		},
		weights: {
			Title: "explain what a semaphore with weight 3 does here", Directory: "/home/mira/src/csv tools", Model: "gpt-4.1", Provider: "openai",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2025-11-04 16:20:00"), LastActive: harnesstest.Day("2025-11-04 16:20:01"),
			Prompts: 1, Replies: 1, Resume: []string{"code", "/home/mira/src/csv tools"},
		},
	}, nil)
	told := harnesstest.Everything(read, home)
	for _, not := range []string{"DRAFT TEXT", "STALE COPY", "CANCELLED PROMPT"} {
		if strings.Contains(told, not) {
			t.Errorf("%s was read", not)
		}
	}
	if !strings.Contains(told, "`open()` in importer.py uses the platform default") {
		t.Error("a reference is missing in its sentence")
	}
}

// Every turn of every sample, as it was checked by eye against its file.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, vscode.New(), samples) }

// write makes a home with a log, in a window of this workspace.
func write(t testing.TB, log, workspace string) (home string) {
	t.Helper()
	home = t.TempDir()
	harnesstest.Write(t, filepath.Join(home, storage, "w", "chatSessions", "c.jsonl"), log)
	harnesstest.Write(t, filepath.Join(home, storage, "w", "workspace.json"), workspace)
	return home
}

const (
	begun = `{"kind":0,"v":{"requests":[{"requestId":"1","message":{"text":"go"}}]}}` + "\n"
	other = `{"kind":2,"k":["requests"],"v":[{"requestId":"2","message":{"text":"on"}}]}` + "\n"
)

// What entries make of a document, and where a log cannot be followed.
func TestEntries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log     string
		want    string
		skipped int
	}{
		"push":                {begun + other, "go on", 0},
		"cut and push":        {begun + `{"kind":2,"k":["requests"],"i":0,"v":[{"message":{"text":"new"}}]}` + "\n", "new", 0},
		"a cut beyond":        {begun + `{"kind":2,"k":["requests"],"i":9}` + "\n", "go", 0},
		"set":                 {begun + `{"kind":1,"k":["requests",0,"message","text"],"v":"went"}` + "\n", "went", 0},
		"an array anew":       {`{"kind":0,"v":{}}` + "\n" + other, "on", 0},
		"the whole":           {begun + `{"kind":0,"v":{"requests":[{"message":{"text":"other"}}]}}` + "\n", "other", 0},
		"a damaged line":      {begun + "{\n" + other, "go", 1},
		"half a line":         {begun + other[:20], "go", 0},
		"no such place":       {begun + `{"kind":1,"k":["requests",7,"x"],"v":1}` + "\n" + other, "go", 1},
		"no such kind":        {begun + `{"kind":9,"k":["requests"]}` + "\n" + other, "go", 1},
		"too deep a path":     {begun + `{"kind":1,"k":["x"` + strings.Repeat(`,"x"`, 99) + `]}` + "\n" + other, "go", 1},
		"a text for an array": {begun + `{"kind":2,"k":["requests"],"v":"x"}` + "\n", "go", 1},
	} {
		read := harnesstest.Read(t, vscode.New(), harnesstest.Env(write(t, c.log, "{}"), nil))
		if got := strings.Join(read.Session("c").Texts(sessions.Prompt), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := read.Skipped()["damaged line"]; got != c.skipped {
			t.Errorf("%s: %d skipped", name, got)
		}
	}
}

// A chat without a title of its own has the one of the editor's list, in a window
// with and in one without a folder: also one that is given later.
func TestListedTitles(t *testing.T) {
	t.Parallel()
	home := write(t, begun, "{}")
	harnesstest.Write(t, filepath.Join(home, storage, "w", "chatSessions", "own.json"), `{"customTitle":"Own","requests":[{"requestId":"3","message":{"text":"go"}}]}`)
	window := filepath.Join(home, storage, "..", "globalStorage")
	harnesstest.Write(t, filepath.Join(window, "emptyWindowChatSessions", "e.jsonl"), begun)
	list := func(id, title string) string {
		return `INSERT OR REPLACE INTO ItemTable VALUES ('chat.ChatSessionStore.index', '{"entries":{"` + id + `":{"title":"` + title + `"},"own":{"title":"Listed"}}}')`
	}
	harnesstest.Exec(t, filepath.Join(home, storage, "w", "state.vscdb"), table, list("c", "New Chat"))
	harnesstest.Exec(t, filepath.Join(window, "state.vscdb"), table, list("e", "Without a folder"))
	source := vscode.New()
	stamps := func() map[string]int64 {
		extra := map[string]int64{}
		for _, tr := range harnesstest.List(t, source, harnesstest.Env(home, nil)) {
			extra[tr.ID] = tr.Extra
		}
		return extra
	}
	before := stamps()
	titles := func() map[string]string {
		read, titles := harnesstest.Read(t, source, harnesstest.Env(home, nil)), map[string]string{}
		for _, id := range []string{"c", "own", "e"} {
			titles[id] = read.Session(id).Title
		}
		return titles
	}
	if diff := cmp.Diff(map[string]string{"c": "go", "own": "Own", "e": "Without a folder"}, titles()); diff != "" {
		t.Error(diff)
	}
	harnesstest.Exec(t, filepath.Join(home, storage, "w", "state.vscdb"), list("c", "Renamed"))
	if after := stamps(); after["c"] == before["c"] || after["e"] != before["e"] {
		t.Errorf("stamps %v, then %v", before, after)
	}
	if got := titles()["c"]; got != "Renamed" {
		t.Errorf("renamed to %q", got)
	}
}

const table = "CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE, value BLOB)"

// keep puts a document under a key of an editor's database.
func keep(t testing.TB, database, key, document string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(filepath.Dir(database), "x"), "") // for the folder
	harnesstest.Exec(t, database, table, "INSERT OR REPLACE INTO ItemTable VALUES ('"+key+"', '"+document+"')")
}

// Before chats had files, all of a window's were kept in the editor's database. Of
// those that have files since, the files count; of a folder that was in use since
// and has some, all have. An editor of before may be in use still.
func TestStoredChats(t *testing.T) {
	t.Parallel()
	chat := func(id, text string) string {
		return `{"sessionId":"` + id + `","creationDate":1700000000000,"requests":[{"message":` + text + `,"response":["said ",{"value":"so"}]}]}`
	}
	home := write(t, begun, `{"folder":"file:///a"}`)
	database := filepath.Join(home, storage, "w", "state.vscdb")
	keep(t, database, "interactive.sessions", "["+chat("c", `"stale"`)+","+chat("old", `"as a text"`)+","+chat("older", `{"text":"as an object"}`)+`,{"requests":[]},7]`)
	keep(t, filepath.Join(home, storage, "used", "state.vscdb"), "interactive.sessions", "["+chat("used", `"x"`)+"]")
	harnesstest.Write(t, filepath.Join(home, storage, "used", "chatSessions", "since.jsonl"), begun)
	keep(t, filepath.Join(home, storage, "old release", "state.vscdb"), "interactive.sessions", "["+chat("late", `"still so"`)+"]")
	window := filepath.Join(home, storage, "..", "globalStorage", "state.vscdb")
	keep(t, window, "interactive.sessions", `{"here":`+chat("here", `"without a folder"`)+`,"moved":`+chat("moved", `"x"`)+`}`)
	keep(t, window, "chat.ChatSessionStore.index", `{"entries":{"here":{"title":"Listed"}}}`)
	harnesstest.Write(t, filepath.Join(home, storage, "..", "globalStorage", "emptyWindowChatSessions", "moved.jsonl"), begun)
	long := harnesstest.Day("2024-05-01 00:00:00")
	if err := os.Chtimes(database, long, long); err != nil {
		t.Fatal(err)
	}
	read := harnesstest.Read(t, vscode.New(), harnesstest.Env(home, nil))
	got := map[string]string{}
	for _, s := range read.Sessions() {
		got[s.ID] = fmt.Sprintf("%s in %q: %s", s.Title, s.Directory, strings.Join(append(s.Texts(sessions.Prompt), s.Texts(sessions.Reply)...), ", "))
	}
	want := map[string]string{
		"c": `go in "/a": go`, "moved": `go in "": go`, "old": `as a text in "/a": as a text, said so`, "older": `as an object in "/a": as an object, said so`,
		"since": `go in "": go`, "late": `still so in "": still so, said so`,
		"here": `Listed in "": without a folder, said so`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s := read.Session("old"); !s.LastActive.Equal(harnesstest.Day("2023-11-14 22:13:20")) || s.TimeFrom != sessions.TimeHeader {
		t.Errorf("%v by %s", s.LastActive, s.TimeFrom)
	}
}

// What responses hold besides what is in the samples.
func TestParts(t *testing.T) {
	t.Parallel()
	const log = `{"kind":0,"v":{"requests":[{"requestId":"1","responseId":"2","message":{"text":"go"},"response":[{"kind":"undoStop"},{"value":"See "},
		{"kind":"inlineReference","inlineReference":{"path":"/a/b.go"}},{"kind":"thinking","value":["a","b"]},{"kind":"new"},{"value":"."},
		{"kind":"toolInvocationSerialized","toolId":"run_in_terminal","toolCallId":"t.1","toolSpecificData":{"kind":"terminal","commandLine":{"original":"ls"}}},
		{"value":"inner","subAgentInvocationId":"s"},{"value":"Done."}],
		"result":{"metadata":{"toolCallRounds":[{"summary":"in short"}],"toolCallResults":{"t.1":{"content":[{"value":{"node":{"children":[{"text":"a"},{"text":"b"}]}}}]}}}}}]}}`
	s := harnesstest.Read(t, vscode.New(), harnesstest.Env(write(t, strings.ReplaceAll(log, "\n", "")+"\n", "{}"), nil)).Session("c")
	var got []string
	for _, turn := range s.Turns {
		got = append(got, fmt.Sprintf("%s %s: %s", turn.Kind, turn.Tool, turn.Text))
	}
	want := []string{"prompt : go", "summary : in short", "reply : See b.go.\n\nDone.", "thinking : a\n\nb", "tool call run_in_terminal: ls", "tool output run_in_terminal: ab"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Calls bear an id of the chat's own beside the one that is shown, or only an
// order; long results stand in files; and where the user went back is undone.
func TestCalls(t *testing.T) {
	t.Parallel()
	const log = `{"kind":0,"v":{"sessionId":"c","requests":[{"requestId":"1","responseId":"2","message":{"text":"go"},"response":[
		{"kind":"toolInvocationSerialized","toolId":"copilot_readFile","toolCallId":"call_a","invocationMessage":"Read"},
		{"kind":"toolInvocationSerialized","toolId":"copilot_findText","toolCallId":"call_b"},
		{"kind":"toolInvocationSerialized","toolId":"mcp_x_y","toolCallId":"call_c","resultDetails":{"input":"{}","output":[{"type":"embed","isText":true,"value":"found"}]}},
		{"kind":"markdownVuln","content":{"value":"Done."},"vulnerabilities":[]}],
		"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"call_a__vscode-1","name":"read_file","arguments":"{\"filePath\":\"/a\"}"},{"id":"call_b__vscode-2","name":"grep","arguments":"{\"query\":\"q\"}"}]}],
		"toolCallResults":{"call_a__vscode-1":{"content":[{"value":"of a"}]},"call_b__vscode-2":{"content":[{"value":"Large tool result (90KB) written to file. Use the read_file tool to access the content at: /elsewhere/c/call_b__vscode-2/content.txt"}]}}}}},
		{"requestId":"3","responseId":"4","message":{"text":"and?"},"shouldBeRemovedOnSend":{"requestId":"3"},"response":[
		{"kind":"toolInvocationSerialized","toolId":"run_in_terminal","toolCallId":"0f-uuid","toolSpecificData":{"terminalCommandOutput":{"text":"shown"}}},{"value":"So."}],
		"result":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"call_d","name":"run","arguments":"{\"command\":\"make\"}"}]}]}}}]}}`
	home := write(t, strings.ReplaceAll(log, "\n", "")+"\n", "{}")
	var chat string
	for _, tr := range harnesstest.List(t, vscode.New(), harnesstest.Env(home, nil)) {
		chat = tr.Path
	}
	harnesstest.Write(t, filepath.Join(filepath.Dir(filepath.Dir(chat)), "GitHub.copilot-chat/chat-session-resources/c/call_b__vscode-2/content.txt"), "all of it")
	s := harnesstest.Read(t, vscode.New(), harnesstest.Env(home, nil)).Session("c")
	var got []string
	for _, turn := range s.Turns {
		line := fmt.Sprintf("%s %s: %s", turn.Kind, turn.Tool, turn.Text)
		if turn.Undone {
			line = "undone " + line
		}
		got = append(got, line)
	}
	want := []string{
		"prompt : go", "tool call copilot_readFile: /a", "tool output copilot_readFile: of a", "tool call copilot_findText: q", "tool output copilot_findText: all of it",
		"tool call mcp_x_y: ", "tool output mcp_x_y: found", "reply : Done.",
		"undone prompt : and?", "undone tool call run_in_terminal: make", "undone tool output run_in_terminal: shown", "undone reply : So.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a response asks, and what is answered, is told once; a button's text is not
// the user's, one that reads like it is; and a request that waits is read.
func TestAsked(t *testing.T) {
	t.Parallel()
	const log = `{"kind":0,"v":{"sessionId":"c","requests":[
		{"requestId":"1","responseId":"2","message":{"text":"go"},"response":[{"value":"First."},
			{"kind":"questionCarousel","message":{"value":"Please"},"questions":[{"id":"a.b","title":"Which?","message":"Which?","options":[{"label":"One","value":"1"},{"label":"Two","value":"2"}]},{"id":"q","title":"Why?"}],
				"data":{"a.b":{"selectedValues":["2"],"freeformValue":"or more"},"q":"so"}},
			{"kind":"planReview","title":"Plan","content":"1. look","data":{"rejected":true,"feedback":"not yet"}},{"value":"Then."}]},
		{"requestId":"3","responseId":"4","message":{"text":"Continue: \"Go on?\""},"confirmation":"Continue","response":[{"value":"On."}]},
		{"requestId":"5","responseId":"6","message":{"text":"Continue: \"Go on?\" is what it asked"},"confirmation":"Continue"},
		{"requestId":"7","responseId":"8","message":{"text":"Try Again"},"confirmation":"Try Again","response":[
			{"kind":"toolInvocationSerialized","toolId":"vscode_askQuestions","toolCallId":"k"},{"kind":"questionCarousel","questions":[{"id":"q","title":"Told?"}]}]},
		{"requestId":"9","message":{"text":"Try Again"}}],
		"pendingRequests":[{"id":"9","request":{"requestId":"9","message":{"text":"Try Again"}}},{"id":"x","kind":"queued","request":{"requestId":"x","timestamp":1700000000000,"message":{"text":"later"}}}]}}`
	s := harnesstest.Read(t, vscode.New(), harnesstest.Env(write(t, strings.ReplaceAll(log, "\n", "")+"\n", "{}"), nil)).Session("c")
	var got []string
	for _, turn := range s.Turns {
		got = append(got, fmt.Sprintf("%s %s: %s", turn.Kind, turn.Tool, turn.Text))
	}
	want := []string{
		"prompt : go", "reply : First.\n\nThen.", "tool call questionCarousel: Please\nWhich?\nOne\nTwo\nWhy?", "tool output questionCarousel: or more\nTwo\nso",
		"tool call planReview: Plan\n1. look", "tool output planReview: not yet",
		"reply : On.", "prompt : Continue: \"Go on?\" is what it asked", "tool call vscode_askQuestions: ", "prompt : Try Again", "prompt : later",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	for workspace, want := range map[string]string{
		`{"folder":"file:///a%20b"}`: "/a b", `{"workspace":"file:///a/x.code-workspace"}`: "/a", `{"folder":"vscode-remote://ssh-remote%2Bbox/src"}`: "ssh-remote+box/src",
		`{"folder":"vscode-remote://%"}`: "", `{"folder":7}`: "", `x`: "",
	} {
		if s := harnesstest.Read(t, vscode.New(), harnesstest.Env(write(t, begun, workspace), nil)).Session("c"); s.Directory != want {
			t.Errorf("%s: %q", workspace, s.Directory)
		}
	}
}

// A chat is gone on with in its editor, where that and a folder are known.
func TestResume(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, directory, want string }{
		{"/h/.config/Code - Insiders/User/workspaceStorage/w/chatSessions/c.jsonl", "/w", "code-insiders /w"},
		{"/h/Library/Application Support/VSCodium/User/workspaceStorage/w/state.vscdb", "/w", "codium /w"},
		{"/h/.config/Code/User/globalStorage/emptyWindowChatSessions/c.jsonl", "", ""},
		{"/h/.config/Code/User/workspaceStorage/w/chatSessions/c.jsonl", "ssh-remote+box/w", ""},
		{"/h/.vscode-server/data/User/workspaceStorage/w/chatSessions/c.jsonl", "/w", ""},
		{"/mnt/laptop/w/chatSessions/c.jsonl", "/w", ""},
	} {
		if got := strings.Join(vscode.New().Resume(sessions.Session{Path: c.path, Directory: c.directory}), " "); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.path, c.directory, got, c.want)
		}
	}
}

// Any bytes behind a log: nothing panics, and what stands before is told.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		other, `{"kind":1,"k":["requests",0,"response"],"v":[7,"x",{"kind":"toolInvocationSerialized"},{"kind":"inlineReference"}]}`, `{"kind":3,"k":["requests",0]}`,
		`{"kind":2,"k":["requests",1e300],"i":-1}`, `{"kind":1,"k":[],"v":null}`, "{\"kind\":\x00\xff",
	} {
		f.Add([]byte(seed))
	}
	home := write(f, begun, "{}")
	f.Fuzz(func(t *testing.T, more []byte) {
		log := filepath.Join(home, storage, "w", "chatSessions", "c.jsonl")
		if err := os.WriteFile(log, append([]byte(begun), more...), 0o600); err != nil {
			t.Fatal(err)
		}
		harnesstest.Read(t, vscode.New(), harnesstest.Env(home, nil))
	})
}
