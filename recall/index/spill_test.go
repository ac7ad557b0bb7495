package index

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// What is merged through a spill is written as the very file that is written of what is
// merged in memory.
func TestSpilledMergeIsTheSame(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		x := New(testOptions)
		defer x.Close()
		c := corpus{}
		for range rapid.IntRange(1, fanIn-1).Draw(t, "updates") {
			u := updateGen(t, c, 4)
			c.apply(u)
			x.Apply([]sessions.Update{u})
		}
		for scope, group := range x.Snapshot().segs {
			if len(group) == 0 {
				continue
			}
			held := newMerger(group, never).merge()
			m := newMerger(group, never)
			m.spill = spillIn(t, dir)
			spilled := m.merge()
			if len(spilled.texts.packed) > 0 || len(spilled.sequence.held) > 0 {
				t.Fatalf("scope %d: it is in memory", scope)
			}
			if a, b := fileOf(t, dir, held), fileOf(t, dir, spilled); !bytes.Equal(a, b) {
				t.Fatalf("scope %d: another file", scope)
			}
		}
	})
}

func spillIn(t rapid.TB, dir string) *spill {
	t.Helper()
	s, err := newSpill(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fileOf are the bytes of a segment's file.
func fileOf(t rapid.TB, dir string, c *content) []byte {
	t.Helper()
	path := filepath.Join(dir, "a.seg")
	if _, err := writeSegment(path, c, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// noise is text that cannot be packed to less than half.
func noise(seed, bytes int) string {
	var b strings.Builder
	for n := 0; b.Len() < bytes; n++ {
		fmt.Fprintf(&b, "%x\n", sha256.Sum256(fmt.Appendf(nil, "%d %d", seed, n)))
	}
	return b.String()
}

// printed is a session whose tools wrote that much.
func printed(id string, seed, bytes int) sessions.Update {
	u := one(id, "asked for "+id)
	u.Hung = []sessions.Hung{{Turn: sessions.Turn{ID: "out" + id, Text: noise(seed, bytes)}}}
	return u
}

// A merge that is larger than what is held in memory can be read before and after it is
// written, leaves no other file, and is made in memory where the disk takes none.
func TestLargeMergeGoesThroughAFile(t *testing.T) {
	for name, hinder := range map[string]func(t *testing.T, x *Index){
		"disk": func(*testing.T, *Index) {},
		"none": func(_ *testing.T, x *Index) {
			away := filepath.Join(*x.dir.Load(), "away")
			x.dir.Store(&away)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, c := t.TempDir(), corpus{}
			x, s, _ := keptIn(t, dir, testOptions)
			hinder(t, x)
			for i, id := range []string{"a", "b", "c"} {
				u := printed(id, i, spillFrom)
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
			for _, seg := range x.Snapshot().Segments(Tools) {
				if (len(seg.texts.packed) == 0) != (name == "disk") {
					t.Errorf("%d bytes of a fresh segment are in memory", len(seg.texts.packed))
				}
			}
			c.check(t, x.Snapshot())
			x.Compact()
			segs := x.Snapshot().Segments(Tools)
			if len(segs) != 1 || (len(segs[0].texts.packed) == 0) != (name == "disk") {
				t.Fatalf("%d segments, %d bytes in memory", len(segs), len(segs[0].texts.packed))
			}
			c.check(t, x.Snapshot())
			publish(t, s, "state")
			c.check(t, x.Snapshot())
			x.Close()
			s.Close()
			if left, _ := filepath.Glob(filepath.Join(dir, tempPattern)); len(left) > 0 {
				t.Errorf("left are %q", left)
			}
			y, again, _ := keptIn(t, dir, testOptions)
			defer y.Close()
			defer again.Close()
			c.check(t, y.Snapshot())
		})
	}
}

// A spill that the disk does not take is noticed.
func TestFailedSpill(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	x.Apply([]sessions.Update{printed("a", 1, chunkBytes*8)})
	m := newMerger(x.Snapshot().Segments(Tools), never)
	m.spill = spillIn(t, t.TempDir())
	if err := m.spill.file.file.(*os.File).Close(); err != nil {
		t.Fatal(err)
	}
	if m.merge() != nil {
		t.Error("what was not written passes for merged")
	}
}

// A turn that is larger than what else comes together is indexed in parts, of which each
// is finished before the next begins.
func TestAHugeUpdateIsMadeInParts(t *testing.T) {
	x, s, _ := keptIn(t, t.TempDir(), hashedOptions)
	defer x.Close()
	defer s.Close()
	u := one("a", strings.Repeat("some of many words ", 1000))
	for len(u.Passages)*len(u.Passages[0].Text) < 3*builderBytes {
		p := u.Passages[0]
		p.Number = len(u.Passages)
		u.Passages = append(u.Passages, p)
	}
	c := x.change(x.Snapshot(), &u)
	parts := x.build([]change{c})[Talk]
	docs := 0
	for _, part := range parts {
		docs += part.table.len()
		if part.texts.size > builderBytes+2*blockBytes || part.texts.file == nil && len(part.texts.packed) >= freshFrom {
			t.Errorf("a part of %d bytes, on disk: %t", part.texts.size, part.texts.file != nil)
		}
	}
	if len(parts) < 3 || docs != len(u.Passages) {
		t.Errorf("%d parts of %d passages, want %d", len(parts), docs, len(u.Passages))
	}
}

// A block of text that the disk gives back otherwise than it took it costs what stands in
// it, not the rest of its segment, also once that is written.
func TestADamagedSpillCostsItsBlockAlone(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, Options{})
	x.closed.Store(true) // it is written as it is
	const passages = 200
	var texts []string
	for n := range passages {
		texts = append(texts, fmt.Sprintf("passage %d %s", n, noise(n, 1000)))
	}
	u := one("a", texts...)
	u.Gone = true
	x.Apply([]sessions.Update{u})
	spilled := &x.Snapshot().Segments(Talk)[0].texts
	f, ok := spilled.file.file.(*os.File)
	if !ok {
		t.Fatal("it is in memory")
	}
	at := spilled.base + int64(spilled.ends[3]) + 1
	was := make([]byte, 1)
	if _, err := f.ReadAt(was, at); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{was[0] ^ 1}, at); err != nil {
		t.Fatal(err)
	}
	publish(t, s, "state")
	lost := int(spilled.docs[5] - spilled.docs[4])
	x.Close()
	s.Close()
	for range 2 {
		x, s, _ = keptIn(t, dir, Options{})
		x.Compact()
		askEverything(x.Snapshot().Segments(Talk)[0])
		x.Heal()
		x.Compact()
		if read, _ := readable(t, x); len(read) != passages-lost {
			t.Errorf("%d passages are read of %d, want %d less", len(read), passages, lost)
		}
		publish(t, s, "state")
		x.Close()
		s.Close()
	}
}

// What a purge removed stays in no spill: neither in the one that later texts go to, nor
// in one that kept its name, as an open file does on some systems.
func TestPurgeLeavesNoSpill(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	x.Apply([]sessions.Update{one("a", noise(1, 4*freshFrom)), one("b", "another")})
	x.work.Wait()
	if x.fresh.file == nil {
		t.Fatal("nothing was spilled")
	}
	gone := one("a")
	gone.Removed = true
	x.Apply([]sessions.Update{gone})
	clean := Clean{Hash: 5, Names: []uint64{5}}
	if done, err := s.Purge(t.Context(), clean, func(take func([]sessions.Saved)) { take(nil) }); !done || err != nil {
		t.Fatalf("purged: %v, %v", done, err)
	}
	if x.fresh.file != nil {
		t.Error("the spill goes on")
	}
	if got := s.CleanNow(); got != clean.Hash {
		t.Errorf("purged of %d", got)
	}
	spilled := filepath.Join(dir, strings.TrimSuffix(tempPattern, "*")+"1")
	if err := os.WriteFile(spilled, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.CleanNow(); got != 0 {
		t.Errorf("purged of %d beside a spill", got)
	}
}

// Of many short texts the vectors are what a merge would hold in memory: they count too, where
// there are so many that they are left to a file.
func TestManyVectorsAreSpilled(t *testing.T) {
	group := func(segments, docs, dim, packed int) (group []*Segment) {
		for range segments {
			group = append(group, &Segment{content: &content{vectors: vectors{dim: dim}, texts: texts{ends: []uint32{uint32(packed)}}}, live: docs})
		}
		return group
	}
	for name, c := range map[string]struct {
		group []*Segment
		want  bool
	}{
		"little":                  {group(2, 100, 256, 1000), false},
		"few with much text":      {group(2, 100, 256, spillFrom/2), true},
		"many with little text":   {group(2, heldVectors, spillFrom/heldVectors/2, 0), true},
		"those that stay held":    {group(1, heldVectors, spillFrom, 0), false},
		"many without vectors":    {group(8, heldVectors, 0, 1000), false},
		"many that are small":     {group(2*fanIn, 100, 256, spillFrom/fanIn), true},
		"together, neither alone": {group(2, heldVectors, spillFrom/heldVectors/4, spillFrom/4), true},
	} {
		for _, seg := range c.group {
			seg.texts.size = int64(seg.texts.packedBytes())
		}
		if spills(dueBriefly(c.group)) {
			t.Errorf("%s: merged by who has no time", name)
		}
		if got := spills(c.group); got != c.want {
			t.Errorf("%s: spilled %t", name, got)
		}
	}
}
