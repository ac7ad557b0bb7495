package crush_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/crush"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/crush"
	wal     = "7f9a2c11-3b5d-4e80-9c46-d1e0f2a3b4c5"
	readers = "0c1d2e3f-aaaa-4000-8000-000000000002$$toolu_02"
	project = "src/notesd"
)

// What a correct reader gets from the samples: every fact and count. The
// session that was only asked for a title is none; an answer that is still
// coming is one; a command that the user ran is no call of the assistant.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, crush.New(), samples)
	const dir = "/home/mira/src/notesd"
	harnesstest.Expect(t, read, "crush", map[string]sessions.Session{
		wal: {
			Title: "WAL file grows without bound", Directory: dir, Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-07-21 06:30:00"), LastActive: harnesstest.Day("2026-07-21 06:51:30"),
			Prompts: 2, Replies: 3, ToolCalls: 2, Resume: []string{"crush", "--session", wal},
		},
		readers: {
			Title: "Find long readers", Directory: dir, TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-07-21 06:30:00"), LastActive: harnesstest.Day("2026-07-21 06:30:06"),
			Prompts: 1, Subagent: true, Parent: wal, ParentCall: "toolu_02",
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its rows.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, crush.New(), samples) }

// A project is found by the list, also when it comes to the list while the
// program runs, and below configured folders; it is never read twice.
func TestProjects(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	list := filepath.Join(home, ".local/share/crush/projects.json")
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dirs := func(src sessions.Source, roots []sessions.Root) map[string]string {
		found := map[string]string{}
		for _, root := range roots {
			err := src.List(t.Context(), root, func(tr sessions.Transcript) {
				if found[tr.ID] != "" {
					t.Error(tr.ID, "is listed twice")
				}
				read := harnesstest.NewRecorder()
				harnesstest.ReadOne(t, src, tr, read)
				found[tr.ID] = read.Session(tr.ID).Directory
			})
			if err != nil {
				t.Error(err)
			}
		}
		return found
	}
	want := map[string]string{wal: filepath.Join(home, project), readers: filepath.Join(home, project)}
	src := crush.New()
	write(`{"projects":[7,{"path":"/nowhere"}]}`)
	roots := src.Roots(harnesstest.Env(home, nil))
	listed := `{"projects":[{"path":"` + filepath.Join(home, project) + `","data_dir":".crush"}]}`
	write(listed)
	if diff := cmp.Diff(want, dirs(src, roots)); diff != "" {
		t.Errorf("a new project (-want +got):\n%s", diff)
	}
	src = crush.New()
	if diff := cmp.Diff(want, dirs(src, src.Roots(harnesstest.Env(home, nil)))); diff != "" {
		t.Errorf("a listed project (-want +got):\n%s", diff)
	}
	write(`{}`)
	for _, root := range []string{home, filepath.Join(home, "src"), filepath.Join(home, project), filepath.Join(home, project, ".crush")} {
		env := harnesstest.Env(home, nil)
		env.Extra = map[string][]string{"crush": {root}}
		src = crush.New()
		if diff := cmp.Diff(want, dirs(src, src.Roots(env))); diff != "" {
			t.Errorf("a project below %s (-want +got):\n%s", root, diff)
		}
	}
}

// An answer that is written over within a second changes the stamp, and is
// read on with its new text alone.
func TestStreaming(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	src, read := crush.New(), harnesstest.NewRecorder()
	find := func() sessions.Transcript {
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.ID == wal {
				return tr
			}
		}
		return sessions.Transcript{}
	}
	before := find()
	mark := harnesstest.ReadOne(t, src, before, read)
	harnesstest.Exec(t, filepath.Join(home, database.Path),
		`UPDATE messages SET parts = '[{"type":"text","data":{"text":"Added it, sampled every minute."}},{"type":"tool_call","data":{"id":"c","name":"bash","input":"{\"comm","finished":false}}]' WHERE id = '0c1d2e3f-aaaa-4000-8000-000000000008'`)
	after := find()
	if after.Same(before.Stamp) {
		t.Error("the stamp did not change")
	}
	if _, err := src.Read(t.Context(), after, mark, read); err != nil {
		t.Fatal(err)
	}
	s := read.Session(wal)
	if last := s.Turns[len(s.Turns)-1]; last.Text != "Added it, sampled every minute." || s.Replies != 3 {
		t.Errorf("%d replies, the last turn %+v", s.Replies, last)
	}
}

// A release between marked the summary in the session alone, and a release told times
// in milliseconds, beside rows of before.
func TestSummaryAndTimesOfOtherReleases(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	say := func(id, role, text, at string) string {
		return `INSERT INTO messages (id, session_id, role, parts, created_at, updated_at) VALUES ('` + id + `', 'between', '` + role + `',
			'[{"type":"text","data":{"text":"` + text + `"}}]', ` + at + `, ` + at + `)`
	}
	harnesstest.Exec(t, filepath.Join(home, database.Path), "ALTER TABLE messages DROP COLUMN is_summary_message",
		`INSERT INTO sessions (id, title, message_count, created_at, updated_at, summary_message_id) VALUES ('between', 'Between', 4, 1784616800, 1784616803, 'b')`,
		say("a", "user", "first", "1784616800"), say("d", "user", "last", "1784616803"),
		say("b", "assistant", "all so far", "1784616801000"), say("c", "assistant", "then", "1784616802000"))
	read := harnesstest.NewRecorder()
	for _, tr := range harnesstest.List(t, crush.New(), harnesstest.Env(home, nil)) {
		if tr.ID == "between" {
			harnesstest.ReadOne(t, crush.New(), tr, read)
		}
	}
	s := read.Session("between")
	if diff := cmp.Diff([]string{"first", "all so far", "then", "last"}, s.Texts(sessions.Prompt, sessions.Reply, sessions.Summary)); diff != "" {
		t.Error(diff)
	}
	if s.Replies != 1 || s.Turns[1].Kind != sessions.Summary {
		t.Errorf("%d replies, %+v", s.Replies, s.Turns[1])
	}
}

var database = harnesstest.Database{
	New: func() sessions.Source { return crush.New() }, Samples: samples, Path: project + "/.crush/crush.db", Session: wal,
	Optional: []string{"messages.provider", "messages.finished_at", "sessions.todos", "sessions.summary_message_id", "messages.model"},
	Say: []string{`INSERT INTO messages (id, session_id, role, parts, created_at, updated_at)
		VALUES ('new', '` + wal + `', 'user', '[{"type":"text","data":{"text":"something new"}}]', 1784616800, 1784616800)`},
	Cell: "UPDATE messages SET parts = CAST(? AS TEXT) WHERE id = '0c1d2e3f-aaaa-4000-8000-000000000004'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`[{"type":"text","data":{"text":"x"}},{"type":"tool_call","data":{"id":"a","name":"bash","input":"{\"command\":\"ls\"}","finished":true}}]`,
		`[{"type":"tool_result","data":{"tool_call_id":"a","content":7,"is_error":"yes"}}]`, `[{"type":{},"data":[]},null]`, `[{"type":"text"`,
		"[{\"type\":\"shell_command\",\"data\":{\"command\":\"\x00\xff\",\"exit_code\":1e99}}]",
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}
