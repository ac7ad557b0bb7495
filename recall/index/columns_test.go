package index

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"yore/sessions"
)

// failingFile is a file of which a part cannot be read some times.
type failingFile struct {
	*os.File
	from, to int64
	times    atomic.Int64 // how often yet
}

func (f *failingFile) ReadAt(b []byte, at int64) (int, error) {
	if at < f.to && at+int64(len(b)) > f.from && f.times.Add(-1) >= 0 {
		return 0, syscall.EIO
	}
	return f.File.ReadAt(b, at)
}

// failSection has a section of a segment's file fail as often as is set then.
func failSection(t *testing.T, s *Segment, kind uint32) (times *atomic.Int64) {
	t.Helper()
	file := s.content.file.file.(*os.File)
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, info.Size()), data); err != nil {
		t.Fatal(err)
	}
	at := sectionOf(t, data, kind)
	if at.length == 0 {
		t.Fatalf("section %d is empty", kind)
	}
	failing := &failingFile{File: file, from: at.offset, to: at.offset + at.length}
	s.content.file.file = failing
	return &failing.times
}

// lateColumns are the sections that are left to a file until somebody asks for them.
var lateColumns = map[string]uint32{"at": secAt, "ids": secTurnIDs, "texts": secTextAt, "kinds": secTurnKinds, "times": secTurnAt}

// dated is a session of two passages of a turn each, on the first of which an output hangs.
func dated(id, first, second string, day int) sessions.Update {
	u := one(id, first, second)
	for i := range u.Passages {
		u.Passages[i].Spans[0] = sessions.Span{
			To: len(u.Passages[i].Text), ID: fmt.Sprint(id, i), Kind: sessions.Reply, Role: sessions.Assistant,
			At: time.Date(2026, 1, day, i, 0, 0, 0, time.UTC),
		}
	}
	u.Hung = []sessions.Hung{{Turn: sessions.Turn{ID: id + "t", Kind: sessions.ToolOutput, Text: "printed by " + id, At: time.Date(2026, 1, day, 2, 0, 0, 0, time.UTC)}}}
	return u
}

// checkFound compares all that a snapshot has with the corpus. What it has not, the next
// start must know to lack.
func (c corpus) checkFound(t *testing.T, x *Index) {
	t.Helper()
	snap := x.Snapshot()
	for key, want := range c {
		ord, _ := snap.Find(key)
		_, whole := wholeIn(x, key)
		for _, p := range want.passages {
			ref, ok := snap.At(ord, uint32(p.Number))
			if !ok {
				if whole {
					t.Errorf("passage %d of %s is not there, and nobody reads it again", p.Number, key.ID)
				}
				continue
			}
			if diff := cmp.Diff(p, ref.Seg.Passage(ref.Doc), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("passage %d of %s: %s", p.Number, key.ID, diff)
			}
			span := p.Spans[0]
			if ids := ref.Seg.TurnIDs(ref.Doc); len(ids) != 1 || ids[0] != idKey(span.ID) {
				t.Errorf("passage %d of %s has ids %x", p.Number, key.ID, ids)
			}
			if turns, ok := ref.Seg.Turns(ref.Doc, nil); !ok || turns[0].Kind != span.Kind || turns[0].Role != span.Role || !turns[0].At.Equal(span.At) {
				t.Errorf("passage %d of %s has turns %v, %v", p.Number, key.ID, turns, ok)
			}
			if at := ref.Seg.Doc(ref.Doc).At; at != span.At.Unix() {
				t.Errorf("passage %d of %s is of %d", p.Number, key.ID, at)
			}
		}
		if hung := snap.HungAt(ord, 0); len(hung) == 1 {
			if got := hung[0].Seg.Hung(hung[0].Doc); got.Text != want.hung[0].Text || got.Undone != want.hung[0].Undone {
				t.Errorf("what hangs on %s is %q, undone %v", key.ID, got.Text, got.Undone)
			}
		} else if whole {
			t.Errorf("%d hang on %s, and nobody reads it again", len(hung), key.ID)
		}
	}
}

// checkTexts tells of texts that are others than those of their places.
func (c corpus) checkTexts(t *testing.T, snap *Snapshot) {
	t.Helper()
	for _, segs := range snap.segs {
		for _, seg := range segs {
			for doc := range uint32(seg.Len()) {
				row := seg.Doc(doc)
				want := c[snap.Session(row.Session).Key]
				p, h := seg.Passage(doc).Text, seg.Hung(doc).Text
				if p != "" && p != want.passages[row.Number].Text || h != "" && h != want.hung[0].Text {
					t.Errorf("%s has %q, %q", want.ID, p, h)
				}
			}
		}
	}
}

