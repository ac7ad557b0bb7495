package index

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// throughFiles is an index like x whose segments were written and read back.
func throughFiles(t rapid.TB, dir string, x *Index) *Index {
	y := New(x.opts)
	next := *x.Snapshot()
	y.names.ords, next.names = x.names.ords, &y.names
	for scope, segs := range next.segs {
		next.segs[scope] = nil
		for _, s := range segs {
			path := filepath.Join(dir, "a.seg")
			if _, err := writeSegment(path, s.content, nil); err != nil {
				t.Fatal(err)
			}
			c, _, err := openSegment(path)
			if err != nil {
				t.Fatal(err)
			}
			if s.vectors.dim > 0 {
				if _, err := writeVectors(path, &s.vectors); err != nil {
					t.Fatal(err)
				}
				if c.vectors, _, err = openVectors(path, x.known, s.Len()); err != nil {
					t.Fatal(err)
				}
				if _, _, err := openVectors(path, func(uint64) *Model { return nil }, s.Len()); err == nil {
					t.Fatal("vectors of another table were taken")
				}
			}
			c.id = s.id
			read := *s
			read.content, read.cache = c, newRecordCache()
			next.segs[scope] = append(next.segs[scope], &read)
		}
	}
	y.now.Store(&next)
	return y
}

// A segment that is read back from its file answers like the one that was
// written.
func TestSegmentFilesEqualPlainCorpus(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		x := New(testOptions)
		defer x.Close()
		c := corpus{}
		for range rapid.IntRange(1, 12).Draw(t, "updates") {
			u := updateGen(t, c, 4)
			c.apply(u)
			x.Apply([]sessions.Update{u})
		}
		if rapid.Bool().Draw(t, "tools") {
			x.IndexTools()
		}
		if rapid.Bool().Draw(t, "compact") {
			x.Compact()
		}
		y := throughFiles(t, dir, x)
		defer y.Close()
		c.check(t, y.Snapshot())
	})
}

// sampleFiles are the bytes of a segment's file and of its vectors'.
func sampleFiles(t testing.TB) (segment, vectors []byte) {
	x := New(testOptions)
	defer x.Close()
	u := one("a", "why the cache is sharded", "caches again", "the cache")
	u.Hung = []sessions.Hung{{Turn: sessions.Turn{Text: "out"}}}
	x.Apply([]sessions.Update{u})
	s := x.Snapshot().Segments(Talk)[0]
	path := filepath.Join(t.TempDir(), "a")
	if _, err := writeSegment(path, s.content, nil); err != nil {
		t.Fatal(err)
	}
	segment, _ = os.ReadFile(path)
	if _, err := writeVectors(path, &s.vectors); err != nil {
		t.Fatal(err)
	}
	vectors, _ = os.ReadFile(path)
	return segment, vectors
}

func readBytes(data []byte) (*content, error) {
	r, err := readSections(bytes.NewReader(data), int64(len(data)), segmentMagic, segmentVersion)
	if err != nil {
		return nil, err
	}
	return r.segment()
}

// A file that is cut short or in which any byte differs is refused, or is found out
// when what differs is read.
func TestDamagedSegmentFile(t *testing.T) {
	whole, _ := sampleFiles(t)
	if _, err := readBytes(whole); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := readBytes(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a segment", n, len(whole))
		}
		damaged := bytes.Clone(whole)
		damaged[n] ^= 0x10
		c, err := readBytes(damaged)
		if err != nil {
			continue
		}
		askEverything(newSegment(c, newRecordCache()))
		if c.err() == nil {
			t.Fatalf("byte %d differs and is not noticed", n)
		}
	}
}

// A file of another format says so.
func TestSegmentFileOfAnotherFormat(t *testing.T) {
	whole, _ := sampleFiles(t)
	if _, err := readSections(bytes.NewReader(whole), int64(len(whole)), segmentMagic, segmentVersion+1); err == nil {
		t.Error("it was read")
	}
	if _, err := readSections(bytes.NewReader(whole), int64(len(whole)), vectorsMagic, segmentVersion); err == nil {
		t.Error("a segment was taken for vectors")
	}
}

