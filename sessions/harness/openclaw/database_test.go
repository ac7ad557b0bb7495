package openclaw_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/openclaw"
)

// pack compresses a text as OpenClaw does.
func pack(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tables are those of today's releases, as far as they are read.
var tables = []string{
	`CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, updated_at INTEGER)`,
	`CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, spawned_by TEXT, updated_at INTEGER, transcript_updated_at INTEGER)`,
	`CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB, created_at INTEGER, PRIMARY KEY (session_id, seq))`,
	`CREATE TABLE session_transcript_archives (session_id TEXT, generation TEXT, session_key TEXT, reason TEXT, encoding TEXT, archive_blob BLOB, PRIMARY KEY (session_id, generation))`,
}

// Newer releases keep the sessions of an agent in its database: the records as
// they stood in the lines, long ones compressed, and what was deleted or reset in
// archives. The database tells a session that a file has too.
func TestDatabase(t *testing.T) {
	t.Parallel()
	env := write(t, map[string]string{
		"p.jsonl": message("1", "user", "old"), "file.jsonl": message("1", "user", "only a file"),
		"deleted.jsonl.deleted.2026-06-01T00-00-00.000Z.zst": string(pack(t, message("1", "user", "packed"))),
	})
	path := filepath.Join(env.Home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
	harnesstest.Write(t, path, "")
	db := harnesstest.Exec(t, path, append(tables,
		`INSERT INTO session_nodes VALUES ('agent:main:main', 'p', '{"sessionId":"p","label":"Renamed"}', 5), ('agent:main:subagent:7', 'c', '{"spawnedBy":"agent:main:main"}', 5)`,
		`INSERT INTO session_windows VALUES ('p', 'agent:main:main', NULL, 5, 6), ('before', 'agent:main:main', NULL, 5, 6), ('c', 'agent:main:subagent:7', NULL, 5, 6), ('woken', 'agent:main:main', NULL, 5, 6)`)...)
	event := func(id string, seq int, text string, packed []byte) {
		t.Helper()
		var json any
		if text != "" {
			json = strings.TrimSpace(text)
		}
		if _, err := db.ExecContext(t.Context(), "INSERT INTO transcript_events VALUES (?, ?, ?, ?, 0)", id, seq, json, packed); err != nil {
			t.Fatal(err)
		}
	}
	event("p", 3, message("3", "user", "third"), nil)
	event("p", 1, message("1", "user", "[Telegram M 2026-06-05 18:00 UTC] first"), nil)
	event("p", 2, "", pack(t, message("2", "assistant", "9464.")))
	event("p", 0, `{"type":"session","id":"p","timestamp":"2026-06-05T17:59:00Z","cwd":"/w"}`, nil)
	event("p", 4, `{"type":"message","id":"4","parentId":"2","message":{"role":"user","content":"instead"}}`, nil)
	event("p", 5, "half", nil)
	event("c", 0, message("1", "user", "[Subagent Task]: look"), nil)
	event("before", 0, message("1", "user", "yesterday"), nil)
	event("woken", 0, message("1", "user", "Read HEARTBEAT.md if it exists, or reply HEARTBEAT_OK."), nil)
	if _, err := db.ExecContext(t.Context(), "INSERT INTO session_transcript_archives VALUES ('reset', 'g', 'k', 'reset', 'zstd', ?), ('plain', 'g', 'k', 'deleted', 'identity', ?)",
		pack(t, message("1", "user", "archived")), []byte(message("1", "user", "plain"))); err != nil {
		t.Fatal(err)
	}
	src := openclaw.New()
	read := harnesstest.Read(t, src, env)
	got := map[string]string{}
	for _, s := range read.Sessions() {
		got[s.ID] = strings.Join(s.Texts(sessions.Prompt), "|")
	}
	want := map[string]string{
		"p": "first|third|instead", "c": "look", "before": "yesterday", "reset": "archived", "plain": "plain", "file": "only a file", "deleted": "packed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"damaged record": 1})
	p, c := read.Session("p"), read.Session("c")
	if p.Title != "Renamed" || p.Directory != "/w" || p.Path != path || !cmp.Equal(p.Resume, []string{"openclaw", "tui", "--session", "agent:main:main"}) {
		t.Errorf("%+v", p.Session)
	}
	if diff := cmp.Diff([]string{"third"}, p.Undone()); diff != "" {
		t.Errorf("abandoned (-want +got):\n%s", diff)
	}
	if !c.Subagent || c.Parent != "p" || c.Resume != nil || read.Session("before").Resume != nil {
		t.Errorf("sub-agent: %+v", c.Session)
	}

	// What is said later is read on.
	find := func() (found sessions.Transcript) {
		for _, tr := range harnesstest.List(t, src, env) {
			if tr.ID == "p" {
				found = tr
			}
		}
		return found
	}
	before, again := find(), harnesstest.NewRecorder()
	mark := harnesstest.ReadOne(t, src, before, again)
	event("p", 6, `{"type":"message","id":"6","parentId":"4","message":{"role":"assistant","content":"Then 9465."}}`, nil)
	after := find()
	if after.Same(before.Stamp) {
		t.Error("the stamp did not change")
	}
	if _, err := src.Read(t.Context(), after, mark, again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"9464.", "Then 9465."}, again.Session("p").Texts(sessions.Reply)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// agentDatabase is the database of the agent whose files write makes.
func agentDatabase(t *testing.T, env sessions.Env, statements ...string) string {
	t.Helper()
	path := filepath.Join(env.Home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
	harnesstest.Write(t, path, "")
	harnesstest.Exec(t, path, append(slices.Clone(tables), statements...)...)
	return path
}

// What a database has is called what that says, also when an index of before is left:
// renames go to the database.
func TestStaleIndex(t *testing.T) {
	t.Parallel()
	files := map[string]string{"file.jsonl": message("1", "user", "only a file"), "sessions.json": `{"a":{"sessionId":"named","label":"Stale"},"b":{"sessionId":"bare","label":"Stale"},"c":{"sessionId":"file","label":"Of the file"}}`}
	env := write(t, files)
	agentDatabase(t, env, `INSERT INTO session_nodes VALUES ('a', 'named', '{"label":"Today"}', 5), ('b', 'bare', '{}', 5)`,
		`INSERT INTO transcript_events VALUES ('named', 1, '`+strings.TrimSpace(message("1", "user", "go"))+`', NULL, 0), ('bare', 1, '`+strings.TrimSpace(message("1", "user", "on"))+`', NULL, 0)`)
	read := harnesstest.Read(t, openclaw.New(), env)
	for id, want := range map[string]string{"named": "Today", "bare": "on", "file": "Of the file"} {
		if got := read.Session(id).Title; got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
}

// A database that takes a session over while the program runs takes its name over too.
func TestDatabaseTakesOverANamedSession(t *testing.T) {
	t.Parallel()
	env := write(t, map[string]string{"p.jsonl": message("1", "user", "go"), "sessions.json": `{"a":{"sessionId":"p","label":"Stale"}}`})
	path := agentDatabase(t, env)
	l := harnesstest.Follow(t, openclaw.New(), env)
	l.Await("p", "the name in the index", func(s harnesstest.Told) bool { return s.Title == "Stale" })
	harnesstest.Exec(t, path, `INSERT INTO transcript_events VALUES ('p', 1, '`+strings.TrimSpace(message("1", "user", "go"))+`', NULL, 0)`,
		`INSERT INTO session_nodes VALUES ('a', 'p', '{"label":"Today"}', 5)`)
	l.Await("p", "the name in the database", func(s harnesstest.Told) bool { return s.Title == "Today" })
}

// While a database cannot be asked what it took over, an index of before tells nothing
// new.
func TestIndexBesideLockedDatabase(t *testing.T) {
	t.Parallel()
	env := write(t, map[string]string{"sessions.json": `{"a":{"sessionId":"named","label":"Stale"}}`})
	agentDatabase(t, env, "DROP TABLE session_nodes", "CREATE VIEW session_nodes AS SELECT 'a' AS session_key, 'named' AS current_session_id, json('{') AS entry_json, 5 AS updated_at")
	src := openclaw.New()
	for _, root := range src.Roots(env) {
		notes, err := src.Notes(t.Context(), root)
		if root.Path == filepath.Join(env.Home, ".openclaw", "agents") && (notes != nil || err == nil) {
			t.Errorf("%v, %v", notes, err)
		}
	}
}

// The file of a session that was taken over may have what the database lacks: that
// stands where it stood, once, and its change is seen.
func TestFileOfADatabasesSession(t *testing.T) {
	t.Parallel()
	file := message("1", "user", "first") + message("2", "assistant", "lost") + message("3", "user", "third") + message("4", "assistant", "lost too") + "half\n"
	env := write(t, map[string]string{"p-topic-7.jsonl": file, "p.jsonl.bak": message("9", "user", "no")})
	agentDatabase(t, env, `INSERT INTO session_windows VALUES ('p', 'k', NULL, 5, 6)`, `INSERT INTO transcript_events VALUES ('p', 1, '`+strings.TrimSpace(message("1", "user", "first"))+`', NULL, 0),
		('p', 2, '`+strings.TrimSpace(message("3", "user", "third"))+`', NULL, 0), ('p', 3, '`+strings.TrimSpace(message("5", "user", "later"))+`', NULL, 0)`)
	src := openclaw.New()
	read := harnesstest.Read(t, src, env)
	if diff := cmp.Diff([]string{"first", "lost", "third", "lost too", "later"}, read.Session("p").Texts(sessions.Prompt, sessions.Reply)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	before := harnesstest.List(t, src, env)
	harnesstest.Write(t, filepath.Join(env.Home, folder, "p-topic-7.jsonl"), file+message("6", "user", "more"))
	if after := harnesstest.List(t, src, env); len(before) != 1 || len(after) != 1 || after[0].Same(before[0].Stamp) {
		t.Errorf("%v, then %v", before, after)
	}
}

// Each file that is left of a database's session is read, those that were reset and
// compressed too, and its change is seen.
func TestFilesOfADatabasesSession(t *testing.T) {
	t.Parallel()
	env := write(t, map[string]string{
		"p-topic-7.jsonl": message("1", "user", "first") + message("2", "assistant", "of the topic"),
		"p.jsonl":         message("1", "user", "first") + message("2", "assistant", "of the topic") + message("4", "assistant", "of the file"),
		"p.jsonl.deleted.2026-06-02T00-00-00.000Z":   message("d", "user", "deleted"),
		"p.jsonl.reset.2026-06-01T00-00-00.000Z.zst": string(pack(t, message("r", "user", "reset"))),
	})
	agentDatabase(t, env, `INSERT INTO session_windows VALUES ('p', 'k', NULL, 5, 6)`, `INSERT INTO transcript_events VALUES ('p', 1, '`+strings.TrimSpace(message("1", "user", "first"))+`', NULL, 0)`)
	src := openclaw.New()
	s := harnesstest.Read(t, src, env).Session("p")
	got := s.Texts(sessions.Prompt, sessions.Reply)
	slices.Sort(got)
	if diff := cmp.Diff([]string{"deleted", "first", "of the file", "of the topic", "reset"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	before := harnesstest.List(t, src, env)
	harnesstest.Write(t, filepath.Join(env.Home, folder, "p.jsonl"), message("6", "user", "more"))
	if after := harnesstest.List(t, src, env); len(before) != 1 || len(after) != 1 || after[0].Same(before[0].Stamp) {
		t.Errorf("%v, then %v", before, after)
	}
}

// What only a file has stands, wherever the database's newest record hangs.
func TestFileBesideADatabase(t *testing.T) {
	t.Parallel()
	after := func(parent, record string) string {
		return strings.Replace(record, `"type":"message"`, `"type":"message","parentId":"`+parent+`"`, 1)
	}
	env := write(t, map[string]string{"p.jsonl": message("1", "user", "one") + after("1", message("2", "assistant", "two")) + after("2", message("4", "user", "four"))})
	agentDatabase(t, env, `INSERT INTO session_windows VALUES ('p', 'k', NULL, 5, 6)`, `INSERT INTO transcript_events VALUES ('p', 1, '`+strings.TrimSpace(message("1", "user", "one"))+`', NULL, 0),
		('p', 2, '`+strings.TrimSpace(after("1", message("3", "assistant", "three")))+`', NULL, 0)`)
	s := harnesstest.Read(t, openclaw.New(), env).Session("p")
	if len(s.Turns) != 4 {
		t.Errorf("%+v", s.Turns)
	}
	for _, turn := range s.Turns {
		if turn.Undone {
			t.Errorf("%s was abandoned", turn.Text)
		}
	}
}

// Of an archive that is damaged, what precedes the damage is told, and the rest counted.
func TestDamagedArchives(t *testing.T) {
	t.Parallel()
	var talk strings.Builder
	for i := range 4000 { // several blocks
		talk.WriteString(strings.Replace(message("2", "assistant", "word"+strconv.Itoa(i*7919)), `"id":"2"`, `"id":"r`+strconv.Itoa(i)+`"`, 1))
	}
	packed := pack(t, message("1", "user", "archived")+talk.String())
	cut := packed[:len(packed)*2/3]
	env := write(t, map[string]string{"file.jsonl.reset.2026-06-01T00-00-00.000Z.zst": string(cut)})
	path := agentDatabase(t, env)
	db := harnesstest.Exec(t, path)
	if _, err := db.ExecContext(t.Context(), "INSERT INTO session_transcript_archives VALUES ('row', 'g', 'k', 'reset', 'zstd', ?), ('plain', 'g', 'k', 'reset', 'identity', ?)",
		cut, []byte(message("1", "user", "plain")+`{"type":"message","id":"2"`)); err != nil {
		t.Fatal(err)
	}
	read := harnesstest.Read(t, openclaw.New(), env)
	for _, id := range []string{"row", "file"} {
		if s := read.Session(id); s == nil || s.Prompts != 1 || s.Replies == 0 || s.Replies == 4000 {
			t.Errorf("%s: %+v", id, s)
		}
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"damaged compressed file": 2})
}

// The first releases with a database call its tables differently; a fork names
// the session that it was made from.
func TestFirstDatabase(t *testing.T) {
	t.Parallel()
	env := write(t, nil)
	harnesstest.Write(t, filepath.Join(env.Home, ".openclaw/agents/main/agent/openclaw-agent.sqlite"), "")
	harnesstest.Exec(t, filepath.Join(env.Home, ".openclaw/agents/main/agent/openclaw-agent.sqlite"),
		"CREATE TABLE sessions (session_id TEXT PRIMARY KEY, session_key TEXT, updated_at INTEGER, spawned_by TEXT)",
		"CREATE TABLE session_entries (session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT, updated_at INTEGER)",
		"CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, PRIMARY KEY (session_id, seq))",
		`INSERT INTO session_entries VALUES ('k', 's', '{"label":"Named"}', 5)`,
		`INSERT INTO sessions VALUES ('s', 'k', 5, NULL)`,
		`INSERT INTO transcript_events VALUES ('s', 0, '{"type":"session","id":"s","timestamp":"2026-06-05T18:00:02Z","parentTranscriptScope":{"agentId":"main","sessionId":"o"}}', 0),
			('s', 1, '`+strings.TrimSpace(message("1", "user", "copied"))+`', 0), ('s', 2, '`+strings.TrimSpace(message("3", "user", "go on"))+`', 0)`)
	s := harnesstest.Read(t, openclaw.New(), env).Session("s")
	if s.Title != "Named" || s.ForkedFrom != "o" || s.Prompts != 1 || !cmp.Equal(s.Texts(sessions.Prompt), []string{"copied", "go on"}) {
		t.Errorf("%+v %q", s.Session, s.Texts(sessions.Prompt))
	}
}
