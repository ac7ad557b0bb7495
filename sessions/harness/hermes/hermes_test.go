package hermes_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/hermes"
)

const (
	samples = "../../../testdata/samples/hermes"
	backup  = "20260711_103000_ab12cd"
	metrics = "20260102_080000_0f0f0f"
)

// Times without a zone are local: the samples' are told as in UTC.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, hermes.New(), samples)
	harnesstest.Expect(t, read, "hermes", map[string]sessions.Session{
		backup: {
			Title: "Backup retention", Model: "hermes-4-405b", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-07-11 10:30:00"), LastActive: harnesstest.Day("2026-07-11 10:30:20"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: []string{"hermes", "--resume", backup},
		},
		metrics: {
			Title: "which port does the metrics page use?", Model: "hermes-4-70b", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-01-02 08:00:00"), LastActive: harnesstest.Day("2026-01-02 08:00:04"),
			Prompts: 1, Replies: 1, Resume: []string{"hermes", "--resume", metrics},
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its rows.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, hermes.New(), samples) }

// files is a home with these files and no database.
func files(t *testing.T, content map[string]string) sessions.Env {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".hermes", "sessions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range content {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return harnesstest.Env(home, nil)
}

func lines(s *harnesstest.Session) []string {
	var got []string
	for _, turn := range s.Turns {
		line := turn.Kind.String() + " " + turn.Tool + ": " + turn.Text
		if turn.Undone {
			line = "undone " + line
		}
		if turn.Copied {
			line = "copied " + line
		}
		got = append(got, line)
	}
	return got
}

// A session that is in several places is told once: by the database where that
// has messages of it, else by its lines, else by its document.
func TestTwins(t *testing.T) {
	t.Parallel()
	env := files(t, map[string]string{
		"session_a.json": `{"session_id":"a","model":"m","session_start":"2026-01-02T08:00:00","last_updated":"2026-01-02T09:00:00","messages":[{"role":"user","content":"old"}]}`,
		"session_b.json": `{"messages":[{"role":"user","content":"document"}]}`, "b.jsonl": `{"role":"user","content":"lines"}` + "\n",
		"c.jsonl": `{"role":"user","content":"lines"}` + "\n", "sessions.json": `{}`,
	})
	harnesstest.Exec(t, filepath.Join(env.Home, ".hermes", "state.db"),
		"CREATE TABLE sessions (id TEXT)", "CREATE TABLE messages (session_id TEXT, role TEXT, content TEXT)",
		"INSERT INTO sessions VALUES ('b'), ('c')", "INSERT INTO messages VALUES ('c', 'user', 'database')")
	read := harnesstest.Read(t, hermes.New(), env)
	for id, want := range map[string]string{"a": "old", "b": "lines", "c": "database"} {
		if got := read.Session(id).Texts(sessions.Prompt); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s: %q", id, got)
		}
	}
	if a := read.Session("a"); a.Start != harnesstest.Day("2026-01-02 08:00:00") || a.LastActive != harnesstest.Day("2026-01-02 09:00:00") || a.Model != "m" {
		t.Errorf("%+v", a.Session)
	}
	if n := len(read.Sessions()); n != 3 {
		t.Errorf("%d sessions", n)
	}
}

