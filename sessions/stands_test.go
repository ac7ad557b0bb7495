package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rooted is a fake whose roots are some folders of its own.
type rooted struct {
	*fake
	roots []string
}

func (r *rooted) Roots(Env) (roots []Root) {
	for _, name := range r.roots {
		roots = append(roots, Root{Path: filepath.Join(r.dir, name)})
	}
	return roots
}

// Where what stood is not looked for any more, and deleted, its copy is told with what is
// added to it, and so is one that is found only then.
func TestWhatStoodIsNotLookedForAnyMore(t *testing.T) {
	for name, leave := range map[string]func(d *diary, r *rooted){
		"another root": func(_ *diary, r *rooted) { r.roots = []string{"b"} },
		"excluded":     func(d *diary, _ *rooted) { d.exclude = []string{filepath.Join(d.f.dir, "a")} },
	} {
		for _, early := range []bool{true, false} {
			d := newDiary(t)
			r := &rooted{d.f, []string{"a", "b"}}
			d.source = r
			d.f.put(t, "a/s.log", conversation(3)...)
			if early {
				d.f.put(t, "b/s.log", conversation(2)...)
			}
			d.run(t)
			leave(d, r)
			remove(t, d.f, "a/s.log")
			d.run(t)
			d.f.put(t, "b/s.log", conversation(4)...)
			d.run(t)
			d.run(t)
			if diff := cmp.Diff(map[string]string{"s": spoken(4)}, d.corpus.texts()); diff != "" {
				t.Errorf("%s, early %t: %s", name, early, diff)
			}
		}
	}
}

// puts writes transcripts of so many turns, each a second behind the one before it: the files
// are as old as what they say, and age older.
func puts(t *testing.T, f *fake, age time.Duration) func(name string, turns int) {
	begin := time.Now().Add(-time.Minute - age)
	return func(name string, turns int) {
		t.Helper()
		putAt(t, f, name, turns, begin.Add(time.Duration(turns)*time.Second))
	}
}

// putAt writes a transcript of so many turns, which was changed last at a time.
func putAt(t *testing.T, f *fake, name string, turns int, at time.Time) (path string) {
	t.Helper()
	path = f.put(t, name, conversation(turns)...)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

// What stood cannot be read any more: its copy is told as soon as it says more, and both
// are one again when it can.
func TestWhatStoodCannotBeRead(t *testing.T) {
	for _, age := range []time.Duration{0, 2 * sleepsAfter} {
		d := newDiary(t)
		r := &rooted{d.f, []string{"a", "b"}}
		shut := &shutting{rooted: r}
		d.source = shut
		put := puts(t, d.f, age)
		is := func(what string, want ...string) {
			t.Helper()
			for range 2 {
				d.run(t)
				if got := slices.Sorted(maps.Values(d.corpus.texts())); !slices.Equal(got, want) {
					t.Errorf("age %v, %s: %q, want %q", age, what, got, want)
				}
			}
		}
		put("a/s.log", 3)
		put("b/s.log", 2)
		is("both can be read", spoken(3))
		shut.path = filepath.Join(d.f.dir, "a/s.log")
		is("what stands cannot", spoken(3))
		put("b/s.log", 5)
		is("its copy went on", spoken(3), spoken(5))
		shut.path = ""
		is("it can again", spoken(5))
	}
}

// shutting is one of whose transcripts one cannot be read.
type shutting struct {
	*rooted
	path string
}

func (s *shutting) Read(ctx context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	if t.Path == s.path {
		return from, errors.New("the disk says no")
	}
	return s.rooted.Read(ctx, t, from, to)
}

// The last lines of what stood stay readable when it is deleted before its copy has them.
func TestTheLastLinesOfWhatStood(t *testing.T) {
	for _, age := range []time.Duration{0, 2 * sleepsAfter} {
		d := newDiary(t)
		put := puts(t, d.f, age)
		is := func(what string, gone bool, want map[string]string) {
			t.Helper()
			for range 2 {
				d.run(t)
				if s := d.corpus.session("s"); s.Gone != gone || !cmp.Equal(d.corpus.texts(), want) {
					t.Errorf("age %v, %s: gone %t, %q", age, what, s.Gone, d.corpus.texts())
				}
			}
		}
		put("a/s.log", 4)
		put("b/s.log", 2)
		put("c/s.log", 1)
		is("all there", false, map[string]string{"s": spoken(4)})
		remove(t, d.f, "a/s.log")
		is("deleted", true, map[string]string{"s": spoken(4)})
		remove(t, d.f, "b/s.log")
		is("the next one too", true, map[string]string{"s": spoken(4)})
		put("c/s.log", 4)
		is("the copy has all", false, map[string]string{"s": spoken(4)})
	}
}

// readings are what is read of a fake.
type readings struct {
	mu  sync.Mutex
	all []string
}

// readingsOf notes each reading of f by the folder that it is in, and whether it is from the
// beginning.
func readingsOf(f *fake) *readings {
	r := &readings{}
	f.onRead = func(at Transcript, from Mark) {
		r.mu.Lock()
		defer r.mu.Unlock()
		folder := filepath.Base(filepath.Dir(at.Path))
		if from.zero() {
			folder += " whole"
		}
		r.all = append(r.all, folder)
	}
	return r
}

func (r *readings) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all) > 0
}

