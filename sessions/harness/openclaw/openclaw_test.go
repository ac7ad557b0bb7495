package openclaw_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/openclaw"
)

const (
	samples = "../../../testdata/samples/openclaw"
	folder  = ".openclaw/agents/main/sessions"
	node    = "61b0c2d4-e6f8-4a0b-8c1d-3e5f7a9b0c1d"
)

// What a correct reader gets from the samples: every fact and count. The deleted
// session says nothing.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, openclaw.New(), samples)
	harnesstest.Expect(t, read, "openclaw", map[string]sessions.Session{
		node: {
			Title: "remind me why we pinned node 22", Directory: "/home/mira/.openclaw/workspace", Model: "claude-opus-4-6", Provider: "anthropic",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-06-05 18:00:00"), LastActive: harnesstest.Day("2026-06-05 18:00:10"),
			Prompts: 1, Replies: 1, ToolCalls: 1,
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its lines.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, openclaw.New(), samples) }

func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for _, tr := range harnesstest.List(t, openclaw.New(), harnesstest.Env(home, nil)) {
		if tr.ID == node {
			harnesstest.InSteps(t, openclaw.New(), tr)
		}
	}
}

// write makes a home with these files of one agent.
func write(t *testing.T, files map[string]string) sessions.Env {
	t.Helper()
	home := t.TempDir()
	for name, content := range files {
		harnesstest.Write(t, filepath.Join(home, folder, name), content)
	}
	return harnesstest.Env(home, nil)
}

// message is a line that follows the one before it.
func message(id, role, text string) string {
	text = strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text)
	return `{"type":"message","id":"` + id + `","parentId":"` + string(id[0]-1) + `","timestamp":"2026-06-05T18:00:0` + id + `Z","message":{"role":"` + role + `","content":"` + text + `"}}` + "\n"
}

// A prompt is what somebody wrote: without the channel's envelope, and not what
// wakes the agent or comes from a schedule.
func TestPrompts(t *testing.T) {
	t.Parallel()
	about := "Conversation info (untrusted metadata):\n```json\n{\"sender\":\"x\"}\n```\n\nSender (untrusted metadata):\n```json\n{\n  \"id\": \"y\"\n}\n```\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"plain":               {"which port?", "which port?"},
		"a channel":           {"[Telegram Mira (@mira) id:7 +2m 2026-06-05 18:00 UTC] which port?\n[message_id: 12]", "which port?"},
		"a channel, no time":  {"[WhatsApp +49123] which port?", "which port?"},
		"another channel":     {"[Feishu ou_1 2026-06-05T18:00Z] which port?", "which port?"},
		"a weekday":           {"[Fri 2026-06-05 18:00 GMT+2] which port?", "which port?"},
		"context":             {about + "[Fri 2026-06-05 18:00 GMT+2] which port?", "which port?"},
		"events":              {"System: [2026-06-05 18:00:00] Gateway connected.\nSystem: [2026-06-05 18:00:01] Node up.\n\n[Slack mira 2026-06-05 18:00 UTC] which port?", "which port?"},
		"a file":              {"[media attached: /x.png (image/png)]\nTo send an image back, prefer the message tool.\n[Telegram M 2026-06-05 18:00 UTC] which port?", "which port?"},
		"a log that's pasted": {"[2026-06-05 18:00:01] ERROR which port?", "[2026-06-05 18:00:01] ERROR which port?"},
		"brackets":            {"[draft] which port?", "[draft] which port?"},
		"a log in a channel":  {"[Telegram M 2026-06-05 18:00 UTC] [Mon 2026-06-01 10:00] which port?", "[Mon 2026-06-01 10:00] which port?"},
		"a wake-up":           {"Read HEARTBEAT.md if it exists (workspace context). If nothing needs attention, reply HEARTBEAT_OK.", ""},
		"a schedule":          {"[cron:7f3c Backup report] Report the backups.", ""},
		"a reset":             {"A new session was started via /new or /reset. Greet the user.", ""},
		"newer context":       {"Conversation info: ⟦openclaw:ctx⟧\n```json\n{}\n```\n\nThread: ⟦openclaw:ctx⟧\nwords of others\n\nDelivery: to send a message, use the `message` tool.\nwhich port?\n\nContext: ⟦openclaw:ctx⟧\nlater words", "which port?"},
		"what is remembered":  {"Context:\n<active_memory_plugin>\nwords\n</active_memory_plugin>\n\nwhich port?", "which port?"},
		"internal context":    {"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nwhich port?", "which port?"},
		"an internal event":   {"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx", ""},
		"another session":     {"[Inter-session message] sourceSession=agent:a:b isUser=false\nx", ""},
		"a reminder":          {"A scheduled reminder has been triggered. The reminder content is:\n\nwater", ""},
		"about a heartbeat":   {"Read HEARTBEAT.md and say which port?", "Read HEARTBEAT.md and say which port?"},
		"about a reset":       {"A new session was started via /new or /reset, but which port?", "A new session was started via /new or /reset, but which port?"},
		"about a context":     {"OpenClaw runtime context is lost: which port?", "OpenClaw runtime context is lost: which port?"},
		"about a flush":       {"Pre-compaction memory flush fails, why?", "Pre-compaction memory flush fails, why?"},
		"a task":              {"[Subagent Context] You are running as a subagent.\n\n[Subagent Task]: which port?", "which port?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := write(t, map[string]string{"s.jsonl": message("1", "user", c.text) + message("2", "assistant", "[[reply_to_current]] 9464.")})
			s := harnesstest.Read(t, openclaw.New(), env).Session("s")
			if got := strings.Join(s.Texts(sessions.Prompt), "|"); got != c.want {
				t.Errorf("prompt %q, want %q", got, c.want)
			}
			if got := s.Texts(sessions.Reply); got[0] != "9464." {
				t.Errorf("reply %q", got)
			}
		})
	}
}

