package qwen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/qwen"
)

const (
	samples = "../../../testdata/samples/qwen"
	chats   = ".qwen/projects/-home-dev-shop/chats"

	main  = "2d3e4f50-6a7b-4c8d-9e0f-1a2b3c4d5e6f"
	agent = "agent-explore-7f3c"
	fork  = "8b9a0c1d-2e3f-4a5b-8c7d-6e5f40312213"
)

// What a correct reader gets from the samples.
func TestSamples(t *testing.T) {
	got, _ := harnesstest.ReadSamples(t, qwen.New(), samples)
	const shop, retries, coder = "/home/dev/shop", "fix/checkout-retries", "qwen3-coder-plus"
	harnesstest.Rows(t, got, map[string]harnesstest.Row{
		main: {
			Title: "stock-reservation", Directory: shop, Branch: retries, Model: coder, LastActive: "2026-06-18 10:15:20",
			Prompts: 5, Replies: 4, Calls: 2, Resume: "qwen --resume " + main,
		},
		agent: {
			Title: "Where is stock reserved today?", Directory: shop, Branch: retries, LastActive: "2026-06-18 10:00:30",
			Prompts: 1, Replies: 1, Calls: 1, Parent: main, ParentCall: "call_q2",
		},
		fork: {
			Title: "Only look at cart/reserve.go.", Directory: shop, Branch: retries, Model: coder, LastActive: "2026-06-18 10:05:10",
			Prompts: 1, Replies: 1, Calls: 1, ForkedFrom: main, Resume: "qwen --resume " + fork,
		},
	})
	want := []string{
		"Reserve stock at cart time or at payment time? Read the failing test and decide.", "think about refunds as well",
		"Delete the cart reservations table.", "Write the migration, but keep the table for a week.",
		"When is the table dropped?", "Good.",
	}
	if diff := cmp.Diff(want, got.Session(main).Texts(sessions.Prompt)); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{want[2], "It holds live rows; I would wait."}, got.Session(main).Undone()); diff != "" {
		t.Errorf("abandoned (-want +got):\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, got, nil)
}

// Every turn of every sample, as read by a person.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, qwen.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	home := harnesstest.CopyTree(t, samples)
	src := qwen.New()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		harnesstest.InSteps(t, src, tr)
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return qwen.New() }, ".qwen", "projects/-x/chats/"+main+".jsonl",
		filepath.Join(samples, chats, main+".jsonl"), filepath.Join(samples, chats, "archive", fork+".jsonl"))
}

// write puts a file below a home's .qwen.
func write(t *testing.T, home, name, text string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(home, ".qwen", name), text)
}

func one(t *testing.T, lines ...string) *harnesstest.Session {
	t.Helper()
	home := t.TempDir()
	write(t, home, "projects/p/chats/"+main+".jsonl", strings.Join(lines, "\n")+"\n")
	return harnesstest.Read(t, qwen.New(), harnesstest.Env(home, nil)).Session(main)
}

func line(id, parent, kind, parts string) string {
	return `{"uuid":"` + id + `","parentUuid":` + parent + `,"type":"` + kind + `","message":{"parts":[` + parts + `]}}`
}

func user(id, parent, text string) string {
	return line(id, parent, "user", `{"text":"`+text+`"}`)
}