// take gives those that were noted since it was called last.
func (r *readings) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// A line that is added to what stands costs a reading from its mark, and none of its copy.
func TestALineOfWhatStandsCostsNoComparison(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "a/s.log", conversation(3)...)
	f.put(t, "b/s.log", conversation(2)...)
	read := readingsOf(f)
	c, _ := follow(t, f)
	for n := 3; n < 6; n++ {
		read.take()
		f.add(t, "a/s.log", says(fmt.Sprintf("turn %d", n)))
		c.await("the line", func() bool { return c.text("s") == spoken(n+1) })
		if got := read.take(); slices.ContainsFunc(got, func(one string) bool { return one != "a" }) {
			t.Errorf("read %q", got)
		}
	}
}

// A copy that lags behind and is found only when what stood is deleted, or was before, is
// not what stood: the longer text stays until there is as much.
func TestACopyFoundWithADeletion(t *testing.T) {
	for name, step := range map[string]func(d *diary){
		"at once": func(*diary) {},
		"later":   func(d *diary) { d.run(t) },
	} {
		for _, age := range []time.Duration{0, 2 * sleepsAfter} {
			d := newDiary(t)
			put := puts(t, d.f, age)
			is := func(what string, gone bool, in string, want string) {
				t.Helper()
				for range 2 {
					d.run(t)
					s := d.corpus.session("s")
					if at := filepath.Base(filepath.Dir(s.Path)); s.Gone != gone || at != in || !cmp.Equal(d.corpus.texts(), map[string]string{"s": want}) {
						t.Errorf("%s, age %v, %s: in %q, gone %t, %q", name, age, what, at, s.Gone, d.corpus.texts())
					}
				}
			}
			put("a/s.log", 4)
			is("first", false, "a", spoken(4))
			remove(t, d.f, "a/s.log")
			step(d)
			put("b/s.log", 2)
			is("a copy that lags", true, "a", spoken(4))
			put("c/s.log", 3)
			is("another one", true, "a", spoken(4))
			put("b/s.log", 4)
			is("it has as much", false, "b", spoken(4))
			remove(t, d.f, "b/s.log")
			remove(t, d.f, "c/s.log")
			step(d)
			put("d/s.log", 5)
			is("one that says more", false, "d", spoken(5))
			if err := os.Rename(filepath.Join(d.f.dir, "d"), filepath.Join(d.f.dir, "e")); err != nil {
				t.Fatal(err)
			}
			is("renamed", false, "e", spoken(5))
		}
	}
}

