package opencode_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

// The tables of the second generation.
var second = []string{
	"CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, fork_session_id TEXT, directory TEXT, title TEXT, revert TEXT, model TEXT, time_created INTEGER, time_updated INTEGER, time_archived INTEGER)",
	"CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT)",
	"CREATE TABLE session_inbox (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, payload TEXT, delivery TEXT, enqueued_seq INTEGER, time_created INTEGER)",
}

// lines are a session's turns as text.
func lines(s *harnesstest.Session) (got []string) {
	for _, turn := range s.Turns {
		undone := ""
		if turn.Undone {
			undone = " (undone)"
		}
		got = append(got, turn.Kind.String()+": "+turn.Text+undone)
	}
	return got
}

// spoken empties the first generation's tables and puts messages of one text each
// into them, a second apart from the given one on: a user's, an assistant's, and so
// on.
func spoken(from int, texts ...string) []string {
	all := []string{"DELETE FROM part", "DELETE FROM message", "UPDATE session SET revert = NULL"}
	for i, text := range texts {
		role := []string{"user", "assistant"}[i%2]
		at := (from + i) * 10_000
		all = append(all,
			fmt.Sprintf(`INSERT INTO message VALUES ('m%d', '%s', %d, %d, '{"role":"%s","time":{"created":%d}}')`, from+i, shell, at, at, role, at),
			fmt.Sprintf(`INSERT INTO part VALUES ('p%d', 'm%d', '%s', %d, %d, '{"type":"text","text":"%s"}')`, from+i, from+i, shell, at, at, text))
	}
	return all
}

// event puts one of the second generation behind the others.
func event(id string, seq, at int, kind, text string) string {
	data := fmt.Sprintf(`{"text":"%s"}`, text)
	if kind == "assistant" {
		data = fmt.Sprintf(`{"model":{"id":"m","providerID":"p"},"content":[{"type":"text","text":"%s"}]}`, text)
	}
	return fmt.Sprintf("INSERT INTO session_message VALUES ('%s', '%s', '%s', %d, %d, %d, '%s')", id, shell, kind, seq, at*10_000, at*10_000, data)
}

