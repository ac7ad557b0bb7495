package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// conversation is n turns of one session.
func conversation(n int) (lines []any) {
	for i := range n {
		lines = append(lines, says(fmt.Sprintf("turn %d", i)))
	}
	return lines
}

// spoken is the text of a conversation.
func spoken(n int) string {
	var turns []string
	for i := range n {
		turns = append(turns, fmt.Sprintf("turn %d", i))
	}
	return strings.Join(turns, "\n\n")
}

// A synced folder repeats sessions, mostly as they were a while ago: each is told and
// listed once, the longest with the id itself, whichever is found first.
func TestACopyIsNotASessionOfItsOwn(t *testing.T) {
	for _, turns := range [][]int{{3, 3}, {3, 2}, {2, 3}, {0, 3}, {3, 0}, {1, 3, 2}, {2, 2, 3, 3, 1}} {
		for _, workers := range []int{1, 2} {
			f := &fake{dir: t.TempDir()}
			for i, n := range turns {
				f.put(t, fmt.Sprintf("root-%d/s.log", i), conversation(n)...)
				f.put(t, fmt.Sprintf("root-%d/side-a.log", i), line{ID: "1", Text: "task", Parent: "s"})
			}
			c, l := readOnce(t, f, workers)
			if diff := cmp.Diff([]string{"s", "side-a"}, c.ids()); diff != "" {
				t.Errorf("%v turns: %s", turns, diff)
			}
			if got := c.text("s"); got != spoken(slices.Max(turns)) {
				t.Errorf("%v turns: told is %q", turns, got)
			}
			if got := c.session("side-a").Parent; got != "s" {
				t.Errorf("the sub-agent belongs to %q", got)
			}
			if h := l.Holdings()[l.Roots()[0].Root]; h.Copies < len(turns)-1 {
				t.Errorf("%v turns: %d copies of %d transcripts", turns, h.Copies, h.Transcripts)
			}
		}
	}
}

// An id may be nothing but digits, and end like a name with a number.
func TestTheNumberOfAName(t *testing.T) {
	for _, id := range []string{"s", "1770804000000", "s~2", "s~x"} {
		for number := range 3 {
			if got := numberOf(numbered(id, number), id); got != number {
				t.Errorf("%q has number %d, want %d", numbered(id, number), got, number)
			}
		}
	}
}

// What only looks like a copy stands beside what it resembles.
func TestWhatResemblesACopy(t *testing.T) {
	begin := says("the same beginning")
	tool := func(id string) line { return line{ID: id, Kind: ToolCall, Text: "ls"} }
	for name, files := range map[string][2][]any{
		"both went on":               {{begin, says("here")}, {begin, says("there")}},
		"both called tools":          {{begin, tool("here")}, {begin, tool("there")}},
		"another prompt of one id":   {{line{ID: "1", Text: "hello"}}, {line{ID: "1", Text: "hello again"}}},
		"in two directories":         {{line{Dir: "/one", ID: "1", Text: "hi"}}, {line{Dir: "/two", ID: "1", Text: "hi"}}},
		"one was taken back in both": {{begin, says("x"), line{Undo: []string{"x"}}, says("y")}, {begin, says("x"), says("z")}},
	} {
		f := &fake{dir: t.TempDir()}
		f.put(t, "a/s.log", files[0]...)
		f.put(t, "b/s.log", files[1]...)
		if c, _ := readOnce(t, f, 2); !slices.Equal(c.ids(), []string{"s", "s~2"}) {
			t.Errorf("%s: %q", name, c.ids())
		}
	}
}

// Two that tell nothing do not take the name from each other for ever.
func TestCopiesOfNothing(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	for _, dir := range []string{"a", "b", "c"} {
		f.put(t, dir+"/s.log", line{Dir: "/work", Undo: []string{"x"}})
	}
	if c, _ := readOnce(t, f, 2); len(c.ids()) > 0 {
		t.Errorf("sessions %q", c.ids())
	}
}

