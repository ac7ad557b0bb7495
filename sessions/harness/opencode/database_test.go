package opencode_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

var database = harnesstest.Database{
	New: func() sessions.Source { return opencode.New() }, Samples: samples, Session: shell,
	Path: ".local/share/opencode/opencode.db",
	Optional: []string{
		"session.revert", "session.model", "session.metadata", "session.time_archived", "session.path", "session.workspace_id",
		"part.time_updated", "message.time_updated", "project.name",
	},
	Say: []string{
		`INSERT INTO message VALUES ('msg_n004', '` + shell + `', 1781776420000, 1781776420000, '{"role":"user"}')`,
		`INSERT INTO part VALUES ('prt_n004', 'msg_n004', '` + shell + `', 1781776420000, 1781776420000, '{"type":"text","text":"something new"}')`,
	},
	Cell: "UPDATE part SET data = CAST(? AS TEXT) WHERE id = 'prt_n002'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"type":"text","text":"bash 5.2."}`, `{"type":"text","text":"cut`, `{"type":["text"],"text":{"a":1}}`, "{\"type\":\"text\",\"text\":\"\x00\xff\"}",
		`{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"Full output saved to: ../../etc/passwd","metadata":{"exit":1e300}}}`,
		`{"type":"tool","tool":7,"state":{"status":"error","input":[1],"error":{"message":"no"}}}`, `{"type":"reasoning","text":"hm","time":{"start":-9e99}}`, `[[[[`,
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}

// said is what a session says after statements were run on the samples.
func said(t *testing.T, id string, statements ...string) *harnesstest.Session {
	t.Helper()
	home := harnesstest.Samples(t, samples)
	harnesstest.Exec(t, filepath.Join(home, database.Path), statements...)
	s := harnesstest.Read(t, opencode.New(), harnesstest.Env(home, nil)).Session(id)
	if s == nil {
		t.Fatalf("no session %s", id)
	}
	return s
}

// A revert is undone until the next prompt, and may itself be taken back.
func TestRevert(t *testing.T) {
	t.Parallel()
	if s := said(t, shell); !s.Turns[2].Undone || s.Turns[1].Undone {
		t.Errorf("undone: %v", s.Turns)
	}
	if s := said(t, shell, `UPDATE session SET revert = '{"messageID":"msg_n002"}'`); s.Replies != 0 || s.Prompts != 1 {
		t.Errorf("%d prompts, %d replies", s.Prompts, s.Replies)
	}
	home := harnesstest.Samples(t, samples)
	src, read := opencode.New(), harnesstest.NewRecorder()
	find := func() sessions.Transcript {
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.ID == shell {
				return tr
			}
		}
		t.Fatal("gone")
		return sessions.Transcript{}
	}
	at := find()
	mark := harnesstest.ReadOne(t, src, at, read)
	harnesstest.Exec(t, filepath.Join(home, database.Path), `UPDATE session SET revert = NULL`)
	now := find()
	if now.Same(at.Stamp) {
		t.Error("a revert that was taken back changed no stamp")
	}
	if _, err := src.Read(t.Context(), now, mark, read); err != nil {
		t.Fatal(err)
	}
	if s := read.Session(shell); s.Prompts != 2 || len(s.Turns) != 3 {
		t.Errorf("%d prompts of %d turns, want both back", s.Prompts, len(s.Turns))
	}
}

// Later releases keep events and no messages.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := said(t, shell,
		"DELETE FROM part", "DELETE FROM message",
		"CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT)",
		`INSERT INTO session_message VALUES
			('e4', '`+shell+`', 'assistant', 4, 4000, 4000, '{"agent":"build","model":{"id":"m","providerID":"p"},"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"bash"},{"type":"tool","id":"c1","name":"bash","state":{"status":"completed","input":{"command":"ls"},"content":[{"type":"text","text":"out"}]}}]}'),
			('e1', '`+shell+`', 'model-switched', 1, 1000, 1000, '{}'),
			('e2', '`+shell+`', 'user', 2, 2000, 2000, '{"text":"which shell?"}'),
			('e3', '`+shell+`', 'shell', 3, 3000, 3000, '{"callID":"s1","command":"echo $0","output":"bash"}'),
			('e5', '`+shell+`', 'compaction', 5, 5000, 5000, '{"reason":"auto","summary":"It is bash."}')`)
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : which shell?", "tool call shell: echo $0", "tool output shell: bash", "thinking : hm", "reply : bash",
		"tool call bash: ls", "tool output bash: out", "summary : It is bash.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Model != "p/m" || s.ToolCalls != 1 {
		t.Errorf("model %q, %d calls", s.Model, s.ToolCalls)
	}
}

// The newest releases name some things otherwise, undo events, and start
// sub-agents from them.
func TestNewestEvents(t *testing.T) {
	t.Parallel()
	statements := []string{
		"DELETE FROM part", "DELETE FROM message", `UPDATE session SET revert = '{"messageID":"e6"}' WHERE id = '` + shell + `'`,
		"CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT)",
		`INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)
			VALUES ('ses_child', 'global', '` + shell + `', 's', '/x', 'Look', '2', 1, 1)`,
		`INSERT INTO session_message VALUES
			('e1', '` + shell + `', 'location-switched', 1, 1000, 1000, '{"location":{"directory":"/y"}}'),
			('e2', '` + shell + `', 'skill', 2, 2000, 2000, '{"skill":"tidy","name":"Tidy","text":"how to tidy"}'),
			('e3', '` + shell + `', 'user', 3, 3000, 3000, '{"text":"look"}'),
			('e4', '` + shell + `', 'shell', 4, 4000, 4000, '{"shell":{"id":"sh_1","command":"false","exit":1},"output":{"output":"no","truncated":false}}'),
			('e5', '` + shell + `', 'assistant', 5, 5000, 5000, '{"content":[{"type":"tool","id":"c1","name":"subagent","state":{"status":"completed","input":{},"content":[{"type":"text","text":"seen"}],"metadata":{"sessionID":"ses_child"}}},{"type":"tool","id":"c2","name":"read","state":{"status":"streaming","input":"{"}}]}'),
			('e6', '` + shell + `', 'user', 6, 6000, 6000, '{"text":"wrong"}'),
			('e7', '` + shell + `', 'idle', 7, 7000, 7000, '{"outcome":"interrupted"}'),
			('e8', 'ses_child', 'user', 1, 4500, 4500, '{"text":"You are a subagent spawned by another session.\nFind it."}')`,
	}
	s := said(t, shell, statements...)
	var got []string
	for _, turn := range s.Turns {
		got = append(got, fmt.Sprintf("%s %s: %s %v %v", turn.Kind, turn.Tool, turn.Text, turn.Failed, turn.Undone))
	}
	want := []string{
		"prompt : look false false", "tool call shell: false false false", "tool output shell: no true false",
		"tool call subagent:  false false", "tool output subagent: seen false false", "prompt : wrong false true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.LastDirectory != "/y" {
		t.Errorf("went to %q", s.LastDirectory)
	}
	child := said(t, "ses_child", statements...)
	if child.ParentCall != "c1" || len(child.Turns) != 1 || child.Turns[0].Text != "Find it." {
		t.Errorf("called by %q: %v", child.ParentCall, child.Turns)
	}
}

// What a fork repeats is a copy, with the ids that it has in the original.
func TestFork(t *testing.T) {
	t.Parallel()
	s := said(t, "ses_fork",
		"ALTER TABLE session ADD COLUMN fork_session_id TEXT",
		`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated, fork_session_id)
			VALUES ('ses_fork', 'global', 's', '/x', 'Fork', '1', 1, 1, '`+shell+`')`,
		`INSERT INTO message SELECT 'f' || id, 'ses_fork', time_created, time_updated, data FROM message WHERE session_id = '`+shell+`' AND id < 'msg_n003'`,
		`INSERT INTO part SELECT 'f' || id, 'f' || message_id, 'ses_fork', time_created, time_updated, data FROM part WHERE session_id = '`+shell+`' AND message_id < 'msg_n003'`,
		`INSERT INTO message VALUES ('fnew', 'ses_fork', 1781776500000, 1, '{"role":"user"}')`,
		`INSERT INTO part VALUES ('pnew', 'fnew', 'ses_fork', 1, 1, '{"type":"text","text":"and in the fork?"}')`)
	if s.ForkedFrom != shell || s.Prompts != 1 || s.Replies != 0 || s.Turns[0].ID != "msg_n001" || !s.Turns[1].Copied {
		t.Errorf("%+v", s)
	}
}

// Of a long output its ends are kept, and of an image nothing, whatever their
// length.
func TestLongParts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300<<10)
	s := said(t, shell,
		`INSERT INTO part VALUES ('prt_n002a', 'msg_n002', '`+shell+`', 1, 1,
			'{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"dump"},"output":"head `+long+` tail","metadata":{"exit":3}}}')`,
		`INSERT INTO part VALUES ('prt_n001a', 'msg_n001', '`+shell+`', 1, 1, '{"type":"file","mime":"image/png","url":"data:image/png;base64,`+long+`"}')`)
	for _, turn := range s.Turns {
		if turn.Kind != sessions.ToolOutput {
			continue
		}
		if !turn.Cut || !turn.Failed || len(turn.Text) > 10_000 || !strings.HasPrefix(turn.Text, "head ") || !strings.HasSuffix(turn.Text, " tail") {
			t.Errorf("%d bytes, cut %v, failed %v", len(turn.Text), turn.Cut, turn.Failed)
		}
		return
	}
	t.Error("no output")
}

// A root may be a database: it is listed without looking for files in it.
func TestDatabaseAsRoot(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	env := harnesstest.Env(t.TempDir(), map[string]string{"OPENCODE_DB": filepath.Join(home, database.Path)})
	if all := harnesstest.List(t, opencode.New(), env); len(all) != 3 {
		t.Errorf("%d sessions", len(all))
	}
}
