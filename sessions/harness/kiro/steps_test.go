package kiro_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

// library reads a home step by step, as a sessions.Library does: at each look only
// what has another stamp than before, from where the reading before ended.
type library struct {
	src  sessions.Source
	home string
	read map[string]*reading // by path and unit
}

// reading is what is known of one transcript.
type reading struct {
	stamp sessions.Stamp
	mark  sessions.Mark
	told  *harnesstest.Recorder
	id    string
}

func newLibrary(home string) *library {
	return &library{src: kiro.New(), home: home, read: map[string]*reading{}}
}

// look lists all and reads what changed. It gives what each transcript tells, by its
// path below the home folder: the prompts that are not copies, with "~" before one that
// is abandoned. A transcript that tells no session is left out.
func (l *library) look(t *testing.T) map[string]string {
	t.Helper()
	now := map[string]*reading{}
	for _, tr := range harnesstest.List(t, l.src, harnesstest.Env(l.home, nil)) {
		key := tr.Path + "\x00" + tr.Unit
		r := l.read[key]
		if r == nil {
			r = &reading{told: harnesstest.NewRecorder()}
		}
		if now[key] = r; r.id != "" && tr.Same(r.stamp) {
			continue
		}
		mark, err := l.src.Read(t.Context(), tr, r.mark, r.told)
		if errors.Is(err, sessions.ErrRewritten) {
			r.told = harnesstest.NewRecorder()
			mark, err = l.src.Read(t.Context(), tr, sessions.Mark{}, r.told)
		}
		if err != nil {
			t.Fatalf("%s: %v", tr.Path, err)
		}
		r.stamp, r.mark, r.id = tr.Stamp, mark, tr.ID
	}
	l.read = now
	told := map[string]string{}
	for key, r := range l.read {
		if s := r.told.Session(r.id); s != nil {
			path, _, _ := strings.Cut(key, "\x00")
			name, err := filepath.Rel(l.home, path)
			if err != nil {
				t.Fatal(err)
			}
			told[filepath.ToSlash(name)] = prompts(s)
		}
	}
	return told
}

func prompts(s *harnesstest.Session) string {
	var own []string
	for _, turn := range s.Turns {
		switch {
		case turn.Kind != sessions.Prompt || turn.Copied:
		case turn.Undone:
			own = append(own, "~"+turn.Text)
		default:
			own = append(own, turn.Text)
		}
	}
	return strings.Join(own, " ")
}

// expect looks, and compares what is told with what has to be; a fresh start has to tell
// that too.
func (l *library) expect(t *testing.T, what string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, l.look(t)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
	if diff := cmp.Diff(want, newLibrary(l.home).look(t)); diff != "" {
		t.Errorf("%s, after a fresh start (-want +got):\n%s", what, diff)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// The sub-agent of a fork is told by the session that was forked as long as that one
// says all of it.
func TestForkedSubAgent(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	sub := func(of string) string { return ".kiro/sessions/w/" + of + "/sub-executions/sub.jsonl" }
	write := func(name, text string) { harnesstest.Write(t, filepath.Join(l.home, name), text) }
	write(".kiro/sessions/w/sess_1/messages.jsonl", nativeSession("a"))
	write(".kiro/sessions/w/sess_2/messages.jsonl", nativeSession("a", "b"))
	write(".kiro/sessions/w/sess_2/session.json", `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	write(sub("sess_1"), nativeSession("look"))
	write(sub("sess_2"), nativeSession("look"))
	want := map[string]string{".kiro/sessions/w/sess_1/messages.jsonl": "a", ".kiro/sessions/w/sess_2/messages.jsonl": "b", sub("sess_1"): "look"}
	l.expect(t, "copied", want)
	write(sub("sess_2"), nativeSession("look", "more"))
	want[sub("sess_2")] = "more"
	l.expect(t, "with a prompt more", want)
	write(sub("sess_2"), nativeSession("look"))
	delete(want, sub("sess_2"))
	l.expect(t, "copied again", want)
	write(sub("sess_1"), "")
	delete(want, sub("sess_1"))
	want[sub("sess_2")] = "look"
	l.expect(t, "where the original says nothing", want)
	write(sub("sess_1"), nativeSession("look"))
	want[sub("sess_1")] = "look"
	delete(want, sub("sess_2"))
	l.expect(t, "where it says that again", want)
	remove(t, filepath.Join(l.home, sub("sess_1")))
	delete(want, sub("sess_1"))
	want[sub("sess_2")] = "look"
	l.expect(t, "where the original is gone", want)
}

// What was cleared away is gone back on no more: places are counted from there, and no
// place is below none.
func TestClearedAway(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	line := func(kind, data string) string {
		return `{"version":"v1","kind":"` + kind + `","data":` + data + "}\n"
	}
	var said []string
	for _, text := range []string{"a", "b", "c", "d"} {
		said = append(said, line("Prompt", `{"message_id":"`+text+`","content":[{"kind":"text","data":"`+text+`"}]}`))
	}
	path := filepath.Join(l.home, cli, "s.jsonl")
	harnesstest.Write(t, filepath.Join(l.home, cli, "s.json"), `{"session_id":"s"}`)
	steps := slices.Concat(said[:2], []string{line("Clear", "{}")}, said[2:], []string{line("ResetTo", `{"target_index":-1}`)})
	harnesstest.Write(t, path, strings.Join(steps, ""))
	l.expect(t, "cleared", map[string]string{cli + "/s.json": "a b c d"})
	harnesstest.Write(t, path, strings.Join(steps, "")+line("ResetTo", `{"target_index":1}`))
	l.expect(t, "gone back", map[string]string{cli + "/s.json": "a b c ~d"})
}
