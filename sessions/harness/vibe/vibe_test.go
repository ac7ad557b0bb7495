package vibe_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/vibe"
	"yore/sessions/store"
)

const (
	samples = "../../../testdata/samples/vibe"
	token   = "4c8e2a6f-1b3d-4f59-8a70-c9d2e4f6a813"
	rotate  = "a17b3c5d-2e4f-4061-9283-c9d2e4f6a813"
)

// What a correct reader gets from the samples: every fact and count. What Vibe
// puts in the user's name is no prompt.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, vibe.New(), samples)
	harnesstest.Expect(t, read, "vibe", map[string]sessions.Session{
		token: {
			Title: "Token lifetime", Directory: "/home/mira/src/authd", Branch: "main", Model: "devstral-2", Provider: "mistral",
			TimeFrom: sessions.TimeHeader, Start: harnesstest.Day("2026-05-25 14:10:00"), LastActive: harnesstest.Day("2026-05-25 15:19:00"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: []string{"vibe", "--resume", token},
		},
		rotate: {
			Title: "now write the rotation of refresh tokens", Directory: "/home/mira/src/authd", Branch: "main", Model: "devstral-2", Provider: "mistral",
			TimeFrom: sessions.TimeHeader, Start: harnesstest.Day("2026-05-25 15:20:00"), LastActive: harnesstest.Day("2026-05-25 15:31:00"),
			Parent: token, Prompts: 1, Replies: 1, Resume: []string{"vibe", "--resume", rotate},
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its files.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, vibe.New(), samples) }

// Reading while a file grows tells what reading it whole tells.
func TestInSteps(t *testing.T) {
	harnesstest.SamplesInSteps(t, func() sessions.Source { return vibe.New() }, samples)
}

// Any bytes as messages and as meta.json: nothing panics, and reading on tells
// no turn twice.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"role":"user","content":"x","injected":7}`, `{"role":"assistant","content":[{"type":"text","text":"x"}],"tool_calls":{"id":[]}}`,
		`{"session_id":"x","config":[],"title":{}}`, `{"role":"tool","content":{},"tool_call_id":1}`, "{\"role\":\"\x00\xff\"}",
	} {
		f.Add([]byte(seed+"\n"), []byte(`{"session_id":"s"}`))
		f.Add([]byte(seed+"\n"), []byte(seed))
	}
	home := f.TempDir()
	dir := filepath.Join(home, ".vibe/logs/session/session_1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, messages, meta []byte) {
		for name, bytes := range map[string][]byte{"messages.jsonl": messages, "meta.json": meta} {
			if err := os.WriteFile(filepath.Join(dir, name), bytes, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		src := vibe.New()
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.ID == "" { // no meta.json names it
				if _, err := src.Read(t.Context(), tr, sessions.Mark{}, harnesstest.NewRecorder()); !errors.Is(err, store.ErrUnfinished) {
					t.Error(err)
				}
				continue
			}
			mark := harnesstest.ReadOne(t, src, tr, harnesstest.NewRecorder())
			again := harnesstest.NewRecorder()
			if _, err := src.Read(t.Context(), tr, mark, again); err != nil {
				t.Error(err)
			}
			for _, s := range again.Sessions() {
				if len(s.Turns) > 0 {
					t.Errorf("reading on told %d turns again", len(s.Turns))
				}
			}
		}
	})
}

// A session's meta.json comes up to a minute after its first messages; until then its
// folder is told as what cannot be read. One that is damaged later costs nothing that was
// read, also when yore starts anew.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".vibe/logs/session/session_1")
	harnesstest.Write(t, filepath.Join(dir, "messages.jsonl"), `{"role":"user","content":"why?"}`+"\n")
	src, env := vibe.New(), harnesstest.Env(home, nil)
	all := harnesstest.List(t, src, env)
	if len(all) != 1 || all[0].ID != "" {
		t.Fatalf("%+v", all)
	}
	if _, err := src.Read(t.Context(), all[0], sessions.Mark{}, harnesstest.NewRecorder()); !errors.Is(err, store.ErrUnfinished) || !strings.Contains(err.Error(), "meta.json") {
		t.Error(err)
	}
	live := harnesstest.Follow(t, src, env)
	harnesstest.Write(t, filepath.Join(dir, "meta.json"), `{"session_id":"one","title":"Named"}`)
	live.Await("one", "a name", func(s harnesstest.Told) bool { return s.Title == "Named" && strings.Contains(s.Text, "why?") })
	live.Restart(vibe.New(), func() { harnesstest.Write(t, filepath.Join(dir, "meta.json"), `{"session_id":"on`) })
	if s := live.Of("one"); s.Gone || s.Title != "Named" {
		t.Errorf("%+v", s)
	}
}

