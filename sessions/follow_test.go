package sessions

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAppendedLinesAreSeen(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "p/s.log", says("one"))
	c, l := follow(t, f)
	f.add(t, "p/s.log", says("two"))
	c.awaitText("s", "one\n\ntwo")
	if got := l.Roots()[0]; got.State != "watched" || got.Err != nil {
		t.Errorf("root %+v", got)
	}
}

func TestAHalfWrittenLineIsReadWhenItIsWhole(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"))
	c, l := follow(t, f)
	whole := string(records(t, says("two")))
	f.add(t, "s.log", whole[:9])
	f.put(t, "other.log", says("read meanwhile"))
	c.awaitText("other", "read meanwhile")
	f.add(t, "s.log", whole[9:])
	c.awaitText("s", "one\n\ntwo")
	if got := l.Skipped(); len(got) > 0 {
		t.Errorf("skipped %+v", got)
	}
}

// X2: what was written anew is told from what grew, by size, inode and content.
func TestX2RewrittenFilesAreReadFromTheirBeginning(t *testing.T) {
	before := []any{says("one"), says("two"), says("three")}
	tests := map[string]func(t *testing.T, f *fake){
		"cut short": func(t *testing.T, f *fake) { f.put(t, "s.log", says("new")) },
		"cut short and grown beyond": func(t *testing.T, f *fake) {
			f.put(t, "s.log", says("one"), says(strings.Repeat("x", 100)), says("new"))
		},
		"other beginning": func(t *testing.T, f *fake) {
			f.put(t, "s.log", says("eno"), says("two"), says("three"), says("new"))
		},
		"renamed over": func(t *testing.T, f *fake) {
			path := f.put(t, "s.tmp", says("one"), says("two"), says("three"), says("new"))
			if err := os.Rename(path, filepath.Join(f.dir, "s.log")); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, rewrite := range tests {
		t.Run(name, func(t *testing.T) {
			f := &fake{dir: t.TempDir()}
			f.put(t, "s.log", before...)
			c, _ := follow(t, f)
			rewrite(t, f)
			c.await("the new text is read", func() bool { return strings.HasSuffix(c.text("s"), "new") })
			once, _ := readOnce(t, f, 1)
			if got, want := c.text("s"), once.text("s"); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A store of which a part can no longer be read takes nothing of what was known, and
// what it gives when it is whole again counts.
func TestADamagedStoreTakesNothing(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	long := strings.Repeat("many words of a long passage ", PassageChars/30)
	f.put(t, "s.log", says(long+"one"), says(long+"two"), says(long+"three"))
	c, _ := follow(t, f)
	c.await("the session", func() bool { return strings.Contains(c.text("s"), "three") })
	f.put(t, "s.log", "damage\n", says("one"))
	f.put(t, "other.log", says("read after it"))
	c.await("what is read after it", func() bool { return c.text("other") != "" })
	if got := c.text("s"); !strings.Contains(got, "three") || strings.Contains(got, "\none") {
		t.Errorf("of a damaged store: %q", got)
	}
	f.put(t, "s.log", says("whole again"))
	c.await("the store as it is", func() bool { return c.text("s") == "whole again" })
}

func TestGrownFilesAreReadFromTheMark(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"))
	marks := make(chan Mark, 100)
	f.onRead = func(_ Transcript, from Mark) { marks <- from }
	c, _ := follow(t, f)
	f.add(t, "s.log", says("two"))
	c.awaitText("s", "one\n\ntwo")
	if first, second := <-marks, <-marks; !first.zero() || second.zero() {
		t.Errorf("read from %+v, then from %+v", first, second)
	}
}

func TestDeletedTranscriptsKeepTheirText(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "p/s.log", says("one"))
	c, _ := follow(t, f)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	c.await("the session is marked as gone", func() bool { return c.session("s").Gone })
	if c.text("s") != "one" {
		t.Errorf("the gone session says %q", c.text("s"))
	}
	f.put(t, "p/s.log", says("one"), says("two"))
	c.awaitText("s", "one\n\ntwo")
	if c.session("s").Gone {
		t.Error("it is back, but still marked as gone")
	}
}

func TestEmptiedTranscriptsKeepTheirText(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "s.log", says("one"))
	c, _ := follow(t, f)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	c.await("the session is marked as gone", func() bool { return c.session("s").Gone })
	f.add(t, "s.log", says("new"))
	c.awaitText("s", "new")
}

func TestArchivedTranscriptsStayTheSameSession(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "now/s.log", says("one"))
	f.put(t, "archive/old.log", says("old"))
	c, _ := follow(t, f)
	archived := filepath.Join(f.dir, "archive", "s.log")
	if err := os.Rename(path, archived); err != nil {
		t.Fatal(err)
	}
	c.await("the session has its new path", func() bool { return c.session("s").Path == archived && !c.session("s").Gone })
	f.add(t, "archive/s.log", says("two"))
	c.awaitText("s", "one\n\ntwo")
	if diff := cmp.Diff([]string{"old", "s"}, c.ids()); diff != "" {
		t.Error(diff)
	}
}

// A harness may go on with a session in another file and leave the old one.
func TestAFileThatTakesAnothersPlaceIsTheSameSession(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"))
	c, _ := follow(t, f)
	f.put(t, "s.log.log", says("one"), says("two"))
	c.awaitText("s", "one\n\ntwo")
	f.add(t, "s.log", says("too late"))
	f.add(t, "s.log.log", says("three"))
	c.awaitText("s", "one\n\ntwo\n\nthree")
	if len(c.order) != 1 {
		t.Errorf("sessions %q", c.order)
	}
}

func TestNewDirectoriesAndLateRoots(t *testing.T) {
	f := &fake{dir: filepath.Join(t.TempDir(), "not", "there", "yet")}
	c, l := follow(t, f)
	f.put(t, "a/b/s.log", says("first"))
	c.awaitText("s", "first")
	f.put(t, "c/d/u.log", says("second"))
	c.awaitText("u", "second")
	c.await("the root is watched", func() bool { return l.Roots()[0].State == "watched" })
}

func TestACopyThatAppearsLaterTakesNothing(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "b/s.log", says("original"))
	c, _ := follow(t, f)
	f.put(t, "a/s.log", says("copy"))
	c.awaitText("s~2", "copy")
	f.add(t, "b/s.log", says("goes on"))
	c.awaitText("s", "original\n\ngoes on")
}

func TestSessionsThatARewriteDropsAreRemoved(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"), line{Session: "inner", ID: "i", Text: "inside"})
	c, _ := follow(t, f)
	if diff := cmp.Diff([]string{"inner", "s"}, c.ids()); diff != "" {
		t.Fatal(diff)
	}
	f.put(t, "s.log", says("only"))
	c.awaitText("s", "only")
	if diff := cmp.Diff([]string{"s"}, c.ids()); diff != "" {
		t.Error(diff)
	}
}

func TestAReplacedTurnOfAClosedPassageIsReadAgain(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	long := strings.Repeat("r", 1000)
	f.put(t, "s.log", line{ID: "1", Text: long}, line{ID: "2", Text: long}, line{ID: "3", Text: long})
	c, _ := follow(t, f)
	f.add(t, "s.log", line{ID: "1", Text: "short"})
	c.awaitText("s", "short\n\n"+long+"|"+long)
	if got := c.session("s").Prompts; got != 3 {
		t.Errorf("%d prompts, want 3", got)
	}
}

func TestUndoneTurnsAreTold(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"), says("two"))
	c, _ := follow(t, f)
	f.add(t, "s.log", line{Undo: []string{"two"}}, says("three"))
	c.awaitText("s", "one\n\ntwo\n\nthree")
	c.mu.Lock()
	defer c.mu.Unlock()
	var undone []bool
	for _, s := range c.known["s"].passages[0].Spans {
		undone = append(undone, s.Undone)
	}
	if diff := cmp.Diff([]bool{false, true, false}, undone); diff != "" {
		t.Error(diff)
	}
}

func TestNotesAreReadAgainWhenTheyChange(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"))
	c, _ := follow(t, f)
	f.put(t, "notes", "s A name of its own\n")
	c.await("the title changes", func() bool { return c.session("s").Title == "A name of its own" })
	if c.text("s") != "one" {
		t.Errorf("the text became %q", c.text("s"))
	}
}

func TestManyFilesWrittenAtOnce(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	names := []string{"a", "b", "c", "d", "e"}
	for _, name := range names {
		f.put(t, name+".log", says("0"))
	}
	c, _ := follow(t, f)
	want := "0"
	for i := 1; i < 50; i++ {
		text := strings.Repeat("x", i)
		want += "\n\n" + text
		for _, name := range names {
			f.add(t, name+".log", says(text))
		}
		if i%10 == 0 {
			time.Sleep(time.Millisecond) // so that they come in several batches
		}
	}
	for _, name := range names {
		c.await(name+" has all lines", func() bool { return strings.ReplaceAll(c.text(name), "|", "\n\n") == want })
	}
}

// rewriting is a source that cannot go on from a mark when another line comes
// first now.
type rewriting struct{ *fake }

func (r rewriting) Read(ctx context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	text, err := os.ReadFile(t.Path)
	if err != nil {
		return from, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if len(from.State) > 0 && string(from.State) != first {
		return from, ErrRewritten
	}
	_, err = r.fake.Read(ctx, t, Mark{}, to)
	return Mark{State: []byte(first)}, err
}

// A reader that finds that it cannot go on is asked for the whole transcript.
func TestRewrittenIsReadFromTheBeginning(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("one"), says("two"))
	c := newCorpus(t)
	l := NewLibrary(Options{Sources: []Source{rewriting{f}}})
	if err := l.Run(t.Context(), c.apply); err != nil {
		t.Fatal(err)
	}
	f.put(t, "s.log", says("other"))
	again := l.list(t.Context(), l.places())
	for _, change := range again {
		if err := l.refresh(t.Context(), change.t, *change.job(), func(u Update) { c.apply([]Update{u}) }); err != nil {
			t.Error(err)
		}
	}
	c.awaitText("s", "other")
	if len(again) != 1 {
		t.Errorf("%d changes", len(again))
	}
}

// What was just listed is not taken for read from nowhere when it changes, or is compared,
// before it is put in line: that is left to the next listing, and to its first reading.
func TestAChangeBeforeWhatWasListedIsInLine(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "a/s.log", says("one"))
	f.put(t, "b/s.log", says("one"))
	l := NewLibrary(Options{Sources: []Source{f}})
	changes := l.list(t.Context(), l.places())
	if len(changes) != 2 {
		t.Fatalf("%d transcripts", len(changes))
	}
	if (&follower{l: l}).changed(path) {
		t.Error("it is read as it is known, which is not at all")
	}
	if _, _, settled := l.rivals(changes[0].t); settled {
		t.Error("its copy counts as one that can be read")
	}
	l.lineUp(changes)
	if !(&follower{l: l}).changed(path) {
		t.Error("a change is not noticed")
	}
	if _, _, settled := l.rivals(changes[0].t); !settled {
		t.Error("its copy cannot be read")
	}
}
