package sessions

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// aged makes a transcript one that did not change for long.
func aged(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-10 * sideSleepsAfter)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

// Of a sub-agent that ended only its facts are kept. What stands beside its
// transcript still shows, it can go and come back, and when it grows all the same
// it is read from its beginning.
func TestASubagentThatEnded(t *testing.T) {
	d := newDiary(t)
	const first, more = "a task that was done", "done once more"
	path := d.f.put(t, "side-a.log", line{ID: "1", Text: first, Parent: "main"}, line{ID: "2", Kind: ToolCall, Text: "ls"})
	aged(t, path)
	d.f.put(t, "main.log", line{ID: "1", Text: "words"})
	d.run(t)
	for _, saved := range d.states {
		if state := saved.State; bytes.Count(state, []byte(first)) > 1 { // once it is the title
			t.Errorf("the text is kept: %q", state)
		}
	}
	began := d.corpus.session("side-a")
	check := func(what, text string, read int, holds func(s Session) bool) {
		t.Helper()
		if got := d.run(t); len(got) != read {
			t.Errorf("%s: read %v", what, got)
		}
		if s := d.corpus.session("side-a"); !holds(s) || d.corpus.text("side-a") != text {
			t.Errorf("%s: %+v says %q", what, s, d.corpus.text("side-a"))
		}
	}
	check("unchanged", first, 0, func(s Session) bool {
		return s.Title == began.Title && s.Passages == 1 && s.ToolCalls == began.ToolCalls
	})
	d.f.put(t, "notes", "side-a a new title\n")
	check("noted", first, 0, func(s Session) bool { return s.Title == "a new title" })
	if err := os.Remove(filepath.Join(d.f.dir, "notes")); err != nil {
		t.Fatal(err)
	}
	check("no longer noted", first, 0, func(s Session) bool { return s.Title == began.Title })
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	check("gone", first, 0, func(s Session) bool { return s.Gone })
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	check("back", first, 0, func(s Session) bool { return !s.Gone })
	d.f.add(t, "side-a.log", line{ID: "3", Text: more, Parent: "main"})
	check("grown", first+"\n\n"+more, 1, func(s Session) bool { return s.Subagent && s.ToolCalls == began.ToolCalls })
	if n := len(d.corpus.known["side-a"].hung); n != 1 {
		t.Errorf("%d turns hang", n)
	}
	check("and not again", first+"\n\n"+more, 0, func(s Session) bool { return !s.Gone })
}

// While a program runs, a sub-agent that seemed to have ended goes on.
func TestASubagentThatGoesOn(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	aged(t, f.put(t, "side-a.log", line{ID: "1", Text: "first", Parent: "main"}))
	c, _ := follow(t, f)
	c.awaitText("side-a", "first")
	f.add(t, "side-a.log", line{ID: "2", Text: "second", Parent: "main"})
	c.awaitText("side-a", "first\n\nsecond")
	f.add(t, "side-a.log", line{ID: "3", Text: "third", Parent: "main"})
	c.awaitText("side-a", "first\n\nsecond\n\nthird")
}

// Of sub-agents that were all written just now no more than run at the same time stay
// ready to be read on, those that changed last; what is added to another is read all the
// same.
func TestManySubagentsAtOnce(t *testing.T) {
	d := newDiary(t)
	now := time.Now()
	names := make([]string, sidesAwake+100)
	for i := range names {
		names[i] = fmt.Sprintf("side-%03d.log", i)
		at := now.Add(-time.Duration(i) * time.Millisecond)
		if err := os.Chtimes(d.f.put(t, names[i], line{ID: "1", Text: "task", Parent: "main"}), at, at); err != nil {
			t.Fatal(err)
		}
	}
	d.run(t)
	if _, single := d.kinds(); single != sidesAwake {
		t.Errorf("%d are kept to be read on", single)
	}
	last := len(names) - 1
	size, err := os.Stat(filepath.Join(d.f.dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, last} {
		d.f.add(t, names[i], line{ID: "2", Text: "more"})
	}
	if read, want := d.run(t), map[string]int64{names[0]: size.Size(), names[last]: 0}; !reflect.DeepEqual(read, want) {
		t.Errorf("read from %v, want %v", read, want)
	}
	for _, i := range []int{0, last} {
		if got := d.text("x/" + names[i]); got != "task\n\nmore" {
			t.Errorf("%s says %q", names[i], got)
		}
	}
}

// A sub-agent that is read while it runs rests a minute later, though it does not change.
func TestASubagentEndsUnseen(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "side-a.log", line{ID: "1", Text: "task", Parent: "main"})
	l := d.start(t)
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	d.save(l)
	if many, single := d.kinds(); many != 0 || single != 1 {
		t.Errorf("as it runs, %d blocks and %d others are kept", many, single)
	}
	l.endVigils(time.Now().Add(2 * sideSleepsAfter))
	d.save(l)
	if many, single := d.kinds(); many != 1 || single != 0 {
		t.Errorf("in the end, %d blocks and %d others are kept", many, single)
	}
}
