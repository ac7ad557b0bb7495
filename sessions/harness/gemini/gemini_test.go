package gemini_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/gemini"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/store"
)

const (
	samples = "../../../testdata/samples/gemini"
	tmp     = ".gemini/tmp"
	hashed  = tmp + "/559185fdcd4cd23ddfb9d4c73ee073019bd46dd9236422428ea660bea5596212" // of /home/dev/tidepool
	chats   = tmp + "/shop/chats"

	main  = "d41f7a60-8c2b-4e93-b5a1-0f9e8d7c6b5a"
	agent = "7b6a5c4d-3e2f-4109-8877-665544332211"
	twin  = "3a2b1c0d-9e8f-4a7b-8c6d-5e4f3a2b1c0d"
	file  = "session-2026-06-18T09-30-d41f7a60.jsonl"
)

// What a correct reader gets from the samples.
func TestSamples(t *testing.T) {
	got, _ := harnesstest.ReadSamples(t, gemini.New(), samples)
	harnesstest.Rows(t, got, map[string]harnesstest.Row{
		main: {
			Title: "Invoice counter clock: UTC", Directory: "/home/dev/shop", Model: "gemini-3-flash",
			LastActive: "2026-06-18 09:32:30", Prompts: 3, Replies: 3, Calls: 2, Resume: "gemini --resume " + main,
		},
		agent: {
			Title: "Where is the invoice number built?", Directory: "/home/dev/shop", Model: "gemini-3-flash",
			LastActive: "2026-06-18 09:30:43", Prompts: 1, Replies: 1, Parent: main, ParentCall: "codebase_investigator_1",
		},
		twin: {
			Title: "Sort harbours by name or by id?", Model: "gemini-2.5-pro", LastActive: "2025-10-06 07:25:06",
			Prompts: 2, Replies: 2, Resume: "gemini --resume " + twin,
		},
	})
	s := got.Session(main)
	if diff := cmp.Diff([]string{"Forget it, delete the whole package instead.", "Deleting invoice/ would break the refund job."}, s.Undone()); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
	want := []string{
		"<state_snapshot>\n<overall_goal>Invoice counter uses UTC.</overall_goal>\n</state_snapshot>",
		"Got it. Thanks for the additional context!",
	}
	if diff := cmp.Diff(want, s.Texts(sessions.Summary)); diff != "" {
		t.Errorf("summaries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"unfinished": 1}, got.Skipped()); diff != "" {
		t.Errorf("skipped: %s", diff)
	}
}

// Every turn of every sample, as read by a person.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, gemini.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	src := gemini.New()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		if filepath.Ext(tr.Path) == ".jsonl" {
			harnesstest.InSteps(t, src, tr)
		}
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return gemini.New() }, tmp, "x/chats/"+file, filepath.Join(samples, chats, file))
}

func FuzzDocument(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return gemini.New() }, tmp, "x/chats/session-1.json",
		filepath.Join(samples, hashed, "chats/session-2025-10-06T07-15-3a2b1c0d.json"))
}

// write puts a file below a home's .gemini/tmp.
func write(t *testing.T, home, name, text string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(home, tmp, name), text)
}

func one(t *testing.T, lines ...string) *harnesstest.Session {
	t.Helper()
	home := t.TempDir()
	write(t, home, "p/chats/session-s.jsonl", `{"sessionId":"s"}`+"\n"+strings.Join(lines, "\n")+"\n")
	return harnesstest.Read(t, gemini.New(), harnesstest.Env(home, nil)).Session("s")
}

func user(id, text string) string {
	return `{"id":"` + id + `","type":"user","content":[{"text":"` + text + `"}]}`
}

func answer(id, text string) string {
	return `{"id":"` + id + `","type":"gemini","content":"` + text + `"}`
}