// The same while the program runs.
func TestACopyFoundWithADeletionWhileFollowing(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "a/s.log", conversation(4)...)
	c, l := follow(t, f)
	staged := putAt(t, f, "staged", 2, time.Now().Add(-time.Minute))
	if err := os.Mkdir(filepath.Join(f.dir, "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.lulling.Lock() // so that both are seen by one look
	if err := os.Rename(staged, filepath.Join(f.dir, "b/s.log")); err != nil {
		t.Fatal(err)
	}
	remove(t, f, "a/s.log")
	l.lulling.Unlock()
	c.await("it is gone", func() bool { return c.session("s").Gone })
	c.await("the copy is known", func() bool {
		stands, is := l.claims.copyOf(Key{"fake", "s~2"})
		return is && stands == "s"
	})
	if got := c.texts(); !cmp.Equal(got, map[string]string{"s": spoken(4)}) {
		t.Errorf("told is %q", got)
	}
}

// What is excluded is there all the same: a copy that lags behind it does not take its
// place.
func TestACopyOfWhatIsExcluded(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "a/s.log", conversation(3)...)
	d.run(t)
	d.exclude = []string{filepath.Dir(path)}
	putAt(t, d.f, "b/s.log", 2, time.Now().Add(-time.Minute))
	d.run(t)
	if diff := cmp.Diff(map[string]string{"s": spoken(3)}, d.corpus.texts()); diff != "" {
		t.Error(diff)
	}
}

// A copy without times that is copied once more, with another time of its file, says no
// more than it did, also after a start that reads all anew; what is written in place of it
// does.
func TestACopyWithoutTimesIsWrittenAnew(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "a/s.log", conversation(4)...)
	d.f.put(t, "b/s.log", conversation(2)...)
	d.run(t)
	remove(t, d.f, "a/s.log")
	is := func(what string, want ...string) {
		t.Helper()
		for range 2 {
			d.run(t)
			if got := slices.Sorted(maps.Values(d.corpus.texts())); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
	}
	is("what stood is gone", spoken(4))
	at := time.Now()
	again := func() {
		at = at.Add(time.Second)
		putAt(t, d.f, "b/s.log", 2, at)
	}
	again()
	is("copied once more", spoken(4))
	again()
	is("and again", spoken(4))
	d.doubtful = true
	is("all is read anew", spoken(4))
	d.doubtful = false
	d.f.put(t, "b/s.log", says("turn 0"), says("something else"))
	is("another text of as many turns", "turn 0\n\nsomething else", spoken(4))
}

// A copy that is synced again, whole or by what was added, costs one reading of it, and none
// of what stands.
func TestASyncCostsOneReading(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "a/s.log", conversation(3)...)
	f.put(t, "b/s.log", conversation(3)...)
	read := readingsOf(f)
	c, l := follow(t, f)
	quiet := func() bool {
		busy := slices.ContainsFunc(l.shelf.all(), func(t *transcript) bool {
			l.queue.mu.Lock()
			defer l.queue.mu.Unlock()
			return t.busy || t.waiting
		})
		return read.any() && !busy
	}
	costs := func(what string, want ...string) {
		t.Helper()
		c.await(what, quiet)
		if got := read.take(); !slices.Equal(got, want) {
			t.Errorf("%s: read %q, want %q", what, got, want)
		}
	}
	c.await("all is compared", quiet)
	read.take()
	for n := 3; n < 9; n += 2 {
		f.add(t, "a/s.log", says(fmt.Sprintf("turn %d", n)), says(fmt.Sprintf("turn %d", n+1)))
		c.await("it grew", func() bool { return c.text("s") == spoken(n+2) })
		costs("what stands grew", "a")
		staged := f.put(t, "staged", conversation(n+1)...)
		if err := os.Rename(staged, filepath.Join(f.dir, "b/s.log")); err != nil {
			t.Fatal(err)
		}
		costs("copied anew", "b whole")
		f.add(t, "b/s.log", says(fmt.Sprintf("turn %d", n+1)))
		costs("what was added is copied", "b whole")
	}
	if got := c.texts(); !cmp.Equal(got, map[string]string{"s": spoken(9)}) {
		t.Errorf("told is %q", got)
	}
}

// Of a copy nothing is kept that only reading on needs, also after a start: there may be as
// many as there are sub-agents.
func TestLittleIsKeptOfCopies(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "a/s.log", conversation(3)...)
	d.f.put(t, "b/s.log", conversation(2)...)
	for range 2 {
		l := d.start(t)
		if err := l.Run(t.Context(), d.corpus.apply); err != nil {
			t.Fatal(err)
		}
		d.save(l)
		b := l.claims.find(Key{"fake", "s~2"}).sessions["s"]
		if !b.hidden || b.workings != nil || b.sent != &unsent {
			t.Errorf("kept is %+v", b)
		}
	}
}