// D10: what the program put there is no prompt.
func TestPrompts(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"words", `"type":"user","message":{"parts":[{"text":"words"}]}`, "words"},
		{"of a human", `"type":"user","provenance":"real_user","message":{"parts":[{"text":"words"}]}`, "words"},
		{"of the program", `"type":"user","provenance":"hook","message":{"parts":[{"text":"x"}]}`, ""},
		{"of an unknown kind", `"type":"user","provenance":{"kind":"cron"},"message":{"parts":[{"text":"x"}]}`, ""},
		{"shown otherwise", `"type":"user","systemPayload":{"displayText":"words @a","hookContext":"x"},"message":{"parts":[{"text":"words and a file"}]}`, "words @a"},
		{"with a file it refers to", `"type":"user","message":{"parts":[{"text":"words @a"},{"text":"\n--- Content from referenced files ---"},{"text":"x"}]}`, "words @a"},
		{"a notice of an early release", `"type":"user","subtype":"notification","message":{"parts":[{"text":"x"}]}`, ""},
		{"a timer", `"type":"user","subtype":"cron","provenance":"real_user","message":{"parts":[{"text":"x"}]}`, ""},
		{"a notice to a sub-agent", `"type":"user","externalInputKind":"notification","message":{"parts":[{"text":"x"}]}`, ""},
		{"a snapshot", `"type":"user","message":{"parts":[{"text":"<state_snapshot>x</state_snapshot>"}]}`, ""},
		{"a reminder", `"type":"user","message":{"parts":[{"text":"<system-reminder>x</system-reminder>"}]}`, ""},
		{"a reminder before words", `"type":"user","message":{"parts":[{"text":"<system-reminder>x</system-reminder>"},{"text":"words"}]}`, "words"},
		{"about a reminder", `"type":"user","message":{"parts":[{"text":"<system-reminder> is shown"}]}`, "<system-reminder> is shown"},
		{"a snapshot behind thoughts", `"type":"user","message":{"parts":[{"text":"<scratchpad>hm</scratchpad>\n<state_snapshot>x</state_snapshot>"}]}`, ""},
		{"about a snapshot", `"type":"user","message":{"parts":[{"text":"<state_snapshot> is empty"}]}`, "<state_snapshot> is empty"},
		{"of another agent", `"type":"user","subtype":"agent_message","message":{"parts":[{"text":"x"}]}`, ""},
		{"about the line before files", `"type":"user","message":{"parts":[{"text":"why\n--- Content from referenced files ---\nis there?"}]}`, "why\n--- Content from referenced files ---\nis there?"},
		{"an output", `"type":"user","message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"x"}}},{"text":"x"}]}`, ""},
		{"in the middle of a turn", `"type":"system","subtype":"mid_turn_user_message","systemPayload":{"displayText":"words"}`, "words"},
		{"in the middle, without a text to show", `"type":"system","subtype":"mid_turn_user_message","message":{"parts":[{"text":"words"}]}`, "words"},
		{"a command", `"type":"system","subtype":"slash_command","systemPayload":{"rawCommand":"/x"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, line("a", "null", "assistant", `{"text":"hm"}`), `{"uuid":"u","parentUuid":"a",`+c.record+`}`)
			if got := strings.Join(s.Texts(sessions.Prompt), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A session that another one had the model start names it, and is gone on with as
// any.
func TestSubSession(t *testing.T) {
	s := one(t, user("1", "null", "go"), `{"uuid":"2","parentUuid":"1","type":"system","subtype":"parent_session","systemPayload":{"parentSessionId":"p"}}`)
	if s.Parent != "p" || s.Subagent || len(s.Resume) == 0 {
		t.Errorf("%+v", s.Session)
	}
}

// The thread that stands is the way from the newest record to the first.
func TestRewinds(t *testing.T) {
	talk := []string{user("1", "null", "a"), user("2", `"1"`, "b"), user("3", `"2"`, "c")}
	for _, c := range []struct {
		name, want string
		more       []string
	}{
		{"none", "", nil},
		{"to an older record", "b c", []string{user("4", `"1"`, "d")}},
		{"to the beginning", "a b c", []string{`{"uuid":"r","parentUuid":null,"type":"system","subtype":"rewind"}`, user("4", `"r"`, "d")}},
		{"a record without parent is none", "", []string{user("4", "null", "d")}},
		{"a record behind a missing one is none", "", []string{user("4", `"9"`, "d")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(one(t, append(talk[:3:3], c.more...)...).Undone(), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Some releases use an id again: for the same text, or for another one.
func TestRepeatedIDs(t *testing.T) {
	s := one(t, user("1", "null", "a"), user("1", "null", "a"), user("1", "null", "b"))
	if diff := cmp.Diff([]string{"a", "b"}, s.Texts(sessions.Prompt)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An output is what the model got to see, or else the copy for display.
func TestOutputs(t *testing.T) {
	call := line("1", "null", "assistant", `{"text":"x"},{"functionCall":{"id":"c","name":"n","args":{}}}`)
	for _, c := range []struct {
		name, record, want string
		failed             bool
	}{
		{"seen", `"message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"out"}}}]},"toolCallResult":{"callId":"c","resultDisplay":"copy"}`, "out", false},
		{"failed", `"message":{"parts":[{"functionResponse":{"id":"c","response":{"error":"bad"}}}]}`, "bad", true},
		{"shown alone", `"toolCallResult":{"callId":"c","status":"error","resultDisplay":"copy"}`, "copy", true},
		{"a change of a file", `"message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"out"}}}]},"toolCallResult":{"callId":"c","resultDisplay":{"fileDiff":"x"}}`, "out", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, call, `{"uuid":"2","parentUuid":"1","type":"tool_result",`+c.record+`}`)
			out := s.Turns[len(s.Turns)-1]
			if out.Kind != sessions.ToolOutput || out.Text != c.want || out.Failed != c.failed || out.Tool != "n" || out.Call != "c" {
				t.Errorf("%+v", out)
			}
		})
	}
}