// D10: what the program put there, and commands to it, are no prompts.
func TestPrompts(t *testing.T) {
	for _, c := range []struct{ name, message, want string }{
		{"a text", `"content":"words"`, "words"},
		{"a part", `"content":{"text":"words"}`, "words"},
		{"parts", `"content":[{"text":"words"},{"text":"more"}]`, "words\n\nmore"},
		{"what was typed", `"content":"words and a file's text","displayContent":"words @file"`, "words @file"},
		{"a string among parts", `"content":["words",{"text":"more"}]`, "words\n\nmore"},
		{"files that it refers to", `"content":[{"text":"read @a"},{"text":"\n--- Content from referenced files ---"},{"text":"\nContent from @a:\n"},{"text":"secret"}]`, "read @a"},
		{"a hook's context behind it", `"content":[{"text":"words"},{"text":"<hook_context>x</hook_context>"}]`, "words"},
		{"files in one text", `"content":"read @a\n--- Content from referenced files ---\nContent from @a:\nsecret"`, "read @a"},
		{"about the line before files", `"content":"why\n--- Content from referenced files ---\nis there?"`, "why\n--- Content from referenced files ---\nis there?"},
		{"about a context", `"content":"<session_context> is twice there"`, "<session_context> is twice there"},
		{"about a summary", `"content":"<state_snapshot> is not closed, why?"`, "<state_snapshot> is not closed, why?"},
		{"about two summaries", `"content":"<state_snapshot>a</state_snapshot> or <state_snapshot>b</state_snapshot>?"`, "<state_snapshot>a</state_snapshot> or <state_snapshot>b</state_snapshot>?"},
		{"a summary", `"content":"<state_snapshot>x</state_snapshot>"`, ""},
		{"a summary behind thoughts", `"content":"<scratchpad>hm</scratchpad>\n\n<state_snapshot>x</state_snapshot>"`, ""},
		{"a path", `"content":"/tmp/a.go does not compile"`, "/tmp/a.go does not compile"},
		{"a question", `"content":"?? is a strange operator"`, "?? is a strange operator"},
		{"a command with arguments", `"content":"/memory show"`, ""},
		{"a command", `"content":"/stats"`, ""},
		{"a question for help", `"content":"?"`, ""},
		{"the session's context", `"content":[{"text":"<session_context>x</session_context>"}]`, ""},
		{"a hook's context", `"content":[{"text":"<hook_context>x</hook_context>"}]`, ""},
		{"an output", `"content":[{"functionResponse":{"id":"c","response":{"output":"x"}}}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, answer("a", "hm"), `{"id":"u","type":"user",`+c.message+`}`)
			if got := strings.Join(s.Texts(sessions.Prompt), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What stands after updates of the list.
func TestUpdates(t *testing.T) {
	talk := []string{user("1", "a"), answer("2", "b"), user("3", "c"), answer("4", "d")}
	for _, c := range []struct {
		name, stands, undone string
		more                 []string
	}{
		{"written again", "a B c d", "", []string{answer("2", "B")}},
		{"rewound", "a b", "c d", []string{`{"$rewindTo":"3"}`}},
		{"rewound to what is not there", "", "a b c d", []string{`{"$rewindTo":"9"}`}},
		{"rewound and gone on", "a b e", "c d", []string{`{"$rewindTo":"3"}`, user("5", "e")}},
		{"listed again", "a b c d", "", []string{`{"$set":{"messages":[` + talk[2] + `,` + talk[3] + `]}}`}},
		{"listed, then rewound", "a b", "c d", []string{`{"$set":{"messages":[` + talk[2] + `,` + talk[3] + `]}}`, `{"$rewindTo":"3"}`}},
		{"listed, then rewound to what is listed no more", "a b", "c d", []string{`{"$set":{"messages":[` + talk[2] + `,` + talk[3] + `]}}`, `{"$rewindTo":"1"}`}},
		{"rewound, then listed", "a b c d", "", []string{`{"$rewindTo":"3"}`, `{"$set":{"messages":[` + talk[2] + `,` + talk[3] + `]}}`}},
		{"a new one in the list", "a b c d e", "", []string{`{"$set":{"messages":[` + talk[3] + `,` + user("5", "e") + `]}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stands, undone []string
			for _, turn := range one(t, append(talk[:4:4], c.more...)...).Turns {
				if turn.Undone {
					undone = append(undone, turn.Text)
				} else {
					stands = append(stands, turn.Text)
				}
			}
			if got := strings.Join(stands, " "); got != c.stands {
				t.Errorf("stands %q, want %q", got, c.stands)
			}
			if got := strings.Join(undone, " "); got != c.undone {
				t.Errorf("undone %q, want %q", got, c.undone)
			}
		})
	}
}

