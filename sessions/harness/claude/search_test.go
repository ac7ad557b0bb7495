package claude

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// keeper keeps the titles that it is told, and was told of all other files before.
type keeper struct {
	*harnesstest.Recorder
	asked bool // for any file
}

func (k *keeper) Concerns(string)   {}
func (k *keeper) Known(string) bool { k.asked = true; return true }

// put writes a transcript, and gives it.
func put(t *testing.T, dir, name string, lines ...string) sessions.Transcript {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return sessions.Transcript{Path: path, ID: stem(path)}
}

// spoken is a record of a kind, at a minute.
func spoken(kind string, minute int, more string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":"s","timestamp":"2026-01-02T03:%02d:00Z"%s,"message":{"role":%q,"content":"words"}}`, kind, minute, minute, more, kind)
}

func titled(leaf string) string {
	return fmt.Sprintf(`{"type":"summary","summary":"title at %s","leafUuid":%q}`, leaf, leaf)
}

// A search notes of a file's titles what its reading does: where they stand, and behind
// which message.
func TestSearchNotesWhatReadingDoes(t *testing.T) {
	dir := t.TempDir()
	tr := put(t, dir, "s.jsonl", titled("first"), spoken("user", 5, ""), titled("prompt"), spoken("assistant", 9, ""), titled("reply"),
		spoken("user", 3, ""), titled("earlier"), spoken("assistant", 20, `,"isSidechain":true`), titled("aside"), spoken("system", 30, ""), titled("other"))
	src := New()
	harnesstest.ReadOne(t, src, tr, harnesstest.NewRecorder())
	want := src.folder(dir).summaries.titles
	f := &folder{dir: dir}
	if err := f.search(t.Context(), "s.jsonl"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, f.summaries.titles); diff != "" || len(want) != 6 {
		t.Errorf("%d titles, -read +searched:\n%s", len(want), diff)
	}
}

// A search that was broken off is begun again, and one that found something is not.
func TestSearchThatIsBrokenOff(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "s.jsonl", titled("one"))
	f := &folder{dir: dir, heads: map[string]*opener{"s.jsonl": {}}}
	known := func(string) bool { return true }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, step := range []struct {
		ctx  context.Context
		want []string
	}{{ended, nil}, {t.Context(), []string{"title at one"}}, {t.Context(), []string{"title at one"}}} {
		f.recollect(step.ctx, known)
		var got []string
		for s := range maps.Values(f.summaries.titles) {
			got = append(got, s.Title)
		}
		slices.Sort(got)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Error(diff)
		}
		if step.want != nil {
			put(t, dir, "s.jsonl", titled("one"), titled("two")) // which nobody searches for
		}
	}
}

// Titles in other files are looked for where a session of an early release is read from its
// beginning: no other has any there.
func TestWhereTitlesAreLookedFor(t *testing.T) {
	begin, goOn := spoken("user", 1, `,"version":"1.0.44"`), spoken("user", 2, `,"version":"1.0.44"`)
	for name, c := range map[string]struct {
		file, begins string
		from         bool // it is read on from there
		want         bool
	}{
		"from its beginning": {file: "s.jsonl", begins: begin, want: true},
		"read on":            {file: "s.jsonl", begins: begin, from: true},
		"of release 2":       {file: "s.jsonl", begins: spoken("user", 1, `,"version":"2.0.1"`)},
		"a sub-agent's":      {file: "agent-1.jsonl", begins: spoken("user", 1, `,"version":"1.0.44","isSidechain":true,"agentId":"1"`)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "other.jsonl", titled("u1"))
			tr, mark := put(t, dir, c.file, c.begins), sessions.Mark{}
			if c.from {
				mark = harnesstest.ReadOne(t, New(), tr, harnesstest.NewRecorder())
				put(t, dir, c.file, c.begins, goOn)
			}
			to := &keeper{Recorder: harnesstest.NewRecorder()}
			if _, err := New().Read(t.Context(), tr, mark, to); err != nil {
				t.Fatal(err)
			}
			if to.asked != c.want {
				t.Errorf("looked for: %v", to.asked)
			}
		})
	}
}