// Early releases kept a session as Gemini CLI does.
func TestEarlyReleases(t *testing.T) {
	home := t.TempDir()
	write(t, home, "tmp/abc/chats/session-2025-08-01T10-00-s.json",
		`{"sessionId":"s","startTime":"2025-08-01T10:00:00Z","messages":[{"id":"1","type":"user","content":"words"},{"id":"2","type":"qwen","content":"answer"}]}`)
	write(t, home, "tmp/abc/logs.json", `[]`)
	s := harnesstest.Read(t, qwen.New(), harnesstest.Env(home, nil)).Session("s")
	if s == nil || s.Harness != "qwen" || s.Prompts != 1 || s.Replies != 1 || strings.Join(s.Resume, " ") != "qwen --resume s" {
		t.Errorf("%+v", s)
	}
}

func TestPlaces(t *testing.T) {
	settled := t.TempDir()
	write(t, settled, "settings.json", `{"advanced":{"runtimeOutputDir":"~/elsewhere"}}`)
	for _, c := range []struct {
		name, home string
		variables  map[string]string
		path, from string
	}{
		{"default", "/h", nil, "/h/.qwen", "default"},
		{"another home", "/h", map[string]string{"QWEN_HOME": "/q"}, "/q", "QWEN_HOME"},
		{"another runtime directory", settled, map[string]string{"QWEN_HOME": "/q", "QWEN_RUNTIME_DIR": "~/r"}, filepath.Join(settled, "r"), "QWEN_RUNTIME_DIR"},
		{"by the settings", settled, nil, filepath.Join(settled, "elsewhere"), filepath.Join(settled, ".qwen/settings.json")},
	} {
		env := harnesstest.Env(c.home, c.variables)
		env.Extra = map[string][]string{"qwen": {"/mnt/.qwen"}}
		want := []sessions.Root{{Harness: "qwen", Path: c.path, From: c.from}, {Harness: "qwen", Path: "/mnt/.qwen", From: "config"}}
		if diff := cmp.Diff(want, qwen.New().Roots(env)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// The folder of a chat of an early release is called by the hash of its directory, which is
// known from elsewhere.
func TestEarlyReleasesByTheirHash(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for id, folder := range map[string]string{"s": qwen.New().Hash("/home/dev/tidepool"), "x": "tidepool"} {
		write(t, home, "tmp/"+folder+"/chats/session-"+id+".json", `{"sessionId":"`+id+`","messages":[{"id":"1","type":"user","content":"words"}]}`)
	}
	env := harnesstest.Env(home, nil)
	env.Dir = "/home/dev/tidepool/src"
	live := harnesstest.Follow(t, qwen.New(), env)
	for id, want := range map[string]string{"s": "/home/dev/tidepool", "x": ""} {
		if got := live.Of(id); got.Text == "" || got.Directory != want {
			t.Errorf("%s: %q, want %q", id, got.Directory, want)
		}
	}
}