// A column that cannot be read, whether once or from then on, costs no session the text of
// another one, an undo, an id or a time: neither in what is answered, nor in what is kept and
// written. Nor is that forgotten where the vectors of its segment were made anew before.
func TestColumnsThatCannotBeRead(t *testing.T) {
	for name, kind := range lateColumns {
		for _, scope := range []Scope{Talk, Tools} {
			for _, times := range []int64{1, 1 << 40} {
				for _, remade := range []bool{false, true} {
					for _, first := range []string{"asked", "undone", "moved"} {
						t.Run(fmt.Sprintf("%s of %d, %d times, remade %v, %s", name, scope, times, remade, first), func(t *testing.T) {
							columnThatFails(t, kind, scope, times, remade, first)
						})
					}
				}
			}
		}
	}
}

func columnThatFails(t *testing.T, kind uint32, scope Scope, times int64, remade bool, first string) {
	dir, c := t.TempDir(), corpus{}
	us := []sessions.Update{
		dated("a", "why the cache is sharded", "caches again", 1),
		dated("b", "lunch", "dinner", 2),
		dated("c", "the weather", "rain", 3),
	}
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply(us)
	for _, u := range us {
		c.apply(u)
	}
	publish(t, s, "1")
	x.Close()
	s.Close()

	o := hashedOptions
	if remade {
		o.Model = func() *Model { return &Model{Hash: 8, Dim: testDim, Embed: testEmbed} }
		o.Known = func(uint64) *Model { return hashedOptions.Model() }
	}
	x = New(o)
	x.jobMu.Lock() // nothing is made anew before it can fail
	s, _, err := OpenStore(dir, x)
	if err != nil {
		t.Fatal(err)
	}
	failing := failSection(t, x.Snapshot().segs[scope][0], kind)
	x.jobMu.Unlock()
	if remade {
		x.Compact() // which makes vectors
		publish(t, s, "2")
	}
	failing.Store(times)
	change := func(u sessions.Update) {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	switch first {
	case "undone":
		change(sessions.Update{Session: us[1].Session, From: 2, Undone: []string{"b1", "bt"}})
	case "moved":
		moved := us[1].Session
		moved.Subagent = true
		change(sessions.Update{Session: moved, From: 2})
	}
	snap := x.Snapshot()
	for _, segs := range snap.segs {
		for _, seg := range segs {
			askEverything(seg)
		}
	}
	c.checkTexts(t, snap)
	x.Heal()
	x.Compact()
	c.checkTexts(t, x.Snapshot())
	publish(t, s, "3")
	c.checkTexts(t, x.Snapshot())
	x.Close()
	s.Close()

	x, s, _ = keptIn(t, dir, o)
	defer s.Close()
	defer x.Close()
	c.checkFound(t, x)
	if times == 1 {
		c.check(t, x.Snapshot())
	}
}

// openBytes is a file that somebody changes while it is open.
type openBytes struct{ *bytes.Reader }

func (f openBytes) Stat() (os.FileInfo, error) { return bytesInfo{size: f.Size()}, nil }

type bytesInfo struct {
	os.FileInfo
	size int64
}

func (i bytesInfo) Size() int64 { return i.size }

// Whichever byte of a segment's file differs, no session has the text of another one: neither
// where what is left to the file is read the first time then, nor in what is merged or kept of
// it, also where its vectors were made anew.
func TestDamageWhileColumnsAreLeft(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	c := corpus{}
	for _, u := range []sessions.Update{dated("a", "why the cache", "again", 1), dated("b", "lunch", "dinner", 2)} {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	x.Compact()
	written := x.Snapshot().Segments(Talk)[0]
	path := filepath.Join(t.TempDir(), "a")
	if _, err := writeSegment(path, written.content, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		r, err := readSections(openBytes{bytes.NewReader(data)}, int64(len(data)), segmentMagic, segmentVersion)
		if err != nil {
			t.Fatal(err)
		}
		read, err := r.segment()
		if err != nil {
			t.Fatal(err)
		}
		read.vectors = written.vectors
		seg := newSegment(read, newRecordCache())
		snap := *x.Snapshot()
		snap.segs = [scopes][]*Segment{Talk: {seg}}
		data[n] ^= 0x10
		c.checkTexts(t, &snap)
		merged := newMerger([]*Segment{seg}, never).merge()
		if (merged == nil) != (seg.Err() != nil) {
			t.Fatalf("byte %d differs: %v, and merged %v", n, seg.Err(), merged != nil)
		}
		if merged != nil {
			snap.segs[Talk] = []*Segment{newSegment(merged, newRecordCache())}
			c.checkTexts(t, &snap)
		}
		if seg.Err() != nil {
			if kept := seg.salvaged(); kept != nil {
				snap.segs[Talk] = []*Segment{kept}
				c.checkTexts(t, &snap)
			}
		}
		data[n] ^= 0x10
		if t.Failed() {
			t.Fatalf("byte %d differs", n)
		}
	}
}
