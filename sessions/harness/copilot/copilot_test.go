package copilot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/copilot"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/store"
)

const (
	samples = "../../../testdata/samples/copilot"
	state   = ".copilot/session-state"
	legacy  = ".copilot/history-session-state/session_8d7c6b5a_1757577600000.json"

	main   = "5a4b3c2d-1e0f-4d9c-8b7a-695847362514"
	flat   = "0f1e2d3c-4b5a-4697-8877-665544332200"
	oldest = "8d7c6b5a-0000-4000-8000-000000000001"
)

// What a correct reader gets from the samples.
func TestSamples(t *testing.T) {
	got, _ := harnesstest.ReadSamples(t, copilot.New(), samples)
	harnesstest.Rows(t, got, map[string]harnesstest.Row{
		main: {
			Title: "Refund retries", Directory: "/home/dev/shop", Branch: "main", Model: "claude-sonnet-4.6",
			LastActive: "2026-06-18 11:03:30", Prompts: 2, Replies: 2, Calls: 2, Resume: "copilot --resume " + main,
		},
		"tc_2@" + main: {
			Title: "Which jobs retry?", Directory: "/home/dev/shop", Branch: "main", LastActive: "2026-06-18 09:40:15",
			Prompts: 1, Replies: 1, Parent: main, ParentCall: "tc_2",
		},
		flat: {
			Title: "Rename readings.val to readings.level?", Directory: "/home/dev/tidepool", LastActive: "2025-11-03 10:00:14",
			Prompts: 1, Replies: 1, Calls: 1, Resume: "copilot --resume " + flat,
		},
		oldest: {
			Title: "Which licence fits the tide data?", Directory: "/home/dev/tidepool",
			Prompts: 1, Replies: 1, Resume: "copilot --resume " + oldest,
		},
	})
	harnesstest.ExpectSkipped(t, got, nil)
	for _, turn := range got.Session(main).Turns {
		if strings.Contains(turn.Text, "current_datetime") || strings.Contains(turn.Text, "skill-context") {
			t.Errorf("injected: %q", turn.Text)
		}
	}
}

// Every turn of every sample, as read by a person.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, copilot.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	src := copilot.New()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		if filepath.Ext(tr.Path) == ".jsonl" {
			harnesstest.InSteps(t, src, tr)
		}
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return copilot.New() }, ".copilot", "session-state/"+main+".jsonl",
		filepath.Join(samples, state, main, "events.jsonl"), filepath.Join(samples, state, flat+".jsonl"))
}

func FuzzDocument(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return copilot.New() }, ".copilot", "history-session-state/s.json", filepath.Join(samples, legacy))
}

// write puts a file below a home's .copilot.
func write(t *testing.T, home, name, text string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(home, ".copilot", name), text)
}

// one reads a session of these events, and of a file beside them.
func one(t *testing.T, workspace string, events ...string) *harnesstest.Session {
	t.Helper()
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", strings.Join(events, "\n")+"\n")
	write(t, home, "session-state/s/workspace.yaml", workspace)
	return harnesstest.Read(t, copilot.New(), harnesstest.Env(home, nil)).Session("s")
}

func event(kind, data string) string { return `{"type":"` + kind + `","data":{` + data + `}}` }

var (
	asked    = event("user.message", `"content":"first words"`)
	answered = event("assistant.message", `"messageId":"m","content":"answer"`)
)

