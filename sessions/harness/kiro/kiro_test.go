package kiro_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

const (
	samples = "../../../testdata/samples/kiro-amazonq"
	buckets = "/home/mira/infra/buckets"
	amazonQ = "c0ffee00-1234-4567-89ab-0123456789ab"
	rules   = "d1ce0000-1111-4222-8333-999988887777"
	replica = "d1ce0000-1111-4222-8333-999988887778"
	tags    = "d1ce0000-1111-4222-8333-999988887779"

	oldDatabase = ".local/share/amazon-q/data.sqlite3"
	newDatabase = ".local/share/kiro-cli/data.sqlite3"
	cli         = ".kiro/sessions/cli"
)

// What a correct reader gets from the samples: every fact and count, of three
// stores.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, kiro.New(), samples)
	base := sessions.Session{
		Directory: buckets, Model: "claude-sonnet-4.5", Provider: "anthropic", TimeFrom: sessions.TimeHeader,
		Title: "lifecycle rules for the backup bucket?", Prompts: 1, Replies: 2, ToolCalls: 1, Resume: []string{"kiro-cli", "chat", "--resume"},
	}
	q, a, b, c := base, base, base, base
	q.Resume, q.TimeFrom = []string{"q", "chat", "--resume"}, sessions.TimeMessage
	q.Start, q.LastActive = harnesstest.Day("2026-03-10 09:00:00"), harnesstest.Day("2026-03-10 09:00:15")
	a.Start, a.LastActive = harnesstest.Day("2026-06-01 08:00:00"), harnesstest.Day("2026-06-01 08:01:00")
	b.Start, b.LastActive = harnesstest.Day("2026-06-03 08:00:00"), harnesstest.Day("2026-06-03 08:01:00")
	b.Title, b.Replies, b.ToolCalls = "which region for the replica?", 1, 0
	c.Start, c.LastActive = harnesstest.Day("2026-08-01 10:00:00"), harnesstest.Day("2026-08-01 10:02:00")
	c.Title, c.Model, c.Provider, c.Resume = "Bucket tags", "", "", []string{"kiro-cli", "chat", "--resume-id", tags}
	harnesstest.Expect(t, read, "kiro", map[string]sessions.Session{amazonQ: q, rules: a, replica: b, tags: c}, nil)
	for _, s := range read.Sessions() {
		if strings.Contains(harnesstest.Dump(s, home), "MUST-NOT-BE-READ") || strings.Contains(harnesstest.Dump(s, home), "hook text") {
			t.Errorf("%s tells what is not talk", s.ID)
		}
	}
}

// Every turn of every sample, as it was checked by eye against its row.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, kiro.New(), samples) }

// What conversations hold besides what is in the samples.
func TestConversations(t *testing.T) {
	t.Parallel()
	answer := func(text string) string { return `{"Response":{"message_id":"x","content":"` + text + `"}}` }
	ask := func(text string) string { return `{"content":{"Prompt":{"prompt":"` + text + `"}}}` }
	exchange := func(user, assistant string) string { return `{"user":` + user + `,"assistant":` + assistant + `}` }
	for name, c := range map[string]struct {
		doc  string
		want []string
	}{
		"pairs":      {`"history":[[` + ask("old?") + `,` + answer("yes") + `]]`, []string{"prompt: old?", "reply: yes"}},
		"summary":    {`"history":[],"latest_summary":["so far",{}]`, []string{"summary: so far"}},
		"cancelled":  {`"history":[` + exchange(`{"content":{"CancelledToolUses":{"prompt":"stop","tool_use_results":[{"tool_use_id":"a","content":[{"Text":"cancelled"}]}]}}}`, answer("ok")) + `]`, []string{"tool output: cancelled", "prompt: stop", "reply: ok"}},
		"trimmed":    {`"transcript":["> one","first","> two","second"],"history":[` + exchange(ask("two"), answer("second")) + `]`, []string{"prompt: one", "reply: first", "prompt: two", "reply: second"}},
		"no history": {`"transcript":["> one","first"],"history":[]`, []string{"prompt: one", "reply: first"}},
		"tangent": {`"history":[` + exchange(ask("aside"), answer("b")) + `],"tangent_state":{"main_history":[` + exchange(ask("main"), answer("a")) + `]}`,
			[]string{"prompt: main", "reply: a", "prompt: aside", "reply: b"}},
		"tangent with the main talk": {`"history":[` + exchange(ask("main"), answer("a")) + `,` + exchange(ask("aside"), answer("b")) + `],"tangent_state":{"main_history":[` + exchange(ask("main"), answer("a")) + `]}`,
			[]string{"prompt: main", "reply: a", "prompt: aside", "reply: b"}},
	} {
		t.Run(name, func(t *testing.T) {
			home := harnesstest.Samples(t, samples)
			harnesstest.Exec(t, filepath.Join(home, oldDatabase), `UPDATE conversations SET value = '{"conversation_id":"new",`+c.doc+`}'`)
			src, read := kiro.New(), harnesstest.NewRecorder()
			for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
				if tr.ID == "new" {
					harnesstest.ReadOne(t, src, tr, read)
				}
			}
			s := read.Session("new")
			if s == nil {
				t.Fatal("no session")
			}
			var got []string
			for _, turn := range s.Turns {
				got = append(got, turn.Kind.String()+": "+turn.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s.TimeFrom != sessions.TimeMtime || s.Directory != buckets {
				t.Errorf("%+v", s.Session)
			}
		})
	}
}

// Amazon Q keeps one conversation for each folder: the next takes its place,
// and is another session.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	src := kiro.New()
	units := func() map[string]string {
		all := map[string]string{}
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			all[tr.ID] = tr.Unit
		}
		return all
	}
	before := units()
	harnesstest.Exec(t, filepath.Join(home, oldDatabase), `UPDATE conversations SET value = '{"conversation_id":"next","history":[]}'`)
	after := units()
	if after["next"] == "" || after["next"] == before[amazonQ] || after[amazonQ] != "" {
		t.Errorf("%q after %q", after, before)
	}
}

