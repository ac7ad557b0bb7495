package droid_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/droid"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/droid"
	project = ".factory/sessions/-home-dev-shop"

	main  = "4f5e6d7c-8b9a-4a0b-9c1d-2e3f40516273"
	agent = "a0b1c2d3-e4f5-4061-8273-849504a3b2c1"
	fork  = "b9c8d7e6-f5a4-4b3c-8d2e-1f0a9b8c7d6e"
)

// What a correct reader gets from the samples.
func TestSamples(t *testing.T) {
	got, _ := harnesstest.ReadSamples(t, droid.New(), samples)
	harnesstest.Rows(t, got, map[string]harnesstest.Row{
		main: {
			Title: "Do discounts apply before or after tax? Settle it with the failing test.", Directory: "/home/dev/shop",
			Model: "claude-sonnet-4-5-20250929", LastActive: "2026-06-18 11:00:16", Prompts: 2, Replies: 3, Calls: 2,
			Resume: "droid --resume " + main,
		},
		agent: {
			Title: "List tax rules", Directory: "/home/dev/shop", Model: "glm-4.6-0", LastActive: "2026-06-18 10:30:43",
			Prompts: 1, Replies: 1, Calls: 1, Parent: main, ParentCall: "toolu_d2",
		},
		fork: {
			Title: "Discount after tax, compared", Directory: "/home/dev/shop", LastActive: "2026-06-18 11:36:48",
			Prompts: 1, Replies: 1, ForkedFrom: main, Resume: "droid --resume " + fork,
		},
	})
	harnesstest.ExpectSkipped(t, got, nil)
}

// Every turn of every sample, as read by a person.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, droid.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	src := droid.New()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		harnesstest.InSteps(t, src, tr)
	}
}

func FuzzRead(f *testing.F) {
	var seeds []string
	for _, id := range []string{main, fork} {
		seeds = append(seeds, filepath.Join(samples, project, id+".jsonl"))
	}
	harnesstest.Fuzz(f, func() sessions.Source { return droid.New() }, ".factory", "sessions/-x/"+main+".jsonl", seeds...)
}

// one reads a session made of these lines, and of a file beside it.
func one(t *testing.T, settings string, lines ...string) *harnesstest.Session {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, project)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, line := range lines {
		text += line + "\n"
	}
	for name, content := range map[string]string{main + ".jsonl": text, main + ".settings.json": settings} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return harnesstest.Read(t, droid.New(), harnesstest.Env(home, nil)).Session(main)
}

