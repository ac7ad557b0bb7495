package antigravity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/antigravity"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/antigravity"
	cli     = ".gemini/antigravity-cli"
	sidebar = "7c2d4e6f-8091-4a2b-9c3d-4e5f60718293"
	logs    = ".system_generated/logs"
)

// What a correct reader gets from the samples: every fact and count. The short
// transcript, which is cut, gives way to the full one.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, antigravity.New(), samples)
	harnesstest.Expect(t, read, "antigravity", map[string]sessions.Session{
		sidebar: {
			Title: "the sidebar jumps when fonts load", Directory: "/home/mira/src/portal", Model: "Gemini 3.5 Pro", Provider: "google",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-07-08 12:00:00"), LastActive: harnesstest.Day("2026-07-08 12:11:09"),
			Prompts: 2, Replies: 2, ToolCalls: 1, Resume: []string{"agy", "--conversation", sidebar},
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its lines.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, antigravity.New(), samples) }

// Reading while a file grows tells what reading it whole tells.
func TestInSteps(t *testing.T) {
	harnesstest.SamplesInSteps(t, func() sessions.Source { return antigravity.New() }, samples)
}

// write puts files into a home.
func write(t testing.TB, home string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		harnesstest.Write(t, filepath.Join(home, name), text)
	}
}

// transcript is the path of a conversation's transcript.
func transcript(id, name string) string { return filepath.Join(cli, "brain", id, logs, name) }

// turns is what a conversation with these lines says.
func turns(t *testing.T, name string, lines ...string) (got []string, read *harnesstest.Recorder) {
	t.Helper()
	home := t.TempDir()
	write(t, home, map[string]string{transcript("c", name): strings.Join(lines, "\n") + "\n"})
	read = harnesstest.Read(t, antigravity.New(), harnesstest.Env(home, nil))
	if s := read.Session("c"); s != nil {
		for _, turn := range s.Turns {
			line := turn.Kind.String() + " " + turn.Tool
			if turn.Failed {
				line += " failed"
			}
			if turn.Cut {
				line += " cut"
			}
			got = append(got, line+": "+turn.Text)
		}
	}
	return got, read
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const asks = `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","content":"<USER_REQUEST>go</USER_REQUEST>"}`

// Results name no call. They come in the order of the calls, but one of another
// name than its call may be missing; the next answer's are not the last one's.
func TestResultsByPosition(t *testing.T) {
	t.Parallel()
	got, read := turns(t, "transcript_full.jsonl", asks,
		`{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"write_to_file","args":{"TargetFile":"x"}},{"name":"view_file","args":{"Path":"y"}},{"name":"run_command","args":{"CommandLine":"ls"}}]}`,
		`{"step_index":2,"source":"MODEL","type":"VIEW_FILE","status":"DONE","content":"file y"}`,
		`{"step_index":3,"source":"MODEL","type":"CODE_ACTION","status":"DONE","content":"made x"}`,
		`{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"RUNNING","content":"half"}`,
		`{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","content":"Created At: x\n\nThe command exited with code 2.\nOutput:\nboom"}`,
		`{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","content":"again"}`,
		`{"step_index":5,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"read_url","args":{"Url":"u"}},{"name":"run_command","args":{"CommandLine":"ps"}}]}`,
		`{"step_index":6,"source":"MODEL","type":"READ_URL_CONTENT","status":"ERROR","content":"no net"}`,
		`{"step_index":7,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","content":"The command completed successfully.\nOutput:\nThe command exited with code 1."}`,
		`{"step_index":8,"source":"MODEL","type":"PLANNER_RESPONSE","content":"done","thinking":"so"}`,
		`{"step_index":9,"source":"MODEL","type":"GENERIC","status":"DONE","content":"late"}`)
	expect(t, got, "prompt : go", "tool call write_to_file: x", "tool call view_file: y", "tool call run_command: ls",
		"tool output view_file: file y", "tool output write_to_file: made x",
		"tool output run_command failed: Created At: x\n\nThe command exited with code 2.\nOutput:\nboom",
		"tool call read_url: u", "tool call run_command: ps", "tool output read_url failed: no net",
		"tool output run_command: The command completed successfully.\nOutput:\nThe command exited with code 1.",
		"thinking : so", "reply : done", "tool output generic: late")
	calls := map[string]string{}
	for _, turn := range read.Session("c").Turns {
		if turn.Kind == sessions.ToolCall {
			calls[turn.Call] = turn.Tool
		}
		if turn.Kind == sessions.ToolOutput && turn.Call != "" && calls[turn.Call] != turn.Tool {
			t.Errorf("an output of %s names the call of %s", turn.Tool, calls[turn.Call])
		}
	}
}

// A conversation may have a title and a folder in the program's cache, whatever
// else that holds.
func TestCachedTitles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, map[string]string{
		transcript("a", "transcript_full.jsonl"): asks + "\n", transcript("b", "transcript_full.jsonl"): asks + "\n",
		cli + "/cache/conversation_metadata.json": `{"conversations":{"a":{"summary":{"Title":" Sort it ","Preview":"so","WorkspaceURIs":["file:///src/a%20b"]}},"b":{"summary":{"Title":7,"WorkspaceURIs":{}}},"c":[],"":1}}`,
		cli + "/cache/last_conversations.json":    `{"/src/b":"b"}`,
	})
	src := antigravity.New()
	read := harnesstest.Read(t, src, harnesstest.Env(home, nil))
	for id, want := range map[string]string{"a": "Sort it in /src/a b", "b": "go in /src/b"} {
		if s := read.Session(id); s == nil || s.Title+" in "+s.Directory != want {
			t.Errorf("%s: %+v, want %s", id, s, want)
		}
	}
	root := src.Roots(harnesstest.Env(home, nil))[0]
	if !src.Aside(root, filepath.Join(root.Path, "cache", "conversation_metadata.json")) {
		t.Error("the cache is not followed")
	}
}