// The transcript tells what the history no longer has, as it was said. The results
// of a call that is gone stand where a prompt does.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value string
		want  []string
	}{
		"lines of a prompt": {`{"transcript":["> old","gone\n[Tool uses: none]","> a> \nb","yes\n[Tool uses: none]"],"history":[{"user":{"content":{"Prompt":{"prompt":"a\nb"}},"timestamp":null},"assistant":{"Response":{"content":"yes"}}}]}`,
			[]string{"prompt : old", "reply : gone", "prompt : a\nb", "reply : yes"}},
		"results":       {`{"transcript":["> old","I look.\n[Tool uses: fs_read]","Seen.\n[Tool uses: none]"],"history":[{"user":{"content":{"Prompt":{"prompt":"package a"}},"timestamp":null},"assistant":{"Response":{"content":"Seen."}}}]}`, []string{"prompt : old", "reply : I look.", "tool output : package a", "reply : Seen."}},
		"prompt, timed": {`{"transcript":["I look.\n[Tool uses: fs_read]","Seen.\n[Tool uses: none]"],"history":[{"user":{"content":{"Prompt":{"prompt":"package a"}},"timestamp":"2026-06-01T08:00:00Z"},"assistant":{"Response":{"content":"Seen."}}}]}`, []string{"prompt : package a", "reply : Seen."}},
	} {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, newDatabase), `UPDATE conversations_v2 SET value = '`+c.value+`' WHERE conversation_id = '`+replica+`'`)
		var got []string
		for _, turn := range harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil)).Session(replica).Turns {
			got = append(got, turn.Kind.String()+" : "+turn.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What the editor's agent did and said stands in files of its own; its session has
// stubs.
func TestExecutions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	root := filepath.Join(home, ".config/Kiro/User/globalStorage/kiro.kiroagent")
	hash := sha256.Sum256([]byte("/home/mira/web"))
	logs := filepath.Join(root, hex.EncodeToString(hash[:16]), "414d1636299d2b9e4ce7e17fb11f63e9")
	harnesstest.Write(t, filepath.Join(root, "workspace-sessions", base64.StdEncoding.EncodeToString([]byte("/home/mira/web")), "s1.json"),
		`{"history":[{"message":{"role":"user","content":"<EnvironmentContext>no</EnvironmentContext>\nwhy? <EnvironmentContext> is odd"}},{"message":{"role":"assistant","content":"On it."},"executionId":"e1"},
			{"message":{"role":"user","content":"# Identity is a heading, or not?"}},{"message":{"role":"assistant","content":"It is."},"executionId":"e2"},
			{"message":{"role":"assistant","content":""},"promptLogs":[{"completion":"late"}]},{"message":{"role":"assistant","content":"lost"},"executionId":"e9"}]}`)
	harnesstest.Write(t, filepath.Join(logs, "x1"), `{"executionId":"e1","startTime":1780300800000,"endTime":1780300860000,"actions":[{"actionType":"model","output":{"message":"no"}},
		{"actionType":"say","actionId":"a1","emittedAt":1780300801000,"output":{"message":"I look."}},{"actionType":"runCommand","actionId":"a2","input":{"command":"ls"},"output":{"output":"a.go","exitCode":1}},
		{"actionType":"replace","actionId":"a3","input":{"file":"a.go","originalContent":"x","modifiedContent":"y"}},{"actionType":"mcp","actionId":"a4","input":{"toolName":"find","toolArgs":{"q":"z"}},"output":{"response":"none"}},
		{"actionType":"specAgent","output":{"executionId":"e3"}}]}`)
	harnesstest.Write(t, filepath.Join(logs, "x2"), `{"executionId":"e2","actions":[{"actionType":"readFiles","actionId":"a5","input":{"files":[{"path":"b.go"}]}}]}`)
	harnesstest.Write(t, filepath.Join(logs, "x3"), `{"executionId":"e3","actions":[{"actionType":"say","output":{"message":"Planned."}},{"actionType":"specAgent","output":{"executionId":"e1"}}]}`)
	harnesstest.Write(t, filepath.Join(logs, "x9"), `{"executionId":"e9","actions":[`)
	s := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil)).Session("s1")
	if s == nil {
		t.Fatal("no session")
	}
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : why? <EnvironmentContext> is odd", "reply : I look.", "tool call runCommand: ls", "tool output runCommand: a.go", "tool call replace: a.go\ny", "tool call find: z", "tool output find: none",
		"reply : Planned.", "prompt : # Identity is a heading, or not?", `tool call readFiles: [{"path":"b.go"}]`, "reply : It is.", "reply : late", "reply : lost",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !s.Turns[3].Failed || !s.LastActive.Equal(harnesstest.Day("2026-06-01 08:01:00")) {
		t.Errorf("%+v", s)
	}
}

