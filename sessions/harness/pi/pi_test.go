package pi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/pi"
)

const (
	samples = "../../../testdata/samples/pi"
	shop    = ".pi/agent/sessions/--home-dev-shop--"

	main  = "6c5b4a39-2817-4605-9f8e-7d6c5b4a3928"
	fork  = "7d6c5b4a-3928-4716-8f9e-0a1b2c3d4e5f"
	first = "1f2e3d4c-5b6a-4798-8899-aabbccddeeff"
)

// What a correct reader gets from the samples.
func TestSamples(t *testing.T) {
	got, _ := harnesstest.ReadSamples(t, pi.New(), samples)
	harnesstest.Rows(t, got, map[string]harnesstest.Row{
		main: {
			Title: "Label rendering", Directory: "/home/dev/shop", Model: "anthropic/claude-sonnet-4-5",
			LastActive: "2026-03-09 08:15:05", Prompts: 3, Replies: 3, Calls: 1, Resume: "pi --session " + main,
		},
		fork: {
			Title: "Estimate the work for ZPL output.", Directory: "/home/dev/shop", Model: "anthropic/claude-sonnet-4-5",
			LastActive: "2026-03-09 09:11:46", Prompts: 1, Replies: 1, ForkedFrom: main, Resume: "pi --session " + fork,
		},
		first: {
			Title: "Round readings to one or two decimals?", Directory: "/home/dev/tidepool", Model: "anthropic/claude-opus-4-5",
			LastActive: "2025-12-02 07:30:09", Prompts: 1, Replies: 1, Resume: "pi --session " + first,
		},
	})
	harnesstest.ExpectSkipped(t, got, nil)
	if diff := cmp.Diff([]string{"Use PNG instead.", "PNG loses the barcode quiet zone."}, got.Session(main).Undone()); diff != "" {
		t.Errorf("abandoned (-want +got):\n%s", diff)
	}
}

// Every turn of every sample, as read by a person.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, pi.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	src := pi.New()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		harnesstest.InSteps(t, src, tr)
	}
}

func FuzzRead(f *testing.F) {
	var seeds []string
	for _, name := range []string{"2026-03-09T08-00-00-000Z_" + main, "2026-03-09T09-10-00-000Z_" + fork} {
		seeds = append(seeds, filepath.Join(samples, shop, name+".jsonl"))
	}
	harnesstest.Fuzz(f, func() sessions.Source { return pi.New() }, ".pi/agent/sessions", "--x--/1_"+main+".jsonl", seeds...)
}

