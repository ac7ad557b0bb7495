package kiro_test

import (
	"encoding/base64"
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
	c.Title, c.Model, c.Provider = "Bucket tags", "", ""
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

// A session that is in the files and in a database is told once: by the
// database, unless the files told it before.
func TestTwins(t *testing.T) {
	t.Parallel()
	insert := `INSERT INTO conversations_v2 SELECT key, '` + tags + `', value, created_at, updated_at FROM conversations_v2 WHERE conversation_id = '` + replica + `'`
	where := func(src sessions.Source, home string) (paths []string) {
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.ID == tags {
				paths = append(paths, filepath.Base(tr.Path))
			}
		}
		return paths
	}
	home := harnesstest.Samples(t, samples)
	running := kiro.New()
	if diff := cmp.Diff([]string{tags + ".json"}, where(running, home)); diff != "" {
		t.Error(diff)
	}
	harnesstest.Exec(t, filepath.Join(home, newDatabase), insert)
	if diff := cmp.Diff([]string{tags + ".json"}, where(running, home)); diff != "" {
		t.Error("a session moved while it was shown", diff)
	}
	if diff := cmp.Diff([]string{"data.sqlite3"}, where(kiro.New(), home)); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(home, cli, tags+".json")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"data.sqlite3"}, where(running, home)); diff != "" {
		t.Error("the files are gone", diff)
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

// Today's editor and command line keep a folder for each session, with the files of
// its sub-agents.
func TestNative(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".kiro/sessions/9f3c/sess_1")
	line := func(id, payload string) string {
		return `{"id":"` + id + `","timestamp":"2026-09-03T12:00:0` + id + `.000Z","payload":` + payload + "}\n"
	}
	harnesstest.Write(t, filepath.Join(dir, "session.json"), `{"id":"sess_1","title":"Retries","workspacePaths":["/home/mira/web"],"modelId":"claude-sonnet-4.5"}`)
	harnesstest.Write(t, filepath.Join(dir, "messages.jsonl"), line("0", `{"type":"session_start","agentType":"vibe","content":"You are"}`)+
		line("1", `{"type":"user","content":"why does it retry?"}`)+line("2", `{"type":"assistant","operationType":"Reasoning","content":"..."}`)+
		line("2", `{"type":"assistant","operationType":"Say","content":"I look."}`)+
		line("3", `{"type":"tool_call","toolCallId":"a","toolName":"execute_bash","args":{"command":"grep retry"},"status":"running"}`)+
		line("4", `{"type":"tool_result","toolCallId":"a","content":"none","success":false}`)+
		line("5", `{"type":"user","content":{"text":"and now?"},"source":"steer"}`)+line("6", `"{\"type\":\"assistant\",\"content\":\"It does not.\"}"`)+
		line("7", `{"type":"assistant","operationType":"Summary","content":"In short."}`)+line("8", `{"type":"turn_end"}`)+line("9", `{"type":"brand_new"}`))
	harnesstest.Write(t, filepath.Join(dir, "sub-executions/sub_2.jsonl"), line("1", `{"type":"user","content":"look for it"}`)+line("2", `{"type":"assistant","content":"Found."}`))
	harnesstest.Write(t, filepath.Join(dir, "snapshots/messages.jsonl"), line("1", `{"type":"user","content":"no"}`))
	read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
	s, sub := read.Session("sess_1"), read.Session("sub_2")
	if len(read.Sessions()) != 2 || s == nil || sub == nil {
		t.Fatalf("%d sessions", len(read.Sessions()))
	}
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : why does it retry?", "reply : I look.", "tool call execute_bash: grep retry", "tool output execute_bash: none",
		"prompt : and now?", "reply : It does not.", "summary : In short.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Title != "Retries" || s.Directory != "/home/mira/web" || s.Model != "claude-sonnet-4.5" || !s.Turns[3].Failed || !cmp.Equal(s.Resume, []string{"kiro-cli", "chat", "--resume-id", "sess_1"}) {
		t.Errorf("%+v", s.Session)
	}
	if !sub.Subagent || sub.Parent != "sess_1" || sub.Resume != nil || sub.Directory != s.Directory {
		t.Errorf("%+v", sub.Session)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind brand_new": 1})
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