// The editor keeps documents: one a session, and before one a run.
func TestEditor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	root := filepath.Join(home, ".config/Kiro/User/globalStorage/kiro.kiroagent")
	folder := "workspace-sessions/" + base64.StdEncoding.EncodeToString([]byte("/home/mira/web"))
	for name, text := range map[string]string{
		folder + "/sessions.json": `[{"sessionId":"s1","title":"x","dateCreated":"1780300800000"}]`,
		folder + "/s1.json": `{"title":"Menu","history":[{"message":{"role":"user","id":"m1","content":[{"type":"text","text":"why is the menu empty?"}]}},
			{"message":{"role":"assistant","id":"m2","content":"The list is filtered."}}]}`,
		folder + "/half.json": `{"title":"Me`,
		"abcdef/run1.chat": `{"metadata":{"modelId":"claude-sonnet-4","startTime":1780300800000,"endTime":1780300860000},"chat":[{"role":"human","content":"# System Prompt x"},
			{"role":"bot","content":"I will follow these instructions."},{"role":"human","content":"<kiro-ide-message>add a test</kiro-ide-message>"},{"role":"tool","content":"ok"},{"role":"bot","content":"Added."}]}`,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, read := kiro.New(), harnesstest.NewRecorder()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		_, err := src.Read(t.Context(), tr, sessions.Mark{}, read)
		if (err != nil) != (tr.ID == "half") {
			t.Errorf("%s: %v", tr.ID, err)
		}
	}
	menu, run := read.Session("s1"), read.Session("abcdef:run1")
	if menu == nil || menu.Title != "Menu" || menu.Directory != "/home/mira/web" || !menu.Start.Equal(harnesstest.Day("2026-06-01 08:00:00")) || menu.Replies != 1 {
		t.Errorf("%+v", menu)
	}
	if run == nil || run.Model != "claude-sonnet-4" || !run.LastActive.Equal(harnesstest.Day("2026-06-01 08:01:00")) {
		t.Fatalf("%+v", run)
	}
	if diff := cmp.Diff([]string{"add a test", "ok", "Added."}, run.Texts(sessions.Prompt, sessions.Reply, sessions.ToolOutput)); diff != "" {
		t.Error(diff)
	}
}

