package cursor_test

import (
	"encoding/base64"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/harnesstest"
)

// where is the file that tells a session, of all that are listed.
func where(t *testing.T, src sessions.Source, home, id string) (paths []string) {
	t.Helper()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		if tr.ID == id {
			path, _ := filepath.Rel(home, tr.Path)
			paths = append(paths, filepath.ToSlash(path))
		}
	}
	return paths
}

// write puts a file below a home.
func write(t *testing.T, home, name, text string) string {
	t.Helper()
	path := filepath.Join(home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A conversation that is in several stores is told once, by the editor before a
// chat before a transcript; and it does not move while it is shown.
func TestTwins(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	transcript := ".cursor/projects/home-mira-src-parcel-api/agent-transcripts/" + invoice + ".jsonl"
	write(t, home, transcript, `{"role":"user","message":{"content":[{"type":"text","text":"poorer"}]}}`+"\n")
	running := cursor.New()
	if diff := cmp.Diff([]string{chat}, where(t, running, home, invoice)); diff != "" {
		t.Error("a chat and its transcript", diff)
	}
	insert := `INSERT INTO cursorDiskKV (key, value) VALUES ('composerData:` + invoice + `', '{"createdAt":1782997200000}')`
	harnesstest.Exec(t, filepath.Join(home, editor), insert)
	if diff := cmp.Diff([]string{chat}, where(t, running, home, invoice)); diff != "" {
		t.Error("it moved while it was shown", diff)
	}
	if diff := cmp.Diff([]string{editor}, where(t, cursor.New(), home, invoice)); diff != "" {
		t.Error("all three", diff)
	}
	server := ".cursor-server/projects/x/agent-transcripts/" + limiter + ".jsonl"
	write(t, home, server, strings.Repeat(`{"role":"user","message":{"content":[{"type":"text","text":"longer"}]}}`+"\n", 100))
	if diff := cmp.Diff([]string{server}, where(t, cursor.New(), home, limiter)); diff != "" {
		t.Error("the longer copy", diff)
	}
}

// Of the copies of a transcript in the projects of one root the longest is told, also
// when another was for a while: what is said goes on in the one that grows.
func TestTheLongerCopyWhileItRuns(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	copies := []string{".cursor/projects/a/agent-transcripts/" + limiter + ".jsonl", ".cursor/projects/b/agent-transcripts/" + limiter + ".jsonl"}
	line := `{"role":"user","message":{"content":[{"type":"text","text":"longer"}]}}` + "\n"
	running := cursor.New()
	for step, lengths := range [][2]int{{3, 2}, {0, 2}, {3, 2}, {3, 4}, {5, 4}} {
		longest := 0
		for n, length := range lengths {
			path := write(t, home, copies[n], strings.Repeat(line, length))
			if length == 0 {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			if length > lengths[longest] {
				longest = n
			}
		}
		if diff := cmp.Diff(copies[longest:longest+1], where(t, running, home, limiter)); diff != "" {
			t.Errorf("step %d: %s", step, diff)
		}
	}
}

// What is excluded tells no session, and keeps none from being told by what else has it.
func TestACopyThatIsExcluded(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	line := `{"role":"user","message":{"content":[{"type":"text","text":"words"}]}}` + "\n"
	copies := []string{".cursor/projects/a/agent-transcripts/" + limiter + ".jsonl", ".cursor-server/projects/b/agent-transcripts/" + limiter + ".jsonl"}
	for n, path := range copies {
		write(t, home, path, strings.Repeat(line, 2-n))
	}
	for n, path := range copies {
		excluded := func(other string) bool { return strings.HasPrefix(other, filepath.Dir(filepath.Join(home, path))) }
		var told []string
		for _, tr := range harnesstest.ListBut(t, cursor.New(), harnesstest.Env(home, nil), excluded) {
			told = append(told, tr.Path)
		}
		if diff := cmp.Diff([]string{filepath.Join(home, copies[1-n])}, told); diff != "" {
			t.Errorf("without %s: %s", path, diff)
		}
	}
}

// said reads one session of a home.
func said(t *testing.T, home, id string) *harnesstest.Session {
	t.Helper()
	s := harnesstest.Read(t, cursor.New(), harnesstest.Env(home, nil)).Session(id)
	if s == nil {
		t.Fatalf("no session %s", id)
	}
	return s
}

// What the editor keeps besides what is in the samples.
func TestEditor(t *testing.T) {
	t.Parallel()
	insert := func(key, value string) string {
		return `INSERT INTO cursorDiskKV (key, value) VALUES ('` + key + `', '` + value + `')`
	}
	t.Run("messages inside", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:old",
			`{"createdAt":1700000000000,"lastUpdatedAt":1700000060000,"conversation":[{"bubbleId":"a","type":1,"text":"why?"},{"bubbleId":"b","type":2,"text":"because"}]}`))
		s := said(t, home, "old")
		if diff := cmp.Diff([]string{"why?", "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
			t.Error(diff)
		}
		if s.Title != "why?" || s.TimeFrom != sessions.TimeHeader || s.LastActive.Unix() != 1700000060 {
			t.Errorf("%+v", s.Session)
		}
	})
	t.Run("sub-agent", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor),
			insert("composerData:child", `{"subagentInfo":{},"createdAt":1}`), insert("bubbleId:child:1", `{"type":1,"text":"look"}`), insert("bubbleId:child:2", `{"type":2,"text":"seen"}`),
			insert("composerData:parent", `{"supersededSubagentComposerIds":["child"]}`), insert("bubbleId:parent:1", `{"type":1,"text":"go"}`),
			insert("bubbleId:parent:2", `{"type":2,"toolFormerData":{"name":"task_v2","toolCallId":"call_1\nfc","additionalData":{"subagentComposerId":"child"}}}`))
		s := said(t, home, "child")
		if !s.Subagent || s.Parent != "parent" || s.ParentCall != "call_1" || !s.Turns[0].Undone {
			t.Errorf("%+v, %+v", s.Session, s.Turns)
		}
	})
	t.Run("workspace", func(t *testing.T) {
		const shown = "0a1b2c3d-0000-4000-8000-00000000000a" // in a pane
		home := harnesstest.Samples(t, samples)
		base := ".config/Cursor/User/workspaceStorage/listing/"
		write(t, home, base+"workspace.json", `{"folder":"file:///home/mira/a%20b"}`)
		harnesstest.Exec(t, filepath.Join(home, base+"state.vscdb"), "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT INTO ItemTable VALUES ('composer.composerData', '{"allComposers":[{"composerId":"w2"}]}'), ('secret://x', 'no'),
				('workbench.panel.composerChatViewPane.1', '{"workbench.panel.aichat.view.`+shown+`":{"collapsed":false}}')`)
		harnesstest.Exec(t, filepath.Join(home, editor),
			insert("composerData:w1", `{}`), insert("bubbleId:w1:1", `{"type":1,"text":"one"}`),
			`INSERT INTO composerHeaders (composerId, workspaceId, recency, value) VALUES ('w1', '5f0c1d2e3b4a59687786950413223140', 1782997200000, '{"name":"Named"}')`,
			insert("composerData:w2", `{}`), insert("bubbleId:w2:1", `{"type":1,"text":"two"}`),
			insert("composerData:"+shown, `{}`), insert("bubbleId:"+shown+":1", `{"type":1,"text":"three"}`))
		one, two := said(t, home, "w1"), said(t, home, "w2")
		if one.Directory != parcel || one.Title != "Named" || !one.LastActive.Equal(harnesstest.Day("2026-07-02 13:00:00")) {
			t.Errorf("%+v", one.Session)
		}
		if three := said(t, home, shown); two.Directory != "/home/mira/a b" || three.Directory != two.Directory {
			t.Errorf("%+v, %+v", two.Session, three.Session)
		}
	})
	t.Run("tabs", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		base := ".config/Cursor/User/workspaceStorage/early/"
		write(t, home, base+"workspace.json", `{"folder":"file:///home/mira/early"}`)
		harnesstest.Exec(t, filepath.Join(home, base+"state.vscdb"), "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[{"tabId":"t1","chatTitle":"Early","lastSendTime":1700000000000,
				"bubbles":[{"type":"user","id":"a","text":"why?"},{"type":"ai","id":"b","rawText":"because"}]},{"chatTitle":"no id"},{"tabId":"t2","bubbles":[]}]}')`)
		s := said(t, home, "t1")
		if diff := cmp.Diff([]string{"why?", "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
			t.Error(diff)
		}
		if s.Title != "Early" || s.Directory != "/home/mira/early" || s.LastActive.Unix() != 1700000000 {
			t.Errorf("%+v", s.Session)
		}
	})
	t.Run("tools", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:t", `{}`), insert("bubbleId:t:0", `{"type":1,"text":"go"}`),
			insert("bubbleId:t:1", `{"type":2,"toolFormerData":{"name":"edit_file_v2","rawArgs":"{\"path\":\"x\"}","params":"","additionalData":{"precomputedDiff":"+ y"}}}`),
			insert("bubbleId:t:2", `{"type":2,"toolFormerData":{"name":"read_file_v2","params":"{\"path\":\"z\"}","status":"error","error":"{\"clientVisibleErrorMessage\":\"no such file\"}"}}`))
		s := said(t, home, "t")
		if diff := cmp.Diff([]string{"go", "x", "+ y", "z", "no such file"}, s.Texts(sessions.Prompt, sessions.ToolCall, sessions.ToolOutput)); diff != "" {
			t.Error(diff)
		}
		if !s.Turns[4].Failed || s.Turns[2].Failed {
			t.Errorf("%+v", s.Turns)
		}
	})
}