// D10: what the program put into the user's message is no prompt.
func TestPrompts(t *testing.T) {
	for _, c := range []struct{ name, message, want string }{
		{"words", `{"role":"user","content":"plain"}`, "plain"},
		{"reminder before", `{"role":"user","content":"<system-reminder>be brief</system-reminder>\nwords"}`, "words"},
		{"reminder alone", `{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"}]}`, ""},
		{"reminder not closed", `{"role":"user","content":"<system-reminder>x"}`, ""},
		{"wrapped", `{"role":"user","content":[{"type":"text","text":"<user_query>\nwords\n</user_query>"}]}`, "words"},
		{"output alone", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`, ""},
		{"hidden", `{"role":"user","content":"secret"},"visibility":"llm_only"`, ""},
		{"hidden within", `{"role":"user","content":"secret","visibility":"llm_only"}`, ""},
		{"for the user alone", `{"role":"user","content":"No credits.","visibility":"user_only"}`, ""},
		{"a hook's", `{"role":"user","content":"x","hookEventName":"Stop"}`, ""},
		{"notified", `{"role":"user","content":[{"type":"text","text":"<system-notification>x</system-notification>"},{"type":"text","text":"words"}]}`, "words"},
		{"about two notices", `{"role":"user","content":"<system-notification>x</system-notification> or <system-notification>y</system-notification>"}`, "<system-notification>x</system-notification> or <system-notification>y</system-notification>"},
		{"a task ended", `{"role":"user","content":"Background task b7 completed."}`, ""},
		{"interrupted", `{"role":"user","content":"Request interrupted by user"}`, ""},
		{"a skill", `{"role":"user","content":"Skill \"commit\" activated"}`, ""},
		{"about a task", `{"role":"user","content":"Background task queue is stuck, why?"}`, "Background task queue is stuck, why?"},
		{"about an error", `{"role":"user","content":"The AI model timed out again: why?"}`, "The AI model timed out again: why?"},
		{"about a request", `{"role":"user","content":"Request cancelled on the server, why?"}`, "Request cancelled on the server, why?"},
		{"about a tag", `{"role":"user","content":"Where does <user_query> come from?"}`, "Where does <user_query> come from?"},
		{"about it", `{"role":"user","content":"Request interrupted by user\nis what it says, why?"}`, "Request interrupted by user\nis what it says, why?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, "", `{"type":"message","id":"r","message":{"role":"assistant","content":"hm"}}`, `{"type":"message","id":"p","message":`+c.message+`}`)
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			if diff := cmp.Diff(want, s.Texts(sessions.Prompt)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A command that the user ran stands in a text.
func TestUserShell(t *testing.T) {
	s := one(t, "", `{"type":"message","id":"r","message":{"role":"assistant","modelId":"custom:m","content":"hm"}}`,
		`{"type":"message","id":"p","message":{"role":"user","content":[{"type":"text","text":"{\"type\":\"bash_result\",\"command\":\"ls\",\"stdout\":\"a.go\",\"exitCode\":1}"}]}}`)
	if len(s.Turns) != 3 || s.Prompts != 0 || s.ToolCalls != 0 || s.Model != "m" {
		t.Fatalf("%+v", s)
	}
	if call, out := s.Turns[1], s.Turns[2]; call.Text != "ls" || call.Role != sessions.User || out.Text != "a.go" || !out.Failed {
		t.Errorf("%+v %+v", call, out)
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{`"title":"a"`, "a"},
		{`"title":"a","sessionTitle":"b"`, "b"},
		{`"title":"a","sessionTitle":"New Session"`, "a"},
		{`"title":"a","sessionTitle":""`, "a"},
		{`"title":"New Session"`, "first words"},
		{`"sessionTitle":" New Session "`, "first words"},
	} {
		s := one(t, "", `{"type":"session_start",`+c.header+`}`, `{"type":"message","message":{"role":"user","content":"first words"}}`)
		if s.Title != c.want {
			t.Errorf("%s: %q, want %q", c.header, s.Title, c.want)
		}
	}
}

// The caller of a sub-agent may stand in the settings alone.
func TestSubagentBySettings(t *testing.T) {
	s := one(t, `{"model":"custom:m","tags":[{"name":"exec"},{"name":"subagent","metadata":{"callingSessionId":"p","callingToolUseId":"c"}}]}`,
		`{"type":"message","message":{"role":"user","content":"task"}}`)
	if !s.Subagent || s.Parent != "p" || s.ParentCall != "c" || s.Model != "m" || s.Resume != nil {
		t.Errorf("%+v", s.Session)
	}
}

// What the settings say counts as long as they say it, also behind the last line, and
// nothing else of them is a change.
func TestSettingsLater(t *testing.T) {
	home := t.TempDir()
	settings := filepath.Join(home, project, main+".settings.json")
	harnesstest.Write(t, filepath.Join(home, project, main+".jsonl"), `{"type":"message","id":"1","message":{"role":"user","content":"go"}}`+"\n"+
		`{"type":"message","id":"2","message":{"role":"assistant","model":"said","content":"done"}}`+"\n")
	src, read, mark := droid.New(), harnesstest.NewRecorder(), sessions.Mark{}
	var last sessions.Stamp
	for _, step := range []struct {
		settings          string // "" for none
		changed, headless bool
		model, parent     string
	}{
		{`{"model":"m"}`, true, false, "m", ""},
		{`{"model":"m","tokenUsage":{"inputTokens":7}}`, false, false, "m", ""},
		{`{"model":"custom:another"}`, true, false, "another", ""},
		{`{"tags":[{"name":"exec"}]}`, true, true, "said", ""},
		{`{"tags":[{"name":"exec","x":1}]}`, false, true, "said", ""},
		{`{"tags":[{"name":"subagent","metadata":{"callingSessionId":"p"}}],"model":"m"}`, true, false, "m", "p"},
		{"", true, false, "said", ""},
	} {
		if harnesstest.Write(t, settings, step.settings); step.settings == "" {
			if err := os.Remove(settings); err != nil {
				t.Fatal(err)
			}
		}
		listed := harnesstest.List(t, src, harnesstest.Env(home, nil))
		if changed := !listed[0].Same(last); changed != step.changed {
			t.Errorf("%s: changed %v", step.settings, changed)
		}
		var err error
		if mark, err = src.Read(t.Context(), listed[0], mark, read); err != nil {
			t.Fatal(err)
		}
		if s := read.Session(main); s.Headless != step.headless || s.Prompts != 1 || s.Model != step.model || s.Parent != step.parent || s.Subagent != (step.parent != "") {
			t.Errorf("%s: %+v", step.settings, s.Session)
		}
		last = listed[0].Stamp
	}
}

// A fork whose original is gone is still one; its copies end at the named message.
func TestForkOfWhatIsGone(t *testing.T) {
	s := one(t, "", `{"type":"session_start","parent":"gone","forkedAtMessageId":"2"}`,
		`{"type":"message","id":"1","message":{"role":"user","content":"old"}}`,
		`{"type":"message","id":"2","message":{"role":"assistant","content":"old answer"}}`,
		`{"type":"message","id":"3","message":{"role":"user","content":"new"}}`)
	if s.Prompts != 1 || s.Replies != 0 || s.Title != "new" || s.ForkedFrom != "gone" {
		t.Errorf("%d prompts, %d replies, %q, fork of %q", s.Prompts, s.Replies, s.Title, s.ForkedFrom)
	}
}

// While its settings are being written a session is what they said before, also after a new
// start; what stands beside none is none.
func TestSettingsThatAreBeingWritten(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	settings := filepath.Join(home, project, main+".settings.json")
	harnesstest.Write(t, filepath.Join(home, project, main+".jsonl"), `{"type":"message","id":"1","message":{"role":"user","content":"go"}}`+"\n")
	whole := `{"tags":[{"name":"exec"}],"model":"m"}`
	harnesstest.Write(t, settings, whole)
	src := droid.New()
	read, mark := harnesstest.NewRecorder(), sessions.Mark{}
	model := func() string {
		t.Helper()
		var err error
		if mark, err = src.Read(t.Context(), harnesstest.List(t, src, harnesstest.Env(home, nil))[0], mark, read); err != nil {
			t.Fatal(err)
		}
		s := read.Session(main)
		return fmt.Sprint(s.Model, s.Headless)
	}
	stamp := func() int64 { return harnesstest.List(t, src, harnesstest.Env(home, nil))[0].Extra }
	if got := model(); got != "mtrue" {
		t.Fatal(got)
	}
	before := stamp()
	for i := range whole {
		harnesstest.Write(t, settings, whole[:i])
		if got := model(); got != "mtrue" || stamp() != before {
			t.Errorf("%q: %s", whole[:i], got)
		}
	}
	src = droid.New()
	if got := model(); got != "mtrue" {
		t.Errorf("after a new start: %s", got)
	}
	harnesstest.Write(t, settings, `{"model":"n"}`)
	if got := model(); got != "nfalse" {
		t.Errorf("written: %s", got)
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if got := model(); got != "false" {
		t.Errorf("gone: %s", got)
	}
	harnesstest.Write(t, settings, `{"model":`)
	if got := model(); got != "false" {
		t.Errorf("begun anew: %s", got)
	}
}

// Settings that fill pages are told, and not remembered.
func TestHugeSettings(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	harnesstest.Write(t, filepath.Join(home, project, main+".jsonl"), `{"type":"message","id":"1","message":{"role":"user","content":"go"}}`+"\n")
	huge := strings.Repeat("m", 1<<20)
	harnesstest.Write(t, filepath.Join(home, project, main+".settings.json"), `{"model":"`+huge+`"}`)
	src, read := droid.New(), harnesstest.NewRecorder()
	mark := harnesstest.ReadOne(t, src, harnesstest.List(t, src, harnesstest.Env(home, nil))[0], read)
	if len(mark.State) > 8<<10 || read.Session(main).Model != huge {
		t.Errorf("a state of %d bytes, a model of %d", len(mark.State), len(read.Session(main).Model))
	}
}