// What is in part here and in part there is told once for each session.
func TestACopyOfSomeSessionsOfAFile(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	inner := func(text string) line { return line{Session: "inner", ID: text, Text: text} }
	f.put(t, "a/s.log", says("one"), says("two"), inner("i"))
	f.put(t, "b/s.log", says("one"), inner("i"), inner("k"), line{Session: "new", ID: "n", Text: "n"})
	c, _ := readOnce(t, f, 2)
	got := make(map[string]string)
	for _, id := range c.ids() {
		got[strings.TrimSuffix(id, "~2")] += c.text(id)
	}
	if diff := cmp.Diff(map[string]string{"s": "one\n\ntwo", "inner": "i\n\nk", "new": "n"}, got); diff != "" || len(c.ids()) != 3 {
		t.Error(diff, c.ids())
	}
}

// Copies come and go while the program runs: the other takes the place of the one that
// stood, and those that part are two.
func TestCopiesThatChange(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "a/s.log", conversation(3)...)
	f.put(t, "b/s.log", conversation(2)...)
	c, l := follow(t, f)
	is := func(what string, want map[string]string) {
		t.Helper()
		c.await(what, func() bool { return cmp.Equal(want, c.texts()) })
	}
	is("the longer one stands", map[string]string{"s": spoken(3)})
	f.add(t, "b/s.log", says("turn 2"), says("turn 3"))
	is("the copy is ahead", map[string]string{"s": spoken(4)})
	f.add(t, "a/s.log", says("turn 3"), says("turn 4"))
	is("it is behind again", map[string]string{"s": spoken(5)})
	c.await("it is known as a copy", func() bool {
		stands, is := l.claims.copyOf(Key{"fake", "s~2"})
		if !is || stands != "s" {
			return false
		}
		copied, _ := l.queue.state(l.claims.find(Key{"fake", "s~2"}))
		return strings.Contains(filepath.ToSlash(copied.at.Path), "/b/")
	})
	remove(t, f, "a/s.log")
	c.await("only the copy is left", func() bool { return c.session("s").Gone })
	is("it has not all of it", map[string]string{"s": spoken(5)})
	f.add(t, "b/s.log", says("turn 4"))
	c.await("it has", func() bool { s := c.session("s"); return !s.Gone && strings.Contains(s.Path, "b") })
	is("it stands", map[string]string{"s": spoken(5)})
	f.put(t, "b/s.log", conversation(4)...)
	is("it is cut short", map[string]string{"s": spoken(4)})
	f.put(t, "a/s.log", conversation(4)...)
	f.add(t, "a/s.log", says("only here"))
	is("the one that came back is ahead", map[string]string{"s": spoken(4) + "\n\nonly here"})
	f.add(t, "b/s.log", says("only there"))
	c.await("they part", func() bool { return len(c.texts()) == 2 })
	remove(t, f, "b/s.log")
	c.await("what parted and is gone is kept", func() bool {
		return len(c.texts()) == 2 && (c.session("s").Gone || c.session("s~2").Gone)
	})
}

// What is a copy is known after a new start, and nothing is opened for it.
func TestCopiesAcrossStarts(t *testing.T) {
	for _, age := range []time.Duration{0, 2 * sleepsAfter} {
		d := newDiary(t)
		for name, n := range map[string]int{"a/s.log": 3, "b/s.log": 2, "c/s.log": 3} {
			path := d.f.put(t, name, conversation(n)...)
			old := time.Now().Add(time.Duration(n-10)*time.Second - age)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		d.run(t)
		d.run(t)
		if read := d.run(t); len(read) > 0 || !cmp.Equal(d.corpus.texts(), map[string]string{"s": spoken(3)}) {
			t.Errorf("age %v: read %v, known %q", age, read, d.corpus.texts())
		}
		remove(t, d.f, "a/s.log")
		d.run(t)
		if s := d.corpus.session("s"); s.Gone || !cmp.Equal(d.corpus.texts(), map[string]string{"s": spoken(3)}) {
			t.Errorf("age %v: without the first: %q, gone %t", age, d.corpus.texts(), s.Gone)
		}
		remove(t, d.f, "c/s.log")
		d.run(t)
		if s := d.corpus.session("s"); !s.Gone || !cmp.Equal(d.corpus.texts(), map[string]string{"s": spoken(3)}) {
			t.Errorf("age %v: with the last one: %q, gone %t", age, d.corpus.texts(), s.Gone)
		}
		remove(t, d.f, "b/s.log")
		d.run(t)
		if s := d.corpus.session("s"); !s.Gone || !cmp.Equal(d.corpus.texts(), map[string]string{"s": spoken(3)}) {
			t.Errorf("age %v: without any: %q, gone %t", age, d.corpus.texts(), s.Gone)
		}
		d.f.put(t, "c/s.log", conversation(4)...)
		d.run(t)
		if s := d.corpus.session("s"); s.Gone || !cmp.Equal(d.corpus.texts(), map[string]string{"s": spoken(4)}) {
			t.Errorf("age %v: come back: %q, gone %t", age, d.corpus.texts(), s.Gone)
		}
	}
}

// Whatever becomes of the transcripts of one session, while the program runs or between
// two starts: the longest of each line of talk stands, once, but for copies that lag behind
// what is gone.
func TestAnyCopies(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := newDiary(t)
		files := make(map[string][]string)
		for step := range 12 {
			alter(t, r, d.f, files, step)
			if step%3 == 0 {
				d.run(t)
				standing(t, d.corpus, files, seed, step)
				continue
			}
			d.f.onRead = nil
			l := d.start(t)
			l.o.Watch = true
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- l.Run(ctx, d.corpus.apply) }()
			<-l.Loaded()
			standing(t, d.corpus, files, seed, step)
			for range 3 {
				alter(t, r, d.f, files, step)
				standing(t, d.corpus, files, seed, step)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			d.save(l)
		}
	}
}

