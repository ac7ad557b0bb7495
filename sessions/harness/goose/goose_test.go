package goose_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/goose"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/goose"
	folder  = ".local/share/goose/sessions"
	queue   = "20260618_2"
)

// What a correct reader gets from the samples: every fact and count. The old
// file that was imported is told once, by the database.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, goose.New(), samples)
	base := func(id string) sessions.Session {
		return sessions.Session{
			Directory: "/home/mira/src/warehouse", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Resume: []string{"goose", "session", "--resume", "--session-id", id},
		}
	}
	report, stock, sub, scheduled := base("20250903_091500"), base(queue), base(""), base("20260619_1")
	report.Title, report.Prompts, report.Replies, report.ToolCalls = "Slow stock report", 1, 1, 1
	report.Start, report.LastActive = harnesstest.Day("2025-09-03 09:15:00"), harnesstest.Day("2025-09-03 09:15:40")
	stock.Title, stock.Prompts, stock.Replies, stock.ToolCalls = "Queue choice for stock events", 2, 3, 2
	stock.Start, stock.LastActive = harnesstest.Day("2026-06-18 07:40:00"), harnesstest.Day("2026-06-18 07:55:35")
	sub.Title, sub.Prompts, sub.Subagent, sub.Parent, sub.Resume = "sub", 1, true, queue, nil
	sub.Start, sub.LastActive = harnesstest.Day("2026-06-18 07:45:00"), harnesstest.Day("2026-06-18 07:45:05")
	scheduled.Title, scheduled.Prompts, scheduled.Headless = "Nightly dependency check", 1, true
	scheduled.Start, scheduled.LastActive = harnesstest.Day("2026-06-19 01:00:00"), harnesstest.Day("2026-06-19 01:00:05")
	harnesstest.Expect(t, read, "goose", map[string]sessions.Session{
		"20250903_091500": report, queue: stock, "20260618_3": sub, "20260619_1": scheduled,
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its rows.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, goose.New(), samples) }

// Before the database there was a file a session; it is read where there is no
// database, or an empty one.
func TestOldFile(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	if err := os.Remove(filepath.Join(home, folder, "sessions.db.sql")); err != nil {
		t.Fatal(err)
	}
	for _, statements := range [][]string{nil, {
		"CREATE TABLE sessions (id TEXT, description TEXT)", "INSERT INTO sessions VALUES ('20250903_091500', 'being imported')",
	}} {
		if statements != nil {
			harnesstest.Exec(t, filepath.Join(home, folder, "sessions.db"), statements...)
		}
		read := harnesstest.Read(t, goose.New(), harnesstest.Env(home, nil))
		s := read.Session("20250903_091500")
		if s == nil || s.Title != "Slow stock report" || s.Directory != "/home/mira/src/warehouse" || s.LastActive != harnesstest.Day("2025-09-03 09:15:40") {
			t.Fatalf("%+v", s)
		}
		if diff := cmp.Diff([]string{
			"the stock report takes 40 seconds", "psql -f explain.sql", "Seq Scan on movements (rows=9200000)",
			"A partial index on movements(sku, moved_at) where archived = false brings it to 0.4 s.",
		}, s.Texts(sessions.Prompt, sessions.Reply, sessions.ToolCall, sessions.ToolOutput)); diff != "" {
			t.Error(diff)
		}
	}
}

// A compacted conversation is written anew, with other row numbers: then the
// session is read from its beginning.
func TestCompaction(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	src, read := goose.New(), harnesstest.NewRecorder()
	find := func() sessions.Transcript {
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.ID == queue {
				return tr
			}
		}
		return sessions.Transcript{}
	}
	before := find()
	mark := harnesstest.ReadOne(t, src, before, read)
	harnesstest.Exec(t, filepath.Join(home, folder, "sessions.db"),
		"CREATE TEMP TABLE kept AS SELECT * FROM messages WHERE session_id = '"+queue+"'", "DELETE FROM messages WHERE session_id = '"+queue+"'",
		"INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) SELECT message_id, session_id, role, content_json, created_timestamp, metadata_json FROM kept")
	after := find()
	if after.Same(before.Stamp) {
		t.Error("rows written anew changed no stamp")
	}
	again := harnesstest.NewRecorder()
	if _, err := src.Read(t.Context(), after, mark, again); err != nil || again.Session(queue) != nil {
		t.Errorf("the same conversation was told again: %v", err)
	}
}

// Times in milliseconds stand in order beside those in seconds.
func TestTimesInMilliseconds(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	say := func(role, text, at string) string {
		return `INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260901_7', '` + role + `', '[{"type":"text","text":"` + text + `"}]', ` + at + `)`
	}
	harnesstest.Exec(t, filepath.Join(home, folder, "sessions.db"), `INSERT INTO sessions (id, working_dir, created_at) VALUES ('20260901_7', '/w', '2026-09-01 10:00:00')`,
		say("user", "first", "1788256800000"), say("assistant", "second", "1788256801"), say("user", "third", "1788256802000"), say("assistant", "fourth", "1788256803"))
	read := harnesstest.NewRecorder()
	for _, tr := range harnesstest.List(t, goose.New(), harnesstest.Env(home, nil)) {
		if tr.ID == "20260901_7" {
			harnesstest.ReadOne(t, goose.New(), tr, read)
		}
	}
	if diff := cmp.Diff([]string{"first", "second", "third", "fourth"}, read.Session("20260901_7").Texts(sessions.Prompt, sessions.Reply)); diff != "" {
		t.Error(diff)
	}
}

// What a tool shows to the user stands beside what the model got; text is told
// once, and that of a file which a tool returned too.
func TestResultsForSomebody(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	harnesstest.Exec(t, filepath.Join(home, folder, "sessions.db"), `INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp) VALUES
		('new', '`+queue+`', 'user', '[{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":{"content":[
			{"type":"text","text":"built","annotations":{"audience":["assistant"]}},{"type":"text","text":"built, shown","annotations":{"audience":["user"],"priority":0}},
			{"type":"resource","resource":{"uri":"file:///x","text":"of x"}}]}}},
			{"type":"toolResponse","id":"b","toolResult":{"status":"success","value":[{"type":"text","text":"for the user","annotations":{"audience":["user"]}}]}}]', 1781769400)`)
	s := harnesstest.Read(t, goose.New(), harnesstest.Env(home, nil)).Session(queue)
	got := s.Texts(sessions.ToolOutput)
	if diff := cmp.Diff([]string{"built\n\nof x", "for the user"}, got[max(0, len(got)-2):]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

var database = harnesstest.Database{
	New: func() sessions.Source { return goose.New() }, Samples: samples, Path: folder + "/sessions.db", Session: queue,
	Optional: []string{
		"messages.message_id", "messages.tokens", "messages.timestamp", "sessions.name", "sessions.session_type",
		"sessions.model_config_json", "sessions.provider_name", "sessions.parent_session_id", "sessions.goose_mode", "sessions.archived_at",
	},
	Say: []string{`INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp)
		VALUES ('new', '` + queue + `', 'user', '[{"type":"text","text":"something new"}]', 1781769400)`},
	Cell: "UPDATE messages SET content_json = CAST(? AS TEXT) WHERE message_id = 'msg_20260618_2_0012'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`[{"type":"text","text":"x"},{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"ls"}}}}]`,
		`[{"type":"toolResponse","id":"a","toolResult":{"status":"error","error":"no"}}]`, `[{"type":7,"text":{}}`, `[{"type":"thinking","thinking":"hm"},null,[]]`,
		"[{\"type\":\"text\",\"text\":\"<info-msg>\x00\xff\"}]",
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}
