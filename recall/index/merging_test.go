package index

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
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
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	var b strings.Builder
	for b.Len() < bytes {
		b.WriteRune('\u2500' + r.Int32N(256)) // lines and blocks
	}
	return b.String()
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