// packed is a protocol buffer's message of fields, each a number and what it
// holds: a number, a text or a message.
func packed(fields ...any) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		number := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, number), uint64(v))
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, number|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, number|2), uint64(len(v))), v...)
		}
	}
	return b
}

// What newer releases keep of a call in a protocol buffer alone is read from it.
func TestPackedCalls(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("src/", 12) + "a.go" // with the mark of its length a text by itself
	for name, c := range map[string]struct {
		tool, json string
		call       []byte
		want       []string
		failed     bool
	}{
		"lines": {"ripgrep_raw_search", `"params":"{\"pattern\":\"x\"}",`, packed(5, packed(1, packed(1, "x"), 2, packed(1, packed(1, "x", 2, "/w", 4,
			packed(1, "/w", 2, packed(3, packed(1, packed(1, long, 2, packed(1, 7, 2, "x := 1"), 2, packed(1, 9, 2, "x++")), 2, 2)))))), 57, "call"),
			[]string{"x", long + "\n7: x := 1\n9: x++"}, false},
		"files":    {"ripgrep_raw_search", "", packed(5, packed(2, packed(1, packed(4, packed(1, "/w", 2, packed(2, packed(1, "a.go", 1, "b.go"))))))), []string{"a.go\nb.go"}, false},
		"counts":   {"ripgrep_raw_search", "", packed(5, packed(2, packed(1, packed(4, packed(1, "/w", 2, packed(1, packed(1, packed(1, "a.go", 2, 3)))))))), []string{"a.go: 3"}, false},
		"bad":      {"ripgrep_raw_search", "", packed(5, packed(2, packed(2, packed(1, "no such pattern")))), []string{"no such pattern"}, true},
		"glob":     {"glob_file_search", `"result":"{\"directories\":[{\"absPath\":\"/w\"}]}",`, packed(4, packed(2, packed(1, packed(1, "*", 2, "/w", 3, "a.go", 3, "/v/b.go", 4, 2)))), []string{"/w/a.go\n/v/b.go"}, false},
		"command":  {"run_terminal_command_v2", "", packed(1, packed(1, packed(1, "go test", 2, "/w"), 2, packed(2, packed(1, "go test", 3, 1, 5, "FAIL", 6, "exit 1")))), []string{"go test\n\n/w", "FAIL\nexit 1"}, true},
		"refused":  {"run_terminal_command_v2", "", packed(1, packed(2, packed(4, packed(1, "rm x", 3, "not now")))), []string{"rm x\n\nnot now"}, true},
		"both":     {"run_terminal_command_v2", "", packed(1, packed(2, packed(1, packed(3, 0, 10, "ok")))), []string{"ok"}, false},
		"another":  {"await", "", packed(42, packed(1, packed(1, 5), 2, packed(1, packed(1, long, 3, "80")))), []string{long + "\n\n80"}, false},
		"binary":   {"await", "", packed(42, packed(2, packed(1, packed(1, "\xff\x01\x02")))), nil, false},
		"cut off":  {"await", "", packed(42, packed(2, packed(1, "seen")))[:6], nil, false},
		"in JSON":  {"run_terminal_command_v2", `"result":"{\"output\":\"told\"}",`, packed(1, packed(2, packed(1, packed(3, 0, 5, "packed")))), []string{"told"}, false},
		"no bytes": {"await", "", nil, nil, false},
	} {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), `INSERT INTO cursorDiskKV (key, value) VALUES ('composerData:t', '{}'), ('bubbleId:t:0', '{"type":1,"text":"go"}'),
			('bubbleId:t:1', '{"type":2,"toolFormerData":{"name":"`+c.tool+`",`+c.json+`"toolCallBinary":"`+base64.StdEncoding.EncodeToString(c.call)+`"}}')`)
		var got []string
		bad := false
		for _, turn := range said(t, home, "t").Turns[1:] {
			if turn.Text != "" {
				got = append(got, turn.Text)
			}
			bad = bad || turn.Failed
		}
		if diff := cmp.Diff(c.want, got); diff != "" || bad != c.failed {
			t.Errorf("%s: failed %v (-want +got):\n%s", name, bad, diff)
		}
	}
}

