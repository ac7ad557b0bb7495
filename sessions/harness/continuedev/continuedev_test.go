package continuedev_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/continuedev"
	"yore/sessions/harness/harnesstest"
)

const (
	samples  = "../../../testdata/samples/continue"
	folder   = ".continue/sessions"
	rotation = "e5c4d3b2-a190-4f8e-9d7c-6b5a4f3e2d1c"
	compress = "0f1e2d3c-4b5a-4697-8887-766554433221"
)

// What a correct reader gets from the samples: every fact and count. The list of
// all sessions names one that is gone, and lacks the command line's.
func TestSamples(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for _, id := range []string{rotation, compress} {
		at := harnesstest.Day("2026-04-02 11:00:00")
		if err := os.Chtimes(filepath.Join(home, folder, id+".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	read := harnesstest.Read(t, continuedev.New(), harnesstest.Env(home, nil))
	for _, s := range read.Sessions() {
		s.LastActive = s.LastActive.UTC()
	}
	harnesstest.Expect(t, read, "continue", map[string]sessions.Session{
		rotation: {
			Title: "Log rotation on Windows", Directory: "/home/mira/src/logpost", Model: "Codestral", Provider: "mistral",
			TimeFrom: sessions.TimeMtime, Start: harnesstest.Day("2026-04-02 10:00:00"), LastActive: harnesstest.Day("2026-04-02 11:00:00"),
			Prompts: 1, Replies: 2, ToolCalls: 1, Resume: []string{"cn", "--fork", rotation},
		},
		compress: {
			Title: "compress rotated files after how many days?", Directory: "/home/mira/src/logpost",
			TimeFrom: sessions.TimeMtime, LastActive: harnesstest.Day("2026-04-02 11:00:00"),
			Prompts: 1, Replies: 1, Resume: []string{"cn", "--fork", compress},
		},
	}, nil)
	if all := harnesstest.Everything(read, home); strings.Contains(all, "HUGE PROMPT LOG") || strings.Contains(all, "rotate.go file text") {
		t.Error("a prompt's log or an attached file is told as talk")
	}
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, continuedev.New(), samples) }

// write puts a file into the sessions folder of a home.
func write(t testing.TB, home, name, text string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(home, folder, name), text)
}

// read is what is told of a session with this document.
func read(t testing.TB, doc string) *harnesstest.Recorder {
	t.Helper()
	home := t.TempDir()
	write(t, home, "s.json", doc)
	return harnesstest.Read(t, continuedev.New(), harnesstest.Env(home, nil))
}

// What histories hold besides what is in the samples.
func TestHistories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		history string
		want    []string
	}{
		"reasoning beside the answer, pictures and early releases": {
			`{"message":{"role":"user","content":[{"type":"text","text":"see"},{"type":"imageUrl","imageUrl":{"url":"data:AAAA"}}]},"promptLogs":[["p","c"]]},
			{"message":{"role":"assistant","content":"yes"},"reasoning":{"active":false,"text":"hm"}}`,
			[]string{"prompt : see", "thinking : hm", "reply : yes"},
		},
		"an output that stands in a message of its own only": {
			`{"message":{"role":"assistant","content":"","toolCalls":[{"id":"a","function":{"name":"ls","arguments":"{\"dir\":\"x\"}"}}]}},
			{"message":{"role":"tool","toolCallId":"a","content":"files"}},{"message":{"role":"tool","toolCallId":"a","content":"files"}},
			{"message":{"role":"user","content":"thanks"}}`,
			[]string{"tool call ls: x", "tool output ls: files", "prompt : thanks"},
		},
		"calls that failed": {
			`{"message":{"role":"user","content":"go"}},
			{"message":{"role":"assistant","content":""},"toolCallStates":[
				{"toolCallId":"a","toolCall":{"id":"a","function":{"name":"ls","arguments":"{\"dir\":\"x\"}"}},"status":"errored","output":[{"content":"one"},{"content":"two"}]},
				{"toolCallId":"b","toolCall":{"id":"b","function":{"name":"rm"}},"status":"canceled"},
				{"toolCallId":"c","toolCall":{"id":"c","function":{"name":"mv"}},"status":"canceled","output":[]},
				{"toolCallId":"d","toolCall":{"id":"d","function":{"name":"cp"}},"status":"calling"}]},
			{"message":{"role":"tool","toolCallId":"b","content":"The user said no."}}`,
			[]string{
				"prompt : go", "tool call ls: x", "tool output ls failed: one\ntwo", "tool call rm: ", "tool output rm failed: The user said no.",
				"tool call mv: ", "tool output mv failed: canceled", "tool call cp: ",
			},
		},
		"a summary stands behind what it sums up": {
			`{"message":{"role":"user","content":"go"},"conversationSummary":"so far"},{"message":{"role":"system","content":"be kind"}},{"message":{"role":"assistant","content":"ok"}}`,
			[]string{"prompt : go", "summary : so far", "reply : ok"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, turn := range read(t, `{"history":[`+c.history+`]}`).Session("s").Turns {
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

// A role that is not known costs itself only.
func TestUnknownRole(t *testing.T) {
	t.Parallel()
	got := read(t, `{"history":[{"message":{"role":"robot","content":"x"}},7,{"message":{"role":"user","content":"go"}}]}`)
	harnesstest.ExpectSkipped(t, got, map[string]int{"unknown record kind robot": 1, "unknown record kind": 1})
	if s := got.Session("s"); s == nil || s.Prompts != 1 {
		t.Errorf("%+v", s)
	}
}

// A copy of a session names no origin: its messages have the ids that they have
// there, their own or made of what was said up to there.
func TestCopies(t *testing.T) {
	t.Parallel()
	ids := func(history string) (ids []string) {
		t.Helper()
		for _, turn := range read(t, `{"history":[`+history+`]}`).Session("s").Turns {
			ids = append(ids, turn.ID)
		}
		return ids
	}
	const whole = `{"message":{"role":"user","id":"` + rotation + `","content":"a"}},{"message":{"role":"assistant","id":"1","content":"b"}},{"message":{"role":"user","content":"b"}}`
	first := ids(whole)
	if first[0] != rotation || first[1] == first[2] {
		t.Errorf("ids %q", first)
	}
	on := ids(whole + `,{"message":{"role":"assistant","content":"c"}}`)
	if diff := cmp.Diff(first, on[:3]); diff != "" {
		t.Error(diff)
	}
	if other := ids(strings.Replace(whole, `"a"`, `"x"`, 1)); other[1] == first[1] || other[2] == first[2] {
		t.Errorf("another session has the ids %q of %q", other, first)
	}
}

// What a document lacks stands in the list of all sessions, which may change
// alone; damage to the list costs what it tells.
func TestList(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, "s.json", `{"title":"Untitled Session","history":[{"message":{"role":"user","content":"go"}}]}`)
	src := continuedev.New()
	stamps := map[int64]bool{}
	for _, c := range []struct {
		list, title, dir string
		start            time.Time
	}{
		{``, "go", "", time.Time{}},
		{`[{"sessionId":"s","title":"Renamed","dateCreated":"1775124000000","workspaceDirectory":"file:///C%3A/src/a%20b"}]`, "Renamed", filepath.FromSlash("C:/src/a b"), harnesstest.Day("2026-04-02 10:00:00")},
		{`[{"sessionId":"s","title":"New Session","dateCreated":"2026-04-02T10:00:00.000Z","workspaceDirectory":"vscode-remote://wsl/home"}]`, "go", "", harnesstest.Day("2026-04-02 10:00:00")},
		{`[{"sessionId":"s","title":7,"dateCreated":"soon"},3]`, "go", "", time.Time{}},
	} {
		write(t, home, "sessions.json", c.list)
		tr := harnesstest.List(t, src, harnesstest.Env(home, nil))[0]
		if stamps[tr.Extra] {
			t.Errorf("%s: the same stamp", c.list)
		}
		stamps[tr.Extra] = true
		got := harnesstest.NewRecorder()
		harnesstest.ReadOne(t, src, tr, got)
		if s := got.Session("s"); s.Title != c.title || s.Directory != c.dir || !s.Start.Equal(c.start) {
			t.Errorf("%s: %q in %q since %v", c.list, s.Title, s.Directory, s.Start)
		}
	}
}

// PearAI has no command line, and a name that looks like a flag is none of a
// session's.
func TestResume(t *testing.T) {
	t.Parallel()
	for path, id := range map[string]string{"/h/.pearai/sessions/s.json": "s", "/h/.continue/sessions/-x.json": "-x"} {
		s := sessions.Session{Key: sessions.Key{ID: id}, Path: path}
		if argv := continuedev.New().Resume(s); argv != nil {
			t.Errorf("%s: %q", path, argv)
		}
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return continuedev.New() }, folder, rotation+".json", filepath.Join(samples, folder, rotation+".json"))
}