// What Hermes writes in the user's name is no prompt.
func TestPrompts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"plain":             {`"which port?"`, []string{"prompt : which port?"}},
		"parts":             {`[{"type":"text","text":"which port?"},{"type":"image_url","image_url":{}}]`, []string{"prompt : which port?"}},
		"packed parts":      {`"\u0000json:[{\"type\":\"text\",\"text\":\"which port?\"}]"`, []string{"prompt : which port?"}},
		"a summary":         {`"[CONTEXT COMPACTION — REFERENCE ONLY] so far"`, []string{"summary : [CONTEXT COMPACTION — REFERENCE ONLY] so far"}},
		"behind a summary":  {`"[CONTEXT SUMMARY]: so far\n--- END OF CONTEXT SUMMARY — respond below ---\n\nwhich port?"`, []string{"summary : [CONTEXT SUMMARY]: so far", "prompt : which port?"}},
		"a skill":           {`"[SYSTEM: The user has invoked the \"commit\" skill. Follow it.]\n\nlong text\n\nThe user has provided the following instruction alongside the skill invocation: all of it\n\n[Runtime note: x]"`, []string{"prompt : /commit all of it"}},
		"a skill by itself": {`"[IMPORTANT: The user has invoked the \"review\" skill.]\n\nlong text"`, []string{"prompt : /review"}},
		"a merged summary":  {`"[PRIOR CONTEXT — for reference only; not a new message]\n\nwhich port?\n\n[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]\n\n[CONTEXT COMPACTION] so far"`, []string{"summary : [CONTEXT COMPACTION] so far", "prompt : which port?"}},
		"a steer":           {`"[OUT-OF-BAND USER MESSAGE — direct]\nGateway message origin (JSON data):\n{\"platform\": \"x\"}\nwhich port?\n[/OUT-OF-BAND USER MESSAGE]"`, []string{"prompt : which port?"}},
		"behind a note":     {`"[System note: The session was reset.]\n\nwhich port?"`, []string{"prompt : which port?"}},
		"asked again":       {`"[System note: Your turn was interrupted. The interrupted request was:]\n\nwhich port?"`, nil},
		"a job":             {`"[IMPORTANT: You are running as a scheduled cron job. Say [SILENT] else.]\n\nwhich port?"`, []string{"prompt : which port?"}},
		"a process":         {`"[IMPORTANT: Background process proc_1 completed.\nOutput: x]"`, nil},
		"processes":         {`"[IMPORTANT: 3 background processes completed.]"`, nil},
		"a delegation":      {`"[ASYNC DELEGATION BATCH COMPLETE — d]\nx"`, nil},
		"a review":          {`"Review the conversation above and consider saving to memory if appropriate.\n\nFocus on what matters."`, nil},
		"at its end":        {`"You've reached the maximum number of tool-calling iterations allowed. Please sum up."`, nil},
		"like a review":     {`"Review the conversation above and update the skill library: which port?"`, []string{"prompt : Review the conversation above and update the skill library: which port?"}},
		"like a note":       {`"[System: Linux] which port?"`, []string{"prompt : [System: Linux] which port?"}},
		"like its end":      {`"You've reached the maximum number of tool-calling iterations again, why?"`, []string{"prompt : You've reached the maximum number of tool-calling iterations again, why?"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harnesstest.Read(t, hermes.New(), files(t, map[string]string{"s.jsonl": `{"role":"user","content":` + c.content + "}\n" + `{"role":"assistant","content":"9464"}` + "\n"})).Session("s")
			if diff := cmp.Diff(append(c.want, "reply : 9464"), lines(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// what a session is to the one that it names as its parent, in the words of a
// database.
func TestRelations(t *testing.T) {
	t.Parallel()
	env := files(t, nil)
	harnesstest.Exec(t, filepath.Join(env.Home, ".hermes", "state.db"),
		"CREATE TABLE sessions (id TEXT, source TEXT, parent_session_id TEXT, end_reason TEXT, model_config TEXT, cwd TEXT, git_branch TEXT)",
		"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)",
		`INSERT INTO sessions VALUES ('talk', 'cli', NULL, 'compression', NULL, '/src', 'main'), ('more', 'cli', 'talk', NULL, '{"_delegate_from":"other"}', NULL, NULL),
			('agent', 'cli', 'talk', NULL, '{"_delegate_from":"talk"}', NULL, NULL), ('open', 'cli', NULL, NULL, NULL, NULL, NULL), ('sub', 'tool', 'open', NULL, 'half', NULL, NULL)`,
		"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('talk', 'user', 'one', 1783765801.5), ('talk', 'assistant', 'two', 1783765802), ('more', 'user', 'one', 1783765803), ('more', 'user', 'three', 1783765804), ('agent', 'user', 'task', 5e246), ('open', 'user', 'go', 'soon'), ('sub', 'user', 'look', NULL)")
	read := harnesstest.Read(t, hermes.New(), env)
	talk, more, agent, sub := read.Session("talk"), read.Session("more"), read.Session("agent"), read.Session("sub")
	if talk.Directory != "/src" || talk.Branch != "main" || talk.LastActive.UnixMilli() != 1783765802000 {
		t.Errorf("%+v", talk.Session)
	}
	if more.ForkedFrom != "talk" || more.Subagent || more.Prompts != 1 || more.Title != "three" {
		t.Errorf("continued: %+v", more.Session)
	}
	for _, s := range []*harnesstest.Session{agent, sub} {
		if !s.Subagent || s.Parent == "" || s.Resume != nil || !s.LastActive.IsZero() {
			t.Errorf("sub-agent: %+v", s.Session)
		}
	}
	for _, tr := range harnesstest.List(t, hermes.New(), env) {
		if tr.Side != (tr.ID == "agent" || tr.ID == "sub") {
			t.Errorf("%s: side %v", tr.ID, tr.Side)
		}
	}
}

// What was rewound is marked; what was compacted in place stands once.
func TestMarks(t *testing.T) {
	t.Parallel()
	env := files(t, nil)
	harnesstest.Exec(t, filepath.Join(env.Home, ".hermes", "state.db"), "CREATE TABLE sessions (id TEXT)",
		"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, active INTEGER, compacted INTEGER, _compressed_summary INTEGER, display_kind TEXT, display_identity BLOB)",
		"INSERT INTO sessions VALUES ('s')",
		`INSERT INTO messages (session_id, role, content, active, compacted, _compressed_summary, display_kind, display_identity) VALUES
			('s', 'user', 'one', 0, 1, 0, NULL, x'01'), ('s', 'assistant', 'two', 0, 1, 0, NULL, x'02'), ('s', 'user', 'no', 0, 0, 0, NULL, x'03'),
			('s', 'user', 'in short', 1, 0, 1, NULL, x'04'), ('s', 'assistant', 'two', 1, 0, 0, NULL, x'02'), ('s', 'user', 'note', 1, 0, 0, 'hidden', x'05'), ('s', 'user', 'done', 1, 0, 0, 'process_complete', x'07'), ('s', 'user', 'also', 1, 0, 0, 'steer', x'08'), ('s', 'user', 'three', 1, 0, 0, NULL, x'06'), ('s', 'oracle', 'x', 1, 0, 0, NULL, NULL)`)
	read := harnesstest.Read(t, hermes.New(), env)
	want := []string{"prompt : one", "reply : two", "undone prompt : no", "summary : in short", "prompt : also", "prompt : three"}
	if diff := cmp.Diff(want, lines(read.Session("s"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind oracle": 1})
}

var database = harnesstest.Database{
	New: func() sessions.Source { return hermes.New() }, Samples: samples, Path: ".hermes/state.db", Session: backup,
	Optional: []string{
		"messages.reasoning", "messages.reasoning_content", "messages.tool_name", "messages.tool_calls", "messages.timestamp",
		"sessions.title", "sessions.model_config", "sessions.parent_session_id", "sessions.end_reason", "sessions.started_at", "sessions.source",
	},
	Say:  []string{`INSERT INTO messages (session_id, role, content, timestamp) VALUES ('` + backup + `', 'user', 'something new', 1783766000)`},
	Cell: "UPDATE messages SET tool_calls = CAST(? AS TEXT) WHERE session_id = '" + backup + "' AND tool_calls IS NOT NULL",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`[{"id":"c1","function":{"name":"terminal","arguments":"{\"command\":\"ls\"}"}}]`, `[{"id":7,"name":"x","arguments":{"a":[1]}},null]`,
		`{"function":"x"}`, `[{"function":{}}`, "[{\"id\":\"\x00\xff\"}]",
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}

func TestRoots(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".hermes/profiles/blog"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".hermes/profiles/blog/state.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, variables := range map[string]map[string]string{
		filepath.Join(home, ".hermes") + " default": nil, "/h HERMES_HOME": {"HERMES_HOME": "/h"},
	} {
		roots := hermes.New().Roots(harnesstest.Env(home, variables))
		if got := roots[0].Path + " " + roots[0].From; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if n := len(roots); n != 2-len(variables) {
			t.Errorf("%d roots", n)
		}
	}
}