// What the second generation says of the sessions is in tables of its own.
func TestSecondGeneration(t *testing.T) {
	t.Parallel()
	statements := append(slices.Clip(second),
		`INSERT INTO session_v2 (id, directory, title, time_created, time_updated) VALUES ('ses_second', '/second', NULL, 5, 9)`,
		`INSERT INTO session_message VALUES
			('msg_1', 'ses_second', 'user', 0, 5, 5, '{"text":"what is new?"}'),
			('msg_2', 'ses_second', 'assistant', 1, 6, 9, '{"model":{"id":"m","providerID":"p"},"content":[{"type":"text","text":"Tables."}]}')`,
		`INSERT INTO session_inbox VALUES
			('msg_3', 'ses_second', 'user', '{"text":"and next?"}', 'queue', 2, 10),
			('msg_4', 'ses_second', 'synthetic', '{"text":"a notice"}', 'queue', 3, 11),
			('msg_5', 'ses_second', 'user', '["no"]', 'queue', 4, 12),
			('msg_1', 'ses_second', 'user', '{"text":"what is new?"}', 'queue', 1, 4)`)
	s := said(t, "ses_second", statements...)
	if diff := cmp.Diff([]string{"prompt: what is new?", "reply: Tables.", "prompt: and next?"}, lines(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Directory != "/second" || s.Model != "p/m" || s.LastActive.UnixMilli() != 10 {
		t.Errorf("%q, %q, %v", s.Directory, s.Model, s.LastActive)
	}
	if old := said(t, shell, second...); len(old.Turns) == 0 {
		t.Error("the first generation's session is gone")
	}
}

// What was taken over stands once, as the first generation has it, with what
// taking over left out, and what was said in either generation afterwards.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	taken := fmt.Sprintf("INSERT INTO session_v2 (id, directory, title, time_created, time_updated) VALUES ('%s', '/x', 'Taken', 1, 2)", shell)
	for name, test := range map[string]struct{ statements, want []string }{
		"gone on with in the second": {
			[]string{event("m1", 0, 1, "user", "one\n\n[Attachment unavailable after migration]"), event("m2", 1, 2, "assistant", "two"), event("m4", 2, 4, "assistant", "four"), event("msg_5", 3, 5, "user", "five")},
			[]string{"prompt: one", "reply: two", "prompt: three", "reply: four", "prompt: five"},
		},
		"gone on with in the first": {
			[]string{event("m1", 0, 1, "user", "one"), event("m2", 1, 2, "assistant", "two")},
			[]string{"prompt: one", "reply: two", "prompt: three", "reply: four"},
		},
		"gone back in the second": {
			[]string{event("m1", 0, 1, "user", "one"), event("m2", 1, 2, "assistant", "two"), event("msg_5", 2, 5, "user", "instead")},
			[]string{"prompt: one", "reply: two", "prompt: three (undone)", "reply: four (undone)", "prompt: instead"},
		},
		"taken over without messages": {
			[]string{}, []string{"prompt: one", "reply: two", "prompt: three", "reply: four"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements := append(append(append(slices.Clip(second), taken), spoken(1, "one", "two", "three", "four")...), test.statements...)
			s := said(t, shell, statements...)
			if diff := cmp.Diff(test.want, lines(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if s.Title != "Taken" {
				t.Errorf("title %q", s.Title)
			}
		})
	}
}

// takenOver notes that all sessions of the first generation are taken over.
var takenOver = []string{
	"CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT, time_created INTEGER, time_updated INTEGER)",
	"CREATE TABLE event_sequence (aggregate_id TEXT PRIMARY KEY, seq INTEGER)",
	`INSERT INTO kv VALUES ('migration.v1-v2', '{"phase":"completed"}', 1, 1800000000000)`,
}

// What the second generation took over and deleted does not come up again from
// the first one's rows, nor from the files of before; what it never had is there.
func TestDeletedInTheSecond(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then   string
		listed bool
	}{
		"deleted":                       {"SELECT 1", false},
		"there still":                   {fmt.Sprintf("INSERT INTO session_v2 (id, time_created, time_updated) VALUES ('%s', 1, 2)", shell), true},
		"gone on with in the first":     {fmt.Sprintf("UPDATE session SET time_updated = 1800000000001 WHERE id = '%s'", shell), true},
		"imported since":                {importedSince("message"), true},
		"a part imported since":         {importedSince("part"), true},
		"another imported since":        {"UPDATE message SET time_updated = 1800000000001 WHERE session_id <> '" + shell + "'", false},
		"left out by the taking over":   {fmt.Sprintf("INSERT INTO event_sequence VALUES ('%s', 4)", shell), true},
		"not all are taken over yet":    {`UPDATE kv SET value = '{"phase":"sessions","cursor":"ses_z"}'`, true},
		"the note of it is damaged":     {`UPDATE kv SET value = '{"phase":'`, true},
		"nothing was taken over so far": {"DELETE FROM kv", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := harnesstest.Samples(t, samples)
			path := filepath.Join(home, database.Path)
			harnesstest.Write(t, filepath.Join(filepath.Dir(path), "storage", "session", "global", shell+".json"), `{"id":"`+shell+`","title":"of before"}`)
			harnesstest.Exec(t, path, append(append(slices.Clip(second), takenOver...), test.then)...)
			listed := slices.ContainsFunc(harnesstest.List(t, opencode.New(), harnesstest.Env(home, nil)), func(tr sessions.Transcript) bool { return tr.ID == shell })
			if listed != test.listed {
				t.Errorf("listed: %v", listed)
			}
		})
	}
}

// importedSince dates what was said as an import does that runs after the takeover,
// which leaves the session's own time.
func importedSince(table string) string {
	return fmt.Sprintf("UPDATE %s SET time_updated = 1800000000001 WHERE session_id = '%s'", table, shell)
}

// The files of a release before all databases are of account where they were gone on
// with after the database's session was taken over, and deleted.
func TestFilesOfDeleted(t *testing.T) {
	t.Parallel()
	for updated, listed := range map[string]bool{"1799999999999": false, "1800000000001": true} {
		home := harnesstest.Samples(t, samples)
		path := filepath.Join(home, database.Path)
		harnesstest.Write(t, filepath.Join(filepath.Dir(path), "storage", "session", "global", shell+".json"), `{"id":"`+shell+`","time":{"updated":`+updated+`}}`)
		harnesstest.Exec(t, path, append(slices.Clip(second), takenOver...)...)
		got := slices.ContainsFunc(harnesstest.List(t, opencode.New(), harnesstest.Env(home, nil)), func(tr sessions.Transcript) bool { return tr.ID == shell })
		if got != listed {
			t.Errorf("updated %s: listed: %v", updated, got)
		}
	}
}

// While it cannot be asked what was deleted, what was told last holds.
func TestDeletedUnknown(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	path := filepath.Join(home, database.Path)
	harnesstest.Exec(t, path, append(append(slices.Clip(second), takenOver...), "INSERT INTO event_sequence VALUES ('"+shell+"', 1)")...)
	src := opencode.New()
	listed := func() (ids []string, err error) {
		for _, root := range src.Roots(harnesstest.Env(home, nil)) {
			err = errors.Join(err, src.List(t.Context(), root, func(tr sessions.Transcript) { ids = append(ids, tr.ID) }))
		}
		slices.Sort(ids)
		return ids, err
	}
	before, err := listed()
	if err != nil || !slices.Contains(before, shell) {
		t.Fatal(before, err)
	}
	harnesstest.Exec(t, path, "DROP TABLE event_sequence", "CREATE VIEW event_sequence AS SELECT json('{') AS aggregate_id")
	after, err := listed()
	if err == nil {
		t.Error("no error")
	}
	if !slices.Contains(after, shell) {
		t.Errorf("listed %q, then %q", before, after)
	}
}

// A session of the first generation may go on in events; releases between the two
// wrote each message twice.
func TestGoneOnInEvents(t *testing.T) {
	t.Parallel()
	statements := append(append(second[1:2:2], spoken(2, "two", "three")...),
		event("e1", 1, 1, "user", "one"), event("e2", 2, 2, "user", "two"), event("e3", 3, 3, "assistant", "three"),
		event("e4", 4, 4, "user", "four"), event("e5", 5, 5, "assistant", "five"))
	want := []string{"prompt: one", "prompt: two", "reply: three", "prompt: four", "reply: five"}
	if diff := cmp.Diff(want, lines(said(t, shell, statements...))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A revert may begin in the middle of an answer.
func TestRevertedPart(t *testing.T) {
	t.Parallel()
	statements := append(spoken(1, "one", "first", "never"),
		fmt.Sprintf(`INSERT INTO part VALUES ('p2a', 'm2', '%s', 1, 1, '{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"out"}}')`, shell),
		fmt.Sprintf(`INSERT INTO part VALUES ('p2b', 'm2', '%s', 1, 1, '{"type":"text","text":"second"}')`, shell),
		fmt.Sprintf(`UPDATE session SET revert = '{"messageID":"m2","partID":"p2a"}' WHERE id = '%s'`, shell))
	want := []string{"prompt: one", "reply: first", "tool call: ls (undone)", "tool output: out (undone)", "reply: second (undone)", "prompt: never (undone)"}
	if diff := cmp.Diff(want, lines(said(t, shell, statements...))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A prompt that waits is read, and its coming and going changes the session's
// stamp, in the tables of each release.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for table, columns := range map[string]string{
		"session_inbox":   "id TEXT PRIMARY KEY, session_id TEXT, type TEXT, payload TEXT, time_created INTEGER",
		"session_pending": "id TEXT PRIMARY KEY, session_id TEXT, type TEXT, data TEXT, time_created INTEGER",
		"session_input":   "id TEXT PRIMARY KEY, session_id TEXT, type TEXT, prompt TEXT, time_created INTEGER, promoted_seq INTEGER",
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			home := harnesstest.Samples(t, samples)
			path := filepath.Join(home, database.Path)
			harnesstest.Exec(t, path, "CREATE TABLE "+table+" ("+columns+")")
			src := opencode.New()
			stamp := func() sessions.Stamp {
				for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
					if tr.ID == shell {
						return tr.Stamp
					}
				}
				t.Fatal("gone")
				return sessions.Stamp{}
			}
			before := stamp()
			places := "('w', '" + shell + "', NULL, '{\"text\":\"later\"}', 1"
			if table == "session_input" {
				harnesstest.Exec(t, path, "INSERT INTO session_input VALUES "+places+", NULL), ('x', '"+shell+"', 'user', '{\"text\":\"said\"}', 1, 7)")
			} else {
				harnesstest.Exec(t, path, "INSERT INTO "+table+" VALUES "+places+")")
			}
			if before.Same(stamp()) {
				t.Error("a waiting prompt changed no stamp")
			}
			all := lines(harnesstest.Read(t, src, harnesstest.Env(home, nil)).Session(shell))
			if all[len(all)-1] != "prompt: later" {
				t.Errorf("%q", all)
			}
		})
	}
}