// D10: what the program made of a prompt, and what skills put there, are none.
func TestPrompts(t *testing.T) {
	for _, c := range []struct{ name, event, want string }{
		{"words", event("user.message", `"content":"words","transformedContent":"<current_datetime>now</current_datetime> words"`), "words"},
		{"of an early release", `{"type":"user.message","content":"words"}`, "words"},
		{"of a skill", event("user.message", `"content":"x","source":"skill-notes"`), ""},
		{"a skill's context", event("user.message", `"content":"<skill-context name=\"x\">y</skill-context>"`), ""},
		{"about two contexts", event("user.message", `"content":"<skill-context>y</skill-context> or <skill-context>z</skill-context>"`), "<skill-context>y</skill-context> or <skill-context>z</skill-context>"},
		{"of the program", event("system.message", `"content":"x"`), ""},
		{"of another agent", event("user.message", `"content":"x","source":"agent-7"`), ""},
		{"to go on by itself", event("user.message", `"content":"x","isAutopilotContinuation":true`), ""},
		{"passing", `{"type":"user.message","ephemeral":true,"data":{"content":"x"}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(one(t, "", answered, c.event).Texts(sessions.Prompt), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	changed := event("session.title_changed", `"title":"changed"`)
	for _, c := range []struct {
		workspace string
		events    []string
		want      string
	}{
		{"name: named\nsummary: summed", []string{changed}, "named"},
		{"summary: summed", []string{changed}, "changed"},
		{"summary: summed", nil, "summed"},
		{"", nil, "first words"},
		{`name: "a \"quoted\" name" `, nil, `a "quoted" name`},
		{"name: 'it''s'", nil, "it's"},
		{"name: a: b # and why", nil, "a: b"},
		{"name: |-\n  two\n  lines\nid: x", nil, "two\nlines"},
		{"name: null\nname_of: x", nil, "first words"},
	} {
		if s := one(t, c.workspace, append([]string{asked}, c.events...)...); s.Title != c.want {
			t.Errorf("%q: %q, want %q", c.workspace, s.Title, c.want)
		}
	}
}

// A rename changes no event, and is told all the same.
func TestRename(t *testing.T) {
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", asked+"\n")
	src, root := copilot.New(), sessions.Root{Harness: "copilot", Path: filepath.Join(home, ".copilot")}
	for _, name := range []string{"one", "another"} {
		write(t, home, "session-state/s/workspace.yaml", "name: "+name)
		notes, err := src.Notes(t.Context(), root)
		if err != nil || notes["s"].Title != name {
			t.Errorf("%v, %v", notes, err)
		}
	}
	for path, want := range map[string]bool{
		"session-state/s/workspace.yaml": true, "session-state/s/events.jsonl": false, "session-state/s/files/workspace.yaml": false,
	} {
		if src.Shared(root, filepath.Join(root.Path, path)) != want {
			t.Errorf("%s: shared is not %v", path, want)
		}
	}
}

// What the file beside the events says counts at once: a new name, another branch.
func TestWorkspaceLater(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", asked+"\n"+`{"type":"assistant.message","agentId":"a1","data":{"content":"done"}}`+"\n")
	l := harnesstest.Follow(t, copilot.New(), harnesstest.Env(home, nil))
	for _, branch := range []string{"one", "two"} {
		write(t, home, "session-state/s/workspace.yaml", "cwd: /w/"+branch+"\nname: on "+branch+"\nbranch: "+branch+"\n")
		l.Await("s", branch, func(s harnesstest.Told) bool {
			return s.Branch == branch && s.Directory == "/w/"+branch && s.Title == "on "+branch
		})
		l.Await("a1@s", branch, func(s harnesstest.Told) bool { return s.Branch == branch && s.Directory == "/w/"+branch })
	}
	write(t, home, "session-state/s/workspace.yaml", "cwd: /w/two\nbranch: two\n")
	l.Await("s", "no name", func(s harnesstest.Told) bool { return s.Title == "first words" && s.Branch == "two" })
	if err := os.Remove(filepath.Join(home, ".copilot/session-state/s/workspace.yaml")); err != nil {
		t.Fatal(err)
	}
	l.Await("s", "nothing beside", func(s harnesstest.Told) bool { return s.Branch == "" && s.Title == "first words" })
}

// Where and on what: the file beside the events says it last.
func TestFacts(t *testing.T) {
	s := one(t, "cwd: /w\nbranch: b2", event("session.start", `"context":{"cwd":"/a","branch":"b1"}`), asked,
		event("session.context_changed", `"cwd":"/c","branch":"b3"`), event("session.shutdown", `"modelMetrics":{"gpt-5":{}}`))
	if s.Directory != "/w" || s.LastDirectory != "/c" || s.Branch != "b2" || s.Model != "gpt-5" || s.Provider != "openai" {
		t.Errorf("%+v", s.Session)
	}
}

// What the user has a tool do is his call, reasoning may come in an event of its
// own, and early releases name the sub-agent by its call alone.
func TestNewAndOldEvents(t *testing.T) {
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", strings.Join([]string{
		asked,
		event("tool.user_requested", `"toolCallId":"u","toolName":"bash","arguments":{"command":"ls"}`),
		event("tool.execution_start", `"toolCallId":"u","toolName":"bash","arguments":{"command":"ls"}`),
		event("tool.execution_complete", `"toolCallId":"u","success":true,"isUserRequested":true,"result":{"content":"files"}`),
		event("assistant.reasoning", `"reasoningId":"r","content":"hm"`),
		event("assistant.reasoning", `"reasoningId":"q","content":"of another","parentToolCallId":"t"`),
		event("assistant.message", `"messageId":"m","content":"answer","reasoningText":"hm","model":"gpt-5"`),
		event("assistant.message", `"messageId":"n","content":"","toolRequests":[{"toolCallId":"t","name":"task","arguments":{"prompt":"do it"}}]`),
		event("assistant.message", `"messageId":"o","content":"done","parentToolCallId":"t"`),
	}, "\n")+"\n")
	got := harnesstest.Read(t, copilot.New(), harnesstest.Env(home, nil))
	s := got.Session("s")
	var all []string
	for _, turn := range s.Turns {
		all = append(all, turn.Role.String()+" "+turn.Kind.String()+": "+turn.Text)
	}
	want := []string{
		"user prompt: first words", "user tool call: ls", "assistant tool output: files", "assistant thinking: hm", "assistant reply: answer", "assistant tool call: do it",
	}
	if diff := cmp.Diff(want, all); diff != "" || s.Model != "gpt-5" {
		t.Errorf("%s (-want +got):\n%s", s.Model, diff)
	}
	if sub := got.Session("t@s"); sub == nil || sub.ParentCall != "t" || len(sub.Texts(sessions.Reply)) != 1 {
		t.Errorf("%+v", sub)
	}
}

// A sub-agent's events stand among its parent's, its task in the parent's call.
func TestInlineSubagent(t *testing.T) {
	home := t.TempDir()
	of := func(kind, data string) string { return `{"type":"` + kind + `","agentId":"a1","data":{` + data + `}}` }
	write(t, home, "session-state/s/events.jsonl", strings.Join([]string{
		asked,
		event("assistant.message", `"messageId":"m","content":"","toolRequests":[{"toolCallId":"t","name":"task","arguments":"{\"prompt\":\"do it\"}"}]`),
		of("subagent.started", `"toolCallId":"t","agentDisplayName":"Explore"`),
		of("user.message", `"content":"do it"`),
		of("assistant.message", `"messageId":"m2","content":"done","toolRequests":[{"toolCallId":"t2","name":"bash","arguments":{"command":"ls"}}]`),
		of("tool.execution_start", `"toolCallId":"t2","toolName":"bash","arguments":{"command":"ls"}`),
		of("tool.execution_complete", `"toolCallId":"t2","success":false,"error":{"message":"no such file"}`),
		event("tool.execution_complete", `"toolCallId":"t","success":true,"result":{"content":"done"}`),
	}, "\n")+"\n")
	got := harnesstest.Read(t, copilot.New(), harnesstest.Env(home, nil))
	sub := got.Session("a1@s")
	var all []string
	for _, turn := range sub.Turns {
		all = append(all, turn.Kind.String()+": "+turn.Text)
	}
	if diff := cmp.Diff([]string{"prompt: do it", "reply: done", "tool call: ls", "tool output: no such file"}, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !sub.Subagent || sub.Parent != "s" || sub.ParentCall != "t" || !sub.Turns[3].Failed {
		t.Errorf("%+v", sub.Session)
	}
	if s := got.Session("s"); s.ToolCalls != 1 || s.Replies != 0 || s.Prompts != 1 {
		t.Errorf("parent: %d calls, %d replies, %d prompts", s.ToolCalls, s.Replies, s.Prompts)
	}
}

// A session in several forms is one, in its newest form.
func TestForms(t *testing.T) {
	home := t.TempDir()
	document := `{"sessionId":"s","history":[{"role":"human","content":"oldest"}]}`
	for _, form := range []struct{ name, text, want string }{
		{"history-session-state/session_s_1.json", document, "oldest"},
		{"session-state/s.jsonl", event("user.message", `"content":"older"`) + "\n", "older"},
		{"session-state/s/events.jsonl", event("user.message", `"content":"new"`) + "\n", "new"},
	} {
		write(t, home, form.name, form.text)
		got := harnesstest.Read(t, copilot.New(), harnesstest.Env(home, nil))
		if texts := got.Session("s").Texts(sessions.Prompt); len(texts) != 1 || texts[0] != form.want {
			t.Errorf("%s: %q", form.name, texts)
		}
	}
	write(t, home, "history-session-state/half.json", document[:20])
	tr := sessions.Transcript{Path: filepath.Join(home, ".copilot/history-session-state/half.json")}
	if _, err := copilot.New().Read(t.Context(), tr, sessions.Mark{}, harnesstest.NewRecorder()); !errors.Is(err, store.ErrUnfinished) {
		t.Errorf("half a document: %v", err)
	}
}

func TestUnknownEvents(t *testing.T) {
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", strings.Join([]string{asked, event("hologram", ""), event("hook.start", ""), `{"no":"type"}`}, "\n")+"\n")
	got := harnesstest.Read(t, copilot.New(), harnesstest.Env(home, nil))
	if diff := cmp.Diff(map[string]int{"unknown record kind hologram": 1, "unknown record kind": 1}, got.Skipped()); diff != "" {
		t.Error(diff)
	}
}

// While the file beside the events is being written, a session is called, and works, as it
// said before, also after a new start.
func TestWorkspaceThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", asked+"\n")
	const file = "session-state/s/workspace.yaml"
	const whole = "id: s\ncwd: /w\nbranch: b\nname: named\ncreated_at: 2026-06-18T09:40:00.000Z\n"
	write(t, home, file, whole)
	src, root, mark := copilot.New(), sessions.Root{Harness: "copilot", Path: filepath.Join(home, ".copilot")}, sessions.Mark{}
	read := harnesstest.NewRecorder()
	told := func() string {
		t.Helper()
		var err error
		if mark, err = src.Read(t.Context(), harnesstest.List(t, src, harnesstest.Env(home, nil))[0], mark, read); err != nil {
			t.Fatal(err)
		}
		notes, err := src.Notes(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		s := read.Session("s")
		return strings.Join([]string{s.Title, s.Directory, s.Branch, notes["s"].Title}, " ")
	}
	stamp := func() int64 { return harnesstest.List(t, src, harnesstest.Env(home, nil))[0].Extra }
	const want = "named /w b named"
	if got := told(); got != want {
		t.Fatal(got)
	}
	before := stamp()
	for i := range strings.Index(whole, "created_at:") {
		write(t, home, file, whole[:i])
		if got := told(); got != want || stamp() != before {
			t.Errorf("%q: %s", whole[:i], got)
		}
	}
	src = copilot.New()
	if got := told(); got != "named /w b " {
		t.Errorf("after a new start: %s", got)
	}
	write(t, home, file, strings.Replace(whole, "named", "renamed", 1))
	if got := told(); got != "renamed /w b renamed" {
		t.Errorf("written: %s", got)
	}
	write(t, home, file, "name: by hand")
	if got := told(); got != "by hand   by hand" {
		t.Errorf("without an id: %s", got)
	}
}

// A file that has no time at which the session began, as no release that is known writes
// it, is whole when it was not written for a while, and a new name in it counts.
func TestWorkspaceWithoutATime(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", asked+"\n")
	src, root := copilot.New(), sessions.Root{Harness: "copilot", Path: filepath.Join(home, ".copilot")}
	file := filepath.Join(root.Path, "session-state/s/workspace.yaml")
	for i, text := range []string{"id: s\nname: one\ncreated_at: 2026-06-18T09:40:00.000Z\n", "id: s\nname: another\n"} {
		harnesstest.Write(t, file, text)
		at := time.Now().Add(time.Duration(i-3) * time.Hour)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		notes, err := src.Notes(t.Context(), root)
		if want := []string{"one", "another"}[i]; err != nil || notes["s"].Title != want {
			t.Errorf("%v, %v, want %s", notes, err, want)
		}
	}
}

// A name that fills pages is told, and not remembered.
func TestHugeWorkspace(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, "session-state/s/events.jsonl", asked+"\n")
	huge := strings.Repeat("n", 1<<20)
	write(t, home, "session-state/s/workspace.yaml", "id: s\nname: "+huge+"\ncreated_at: x\n")
	src, read := copilot.New(), harnesstest.NewRecorder()
	mark := harnesstest.ReadOne(t, src, harnesstest.List(t, src, harnesstest.Env(home, nil))[0], read)
	if len(mark.State) > 8<<10 || read.Session("s").Title != huge {
		t.Errorf("a state of %d bytes, a title of %d", len(mark.State), len(read.Session("s").Title))
	}
}