// alter does something to one of a few transcripts of one session.
func alter(t *testing.T, r *rand.Rand, f *fake, files map[string][]string, step int) {
	t.Helper()
	name := fmt.Sprintf("%c/s.log", 'a'+r.IntN(4))
	other := fmt.Sprintf("%c/s.log", 'a'+r.IntN(4))
	switch turns := files[name]; {
	case r.IntN(4) == 0:
		delete(files, name)
	case r.IntN(3) == 0 && len(files[other]) > 0:
		files[name] = slices.Clone(files[other][:1+r.IntN(len(files[other]))])
	case r.IntN(6) == 0:
		files[name] = append(slices.Clone(turns), fmt.Sprintf("%s alone %d-%d", name, step, len(turns)))
	default:
		files[name] = append(slices.Clone(turns), fmt.Sprintf("turn %d", len(turns)))
	}
	if files[name] == nil {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return
	}
	var lines []any
	for _, turn := range files[name] {
		lines = append(lines, says(turn))
	}
	if old, err := os.ReadFile(filepath.Join(f.dir, name)); err == nil {
		if now := records(t, lines...); strings.HasPrefix(string(now), string(old)) && len(now) > len(old) {
			f.add(t, name, string(now[len(old):]))
			return
		}
	}
	f.put(t, name, lines...)
}

// standing waits until what is there and not gone are the longest of each line of talk of
// which what is gone does not say more.
func standing(t *testing.T, c *corpus, files map[string][]string, seed uint64, step int) {
	t.Helper()
	want := make(map[string]bool)
	for _, turns := range files {
		want[strings.Join(turns, "\n\n")] = true
	}
	for text := range want {
		for other := range want {
			if strings.HasPrefix(other, text+"\n\n") {
				delete(want, text)
			}
		}
	}
	got, many := map[string]bool{}, 0
	defer func() {
		if t.Failed() {
			t.Errorf("seed %d, step %d: %v stands, want %v", seed, step, got, want)
		}
	}()
	c.await("the longest stand", func() bool {
		got, many = map[string]bool{}, 0
		lag := make(map[string]bool)
		for id, text := range c.texts() {
			if !c.session(id).Gone {
				got[text] = true
				many++
				continue
			}
			for end := strings.LastIndex(text, "\n\n"); end >= 0; end = strings.LastIndex(text[:end], "\n\n") {
				lag[text[:end]] = true
			}
		}
		stands := maps.Clone(want)
		maps.DeleteFunc(stands, func(text string, _ bool) bool { return lag[text] && !got[text] })
		return cmp.Equal(stands, got) && many == len(got)
	})
}

// texts are those of all sessions.
func (c *corpus) texts() map[string]string {
	all := make(map[string]string)
	for _, id := range c.ids() {
		all[id] = c.text(id)
	}
	return all
}

func remove(t *testing.T, f *fake, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
		t.Fatal(err)
	}
}
