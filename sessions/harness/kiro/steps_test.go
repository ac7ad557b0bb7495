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
	src       sessions.Source
	home      string
	variables map[string]string
	exclude   string              // what lies in a folder of this name
	read      map[string]*reading // by path and unit
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
// path below the home folder, and its id where many have one: the prompts that are not copies, with "~" before one that
// is abandoned. A transcript that tells no session is left out.
func (l *library) look(t *testing.T) map[string]string {
	t.Helper()
	now := map[string]*reading{}
	excluded := func(path string) bool {
		return l.exclude != "" && slices.Contains(strings.Split(filepath.ToSlash(path), "/"), l.exclude)
	}
	for _, tr := range harnesstest.ListBut(t, l.src, harnesstest.Env(l.home, l.variables), excluded) {
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
			if name = filepath.ToSlash(name); filepath.Base(name) == "data.sqlite3" {
				name += "#" + r.id
			}
			told[name] = prompts(s)
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
	fresh := newLibrary(l.home)
	fresh.variables = l.variables
	if diff := cmp.Diff(want, fresh.look(t)); diff != "" {
		t.Errorf("%s, after a fresh start (-want +got):\n%s", what, diff)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}