// A chat says where it was had in its root, when nothing beside it does, and may
// keep its header as it is.
func TestChatAlone(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	if err := os.Remove(filepath.Join(home, filepath.Dir(chat), "meta.json")); err != nil {
		t.Fatal(err)
	}
	s := said(t, home, invoice)
	if s.Directory != parcel || s.Title != "Invoice uuid migration" || s.TimeFrom != sessions.TimeMtime || !s.Start.Equal(harnesstest.Day("2026-05-20 08:02:11")) {
		t.Errorf("%+v", s.Session)
	}
}

// On Linux the command line keeps its chats among the settings of all programs.
func TestChatsOnLinux(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	if err := os.MkdirAll(filepath.Join(home, ".config/cursor"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, ".cursor/chats"), filepath.Join(home, ".config/cursor/chats")); err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(chat, ".cursor", ".config/cursor", 1)
	if diff := cmp.Diff([]string{moved}, where(t, cursor.New(), home, invoice)); diff != "" {
		t.Error(diff)
	}
	if s := said(t, home, invoice); s.Directory != parcel || len(s.Resume) != 3 {
		t.Errorf("%+v", s.Session)
	}
}

// A chat of a sub-agent names the one that it works for.
func TestChatOfSubagent(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	harnesstest.Exec(t, filepath.Join(home, chat), `UPDATE meta SET value = '{"latestRootBlobId":"92c15ef870a26001a347ab1ecd93b9e8aa0cc3214e50e5cf5b5bcbd9eaa4da1a","subagentInfo":{"parentAgentId":"p"}}'`)
	if s := said(t, home, invoice); !s.Subagent || s.Parent != "p" || s.Resume != nil {
		t.Errorf("%+v", s.Session)
	}
}