// A session in which the agent was only woken up is none, and being woken up
// does not make one newer. A scheduled one is called like its job.
func TestNobodyWrote(t *testing.T) {
	t.Parallel()
	wake := message("3", "user", "Read HEARTBEAT.md if it exists. Else reply HEARTBEAT_OK.") + message("4", "assistant", "**HEARTBEAT_OK**")
	read := harnesstest.Read(t, openclaw.New(), write(t, map[string]string{
		"woken.jsonl": wake, "talk.jsonl": message("1", "user", "which port?") + message("2", "assistant", "9464.") + wake,
		"job.jsonl": message("1", "user", "[cron:7f3c Backup report] Report the backups.") + message("2", "assistant", "All well."),
	}))
	if read.Session("woken") != nil {
		t.Error("there is a session in which nobody spoke")
	}
	talk, job := read.Session("talk"), read.Session("job")
	if talk.LastActive.Second() != 2 || talk.Replies != 1 {
		t.Errorf("last active %v, %d replies", talk.LastActive, talk.Replies)
	}
	if job.Title != "Backup report" || job.Prompts != 0 {
		t.Errorf("title %q, %d prompts", job.Title, job.Prompts)
	}
}

// A message says where it came from: from another session, or from the program,
// it is no prompt.
func TestProvenance(t *testing.T) {
	t.Parallel()
	line := func(id, text, kind string) string {
		return `{"type":"message","id":"` + id + `","parentId":"` + string(id[0]-1) + `","message":{"role":"user","content":"` + text + `","provenance":{"kind":"` + kind + `"}}}` + "\n"
	}
	env := write(t, map[string]string{"s.jsonl": line("1", "mine", "external_user") + line("2", "theirs", "inter_session") + line("3", "its", "internal_system") +
		line("4", "[Subagent Task]: look", "inter_session") + message("5", "system", "Compaction")})
	read := harnesstest.Read(t, openclaw.New(), env)
	if got := strings.Join(read.Session("s").Texts(sessions.Prompt), "|"); got != "mine|look" {
		t.Error(got)
	}
	harnesstest.ExpectSkipped(t, read, nil)
}

// What the program itself writes in the assistant's name tells no model.
func TestOwnMessages(t *testing.T) {
	t.Parallel()
	env := write(t, map[string]string{"s.jsonl": message("1", "user", "go") +
		`{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":"a","provider":"anthropic","model":"claude-opus-4-6"}}` + "\n" +
		`{"type":"message","id":"3","parentId":"2","message":{"role":"assistant","content":"b","provider":"openclaw","model":"delivery-mirror"}}` + "\n"})
	if s := harnesstest.Read(t, openclaw.New(), env).Session("s"); s.Model != "anthropic/claude-opus-4-6" || s.Replies != 2 {
		t.Errorf("model %q, %d replies", s.Model, s.Replies)
	}
}

