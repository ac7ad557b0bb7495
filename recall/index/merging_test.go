package index

import (
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"yore/sessions"
)

// gate is a file that is read from once it is open, and tells when somebody wants to.
type gate struct {
	io.ReaderAt
	first   *sync.Once
	reached chan struct{}
	open    chan struct{}
}

func (g gate) ReadAt(b []byte, at int64) (int, error) {
	g.first.Do(func() { close(g.reached) })
	<-g.open
	return g.ReaderAt.ReadAt(b, at)
}

// wordless is text that cannot be packed and in which no word stands.
func wordless(seed, bytes int) string {
	const signs = "!\"$%&()*,/;<=>?[]^{|}~"
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	b := make([]byte, bytes)
	for i := range b {
		b[i] = signs[r.IntN(len(signs))]
	}
	return string(b)
}

// While a large merge runs, what comes is published, and what is removed, replaced and
// undone of what it merges is so in what it makes.
func TestPublishedDuringALargeMerge(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	c := corpus{}
	apply := func(u sessions.Update) {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	for n, id := range []string{"a", "b", "c"} {
		apply(one(id, "first of "+id, wordless(n, spillFrom/2), "last of "+id))
		publish(t, s, "") // so that each stays a segment
	}
	g := gate{first: new(sync.Once), reached: make(chan struct{}), open: make(chan struct{})}
	group := x.Snapshot().Segments(Talk)
	if len(group) != 3 || packedBytes(group) < spillFrom {
		t.Fatalf("%d segments of %d bytes", len(group), packedBytes(group))
	}
	for _, seg := range group {
		g.ReaderAt = seg.file.file
		seg.file.file = g
	}
	merged, published := make(chan struct{}), make(chan error, 1)
	go func() { defer close(merged); x.Compact() }()
	<-g.reached
	added := one("a", "another of a")
	added.From, added.Passages[0].Number = 2, 2
	undone := one("c")
	undone.From, undone.Undone = 3, []string{"mc"}
	removed := one("b")
	removed.Removed = true
	go func() {
		for _, u := range []sessions.Update{added, undone, removed, one("d", "of another session")} {
			apply(u)
		}
		published <- s.Publish(func(take func([]sessions.Saved)) { take([]sessions.Saved{{Number: 7, State: []byte("meanwhile")}}) })
	}()
	select {
	case err := <-published:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("nothing is published until all is merged")
	}
	close(g.open)
	<-merged
	c.check(t, x.Snapshot())
	if segs := x.Snapshot().Segments(Talk); len(segs) != 1 {
		t.Errorf("%d segments", len(segs))
	}
	publish(t, s, "after")
	x.Close()
	s.Close()
	x, s, _ = keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	c.check(t, x.Snapshot())
}

// doors are where a model that makes vectors stops before each.
type doors struct{ reached, open chan struct{} }

// remaking is an index kept in a directory, of which the vectors of one segment are just
// made by another model.
func remaking(t *testing.T, dir string, c corpus) (x *Index, s *Store, d doors, done chan struct{}) {
	d, done = doors{make(chan struct{}, 1), make(chan struct{}, 1)}, make(chan struct{})
	model := &Model{Hash: 7, Dim: testDim, Embed: testEmbed}
	x, s, _ = keptIn(t, dir, Options{Model: func() *Model { return model }, Parts: true})
	x.closed.Store(true) // nothing begins by itself
	for _, u := range []sessions.Update{one("a", "first of a", "last of a"), one("b", "first of b", "last of b")} {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	publish(t, s, "before")
	if segs := x.Snapshot().Segments(Talk); len(segs) != 1 {
		t.Fatalf("%d segments", len(segs))
	}
	model = &Model{Hash: 8, Dim: testDim, Embed: func(text string, dst []int8) bool {
		d.reached <- struct{}{}
		<-d.open
		return testEmbed(text, dst)
	}}
	x.closed.Store(false)
	go func() {
		defer close(done)
		x.Settle(t.Context())
	}()
	<-d.reached
	return x, s, d, done
}

// happens fails when something does not happen.
func happens(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it is waited for: " + what)
	}
}

// While vectors are made anew, what comes is published, and the vectors come to what the
// segment has become meanwhile: a file of which some is dead.
func TestPublishedWhileVectorsAreMade(t *testing.T) {
	dir, c := t.TempDir(), corpus{}
	x, s, d, done := remaking(t, dir, c)
	published := make(chan struct{})
	x.closed.Store(true)
	go func() {
		defer close(published)
		for _, u := range []sessions.Update{removed("b"), one("d")} {
			c.apply(u)
			x.Apply([]sessions.Update{u})
		}
		if err := s.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
			t.Error(err)
		}
	}()
	happens(t, "publishing", published)
	x.closed.Store(false)
	go func() {
		for range d.reached {
		}
	}()
	close(d.open)
	happens(t, "the vectors", done)
	close(d.reached)
	c.check(t, x.Snapshot())
	if !x.Remade() {
		t.Error("they are not made")
	}
	publish(t, s, "after")
	x.Close()
	s.Close()
	x, s, _ = keptIn(t, dir, Options{Model: func() *Model { return &Model{Hash: 8, Dim: testDim, Embed: testEmbed} }, Parts: true})
	defer s.Close()
	defer x.Close()
	c.check(t, x.Snapshot())
	if !x.Remade() {
		t.Error("they are not kept")
	}
}