// The directory of a transcript is found by what is named in it or in the file
// system, where only one has that name.
func TestDirectories(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "src", "web.api-v2")
	for _, dir := range []string{project, filepath.Join(home, "twice", "a-b"), filepath.Join(home, "twice", "a.b")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	name := func(path string) string {
		return strings.NewReplacer("/", "-", ".", "-").Replace(strings.TrimPrefix(filepath.ToSlash(path), "/"))
	}
	prompt := `{"role":"user","message":{"content":"go"}}` + "\n"
	call := `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"path":"/srv/x.y/main.go"}}]}}` + "\n"
	for id, c := range map[string]struct{ slug, lines, want string }{
		"walked": {name(project), prompt, project},
		"named":  {"srv-x-y", prompt + call, "/srv/x.y"},
		"lost":   {"srv-z", prompt + call, "srv-z"},
		"twice":  {name(filepath.Join(home, "twice", "a-b")), prompt, name(filepath.Join(home, "twice", "a-b"))},
		"none":   {"empty-window", prompt, ""},
	} {
		write(t, home, ".cursor/projects/"+c.slug+"/agent-transcripts/"+id+".jsonl", c.lines)
		if s := said(t, home, id); s.Directory != c.want {
			t.Errorf("%s: %q, want %q", id, s.Directory, c.want)
		}
	}
}