// What was delivered to a channel is written once more, as the program's own: it is
// a reply where the agent did not say the same since the last prompt.
func TestMirrors(t *testing.T) {
	t.Parallel()
	mirror := func(id, text string) string {
		return `{"type":"message","id":"` + id + `","parentId":"` + string(id[0]-1) + `","message":{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"provider":"openclaw","model":"delivery-mirror"}}` + "\n"
	}
	text := message("1", "user", "go") + message("2", "assistant", "[[reply_to_current]] It is\n\n9464.") + mirror("3", "It is 9464.") + mirror("4", "Sent by a tool.") +
		message("5", "user", "again") + mirror("6", "It is 9464.") + message("7", "assistant", "It is 9464.")
	env := write(t, map[string]string{"s.jsonl": text})
	want := []string{"go", "It is\n\n9464.", "Sent by a tool.", "again", "It is 9464.", "It is 9464."}
	if diff := cmp.Diff(want, harnesstest.Read(t, openclaw.New(), env).Session("s").Texts(sessions.Prompt, sessions.Reply)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The index names sessions, tells which began which, and by which key they are
// gone on with. Half of one tells nothing.
func TestIndex(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"p.jsonl": message("1", "user", "go"), "c.jsonl": message("1", "user", "[Subagent Task]: look"),
		"sessions.json": `{"agent:main:main":{"sessionId":"p","label":"Renamed"},
			"agent:main:subagent:7":{"sessionId":"c","spawnedBy":"agent:main:main"},"-x":{"sessionId":"q"},"y":7}`,
	}
	read := harnesstest.Read(t, openclaw.New(), write(t, files))
	p, c := read.Session("p"), read.Session("c")
	if p.Title != "Renamed" || p.Subagent || !cmp.Equal(p.Resume, []string{"openclaw", "tui", "--session", "agent:main:main"}) {
		t.Errorf("parent: %+v", p.Session)
	}
	if !c.Subagent || c.Parent != "p" || c.Title != "look" || c.Resume != nil {
		t.Errorf("sub-agent: %+v", c.Session)
	}
	env := write(t, files)
	for _, tr := range harnesstest.List(t, openclaw.New(), env) {
		if tr.Side != (tr.ID == "c") {
			t.Errorf("%s: %v", tr.ID, tr.Side)
		}
	}
	files["sessions.json"] = files["sessions.json"][:40]
	if p := harnesstest.Read(t, openclaw.New(), write(t, files)).Session("p"); p.Title != "go" || p.Resume != nil {
		t.Errorf("with half an index: %+v", p.Session)
	}
}

// While an index is being written, sessions are called what it said before; of a name that
// fills pages no more is kept than of other titles.
func TestAnIndexThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	index := `{"a":{"sessionId":"p","label":"Named"},"b":{"sessionId":"q","label":"` + strings.Repeat("long ", 1<<10) + `"}}`
	env := write(t, map[string]string{"p.jsonl": message("1", "user", "go"), "sessions.json": index})
	src := openclaw.New()
	path := ""
	for _, tr := range harnesstest.List(t, src, env) {
		path = filepath.Join(filepath.Dir(tr.Path), "sessions.json")
	}
	notes := func() map[string]sessions.Note {
		all := map[string]sessions.Note{}
		for _, root := range src.Roots(env) {
			notes, err := src.Notes(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(all, notes)
		}
		return all
	}
	if n := len(notes()["q"].Title); n > 2<<10 {
		t.Errorf("a title of %d bytes", n)
	}
	for _, half := range []string{"", index[:len(index)-1]} {
		harnesstest.Write(t, path, half)
		if got := notes()["p"].Title; got != "Named" {
			t.Errorf("%.20q: title %q", half, got)
		}
	}
	harnesstest.Write(t, path, `{"a":{"sessionId":"p","label":"Renamed"}}`)
	if got := notes()["p"].Title; got != "Renamed" {
		t.Errorf("title %q", got)
	}
}

// Sessions that were deleted or reset stay readable; locks and backups are none.
func TestNames(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{
		"a.jsonl", "b.jsonl.deleted.2026-06-01T00-00-00.000Z", "c.jsonl.reset.2026-06-01T00-00-00.000Z", "d-topic-12.jsonl",
		"e.jsonl.lock", "f.jsonl.full.bak", "g.json", ".jsonl", "h.jsonl.bak-1",
	} {
		files[name] = message("1", "user", "words")
	}
	var got []string
	for _, s := range harnesstest.Read(t, openclaw.New(), write(t, files)).Sessions() {
		got = append(got, s.ID)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	harnesstest.Fuzz(f, func() sessions.Source { return openclaw.New() }, ".openclaw/agents", "main/sessions/"+node+".jsonl", filepath.Join(samples, folder, node+".jsonl"))
}