// The second version's lines: prompts have times; the document beside them tells
// the model and whose sub-agent it is.
func TestSecondVersion(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	harnesstest.Write(t, filepath.Join(home, "k/sessions/cli/s.json"), `{"session_id":"s","cwd":"/w","parent_session_id":"p","session_state":{"rts_model_state":{"model_info":{"model_id":"claude-opus-4.6"}}}}`)
	harnesstest.Write(t, filepath.Join(home, "k/sessions/cli/s.jsonl"), `{"version":"v1","kind":"Prompt","data":{"content":[{"kind":"text","data":"go"}],"meta":{"timestamp":1780300800}}}`+"\n"+
		`{"version":"v1","kind":"AssistantMessage","data":{"content":[{"kind":"toolUse","data":{"toolUseId":"a","name":"shell","input":{"command":"ls"}}}]}}`+"\n"+
		`{"version":"v1","kind":"ToolResults","data":{"content":[{"kind":"toolResult","data":{"toolUseId":"a","status":"success","content":[{"kind":"json","data":{"exit_status":"exit status: 2","stderr":"no"}}]}}]}}`+"\n")
	s := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, map[string]string{"KIRO_HOME": filepath.Join(home, "k")})).Session("s")
	if s == nil || s.Model != "claude-opus-4.6" || !s.Subagent || s.Parent != "p" || !s.Turns[0].At.Equal(harnesstest.Day("2026-06-01 08:00:00")) || !s.Turns[2].Failed || s.Resume != nil {
		t.Errorf("%+v", s)
	}
}

var database = harnesstest.Database{
	New: func() sessions.Source { return kiro.New() }, Samples: samples, Path: newDatabase, Session: replica,
	Optional: []string{"conversations_v2.created_at"},
	Say: []string{`UPDATE conversations_v2 SET updated_at = updated_at + 1000, value = json_insert(value, '$.history[#]',
		json('{"user":{"content":{"Prompt":{"prompt":"something new"}}},"assistant":{}}')) WHERE conversation_id = '` + replica + `'`},
	Cell: "UPDATE conversations_v2 SET value = CAST(? AS TEXT) WHERE conversation_id = '" + replica + "'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"history":[{"user":{"content":{"Prompt":{"prompt":"x"}},"timestamp":"2026-03-10T09:00:00Z"},"assistant":{"ToolUse":{"content":"y","tool_uses":[{"id":"a","name":"b","args":{}}]}}}]}`,
		`{"history":[[1,2],{"user":[],"assistant":{"Response":7}}],"transcript":[1,"> x"],"latest_summary":[[]]}`, `{"history":{"user":{}}}`, `{"history":[`,
		`{"tangent_state":{"main_history":[{}]},"history":[{"request_metadata":{"stream_end_timestamp_ms":1e300}}]}`,
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}

// FuzzNative puts any bytes where a session of today's form stands.
func FuzzNative(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","payload":{"type":"user","content":"x"}}` + "\n" + `{"id":"2","payload":{"type":"tombstone","kind":"checkpoint_revert","effectiveFromMessageId":"1"}}` + "\n",
		`{"id":"1","payload":{"type":"tool_call","toolCallId":"a","toolName":"x","args":{}}}` + "\n" + `{"id":"1","payload":"{\"type\":\"assistant\",\"content\":\"y\"}"}` + "\n",
	} {
		f.Add([]byte(seed), uint16(len(seed)/2))
	}
	harnesstest.Fuzz(f, func() sessions.Source { return kiro.New() }, ".kiro/sessions", "w/sess_1/messages.jsonl")
}

// FuzzEditor puts any bytes where the editor keeps a session.
func FuzzEditor(f *testing.F) {
	f.Add([]byte(`{"history":[{"message":{"role":"user","content":"x"}},{"message":{"role":"assistant","content":[]},"executionId":"e","promptLogs":[{"completion":"y"}]}]}`), uint16(40))
	harnesstest.Fuzz(f, func() sessions.Source { return kiro.New() }, "e", "workspace-sessions/L3g/s1.json")
}

// The folder of a run of the editor is called by the hash of its workspace, which is known
// from elsewhere.
func TestRunsByTheirHash(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for run, folder := range map[string]string{"one": kiro.New().Hash("/home/dev/tidepool"), "two": "abcdef"} {
		harnesstest.Write(t, filepath.Join(home, ".config/Kiro/User/globalStorage/kiro.kiroagent", folder, run+".chat"),
			`{"metadata":{"startTime":1780300800000},"chat":[{"role":"human","content":"add a test"}]}`)
	}
	env := harnesstest.Env(home, nil)
	env.Dir = "/home/dev/tidepool/src"
	live := harnesstest.Follow(t, kiro.New(), env)
	for id, want := range map[string]string{kiro.New().Hash("/home/dev/tidepool") + ":one": "/home/dev/tidepool", "abcdef:two": ""} {
		if got := live.Of(id); got.Text == "" || got.Directory != want {
			t.Errorf("%s: %q, want %q", id, got.Directory, want)
		}
	}
}
