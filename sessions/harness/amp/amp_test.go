package amp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/amp"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/amp"
	threads = ".local/share/amp/threads"
	bounces = "T-3f1c5a7e-9b0d-4c2e-8f46-a8c0e2f4b6d8"
)

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, amp.New(), samples)
	harnesstest.Expect(t, read, "amp", map[string]sessions.Session{
		bounces: {
			Title: "Bounce handling", Directory: "/home/mira/src/mailgate", Branch: "main", Model: "claude-opus-4-5", Provider: "anthropic",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-02-03 11:00:00"), LastActive: harnesstest.Day("2026-02-03 11:00:20"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: []string{"amp", "threads", "continue", bounces},
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, amp.New(), samples) }

// write makes a home with this thread.
func write(t testing.TB, doc string) (home string) {
	t.Helper()
	home = t.TempDir()
	harnesstest.Write(t, filepath.Join(home, threads, "T-1.json"), doc)
	return home
}

// What the documents of several releases hold besides what is in the samples.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		doc  string
		want []string
	}{
		"only tools return in the user's name": {
			`{"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},
			{"role":"assistant","messageId":1,"content":[{"type":"text","text":"first"},{"type":"tool_use","id":"a","name":"Bash","input":{"cmd":"ls"}},
			{"type":"tool_use","id":"b","name":"Read","input":{"path":"x"}},{"type":"tool_use","id":"c","name":"Read","input":{"path":"y"}},
			{"type":"tool_use","id":"d","name":"Slow","input":{}},{"type":"text","text":"last"}]},
			{"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"a","run":{"status":"done","result":{"output":"files","exitCode":0}}},
			{"type":"tool_result","toolUseID":"b","run":{"status":"error","error":{"message":"no file"}}},
			{"type":"tool_result","toolUseID":"c","run":{"status":"cancelled"}},{"type":"tool_result","toolUseID":"d","run":{"status":"in-progress"}}]}]}`,
			[]string{
				"prompt : go", "reply : first\n\nlast", "tool call Bash: ls", "tool call Read: x", "tool call Read: y", "tool call Slow: ",
				"tool output Bash: files", "tool output Read failed: no file", "tool output Read failed: cancelled",
			},
		},
		"the first releases": {
			`{"createdAt":1770116400000,"messages":[{"role":"user","message":{},"text":"why"},{"role":"assistant","text":"so"}]}`,
			[]string{"prompt : why", "reply : so"},
		},
		"compaction, commands of the user, notices and pictures": {
			`{"messages":[{"role":"user","messageId":0,"content":[{"type":"image","source":{"data":"AAAA"}},{"type":"text","text":"see"}]},
			{"role":"info","messageId":1,"content":[{"type":"summary","summary":{"type":"message","summary":"so far"}},{"type":"text","text":"a notice"},
			{"type":"manual_bash_invocation","args":{"cmd":"git status"},"toolRun":{"status":"done","result":{"output":"clean"}}}]},
			{"role":"assistant","messageId":2,"content":[{"type":"redacted_thinking","data":"x"},{"type":"text","text":"yes"}]}]}`,
			[]string{"prompt : see", "summary : so far", "tool call bash: git status", "tool output bash: clean", "reply : yes"},
		},
		"a result of several kinds": {
			`{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","toolUseID":"a","run":{"status":"done","result":[{"type":"image","data":"AAAA"},"one",{"n":2}]}}]}]}`,
			[]string{"prompt : go", "tool call look: ", "tool output look: one\n2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harnesstest.Read(t, amp.New(), harnesstest.Env(write(t, c.doc), nil)).Session("T-1")
			var got []string
			for _, turn := range s.Turns {
				line := turn.Kind.String() + " " + turn.Tool
				if turn.Failed {
					line += " failed"
				}
				got = append(got, line+": "+turn.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A stub of a thread that lives on the server says nothing, so it is no session.
func TestStub(t *testing.T) {
	t.Parallel()
	if s := harnesstest.Read(t, amp.New(), harnesstest.Env(write(t, `{"v":1,"id":"T-1","title":"On the server","messages":[]}`), nil)).Sessions(); len(s) > 0 {
		t.Errorf("%+v", s[0])
	}
}

// What a sub-agent says in the thread counts for the sub-agent.
func TestSubagent(t *testing.T) {
	t.Parallel()
	read := harnesstest.Read(t, amp.New(), harnesstest.Env(write(t, `{"title":"main","created":1770116400000,"messages":[
		{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},
		{"role":"assistant","messageId":1,"content":[{"type":"tool_use","id":"task1","name":"Task","input":{"prompt":"look"}}]},
		{"role":"user","messageId":2,"parentToolUseId":"task1","content":[{"type":"text","text":"look"}]},
		{"role":"assistant","messageId":3,"parentToolUseId":"task1","content":[{"type":"text","text":"found"}],"usage":{"model":"gpt-5"}},
		{"role":"assistant","messageId":4,"content":[{"type":"text","text":"done"}]}]}`), nil))
	main, agent := read.Session("T-1"), read.Session("T-1/task1")
	if main == nil || main.Prompts != 1 || main.Replies != 1 || main.Model != "" {
		t.Errorf("main: %+v", main)
	}
	if agent == nil || !agent.Subagent || agent.Parent != "T-1" || agent.ParentCall != "task1" || agent.Title != "look" || agent.Replies != 1 || agent.Resume != nil {
		t.Errorf("sub-agent: %+v", agent)
	}
}

// Without times of messages the thread's own stand in.
func TestTimes(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`"created":1770116400000,"meta":{"traces":[{"endTime":"2026-02-03T12:00:00Z"},{}]}`: "2026-02-03 12:00:00 header",
		`"created":1770116400000`: "2026-02-03 11:00:00 header",
		`"created":"soon"`:        "0001-01-01 00:00:00 ",
	} {
		s := harnesstest.Read(t, amp.New(), harnesstest.Env(write(t, `{`+doc+`,"messages":[{"role":"user","content":"go"}]}`), nil)).Session("T-1")
		if got := fmt.Sprint(s.LastActive.Format("2006-01-02 15:04:05"), " ", s.TimeFrom); got != want {
			t.Errorf("%s: %s", doc, got)
		}
	}
}

// A thread that was written again with another version is read again, whatever
// its file's time says.
func TestVersion(t *testing.T) {
	t.Parallel()
	home := write(t, `{"v": 1,"messages":[{"role":"user","content":"one"}]}`)
	path := filepath.Join(home, threads, "T-1.json")
	before := harnesstest.List(t, amp.New(), harnesstest.Env(home, nil))[0]
	if err := os.WriteFile(path, []byte(`{"v": 2,"messages":[{"role":"user","content":"two"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, before.Mtime, before.Mtime); err != nil {
		t.Fatal(err)
	}
	if after := harnesstest.List(t, amp.New(), harnesstest.Env(home, nil))[0]; after.Same(before.Stamp) {
		t.Errorf("the same stamp: %+v", after.Stamp)
	}
}

// Directories come as addresses of files.
func TestDirectory(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"file:///home/mira/a%20b": "/home/mira/a b", "file:///C:/src/x": filepath.FromSlash("C:/src/x"), "vscode-remote://x/y": "", "%": "",
	} {
		doc := `{"env":{"initial":{"trees":[{"uri":"` + uri + `"}]}},"messages":[{"role":"user","content":"go"}]}`
		if s := harnesstest.Read(t, amp.New(), harnesstest.Env(write(t, doc), nil)).Session("T-1"); s.Directory != want {
			t.Errorf("%s: %q", uri, s.Directory)
		}
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return amp.New() }, threads, bounces+".json", filepath.Join(samples, threads, bounces+".json"))
}
