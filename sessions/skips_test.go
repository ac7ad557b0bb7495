package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSkipsAreCountedByReason(t *testing.T) {
	var s skips
	a, b := &transcript{}, &transcript{}
	s.add(a, "damaged line", "a:1")
	s.add(a, "damaged line", "a:2")
	s.add(b, "damaged line", "b:1")
	s.add(b, "unknown record kind x", "b:2")
	root := Root{Harness: "h", Path: "/r"}
	s.root(root, unlistable, errors.New("no"))
	want := []Skipped{
		{Reason: "damaged line", Count: 3, Example: "a:1"},
		{Reason: "unknown record kind x", Count: 1, Example: "b:2"},
		{Harness: "h", Reason: unlistable, Count: 1, Example: "/r: no"},
	}
	if diff := cmp.Diff(want, s.list()); diff != "" {
		t.Error(diff)
	}
	s.forget(b, "")
	s.forget(a, "some other reason")
	s.root(root, unlistable, nil)
	if diff := cmp.Diff([]Skipped{{Reason: "damaged line", Count: 2, Example: "a:1"}}, s.list()); diff != "" {
		t.Error(diff)
	}
}

func TestReasonsWithoutEndAreBounded(t *testing.T) {
	var s skips
	a := &transcript{}
	for i := range 10 * reasonsMost {
		s.add(a, fmt.Sprintf("unknown record kind %d %s", i, strings.Repeat("é", 1000)), "")
	}
	all, sum := s.list(), 0
	for _, k := range all {
		sum += k.Count
	}
	if len(all) > reasonsMost+1 || sum != 10*reasonsMost || all[0].Reason != otherReason || len(all[1].Reason) > reasonBytes {
		t.Errorf("%d reasons with %d skips, first %+v", len(all), sum, all[0])
	}
}

// table is a harness whose rows are all looked at whenever one changed: "damaged"
// are as many as it says, and reading on it tells only what is new.
type table struct {
	fake
	damaged int
	lines   bool // it looks at what is new only
	err     error
}

func (s *table) Read(_ context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	for range s.damaged {
		to.Skip("damaged row", t.Path)
	}
	if all, ok := to.(AllSeer); ok && !s.lines {
		all.SawAll()
	}
	if s.err != nil {
		return from, s.err
	}
	to.Turn("s", Turn{Kind: Prompt, ID: fmt.Sprint(len(from.State)), Text: "why?"}, true)
	return Mark{State: append(from.State, 'x')}, nil
}

// What is damaged is counted once, however often it is read, and no more when it
// is repaired; lines that are read on add up.
func TestSkipsOfReadingOn(t *testing.T) {
	s := &table{}
	l := NewLibrary(Options{Sources: []Source{s}, Env: Env{Getenv: func(string) string { return "" }}})
	tr := &transcript{source: s}
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for step, c := range []struct {
		damaged int
		lines   bool
		err     error
		want    int
	}{{2, false, nil, 2}, {2, false, nil, 2}, {9, false, errors.New("locked"), 2}, {1, false, nil, 1}, {3, true, nil, 4}, {0, false, nil, 0}} {
		s.damaged, s.lines, s.err = c.damaged, c.lines, c.err
		at := Transcript{Root: Root{Harness: "fake"}, Path: path, Stamp: Stamp{Size: 1, Extra: int64(step + 1)}}
		err := l.refresh(t.Context(), tr, job{at: at}, func(Update) {})
		if !errors.Is(err, c.err) {
			t.Errorf("step %d: %v", step, err)
		}
		got := 0
		for _, k := range l.Skipped() {
			if k.Reason == "damaged row" {
				got += k.Count
			}
		}
		if got != c.want {
			t.Errorf("step %d: %d damaged rows, want %d", step, got, c.want)
		}
	}
}

func TestKindsOfOneReadingAreBounded(t *testing.T) {
	s := skipping{}
	for i := range 10 * reasonsMost {
		s.add(fmt.Sprintf("unknown record kind %d %s", i, strings.Repeat("é", 1000)), "there")
	}
	if len(s) > reasonsMost+1 || s[otherReason].Count != 9*reasonsMost || s[otherReason].Example != "there" {
		t.Errorf("%d reasons, %+v", len(s), s[otherReason])
	}
}

// A reader that panics costs the transcript that made it, which is said.
func TestReaderThatPanics(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "bad.log", line{ID: "1", Text: "never read"})
	f.put(t, "good.log", line{ID: "1", Text: "why?"})
	f.onRead = func(t Transcript, _ Mark) {
		if filepath.Base(t.Path) == "bad.log" {
			var none []int
			_ = none[len(t.Path)]
		}
	}
	c, l := readOnce(t, f, 1)
	if c.text("good") != "why?" || c.text("bad") != "" {
		t.Errorf("read %q and %q", c.text("good"), c.text("bad"))
	}
	said := l.Skipped()
	if len(said) != 1 || !strings.Contains(said[0].Reason+said[0].Example, "the reader failed") || !strings.Contains(said[0].Example, "bad.log") {
		t.Errorf("said: %+v", said)
	}
}

// A reader that panics in the middle of a transcript takes nothing of what was known.
func TestReaderThatPanicsMidway(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "one.log", line{ID: "1", Text: "first"}, line{ID: "2", Text: "second"})
	d.run(t)
	d.f.put(t, "one.log", line{ID: "1", Text: "first"}, "panic\n")
	for range 2 {
		d.run(t)
		if got := d.text("d/one.log"); got != "first\n\nsecond" {
			t.Errorf("known is %q", got)
		}
	}
	d.f.put(t, "one.log", line{ID: "1", Text: "first"}, line{ID: "3", Text: "third"})
	d.run(t)
	if got := d.text("d/one.log"); got != "first\n\nthird" {
		t.Errorf("repaired, it says %q", got)
	}
}