// Of what is sent in the user's name, what he typed is the prompt, whatever is
// in it; what follows names the model.
func TestPrompts(t *testing.T) {
	t.Parallel()
	got, read := turns(t, "transcript_full.jsonl",
		`{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"<USER_REQUEST>\nwhy </USER_REQUEST> and setting `+"`Model Selection`"+` from A to B. ?\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nThe user changed setting `+"`Model Selection`"+` from None to Gemini 3.5 Flash (Medium). No need to comment on it.\n</USER_SETTINGS_CHANGE>"}`,
		`{"step_index":1,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"<ADDITIONAL_METADATA>now</ADDITIONAL_METADATA>bare<USER_SETTINGS_CHANGE>x</USER_SETTINGS_CHANGE>"}`,
		`{"step_index":2,"source":"SYSTEM","type":"USER_INPUT","content":"<USER_REQUEST>not typed</USER_REQUEST>"}`,
		`{"step_index":3,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"<USER_REQUEST></USER_REQUEST>"}`,
		`{"step_index":4,"source":"SYSTEM","type":"CHECKPOINT","content":"so far"}`)
	expect(t, got, "prompt : why </USER_REQUEST> and setting `Model Selection` from A to B. ?", "prompt : bare", "summary : so far")
	if s := read.Session("c"); s.Model != "Gemini 3.5 Flash (Medium)" || s.Provider != "google" {
		t.Errorf("%s by %s", s.Model, s.Provider)
	}
}

// The short transcript writes arguments twice over, and cuts texts.
func TestShortTranscript(t *testing.T) {
	t.Parallel()
	got, _ := turns(t, "transcript.jsonl", asks,
		`{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","content":"so I","truncated_fields":["content"],"tool_calls":[{"name":"grep_search","args":{"Query":"\"\\\"a b\\\"\"","Max":"5"}}]}`,
		`{"step_index":2,"source":"MODEL","type":"GREP_SEARCH","content":"one","truncated_fields":["content"]}`)
	expect(t, got, "prompt : go", "reply  cut: so I", "tool call grep_search: Query: \"a b\"\nMax: 5", "tool output grep_search cut: one")
}