// purging begins to purge, and returns once others are asked to make room for that.
func purging(t *testing.T, x *Index, s *Store) (purged <-chan struct{}) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if done, err := s.Purge(t.Context(), Clean{Hash: 5}, func(take func([]sessions.Saved)) { take(nil) }); !done || err != nil {
			t.Errorf("purged: %v, %v", done, err)
		}
	}()
	for x.urgent.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	return done
}

// What is forgotten is removed from the directory without waiting for the vectors of a
// segment. Who waits for these waits until they are made all the same.
func TestPurgedWhileVectorsAreMade(t *testing.T) {
	dir, c := t.TempDir(), corpus{}
	x, s, d, done := remaking(t, dir, c)
	defer s.Close()
	u := removed("b")
	c.apply(u)
	x.Apply([]sessions.Update{u})
	purged := purging(t, x, s)
	d.open <- struct{}{} // of the first text alone
	happens(t, "the purge", purged)
	select {
	case <-done:
		t.Error("what was given up is not waited for")
	default:
	}
	go func() {
		for range d.reached {
		}
	}()
	close(d.open)
	happens(t, "the vectors", done)
	if !x.Remade() {
		t.Error("they are not made")
	}
	x.Close()
	close(d.reached)
	c.check(t, x.Snapshot())
}

// What one question's process cannot finish it does not begin: it would be lost each time.
func TestBriefMakesNoLargeSegmentAnew(t *testing.T) {
	for _, c := range []struct {
		brief, remade bool
		docs          int
	}{{false, true, 1500}, {true, false, 1500}, {true, true, 10}} {
		model := &Model{Hash: 7, Dim: testDim, Embed: testEmbed}
		x := New(Options{Brief: c.brief, Model: func() *Model { return model }})
		passages := make([]string, c.docs)
		for k := range passages {
			passages[k] = fmt.Sprintf("passage %d", k)
		}
		x.Apply([]sessions.Update{one("a", passages...)})
		settle(x)
		model = &Model{Hash: 8, Dim: testDim, Embed: testEmbed}
		x.Remake()
		settle(x)
		if x.Remade() != c.remade {
			t.Errorf("%+v: remade %v", c, x.Remade())
		}
		x.Close()
	}
}

// The words of a large segment are cut a part after the other, each of bounded text.
func TestWordsOfToolsAreReadInParts(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	u := one("a", "asked")
	for n := range 6 {
		u.Hung = append(u.Hung, sessions.Hung{Turn: sessions.Turn{Text: fmt.Sprintf("output %d ", n) + wordless(n, builderBytes/2)}})
	}
	x.Apply([]sessions.Update{u})
	x.Compact()
	if segs := x.Snapshot().Segments(Tools); len(segs) != 1 {
		t.Fatalf("%d segments", len(segs))
	}
	x.tools.Store(true)
	x.do(x.next)
	if n := x.Snapshot().Unread(Tools); n == 0 || n == 6 {
		t.Errorf("%d are left after the first part", n)
	}
	for x.do(x.next) {
	}
	if n := x.Snapshot().Unread(Tools); n != 0 {
		t.Errorf("%d are never read", n)
	}
}

// What cannot be of any text costs a merge, not the process, also where no file is at fault.
func TestMadeUpSequenceInMemory(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	x.closed.Store(true)
	x.Apply([]sessions.Update{one("a", "pump"), one("b", "valve")})
	x.Apply([]sessions.Update{removed("a")})
	seg := x.Snapshot().Segments(Talk)[0]
	term, ok := seg.Lookup("pump")
	if !ok || seg.live != 1 {
		t.Fatal("the word is not there")
	}
	for i := range seg.sequence.held {
		seg.sequence.held[i] = term
	}
	x.closed.Store(false)
	x.Compact()
	if !holds(x, sessions.Key{Harness: "claude", ID: "b"}) {
		t.Error("the text is gone")
	}
}