// The summary that a compression lists is one whatever the model thought before it,
// and however it was cut, and the answer to it is no reply.
func TestSummaries(t *testing.T) {
	for text, want := range map[string]string{
		"<state_snapshot>x</state_snapshot>":                               "<state_snapshot>x</state_snapshot>",
		"<scratchpad>hm</scratchpad>\\n<state_snapshot>x</state_snapshot>": "<state_snapshot>x</state_snapshot>",
		"<state_snapshot>x": "<state_snapshot>x",
	} {
		s := one(t, user("0", "go"), answer("1", "done"),
			`{"$set":{"messages":[{"id":"2","type":"user","content":[{"text":"`+text+`"}]},{"id":"3","type":"gemini","content":"Got it."},{"id":"1","type":"gemini","content":"done"}]}}`)
		if diff := cmp.Diff([]string{want, "Got it."}, s.Texts(sessions.Summary)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff([]string{"go", "done"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A prompt that begins as a summary does, further down in a list, is a prompt, and
// what follows it a reply.
func TestPromptLikeSummary(t *testing.T) {
	about := "<state_snapshot> is not closed, why?"
	s := one(t, user("0", "go"), answer("1", "done"),
		`{"$set":{"messages":[`+user("0", "go")+`,`+answer("1", "done")+`,`+user("2", about)+`,`+answer("3", "because")+`]}}`)
	if diff := cmp.Diff([]string{"go", "done", about, "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A call stands in every version of its message, its output there and in a
// message of its own: each is told once.
func TestCalls(t *testing.T) {
	call := func(rest string) string {
		return `{"id":"1","type":"gemini","content":"","toolCalls":[{"id":"c","name":"n","args":{"x":"in"}` + rest + `}]}`
	}
	s := one(t, user("0", "go"), call(`,"status":"executing","resultDisplay":"half"`),
		call(`,"status":"error","result":[{"functionResponse":{"id":"c","response":{"error":"out"}}}]`),
		`{"id":"2","type":"user","content":[{"functionResponse":{"id":"c","name":"n","response":{"output":"out"}}}]}`)
	if diff := cmp.Diff([]string{"in", "out"}, s.Texts(sessions.ToolCall, sessions.ToolOutput)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out := s.Turns[len(s.Turns)-1]; !out.Failed || out.Tool != "n" || out.Call != "c" {
		t.Errorf("%+v", out)
	}
}

// Calls that were made together may have one result, of which each takes the part
// that bears its id; one whose id no part bears, as of early releases, the first.
func TestCallsThatWereMadeTogether(t *testing.T) {
	const result = `[{"text":"both"},{"functionResponse":{"id":"a","response":{"output":"one"}}},{"functionResponse":{"id":"b","response":{"output":"two"}}},` +
		`{"functionResponse":{"id":"c","response":{"output":"three"}}}]`
	var calls []string
	for _, id := range []string{"a", "b", "old"} {
		calls = append(calls, `{"id":"`+id+`","name":"n","args":{"x":"in `+id+`"},"status":"success","result":`+result+`}`)
	}
	s := one(t, user("0", "go"), `{"id":"1","type":"gemini","content":"","toolCalls":[`+strings.Join(calls, ",")+`]}`)
	var got []string
	for _, turn := range s.Turns {
		if turn.Kind == sessions.ToolOutput {
			got = append(got, turn.Call+": "+turn.Text)
		}
	}
	if diff := cmp.Diff([]string{"a: one", "b: two", "old: one"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A long output stands in a file, which is read where it is the session's own.
func TestSpilledOutputs(t *testing.T) {
	for _, c := range []struct {
		name, notice, want string
		cut                bool
	}{
		{"its own", "too long, see /elsewhere/tmp/p/tool-outputs/session-s/long.txt for all", "all of it", false},
		{"gone", "see tool-outputs/session-s/gone.txt", "see tool-outputs/session-s/gone.txt", true},
		{"outside", "see tool-outputs/session-s/../../../secret", "see tool-outputs/session-s/../../../secret", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, "p/tool-outputs/session-s/long.txt", "all of it")
			write(t, home, "secret", "not for you")
			write(t, home, "p/chats/session-s.jsonl", `{"sessionId":"s"}`+"\n"+user("0", "go")+"\n"+
				`{"id":"1","type":"gemini","toolCalls":[{"id":"c","name":"n","result":[{"functionResponse":{"response":{"output":"`+c.notice+`"}}}]}]}`)
			out := harnesstest.Read(t, gemini.New(), harnesstest.Env(home, nil)).Session("s").Turns[2]
			if out.Text != c.want || out.Cut != c.cut {
				t.Errorf("%q, cut %v", out.Text, out.Cut)
			}
		})
	}
}

// Of two forms of one session the one that was updated last counts; lines count
// when that is not told.
func TestTwins(t *testing.T) {
	for _, c := range []struct{ name, document, lines, want string }{
		{"lines go on", `,"lastUpdated":"2026-01-01T00:00:00Z"`, `,"lastUpdated":"2026-01-02T00:00:00Z"`, "lines"},
		{"the document goes on", `,"lastUpdated":"2026-01-03T00:00:00Z"`, `,"lastUpdated":"2026-01-02T00:00:00Z"`, "document"},
		{"no times", "", "", "lines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, "p/chats/session-s.json", `{"sessionId":"s","messages":[`+user("1", "document")+`]`+c.document+`}`)
			write(t, home, "p/chats/session-s.jsonl", `{"sessionId":"s"`+c.lines+`}`+"\n"+user("1", "lines")+"\n")
			got := harnesstest.Read(t, gemini.New(), harnesstest.Env(home, nil))
			if texts := got.Session("s").Texts(sessions.Prompt); len(texts) != 1 || texts[0] != c.want {
				t.Errorf("%q, want %q", texts, c.want)
			}
		})
	}
}

// Half a document is an error before anything is told, so that what was known
// stays, and it is read again when it changes.
func TestHalfADocument(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	tr := sessions.Transcript{Path: filepath.Join(home, hashed, "chats/session-2025-10-07T08-00-aaaabbbb.json")}
	got := harnesstest.NewRecorder()
	mark, err := gemini.New().Read(t.Context(), tr, sessions.Mark{}, got)
	if !errors.Is(err, store.ErrUnfinished) || len(got.Sessions()) > 0 || mark.Offset != 0 {
		t.Errorf("%v, mark %+v", err, mark)
	}
}

// The directory is told by the map of projects, the folder's note, the session,
// or by the hash that is the folder's name.
func TestDirectories(t *testing.T) {
	const hash = "559185fdcd4cd23ddfb9d4c73ee073019bd46dd9236422428ea660bea5596212"
	for _, c := range []struct{ name, project, projects, note, other, header, want string }{
		{"by the map", "p", `{"projects":{"/a":"p"}}`, "/b", "", `,"directories":["/c"]`, "/a"},
		{"by the note", "p", `{"projects":{"/a":"q"}}`, "/b\n", "", `,"directories":["/c"]`, "/b"},
		{"by the session", "p", "", "", "", `,"directories":["/c","/d"]`, "/c"},
		{"by the folder's hash", hash, `{"projects":{"/home/dev/tidepool":"q"}}`, "", "", "", "/home/dev/tidepool"},
		{"by the session's hash", "p", "", "", "/home/dev/tidepool", `,"projectHash":"` + hash + `"`, "/home/dev/tidepool"},
		{"by nothing", "p", "damaged", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, "../projects.json", c.projects)
			write(t, home, c.project+"/.project_root", c.note)
			write(t, home, "z/.project_root", c.other)
			write(t, home, c.project+"/chats/session-s.jsonl", `{"sessionId":"s"`+c.header+`}`+"\n"+user("1", "a")+"\n")
			if s := harnesstest.Read(t, gemini.New(), harnesstest.Env(home, nil)).Session("s"); s.Directory != c.want {
				t.Errorf("%q, want %q", s.Directory, c.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	env := harnesstest.Env("/h", map[string]string{"GEMINI_CLI_HOME": "/g"})
	env.Extra = map[string][]string{"gemini": {"/mnt/.gemini"}}
	want := []sessions.Root{
		{Harness: "gemini", Path: "/g/.gemini/tmp", From: "GEMINI_CLI_HOME"},
		{Harness: "gemini", Path: "/mnt/.gemini", From: "config"},
	}
	if diff := cmp.Diff(want, gemini.New().Roots(env)); diff != "" {
		t.Error(diff)
	}
	env = harnesstest.Env(t.TempDir(), nil)
	env.Extra = map[string][]string{"gemini": {filepath.Join(samples, ".gemini")}}
	if n := len(harnesstest.List(t, gemini.New(), env)); n != 4 {
		t.Errorf("%d transcripts in a root that is configured", n)
	}
}

// A project's folder that only its hash names, of an older release, stands for the
// directory with that hash, which is known from elsewhere; so it does for sub-agents.
func TestDirectoryByItsHash(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(gemini.New().Hash("/home/dev/tidepool"), "chats")
	write(t, home, filepath.Join(project, "session-s.json"), `{"sessionId":"s","messages":[`+user("1", "a")+`]}`)
	write(t, home, filepath.Join(project, "session-l.jsonl"), `{"sessionId":"l"}`+"\n"+user("1", "a")+"\n")
	write(t, home, filepath.Join(project, "l", "sub.jsonl"), `{"sessionId":"sub"}`+"\n"+user("1", "a")+"\n")
	write(t, home, "tidepool/chats/session-x.jsonl", `{"sessionId":"x"}`+"\n"+user("1", "a")+"\n")
	own := `,"projectHash": "` + gemini.New().Hash("/home/dev/tidepool") + `"`
	write(t, home, "tidepool/chats/session-h.jsonl", `{"sessionId":"h"`+own+`}`+"\n"+user("1", "a")+"\n")
	write(t, home, "tidepool/chats/session-d.json", `{"sessionId":"d"`+own+`,"messages":[`+user("1", "a")+`]}`)
	env := harnesstest.Env(home, nil)
	env.Dir = "/home/dev/tidepool/src"
	live := harnesstest.Follow(t, gemini.New(), env)
	for id, want := range map[string]string{"s": "/home/dev/tidepool", "l": "/home/dev/tidepool", "sub": "/home/dev/tidepool", "x": "", "h": "/home/dev/tidepool", "d": "/home/dev/tidepool"} {
		if got := live.Of(id); got.Text == "" || got.Directory != want {
			t.Errorf("%s: %q, want %q", id, got.Directory, want)
		}
	}
}