// What is neither said nor done is passed over, what is not known counted.
func TestOtherRecords(t *testing.T) {
	t.Parallel()
	got, read := turns(t, "transcript_full.jsonl", asks, `{"step_index":1,"source":"SYSTEM","type":"EPHEMERAL_MESSAGE","content":"x"}`,
		`{"step_index":{"a":1},"source":"MODEL","type":"NEW_THING","content":"y"}`, `{"type":7}`, `{"step_index":2,"type":"PLANNER_RESPONSE","status":"RUNNING","content":"ha"}`,
		`{"step_index":2,"type":"PLANNER_RESPONSE","status":"DONE","content":"half and whole"}`, `{"step_index":2,"type":"PLANNER_RESPONSE","status":"DONE","content":"half and whole"}`)
	expect(t, got, "prompt : go", "reply : half and whole")
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind new_thing": 1, "unknown record kind": 1})
}

// Where a conversation takes place is told by the list of prompts, by its id or
// by its first prompt, and by the list of the latest ones: never by paths in it.
func TestDirectory(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","created_at":"2026-07-08T12:00:00Z","content":"<USER_REQUEST>go</USER_REQUEST>"}` + "\n" +
		`{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"ls","args":{"Path":"/elsewhere"}}]}` + "\n"
	late := strings.Replace(first, "12:00:00", "15:00:00", 1)
	files := map[string]string{
		cli + "/history.jsonl": `{"display":"go","timestamp":1783512030000,"workspace":"/first"}
{"display":"go","timestamp":1783512000000,"workspace":"/named","conversationId":"named"}
{"display":"on","timestamp":1783512000001,"workspace":"/moved","conversationId":"named"}
{"display":[],"conversationId":7}
`,
		cli + "/cache/last_conversations.json": `{"/latest":"latest","/other":"named","x":9}`,
	}
	for id, text := range map[string]string{"named": first, "latest": late, "first": first, "printed": late} {
		files[transcript(id, "transcript_full.jsonl")] = text
	}
	write(t, home, files)
	read := harnesstest.Read(t, antigravity.New(), harnesstest.Env(home, nil))
	for id, want := range map[string]string{"latest": "/latest", "first": "/first", "printed": ""} {
		if got := read.Session(id).Directory; got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	src := antigravity.New()
	root := src.Roots(harnesstest.Env(home, nil))[0]
	notes, err := src.Notes(t.Context(), root)
	if err != nil || notes["named"].Directory != "/named" {
		t.Errorf("%v, %v", notes, err)
	}
	if !src.Shared(root, filepath.Join(home, cli+"/history.jsonl")) {
		t.Error("the list of prompts is not what it is")
	}
	for path, want := range map[string]bool{cli + "/history.jsonl": false, cli + "/cache/last_conversations.json": true, cli + "/cache/x": false, "history.jsonl": false} {
		if src.Aside(root, filepath.Join(home, path)) != want {
			t.Errorf("%s is not what it is", path)
		}
	}
}

// Where there is no transcript, the documents are what the conversation comes to,
// and each of them counts for its stamp. What is encrypted is no session.
func TestDocuments(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const dir = ".gemini/antigravity/brain/d/"
	write(t, home, map[string]string{
		dir + "task.md": "- [x] measure\n", dir + "plan.md": "\n## Why\n# Half the start\n\nMeasure first.\n", dir + "plan.md.resolved": "old", dir + "media.png": "x",
		".gemini/antigravity/brain/empty/notes.txt": "x", ".gemini/antigravity/conversations/e.db": "x", ".gemini/antigravity/implicit/e.pb": "x",
	})
	at := harnesstest.Day("2026-07-01 10:00:00")
	for name, when := range map[string]time.Time{"task.md": at, "plan.md": at.Add(-time.Hour)} {
		if err := os.Chtimes(filepath.Join(home, dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	src := antigravity.New()
	env := harnesstest.Env(home, nil)
	read := harnesstest.Read(t, src, env)
	harnesstest.Expect(t, read, "antigravity", map[string]sessions.Session{"d": {Title: "Half the start", TimeFrom: sessions.TimeMtime, LastActive: at}}, nil)
	want := []string{"\n## Why\n# Half the start\n\nMeasure first.\n", "- [x] measure\n"}
	if diff := cmp.Diff(want, read.Session("d").Texts(sessions.Summary)); diff != "" {
		t.Error(diff)
	}
	before := harnesstest.List(t, src, env)[0]
	write(t, home, map[string]string{dir + "task.md": "- [x] measure\n- [ ] halve\n"})
	if harnesstest.List(t, src, env)[0].Same(before.Stamp) {
		t.Error("the same stamp")
	}
	write(t, home, map[string]string{dir + logs + "/transcript.jsonl": asks + "\n"})
	if now := harnesstest.List(t, src, env)[0]; filepath.Ext(now.Path) != ".jsonl" || now.ID != "d" {
		t.Errorf("%+v", now)
	}
}

// A document that is too long is said to be left out.
func TestLongDocument(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const dir = ".gemini/antigravity/brain/d/"
	write(t, home, map[string]string{dir + "a.md": strings.Repeat("x", 5<<20), dir + "b.md": "short"})
	read := harnesstest.Read(t, antigravity.New(), harnesstest.Env(home, nil))
	harnesstest.ExpectSkipped(t, read, map[string]int{"document cannot be read": 1})
	if s := read.Session("d"); s == nil || len(s.Turns) != 1 {
		t.Errorf("%+v", s)
	}
}

// Only what is the command line's is gone on with.
func TestResume(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/h/.gemini/antigravity-cli/brain/c/plan.md": true, "/h/.gemini/antigravity/brain/c/plan.md": false,
		"/mnt/brain/c/" + logs + "/transcript.jsonl": true, "/mnt/brain/c/plan.md": false, "/h/.gemini/antigravity/brain/c/" + logs + "/transcript.jsonl": false,
	} {
		s := sessions.Session{Key: sessions.Key{ID: "c"}, Path: path}
		if got := antigravity.New().Resume(s) != nil; got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if argv := antigravity.New().Resume(sessions.Session{Key: sessions.Key{ID: "-c"}}); argv != nil {
		t.Errorf("%q", argv)
	}
}

// Roots that the user adds may be the folder of the command line, of
// conversations, or one that has them under another name.
func TestRoots(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	other := filepath.Join(home, "mirror")
	if err := os.Rename(filepath.Join(home, cli, "brain"), other); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, cli, "history.jsonl"), filepath.Join(home, "history.jsonl")); err != nil {
		t.Fatal(err)
	}
	env := harnesstest.Env(home, nil)
	env.Extra = map[string][]string{"antigravity": {other}}
	read := harnesstest.Read(t, antigravity.New(), env)
	if s := read.Session(sidebar); s == nil || s.Directory != "/home/mira/src/portal" {
		t.Errorf("%+v", s)
	}
	env.Home = ""
	if roots := antigravity.New().Roots(env); len(roots) != 1 {
		t.Errorf("without a home: %v", roots)
	}
}

func FuzzRead(f *testing.F) {
	path := filepath.Join("brain", sidebar, filepath.FromSlash(logs), "transcript_full.jsonl")
	harnesstest.Fuzz(f, func() sessions.Source { return antigravity.New() }, cli, path, filepath.Join(samples, cli, path))
}

func FuzzShort(f *testing.F) {
	path := filepath.Join("brain", sidebar, filepath.FromSlash(logs), "transcript.jsonl")
	harnesstest.Fuzz(f, func() sessions.Source { return antigravity.New() }, cli, path, filepath.Join(samples, cli, path))
}

// A later release of the editor keeps its conversations elsewhere, and those that
// it took over are told from there.
func TestLaterEditor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	line := func(text string) string {
		return `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","created_at":"2026-07-01T20:19:30Z","content":"` + text + `"}` + "\n"
	}
	logs := "/.system_generated/logs/"
	harnesstest.Write(t, filepath.Join(home, ".gemini/antigravity/brain/a"+logs+"transcript.jsonl"), line("old"))
	harnesstest.Write(t, filepath.Join(home, ".gemini/antigravity-ide/brain/a"+logs+"transcript.jsonl"), line("new"))
	harnesstest.Write(t, filepath.Join(home, ".gemini/antigravity-ide/brain/b"+logs+"overview.txt"), line("early"))
	read := harnesstest.Read(t, antigravity.New(), harnesstest.Env(home, nil))
	for id, want := range map[string]string{"a": "new", "b": "early"} {
		s := read.Session(id)
		if s == nil || !cmp.Equal(s.Texts(sessions.Prompt), []string{want}) || s.Resume != nil {
			t.Errorf("%s: %+v", id, s)
		}
	}
}
