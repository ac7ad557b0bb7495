package claude_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

// After a new start a session has the title that stands behind other records of a file
// which is not read again, whatever has it read itself, and also where it is at rest.
func TestATitleInAFileThatIsNotReadAgain(t *testing.T) {
	t.Parallel()
	said := []string{prompt(1, 0, "go"), reply(2, 1, "done")}
	for _, c := range []struct {
		name    string
		resting bool
		happens func(*project)
	}{
		{"it goes on", true, func(p *project) { p.add("s.jsonl", prompt(3, 2, "more")) }},
		{"it is written anew", true, func(p *project) { p.write("s.jsonl", append(said, prompt(3, 2, "anew"))...) }},
		{"it is replaced", false, func(p *project) {
			if err := os.Remove(filepath.Join(p.dir, "s.jsonl")); err != nil {
				p.t.Fatal(err)
			}
			p.write("s.jsonl", said[0], reply(2, 1, "done otherwise"))
		}},
		{"both change", true, func(p *project) {
			p.add("s.jsonl", prompt(3, 2, "more"))
			p.add("other.jsonl", prompt(33, 32, "more", `"sessionId":"other"`))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write("s.jsonl", said...)
			p.write("other.jsonl", lineOf("other", "user", 31, 0, `"message":{"role":"user","content":"else"}`),
				summaryOf("named", "u2"), lineOf("other", "user", 32, 31, `"message":{"role":"user","content":"and on"}`))
			if c.resting {
				p.age("s.jsonl", "other.jsonl")
			}
			l := harnesstest.Follow(t, claude.New(), harnesstest.Env(p.home, nil))
			for range 2 {
				l.Restart(claude.New(), func() {})
			}
			l.Restart(claude.New(), func() { c.happens(p) })
			if got := l.Of("s").Title; got != "named" {
				t.Errorf("title %q", got)
			}
		})
	}
}

// age has files look as if nobody had written them for days.
func (p *project) age(names ...string) {
	p.t.Helper()
	old := time.Now().Add(-100 * time.Hour)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(p.dir, name), old, old); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Who only looks at transcripts, to compare them, takes no title from who keeps it.
func TestWhoOnlyLooksTakesNoTitle(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", prompt(1, 0, "go"), reply(2, 1, "done"))
	src := claude.New()
	harnesstest.ReadOne(t, src, p.find("s"), &aside{Recorder: harnesstest.NewRecorder()})
	p.write("b.jsonl", prompt(9, 0, "other", `"sessionId":"b"`), summaryOf("named", "u2"))
	for _, id := range []string{"b", "s"} {
		harnesstest.ReadOne(t, src, p.find(id), harnesstest.NewRecorder())
	}
	keeps := &aside{Recorder: harnesstest.NewRecorder()}
	harnesstest.ReadOne(t, src, p.find("b"), keeps)
	if len(keeps.concerned) != 1 || filepath.Base(keeps.concerned[0]) != "s.jsonl" {
		t.Errorf("to be read again: %q", keeps.concerned)
	}
}