// Early releases kept a session in one document, and settings may name another
// folder for later ones.
func TestEarlySessions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const early = `{"metadata":{"session_id":"ID","start_time":"2025-12-10T09:00:00Z","end_time":"2025-12-10T09:05:00Z","git_branch":"main",
		"environment":{"working_directory":"/w"}},"messages":[{"role":"system","content":"rules"},{"role":"user","content":"why?"},
		{"role":"assistant","content":"because","tool_calls":[{"id":"c","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},
		{"role":"tool","tool_call_id":"c","content":"files"},{"role":"user","content":"and?"}]}`
	for path, text := range map[string]string{
		"logs/session/session_20251210_090000_one.json":           strings.ReplaceAll(early, "ID", "one"),
		"logs/session/session_20251210_090000_two.json":           strings.ReplaceAll(early, "ID", "two"), // there is a folder by now
		"logs/session/session_20251210_090000_two/meta.json":      `{"session_id":"two"}`,
		"logs/session/session_20251210_090000_two/messages.jsonl": `{"role":"user","content":"later"}` + "\n",
		"logs/session/half.json":                                  `{"metadata":{"session_id":"half"`,
		"logs/session/other.json":                                 `{}`,
		"config.toml":                                             "[session_logging]\nsave_dir = \"~/logs\"\n",
		"../logs/session_3/meta.json":                             `{"session_id":"three"}`,
		"../logs/session_3/messages.jsonl":                        `{"role":"user","content":"elsewhere"}` + "\n",
	} {
		harnesstest.Write(t, filepath.Join(home, ".vibe", path), text)
	}
	read := harnesstest.Read(t, vibe.New(), harnesstest.Env(home, nil))
	got := map[string][]string{}
	for _, s := range read.Sessions() {
		got[s.ID] = s.Texts(sessions.Prompt, sessions.Reply, sessions.ToolCall, sessions.ToolOutput)
	}
	want := map[string][]string{"one": {"why?", "because", "ls", "files", "and?"}, "two": {"later"}, "three": {"elsewhere"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	one := read.Session("one")
	if one.Directory != "/w" || one.Branch != "main" || !one.LastActive.Equal(harnesstest.Day("2025-12-10 09:05:00")) {
		t.Errorf("%+v", one.Session)
	}
	for _, settings := range []string{"", "[", "[session_logging]\nsave_dir = \"here\"", "[session_logging]\nsave_dir = 7", "session_logging = 1"} {
		harnesstest.Write(t, filepath.Join(home, ".vibe", "config.toml"), settings)
		if roots := vibe.New().Roots(harnesstest.Env(home, nil)); len(roots) != 1 {
			t.Errorf("%q: %v", settings, roots)
		}
	}
}

// Any bytes as an early session: nothing panics, and reading anew tells the same.
func FuzzEarly(f *testing.F) {
	for _, seed := range []string{
		`{"metadata":{"session_id":"s"},"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":7}]}`,
		`{"metadata":{"session_id":7},"messages":{"role":[]}}`, `{"metadata":[],"messages":[[[[7]]]]}`, "{\"metadata\":\x00\xff",
	} {
		f.Add([]byte(seed))
	}
	home := f.TempDir()
	path := filepath.Join(home, ".vibe/logs/session/session_1.json")
	harnesstest.Write(f, path, "{}")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		src := vibe.New()
		once, again := harnesstest.NewRecorder(), harnesstest.NewRecorder()
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			harnesstest.ReadOne(t, src, tr, once)
			harnesstest.ReadOne(t, src, tr, again)
		}
		if diff := cmp.Diff(harnesstest.Everything(once, home), harnesstest.Everything(again, home)); diff != "" {
			t.Error(diff)
		}
	})
}

// Early releases do not say what is injected, and a sub-agent lies in the folder
// of the session that called it.
func TestInjectedAndAgents(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write := func(below, id, messages string) {
		t.Helper()
		dir := filepath.Join(home, ".vibe/logs/session", below)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"messages.jsonl": messages, "meta.json": `{"session_id":"` + id + `"}`} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("session_1", "one", `{"role":"user","content":"<vibe_warning>full</vibe_warning>"}`+"\n"+`{"role":"user","content":"<vibe_warning> is odd"}`+"\n"+`{"role":"user","injected":true,"content":"before:\n<previous_user_messages>\ngo\n</previous_user_messages>\n\n<compaction_summary>\nin short\n</compaction_summary>"}`+"\n"+`{"role":"user","content":"go and the file","user_display_content":{"version":"1","host":"editor","content":[{"type":"text","text":"go"},{"type":"resource_link","uri":"file:///x"}]}}`+"\n")
	write("session_1/agents/session_2", "two", `{"role":"user","content":"look"}`+"\n")
	read := harnesstest.Read(t, vibe.New(), harnesstest.Env(home, nil))
	if got := read.Session("one").Texts(sessions.Summary); len(got) != 1 || got[0] != "in short" {
		t.Errorf("summaries: %q", got)
	}
	if got := read.Session("one").Texts(sessions.Prompt); len(got) != 2 || got[0] != "<vibe_warning> is odd" || got[1] != "go" {
		t.Errorf("%q", got)
	}
	if s := read.Session("two"); s == nil || !s.Subagent || s.Parent != "one" || s.Resume != nil {
		t.Errorf("%+v", s)
	}
}

// A folder of another machine is named as it lies in its home.
func TestHomeAsARoot(t *testing.T) {
	t.Parallel()
	env := harnesstest.Env(t.TempDir(), nil)
	env.Extra = map[string][]string{"vibe": {filepath.Join(harnesstest.Samples(t, samples), ".vibe")}}
	if s := harnesstest.Read(t, vibe.New(), env).Session("4c8e2a6f-1b3d-4f59-8a70-c9d2e4f6a813"); s == nil || len(s.Turns) == 0 {
		t.Errorf("%+v", s)
	}
}
