package kimi_test

import (
	"os"
	"path/filepath"
	"testing"

	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kimi"
)

const (
	oldWire   = ".kimi/sessions/0123/old/wire.jsonl"
	takenOver = ".kimi-code/sessions/wd_x/ses_old/"
	fork      = ".kimi-code/sessions/wd_x/two/"
)

// copies are a session of Kimi CLI that was taken over, and a fork.
func copies() map[string]string {
	return map[string]string{
		oldWire:                              event + `{"type":"TurnBegin","payload":{"user_input":"old words"}}}` + "\n",
		takenOver + "state.json":             `{"title":"[imported] Old","custom":{"imported_from_kimi_cli":true,"kimi_cli_session_id":"old"}}`,
		takenOver + "agents/main/wire.jsonl": `{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"old words"}],"toolCalls":[]}}` + "\n",
		fork + "state.json":                  `{"createdAt":"2026-08-10T09:00:00.500Z","forkedFrom":"one","title":"Forked"}`,
		fork + "agents/main/wire.jsonl":      at(100, `"type":"context.append_message",`+user("user", "before")) + at(900, `"type":"context.append_message",`+user("user", "after")),
	}
}

// expectTold compares what was told of a session that is no copy, "" for nothing.
func expectTold(t *testing.T, l *harnesstest.Live, when, id, want string) {
	t.Helper()
	s := l.Of(id)
	if s.Removed {
		s.Own = ""
	}
	if s.Own != want {
		t.Errorf("%s: %s says %q, want %q", when, id, s.Own, want)
	}
}

// A session that was taken over is told while its original is excluded, and no longer.
func TestOriginalThatIsExcludedForAWhile(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{"it ended there": "", "it went on": at(1, `"type":"context.append_message",`+user("user", "new"))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := copies()
			files[takenOver+"agents/main/wire.jsonl"] += more
			home := write(t, files)
			alone, beside := "old words", ""
			if more != "" {
				alone, beside = "old words\nnew", "new"
			}
			l := harnesstest.Follow(t, kimi.New(), harnesstest.Env(home, nil))
			expectTold(t, l, "at first", "ses_old", beside)
			l.Exclude = []string{filepath.Join(home, ".kimi")}
			l.Restart(kimi.New(), func() {})
			expectTold(t, l, "excluded", "ses_old", alone)
			l.Exclude = nil
			l.Restart(kimi.New(), func() {})
			expectTold(t, l, "no longer", "ses_old", beside)
			expectTold(t, l, "no longer", "old", "old words")
		})
	}
}

// What an original said that is gone, or on a disk that is away, is still known: what it
// was taken over into does not tell it too.
func TestOriginalThatIsGone(t *testing.T) {
	t.Parallel()
	home := write(t, copies())
	l := harnesstest.Follow(t, kimi.New(), harnesstest.Env(home, nil))
	l.Restart(kimi.New(), func() {
		if err := os.RemoveAll(filepath.Join(home, ".kimi")); err != nil {
			t.Fatal(err)
		}
	})
	expectTold(t, l, "gone", "ses_old", "")
	l.Restart(kimi.New(), func() {})
	expectTold(t, l, "still gone", "ses_old", "")
}

// What a fork repeats is not told by it, though what says that it is one was just being
// written when it was read first, and again after a new start.
func TestForkOfWhichTheStateIsBeingWritten(t *testing.T) {
	t.Parallel()
	files := copies()
	whole := files[fork+"state.json"]
	files[fork+"state.json"] = whole[:40]
	home := write(t, files)
	l := harnesstest.Follow(t, kimi.New(), harnesstest.Env(home, nil))
	expectTold(t, l, "half of it", "two", "before\nafter")
	harnesstest.Write(t, filepath.Join(home, fork+"state.json"), whole)
	l.Await("two", "what is its own", func(s harnesstest.Told) bool { return s.Own == "after" && s.ForkedFrom == "one" })
	told := l.Of("two").Resets
	for _, half := range []string{whole[:40], ""} {
		l.Restart(kimi.New(), func() { harnesstest.Write(t, filepath.Join(home, fork+"state.json"), half) })
		if s := l.Of("two"); s.Own != "after" || s.Title != "Forked" || s.ForkedFrom != "one" || s.Resets != told {
			t.Errorf("%q: %+v", half, s)
		}
	}
}
