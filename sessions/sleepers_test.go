package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// sides writes transcripts of sub-agents that ended, and returns their names.
func (d *diary) sides(t *testing.T, folder string, n int) (names []string) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("%s/side-%s-%03d.log", folder, folder, i)
		aged(t, d.f.put(t, name, line{ID: "1", Text: "task of " + name, Parent: "main"}))
		names = append(names, name)
	}
	return names
}

func (d *diary) text(name string) string {
	return d.corpus.text(name[len(filepath.Dir(name))+1 : len(name)-len(".log")])
}

// kinds is how many states there are of many transcripts, and of one.
func (d *diary) kinds() (many, one int) {
	for _, s := range d.states {
		if s.Many {
			many++
		} else {
			one++
		}
	}
	return many, one
}

// Of many sub-agents that ended, nothing but blocks is kept, and no transcript is made of
// them at a start; yet what changes is seen, and costs its own transcript alone.
func TestManySleepers(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "main.log", line{ID: "1", Text: "words"})
	one, two := d.sides(t, "one", 2*blockMembers+10), d.sides(t, "two", 10)
	d.run(t)
	if many, single := d.kinds(); many != 3 || single != 1 {
		t.Errorf("%d blocks and %d others are kept", many, single)
	}
	l := d.start(t)
	if n := len(l.shelf.all()); n != 1 {
		t.Errorf("%d transcripts after a start", n)
	}
	root := Root{"fake", d.f.dir, "default"}
	if h := l.Holdings()[root]; h.Transcripts != len(one)+len(two)+1 || h.Changed.IsZero() {
		t.Errorf("holds %+v", h)
	}
	for range 2 {
		if read := d.run(t); len(read) != 0 {
			t.Fatalf("read %v though nothing changed", read)
		}
	}

	d.f.add(t, one[3], line{ID: "2", Text: "and more"})
	aged(t, d.f.put(t, "one/side-new.log", line{ID: "1", Text: "a new one", Parent: "main"}))
	if err := os.Remove(filepath.Join(d.f.dir, one[140])); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(d.f.dir, two[4]), filepath.Join(d.f.dir, "one", filepath.Base(two[4]))); err != nil {
		t.Fatal(err)
	}
	read := d.run(t)
	if want := map[string]int64{filepath.Base(one[3]): 0, "side-new.log": 0}; !reflect.DeepEqual(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
	check := func() {
		t.Helper()
		if got, want := d.text(one[3]), "task of "+one[3]+"\n\nand more"; got != want {
			t.Errorf("says %q, want %q", got, want)
		}
		if got := d.corpus.text("side-new"); got != "a new one" {
			t.Errorf("the new one says %q", got)
		}
		if s := d.corpus.session("side-one-140"); !s.Gone || d.text(one[140]) != "task of "+one[140] {
			t.Errorf("the deleted one is %+v", s)
		}
		if s := d.corpus.session("side-two-004"); s.Gone || s.Path != filepath.Join(d.f.dir, "one", filepath.Base(two[4])) {
			t.Errorf("the moved one is %+v", s)
		}
	}
	check()
	aged(t, filepath.Join(d.f.dir, one[3]))
	for range 2 {
		d.run(t)
		check()
	}
	if many, single := d.kinds(); many > 4 || single != 1 {
		t.Errorf("in the end %d blocks and %d others are kept", many, single)
	}

	back := d.f.put(t, one[140], line{ID: "1", Text: "back again", Parent: "main"})
	aged(t, back)
	d.run(t)
	if s := d.corpus.session("side-one-140"); s.Gone || d.text(one[140]) != "back again" {
		t.Errorf("back it is %+v, and says %q", s, d.text(one[140]))
	}
}

// What is missing of what was applied is read again, also of those that sleep: of one
// (d.lost), of all, and by a program that reads the same bytes differently.
func TestSleepersOfWhichTextIsLost(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 20)
	d.run(t)
	d.lost = "side-one-007"
	if read := d.run(t); len(read) != 1 || d.text(names[7]) != "task of "+names[7] {
		t.Errorf("read %v; it says %q", read, d.text(names[7]))
	}
	d.lost = ""
	d.doubtful = true
	if read := d.run(t); len(read) != len(names) {
		t.Errorf("read %d", len(read))
	}
	d.doubtful = false
	if read := d.run(t); len(read) != 0 {
		t.Errorf("read %v", read)
	}
	for number := range d.states {
		d.states[number].State[0] = readingRevision - 1
	}
	if read := d.run(t); len(read) != len(names) {
		t.Errorf("of an earlier reading, read %d", len(read))
	}
	for number := range d.states {
		d.states[number].State[0] = readingRevision + 1
	}
	if read := d.run(t); len(read) != 0 {
		t.Errorf("of a newer reading, read %d", len(read))
	}
}