// home is one with this file below the sessions folder.
func home(t *testing.T, name string, lines ...string) string {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, ".pi/agent/sessions", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

func one(t *testing.T, lines ...string) *harnesstest.Session {
	t.Helper()
	return harnesstest.Read(t, pi.New(), harnesstest.Env(home(t, "--x--/1_s.jsonl", lines...), nil)).Session("s")
}

func entry(id, parent, role, text string) string {
	return `{"type":"message","id":"` + id + `","parentId":` + parent + `,"message":{"role":"` + role + `","content":"` + text + `"}}`
}

// The thread that stands is the way from the newest entry to the first, also
// when it goes back to a branch that was left.
func TestBranches(t *testing.T) {
	for _, c := range []struct {
		name, want string
		more       []string
	}{
		{"in a line", "", nil},
		{"back to the first", "2 3", []string{entry("4", `"1"`, "user", "d")}},
		{"and back again", "4", []string{entry("4", `"1"`, "user", "d"), entry("5", `"3"`, "user", "e")}},
		{"anew from nothing", "1 2 3", []string{entry("4", `null`, "user", "d")}},
		{"behind what is missing", "", []string{entry("4", `"gone"`, "user", "d")}},
		{"in a circle", "", []string{entry("1", `"3"`, "user", "d")}},
		{"behind itself", "", []string{entry("3", `"3"`, "user", "d")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := []string{entry("1", "null", "user", "a"), entry("2", `"1"`, "assistant", "b"), entry("3", `"2"`, "user", "c")}
			s := one(t, append(lines, c.more...)...)
			var undone []string
			for _, turn := range s.Turns {
				if turn.Undone {
					undone = append(undone, turn.ID)
				}
			}
			if got := strings.Join(undone, " "); got != c.want {
				t.Errorf("abandoned: %q, want %q", got, c.want)
			}
		})
	}
}

// What extensions and the user's own commands put there is no prompt, and the
// user's commands are no calls.
func TestWhatIsNoPrompt(t *testing.T) {
	s := one(t, entry("1", "null", "user", "words"), entry("2", `"1"`, "custom", "x"), entry("3", `"2"`, "hookMessage", "x"),
		`{"type":"custom_message","id":"4","parentId":"3","content":"x"}`,
		`{"type":"message","id":"5","parentId":"4","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":2,"truncated":true}}`,
		`{"type":"message","id":"6","parentId":"5","message":{"role":"branchSummary","summary":"tried"}}`)
	if s.Prompts != 1 || s.ToolCalls != 0 || strings.Join(s.Texts(sessions.Summary), "") != "tried" {
		t.Errorf("%d prompts, %d calls, summaries %q", s.Prompts, s.ToolCalls, s.Texts(sessions.Summary))
	}
	if out := s.Turns[2]; out.Kind != sessions.ToolOutput || !out.Failed || !out.Cut || out.Call != s.Turns[1].Call {
		t.Errorf("%+v", out)
	}
}

// A session that names another one, but repeats nothing of it, is no fork.
func TestNamedSource(t *testing.T) {
	header := `{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","parentSession":"C:\\x\\1_p.jsonl"}`
	if s := one(t, header, entry("1", "null", "user", "a")); s.ForkedFrom != "" {
		t.Errorf("fork of %q", s.ForkedFrom)
	}
	old := `{"type":"message","id":"1","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"a"}}`
	if s := one(t, header, old, entry("2", `"1"`, "user", "b")); s.ForkedFrom != "p" || s.Prompts != 1 || s.Title != "b" {
		t.Errorf("fork of %q, %d prompts, %q", s.ForkedFrom, s.Prompts, s.Title)
	}
}

// A folder named like a session holds its sub-agents.
func TestSubagents(t *testing.T) {
	dir := home(t, "--x--/1_p/2_s.jsonl", entry("1", "null", "user", "task"))
	s := harnesstest.Read(t, pi.New(), harnesstest.Env(dir, nil)).Session("s")
	if !s.Subagent || s.Parent != "p" || s.Resume != nil {
		t.Errorf("%+v", s.Session)
	}
}

func TestPlaces(t *testing.T) {
	env := harnesstest.Env("/h", map[string]string{"PI_CODING_AGENT_DIR": "/a", "PI_CODING_AGENT_SESSION_DIR": "/s"})
	env.Extra = map[string][]string{"pi": {"/mnt/agent", "/s"}}
	want := []sessions.Root{
		{Harness: "pi", Path: "/a/sessions", From: "PI_CODING_AGENT_DIR"},
		{Harness: "pi", Path: "/s", From: "PI_CODING_AGENT_SESSION_DIR"},
		{Harness: "pi", Path: "/mnt/agent", From: "config"},
	}
	if diff := cmp.Diff(want, pi.New().Roots(env)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"1_s.jsonl", "../1_s.jsonl", "--x--/1_s.jsonl"} {
		dir := home(t, name, entry("1", "null", "user", "words"))
		if err := os.MkdirAll(filepath.Join(dir, ".pi/agent/sessions"), 0o755); err != nil {
			t.Fatal(err)
		}
		if harnesstest.Read(t, pi.New(), harnesstest.Env(dir, nil)).Session("s") == nil {
			t.Errorf("%s is not read", name)
		}
	}
}

// A folder of another machine is named as it lies in its home.
func TestHomeAsARoot(t *testing.T) {
	t.Parallel()
	env := harnesstest.Env(t.TempDir(), nil)
	env.Extra = map[string][]string{"pi": {filepath.Join(harnesstest.Samples(t, samples), ".pi")}}
	if s := harnesstest.Read(t, pi.New(), env).Session("7d6c5b4a-3928-4716-8f9e-0a1b2c3d4e5f"); s == nil || len(s.Turns) == 0 {
		t.Errorf("%+v", s)
	}
}