// Prompts are what stands in their tags, or all when nothing was injected.
func TestPrompts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want, at string }{
		"tagged":        {`<rules>no</rules><user_query>\nyes\n</user_query>\n<x>no</x>`, "yes", ""},
		"plain":         {`just this`, "just this", ""},
		"injected":      {`<user_info>\nno\n</user_info>`, "", ""},
		"open":          {`<user_query>\nyes`, "yes", ""},
		"about tags":    {`<div> is not closed, why?`, "<div> is not closed, why?", ""},
		"time":          {`<timestamp>Tuesday, Jun 9, 2026, 10:14 AM (UTC-3:30)</timestamp>\n<user_query>yes</user_query>`, "yes", "2026-06-09 13:44:00"},
		"time in UTC":   {`<timestamp>Tuesday, Jun 9, 2026, 10:14 PM (UTC)</timestamp>\nyes`, "yes", "2026-06-09 22:14:00"},
		"no time":       {`<timestamp>soon</timestamp>yes`, "yes", ""},
		"two in one":    {`<user_query>one</user_query><user_query>two</user_query>`, "one\n\ntwo", ""},
		"a task ended":  {`<timestamp>soon</timestamp>\n<system_notification>\nno <task>x</task>\n</system_notification>\n<user_query>Briefly inform the user about the task result, again.</user_query>`, "", ""},
		"several ended": {`<system_notification source=\"x\">no</system_notification>\n\n<timestamp>soon</timestamp>\n<system_notification>no</system_notification>\n<user_query>Perform any necessary follow-up actions in response to it.</user_query>\n<user_query>yes</user_query>`, "yes", ""},
		"and a prompt":  {`<system_notification>no</system_notification>\n<user_query>yes</user_query>`, "yes", ""},
		"half of one":   {`<system_notification> is in my log, why?`, "<system_notification> is in my log, why?", ""},
		"about one":     {`What is <system_notification>x</system_notification> in it?`, "What is <system_notification>x</system_notification> in it?", ""},
		"untagged":      {`Briefly inform the user about the task result and perform any follow-up actions (if needed).`, "", ""},
		"of its tools":  {`Available subagent_types:\n- x: y`, "", ""},
		"like it":       {`Briefly inform the user about the task result in the dialog, with a button.`, "Briefly inform the user about the task result in the dialog, with a button.", ""},
		"like rules":    {`<rules> of the linter are not read, why?`, "<rules> of the linter are not read, why?", ""},
		"about a query": {`The tag <user_query> is not closed, and <timestamp>x</timestamp> neither.`, "The tag <user_query> is not closed, and <timestamp>x</timestamp> neither.", ""},
		"a reminder":    {`<system_reminder>no</system_reminder>\nyes`, "yes", ""},
		"nothing in it": {`<user_query></user_query>`, "", ""},
	} {
		home := t.TempDir()
		write(t, home, ".cursor/projects/empty-window/agent-transcripts/s.jsonl",
			`{"role":"user","message":{"content":[{"type":"text","text":"`+c.text+`"}]}}`+"\n"+`{"role":"assistant","message":{"content":"ok"}}`+"\n")
		s := said(t, home, "s")
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if diff := cmp.Diff(want, s.Texts(sessions.Prompt)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.at != "" && !s.LastActive.Equal(harnesstest.Day(c.at)) || c.at == "" && !s.LastActive.IsZero() {
			t.Errorf("%s: %v", name, s.LastActive)
		}
	}
}

// Where a chat was had that says nothing of it is told by its folder's name, which is
// the hash of that: by a directory that is known from elsewhere, or by another chat of
// the same folder. Another hash tells nothing, whatever the other chat says.
func TestChatByItsHash(t *testing.T) {
	t.Parallel()
	message := strings.Repeat("ab", 32)
	for name, c := range map[string]struct{ made, used, sibling, want string }{
		"where it is used": {made: "/home/mira/web", used: "/home/mira/web", want: "/home/mira/web"},
		"above that":       {made: "/home/mira/web", used: "/home/mira/web/src/x", want: "/home/mira/web"},
		"below it":         {made: "/home/mira/web/src", used: "/home/mira/web"},
		"another chat":     {made: "/home/mira/web", sibling: "/home/mira/web", want: "/home/mira/web"},
		"of another place": {made: "/home/mira/web", sibling: "/home/mira/api"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			folder := filepath.Join(home, ".cursor/chats", cursor.New().Hash(c.made))
			path := filepath.Join(folder, invoice, "store.db")
			harnesstest.Write(t, path, "")
			harnesstest.Exec(t, path, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)", "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)",
				`INSERT INTO meta VALUES ('0', '{"latestRootBlobId":"r"}')`, "INSERT INTO blobs VALUES ('r', x'0a20"+message+"')",
				"INSERT INTO blobs VALUES ('"+message+`', '{"role":"user","content":"why?"}')`)
			if c.sibling != "" {
				harnesstest.Write(t, filepath.Join(folder, "other/meta.json"), `{"cwd":"`+c.sibling+`"}`)
			}
			env := harnesstest.Env(home, nil)
			env.Dir = c.used
			if s := harnesstest.Follow(t, cursor.New(), env).Of(invoice); s.Text == "" || s.Directory != c.want {
				t.Errorf("%q, want %q: %s", s.Directory, c.want, s.Text)
			}
		})
	}
}