// When all may be missing of what was applied, and the program ends before all of it was
// read again, the next starts read the rest, though nothing is in doubt by then.
func TestARecoveryThatIsInterrupted(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 6*blockMembers)
	d.run(t)
	d.corpus, d.doubtful = newCorpus(t), true
	if n := len(d.runUntil(t, 200)); n < 200 || n == len(names) {
		t.Fatalf("read %d of %d", n, len(names))
	}
	d.doubtful = false
	d.run(t)
	for _, name := range names {
		if got := d.text(name); got != "task of "+name {
			t.Fatalf("%s says %q", name, got)
		}
	}
	if again := d.run(t); len(again) != 0 {
		t.Errorf("read %d again", len(again))
	}
}

// A copy of a sleeper in another folder gets a name of its own, and a second path to it
// none.
func TestTwinsAndLinksOfSleepers(t *testing.T) {
	d := newDiary(t)
	aged(t, d.f.put(t, "one/side-a.log", line{ID: "1", Text: "in one", Parent: "main"}))
	d.run(t)
	aged(t, d.f.put(t, "two/side-a.log", line{ID: "1", Text: "in two", Parent: "main"}))
	if err := os.MkdirAll(filepath.Join(d.f.dir, "three"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(d.f.dir, "one/side-a.log"), filepath.Join(d.f.dir, "three/side-a.log")); err != nil {
		t.Skip(err)
	}
	for range 3 {
		d.run(t)
		if ids := d.corpus.ids(); !slices.Equal(ids, []string{"side-a", "side-a~2"}) {
			t.Fatalf("sessions %v", ids)
		}
		if a, b := d.corpus.text("side-a"), d.corpus.text("side-a~2"); a != "in one" || b != "in two" {
			t.Errorf("they say %q and %q", a, b)
		}
	}
}

// What was not understood of a transcript is counted while it sleeps, and no more when
// it is mended.
func TestSkipsOfSleepers(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "side-a.log", line{ID: "1", Text: "said", Parent: "main"}, "not a line\n")
	aged(t, path)
	d.run(t)
	for range 2 {
		if s := d.start(t).Skipped(); len(s) != 1 || s[0].Count != 1 || s[0].Example != path {
			t.Errorf("skipped %+v", s)
		}
		d.run(t)
	}
	d.f.put(t, "side-a.log", line{ID: "1", Text: "said better", Parent: "main"})
	d.run(t)
	if s := d.start(t).Skipped(); len(s) != 0 {
		t.Errorf("skipped %+v of what was mended", s)
	}
}

// Sleepers are forgotten with the session for which they worked, at a start and while the
// program runs, and come back when that is called back.
func TestSleepersAreForgotten(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 20)
	d.run(t)
	f := &forgetting{}
	f.set("main")
	if read := f.run(t, d); len(read) != 0 || d.holds("task of") {
		t.Errorf("read %v of what was forgotten", read)
	}
	if n := len(d.corpus.ids()); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
	f.set()
	if read := f.run(t, d); len(read) != len(names) || d.text(names[3]) != "task of "+names[3] {
		t.Errorf("called back, read %v", read)
	}
}

// Of each root one block has room, however they take turns, also after a new start.
func TestABlockOfEachRoot(t *testing.T) {
	last, saved := uint64(0), make(map[uint64]Saved)
	number := func() uint64 { last++; return last }
	for start := range 3 {
		var s sleepers
		for _, one := range saved {
			if !s.load(one, false, func(*block, *dormant) {}) {
				t.Fatal("a block cannot be read")
			}
		}
		for i := range 20 {
			for _, root := range []Root{{Path: "/one"}, {Path: "/two"}} {
				path := fmt.Sprint(root.Path, "/", start, "-", i)
				s.take(&kept{revision: readingRevision, transcript: transcript{at: Transcript{Root: root, Path: path}}}, number)
			}
			for _, one := range s.written(number, func() {}) {
				saved[one.Number] = one
			}
		}
		held := make(map[Root]Holding)
		s.holdings(held)
		if want := 20 * (start + 1); held[Root{Path: "/one"}].Transcripts != want || held[Root{Path: "/two"}].Transcripts != want {
			t.Errorf("they hold %v, want %d each", held, want)
		}
	}
	if len(saved) != 2 {
		t.Errorf("%d blocks", len(saved))
	}
}