// sealed gives a file's bytes the sums that they should have, so that a fuzzer
// gets past them to what they protect.
func sealed(data []byte, magic string) []byte {
	w := &fileWriter{}
	size := int64(len(data))
	if size < headBytes+footBytes {
		return data
	}
	var out bytes.Buffer
	w.w = bufio.NewWriter(&out)
	head := append([]byte(magic), segmentVersion, 0, 0, 0)
	w.write(head)
	body := data[headBytes : len(data)-footBytes]
	// The body's own first bytes say how long each section is.
	for kind := secShape; kind <= secTurnWords; kind++ {
		n := 0
		if len(body) >= 2 {
			n = min(int(body[0])|int(body[1])<<8, len(body)-2)
			body = body[2:]
		}
		part := body[:n]
		body = body[n:]
		if kind == secPostingDocs || kind == secPostingTfs || kind == secSequence || kind == secWhole || kind == secParts {
			w.paged(kind, &run[uint8]{held: part})
		} else {
			w.numbers(kind, &part)
		}
	}
	w.end(head)
	_ = w.w.Flush()
	return out.Bytes()
}

// unsealed is what sealed makes the file of.
func unsealed(file []byte, magic string) []byte {
	r, err := readSections(bytes.NewReader(file), int64(len(file)), magic, segmentVersion)
	if err != nil {
		return file
	}
	out := make([]byte, headBytes)
	for kind := secShape; kind <= secTurnWords; kind++ {
		s := r.dir[kind]
		out = append(out, byte(s.length), byte(s.length>>8))
		out = append(out, file[s.offset:s.offset+s.length]...)
	}
	return append(out, make([]byte, footBytes)...)
}

// Whatever the bytes of a file are, reading them neither panics nor takes much
// more memory than they do, and what is read can be asked.
func FuzzSegmentFile(f *testing.F) {
	segment, vectors := sampleFiles(f)
	f.Add(segment, false)
	f.Add(unsealed(segment, segmentMagic), true)
	f.Add(unsealed(vectors, vectorsMagic), true)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		segment, vectors := data, data
		if seal {
			segment, vectors = sealed(data, segmentMagic), sealed(data, vectorsMagic)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := readBytes(segment)
		if err == nil {
			c.words()
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+64*uint64(len(segment)) {
			t.Fatalf("%d bytes took %d", len(segment), took)
		}
		if err == nil {
			askEverything(newSegment(c, newRecordCache()))
		}
		r, err := readSections(bytes.NewReader(vectors), int64(len(vectors)), vectorsMagic, vectorsVersion)
		if err != nil {
			return
		}
		if v, err := r.vectors(func(uint64) *Model { return testOptions.Model() }, 3); err == nil {
			for doc := range uint32(3) {
				v.of(doc, nil)
				v.partsOf(doc)
			}
		}
	})
}

func askEverything(s *Segment) {
	for term := range uint32(s.Terms()) {
		s.Term(term)
		s.Postings(term)
	}
	for range s.AllTerms() {
	}
	tf := make([]uint8, s.Len())
	s.Stretch(0, uint32(s.Terms()), func(docs []uint16, tfs []uint8) {
		for i, d := range docs {
			tf[d] += tfs[i]
		}
	})
	s.Prefix("c")
	s.Beginning("c", nil)
	s.Stems("cach")
	s.Sessions()
	for doc := range uint32(s.Len()) {
		s.Doc(doc)
		s.Sequence(doc, nil)
		s.Passage(doc)
		s.Hung(doc)
		s.TurnKeys(doc)
		s.TurnIDs(doc)
		s.Turns(doc, nil)
		s.TurnWords(doc)
	}
	for _, key := range s.copies.keys {
		s.copies.of(key)
	}
	m := newMerger([]*Segment{s}, never)
	m.merge()
}
