package index

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"yore/recall/words"
	"yore/sessions"
)

// manyLarge is an index in a directory with as many segments as are merged, each too large to
// be merged within a moment. Nothing begins by itself.
func manyLarge(t *testing.T, c corpus) (x *Index, s *Store) {
	x, s, _ = keptIn(t, t.TempDir(), hashedOptions)
	x.closed.Store(true)
	for n := range fanIn + 1 {
		u := one(string(rune('a'+n)), "first", wordless(n, 9<<17), "last")
		c.apply(u)
		x.Apply([]sessions.Update{u})
		publish(t, s, "") // so that each stays a segment
	}
	x.closed.Store(false)
	group := x.Snapshot().Segments(Talk)
	if len(group) != fanIn+1 || !spills(group) || slices.ContainsFunc(group, (*Segment).small) {
		t.Fatalf("%d segments of %d bytes", len(group), packedBytes(group))
	}
	return x, s
}

// gated has the files of segments read from once that is open.
func gated(segs []*Segment) gate {
	g := gate{first: new(sync.Once), reached: make(chan struct{}), open: make(chan struct{})}
	for _, seg := range segs {
		g.ReaderAt = seg.file.file
		seg.file.file = g
	}
	return g
}

// What is forgotten is removed from the directory without waiting for a large merge, whether
// what it merges holds it or not.
func TestPurgedDuringALargeMerge(t *testing.T) {
	for _, id := range []string{"a", "z"} {
		c := corpus{}
		x, s := manyLarge(t, c)
		x.closed.Store(true)
		g := gated(x.Snapshot().Segments(Talk))
		apply := func(u sessions.Update) {
			c.apply(u)
			x.Apply([]sessions.Update{u})
		}
		apply(one("z", "another"))
		publish(t, s, "")
		x.closed.Store(false)
		merged := make(chan struct{})
		go func() { defer close(merged); x.do(x.next) }()
		<-g.reached
		apply(removed(id))
		x.merging = true // nothing is done in the background
		purged := purging(t, x, s)
		close(g.open)
		happens(t, "the merge that is given up", merged)
		happens(t, "the purge", purged)
		if n := len(x.Snapshot().Segments(Talk)); n < fanIn {
			t.Errorf("%d segments: it was not given up", n)
		}
		x.merging = false
		settle(x)
		if n := len(x.Snapshot().Segments(Talk)); n > 2 {
			t.Errorf("%d segments: it was not begun again", n)
		}
		c.check(t, x.Snapshot())
		x.Close()
		s.Close()
	}
}

// Vectors that somebody who may not wait puts off are not begun without end meanwhile,
// and made once that is done.
func TestVectorsArePutOff(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	x.closed.Store(true)
	x.Apply([]sessions.Update{one("a", "the pump is broken")})
	x.exchange(func() *content {
		c := *x.Snapshot().Segments(Talk)[0].content
		c.vectors = vectors{}
		return &c
	}())
	x.closed.Store(false)
	x.urgent.Add(1)
	if j, ok := x.next(); ok {
		t.Errorf("offered: %+v", j)
	}
	x.relax()
	x.work.Wait()
	if !x.Remade() {
		t.Error("they were never made")
	}
}

// What takes long is not begun while somebody may not wait: not even the words of what could be
// read of a file.
func TestWhatTakesLongIsPutOff(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*content)
		bytes  int
		begun  bool
	}{
		"all anew":          {func(c *content) { c.bare = true }, 2 << 20, false},
		"all anew, small":   {func(c *content) { c.bare = true }, 1 << 10, true},
		"words anew":        {func(c *content) { c.cut = words.Revision - 1 }, 2 << 20, false},
		"words anew, small": {func(c *content) { c.cut = words.Revision - 1 }, 1 << 10, true},
	} {
		t.Run(name, func(t *testing.T) {
			x := New(testOptions)
			defer x.Close()
			x.merging = true // nothing is done in the background
			x.Apply([]sessions.Update{one("a", wordless(1, c.bytes))})
			changed := *x.Snapshot().Segments(Talk)[0].content
			c.change(&changed)
			x.exchange(&changed)
			if _, ok := x.next(); !ok {
				t.Error("nobody hurries, and it is not begun")
			}
			x.urgent.Add(1)
			if j, ok := x.next(); ok != c.begun {
				t.Errorf("offered: %v, %+v", ok, j)
			}
		})
	}
}

// countedReads counts how often a file is read.
type countedReads struct {
	io.ReaderAt
	n *atomic.Int32
}

func (f countedReads) ReadAt(b []byte, at int64) (int, error) {
	f.n.Add(1)
	return f.ReaderAt.ReadAt(b, at)
}

// A large merge that is stopped is not tried again in memory.
func TestStoppedMergeReadsNoMore(t *testing.T) {
	x, s := manyLarge(t, corpus{})
	defer s.Close()
	defer x.Close()
	var reads atomic.Int32
	group := x.Snapshot().Segments(Talk)
	for _, seg := range group {
		seg.file.file = countedReads{seg.file.file, &reads}
	}
	asked, stopped := 0, int32(-1)
	out, _ := x.merged(group, func() bool {
		if asked++; asked < 4 {
			return false
		}
		if stopped < 0 {
			stopped = reads.Load()
		}
		return true
	})
	if n := reads.Load(); out != nil || stopped < 0 || n != stopped {
		t.Errorf("made %v, after it was stopped %d reads beside %d", out != nil, n-stopped, stopped)
	}
}

// Each part of a merge leaves off where it is to be stopped.
func TestEachPartOfAMergeStops(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	x.merging = true // nothing is done in the background
	for n := range 3 {
		x.Apply([]sessions.Update{one(fmt.Sprint(n), "the pump is broken", "and the valve")})
	}
	for name, part := range map[string]func(*merger) bool{
		"terms": (*merger).mergeTerms, "texts": (*merger).mergeTexts, "rows": (*merger).mergeRows,
		"vectors": (*merger).mergeVectors, "sequences": (*merger).mergeSequences,
	} {
		stop := false
		m := newMerger(x.Snapshot().Segments(Talk), func() bool { return stop })
		m.out = new(content)
		m.mergeTerms()
		if !part(m) {
			t.Errorf("%s: ended with nobody asking for it", name)
		}
		stop = true
		if part(m) {
			t.Errorf("%s: went on", name)
		}
	}
}

// broken is a file that cannot be read.
type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// Of segments of which one cannot be read, the others are merged by who waits for that.
func TestSettleGoesOnWithoutWhatCannotBeRead(t *testing.T) {
	x, s, _ := keptIn(t, t.TempDir(), hashedOptions)
	defer s.Close()
	defer x.Close()
	x.merging = true // nothing is done in the background
	for n := range fanIn + 1 {
		x.Apply([]sessions.Update{one(fmt.Sprint(n), "the pump is broken")})
		publish(t, s, "")
	}
	x.Snapshot().Segments(Talk)[fanIn].file.file = broken{}
	x.Settle(t.Context())
	if segs := x.Snapshot().Segments(Talk); len(segs) != 1 || segs[0].Live() != fanIn {
		t.Errorf("%d segments, the first of %d", len(segs), segs[0].Live())
	}
}
