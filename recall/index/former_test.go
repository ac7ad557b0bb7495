package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// relabel makes the segments of a directory files of a former version, of which all
// that is read stands where it stands now.
func relabel(t rapid.TB, dir string, version uint32) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(data[magicBytes:], version)
		reseal(data)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// reseal gives a file of sections the sum that its head and directory have now.
func reseal(data []byte) {
	foot := data[len(data)-footBytes:]
	sum := crc32.Checksum(data[:headBytes], castagnoli)
	sum = crc32.Update(sum, castagnoli, data[binary.LittleEndian.Uint64(foot):len(data)-4])
	binary.LittleEndian.PutUint32(foot[12:], sum)
}

// sectionOf is where a section lies in a file of this version.
func sectionOf(t *testing.T, data []byte, kind uint32) section {
	t.Helper()
	r, err := readSections(bytes.NewReader(data), int64(len(data)), segmentMagic, segmentVersion)
	if err != nil {
		t.Fatal(err)
	}
	return r.dir[kind]
}

// goneSession is a session of many passages that is on disk no more, in a directory
// that is closed. The passage with the number n says "passage n".
func goneSession(t *testing.T, passages int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	var texts []string
	noise := rand.New(rand.NewPCG(1, 2))
	for n := range passages {
		text := fmt.Sprintf("passage %d", n)
		for range 100 {
			text += fmt.Sprintf(" %x", noise.Uint64())
		}
		texts = append(texts, text)
	}
	u := one("a", texts...)
	u.Gone = true
	x.Apply([]sessions.Update{u})
	publish(t, s, "state")
	x.Close()
	s.Close()
	return dir
}

// readable are the numbers of the session's passages that give their text, and those
// that a word of it finds.
func readable(t *testing.T, x *Index) (read, found []int) {
	t.Helper()
	snap := x.Snapshot()
	ord, ok := snap.Find(sessions.Key{Harness: "claude", ID: "a"})
	if !ok || !snap.Session(ord).Gone {
		t.Fatal("the session is lost")
	}
	for n := range uint32(snap.Session(ord).Numbered) {
		ref, ok := snap.At(ord, n)
		if !ok {
			continue
		}
		if !strings.HasPrefix(ref.Seg.Passage(ref.Doc).Text, fmt.Sprintf("passage %d ", n)) {
			t.Errorf("passage %d is %.40q", n, ref.Seg.Passage(ref.Doc).Text)
		}
		read = append(read, int(n))
		if id, ok := ref.Seg.Lookup(fmt.Sprint(n)); ok && ref.Seg.Frequency(id) > 0 {
			found = append(found, int(n))
		}
	}
	return read, found
}

// What a damaged segment holds of a session that is gone from disk is nowhere else:
// all of it that can be read stays, and is found by its words. The file is set aside
// when that is written, and not before (X4).
func TestWhatADamagedSegmentStillHolds(t *testing.T) {
	const passages = 40
	damages := map[string]struct {
		kind  uint32
		paged bool // it is read when it is asked for
		lost  int  // passages
	}{
		"words":     {secTermBytes, false, 0},
		"postings":  {secPostingDocs, true, 0},
		"one block": {secPacked, true, blockDocs},
		"table":     {secSession, false, passages},
	}
	for name, damage := range damages {
		for _, open := range [...]bool{false, true} {
			if open && !damage.paged {
				continue // it is in memory by then
			}
			t.Run(fmt.Sprintf("%s, open %v", name, open), func(t *testing.T) {
				dir := goneSession(t, passages)
				path := filesOf(t, dir, ".seg")[0]
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				data[sectionOf(t, data, damage.kind).offset+20] ^= 1
				harm := func() {
					if err := os.WriteFile(path, data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if !open {
					harm()
				}
				x, s, _ := keptIn(t, dir, hashedOptions)
				if open {
					harm()
				}
				if damage.paged {
					for _, seg := range x.Snapshot().Segments(Talk) {
						askEverything(seg)
					}
					if !x.Heal() {
						t.Fatal("it is not noticed")
					}
				}
				want := passages - damage.lost
				read, _ := readable(t, x)
				if len(read) != want {
					t.Errorf("%d passages are there at once, want %d", len(read), want)
				}
				if aside := filesOf(t, dir, ".damaged-*"); len(aside) > 0 && want > 0 {
					t.Errorf("%q before what it holds is written", aside)
				}
				x.Compact()
				publish(t, s, "state")
				x.Close()
				s.Close()
				if aside := filesOf(t, dir, filepath.Base(path)+".damaged-*"); len(aside) != 1 {
					t.Errorf("set aside: %q", aside)
				}
				if notes := fmt.Sprint(s.Kept().Notes); !strings.Contains(notes, filepath.Base(path)) {
					t.Errorf("notes %s", notes)
				}
				x, s, _ = keptIn(t, dir, hashedOptions)
				defer s.Close()
				defer x.Close()
				read, found := readable(t, x)
				if len(read) != want || len(found) != want || len(s.Kept().Notes) > 0 {
					t.Errorf("%d passages are read, %d found, want %d; notes %q", len(read), len(found), want, s.Kept().Notes)
				}
			})
		}
	}
}

// A process that ends before the segments of a former version are written anew leaves
// them as they were.
func TestFormerSegmentsStayUntilTheyAreWrittenAnew(t *testing.T) {
	dir := goneSession(t, 20)
	relabel(t, dir, firstSegmentVersion)
	for range 2 {
		x := New(hashedOptions)
		x.closed.Store(true) // it ends before anything is done in the background
		s, _, err := OpenStore(dir, x)
		if err != nil {
			t.Fatal(err)
		}
		x.Apply([]sessions.Update{one("b", "lunch")})
		publish(t, s, "state")
		if read, found := readable(t, x); len(read) != 20 || len(found) != 0 || x.Snapshot().Unread(Talk) != 20 {
			t.Errorf("%d passages are read, %d found, %d said to be without words", len(read), len(found), x.Snapshot().Unread(Talk))
		}
		x.Close()
		s.Close()
	}
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Compact()
	publish(t, s, "state")
	x.Close()
	s.Close()
	for _, path := range filesOf(t, dir, ".seg") {
		if c, _, err := openSegment(path); err != nil || c.bare {
			t.Errorf("%s: %v", path, err)
		}
	}
	if aside := filesOf(t, dir, ".damaged-*"); len(aside) > 0 || len(s.Kept().Notes) > 0 {
		t.Errorf("set aside %q, notes %q", aside, s.Kept().Notes)
	}
}

// Whatever the bytes of a file are, reading its texts neither panics nor takes much
// more memory than they do, and what is read can be asked and made a segment of.
func FuzzBareSegment(f *testing.F) {
	segment, _ := sampleFiles(f)
	f.Add(segment, false, uint8(segmentVersion))
	f.Add(unsealed(segment, segmentMagic), true, uint8(firstSegmentVersion))
	f.Fuzz(func(t *testing.T, data []byte, seal bool, version uint8) {
		if seal {
			data = sealed(data, segmentMagic)
		}
		if len(data) >= headBytes+footBytes && seal {
			binary.LittleEndian.PutUint32(data[magicBytes:], uint32(version))
			reseal(data)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, _, err := readBare(bytes.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+64*uint64(len(data)) {
			t.Fatalf("%d bytes took %d", len(data), took)
		}
		if err != nil {
			return
		}
		c.texts.unreadable()
		s := newSegment(c, newRecordCache())
		s.undone = newBitmap(c.turns.ids.len())
		for turn := range c.turns.ids.len() {
			s.undone.set(uint32(turn))
		}
		askEverything(s)
		x := New(testOptions)
		defer x.Close()
		m := newMerger([]*Segment{s}, never)
		if out, rest := m.read(x); out != nil {
			x.replace(s.scope, []*Segment{s}, out, m.docs, rest)
		}
	})
}

// A damaged or lost manifest or ledger, or both, costs a
// session that is gone from disk nothing: all of it is found and in the next start too,
// without what was replaced. The others are said to be in need of reading.
func TestGoneSessionsOutliveADamagedDirectory(t *testing.T) {
	for _, kind := range []string{manifestName, "*.log"} {
		for _, damage := range []string{"changed", "cut", "gone", "emptied", "both gone"} {
			t.Run(kind+" "+damage, func(t *testing.T) {
				dir := t.TempDir()
				x, s, _ := keptIn(t, dir, hashedOptions)
				x.closed.Store(true) // so that what is replaced stays in its segment
				old := one("a", "passage 0 was another", "passage 1 was another", "passage 2 was longer")
				old.Hung = []sessions.Hung{{Turn: sessions.Turn{Text: "old"}}}
				other := one("c", "tea")
				other.Hung = old.Hung
				x.Apply([]sessions.Update{old, other}) // into one segment each
				publish(t, s, "1")
				u := one("a", "passage 0 is it", "passage 1 is it")
				u.Gone, u.Reset, u.Hung = true, true, []sessions.Hung{{Turn: sessions.Turn{Text: "new"}}}
				x.Apply([]sessions.Update{u})
				publish(t, s, "2")
				x.Apply([]sessions.Update{one("b", "lunch")})
				publish(t, s, "3")
				x.Close()
				s.Close()
				path := filesOf(t, dir, kind)[0]
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				data[len(data)-3] ^= 1
				switch damage {
				case "cut":
					data = data[:len(data)-3]
				case "emptied":
					data = nil
				case "both gone":
					for _, kind := range []string{manifestName, "*.log"} {
						_ = os.Remove(filesOf(t, dir, kind)[0])
					}
				}
				aside := 1
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(damage, "gone") {
					aside = 0
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
				for start := range 2 {
					x, s, _ = keptIn(t, dir, hashedOptions)
					x.Compact()
					read, found := readable(t, x)
					if len(read) != 2 || len(found) != 2 {
						t.Errorf("start %d: passages %v are read, %v found", start, read, found)
					}
					snap := x.Snapshot()
					ord, _ := snap.Find(u.Key)
					if hung := snap.HungAt(ord, 0); len(hung) != 1 || hung[0].Seg.Hung(hung[0].Doc).Text != "new" {
						t.Errorf("start %d: %d turns hang on it", start, len(hung))
					}
					if _, whole := wholeIn(x, sessions.Key{Harness: "claude", ID: "b"}); start == 0 && whole {
						t.Error("another session is not to be read again")
					}
					if notes := fmt.Sprint(s.Kept().Notes); strings.Contains(notes, filepath.Base(path)) != (start == 0 && (damage != "gone" || kind != manifestName) && damage != "both gone") {
						t.Errorf("start %d: notes %s", start, notes)
					}
					publish(t, s, "4")
					if got := filesOf(t, dir, ".damaged-*"); len(got) != aside {
						t.Errorf("start %d: set aside %q", start, got)
					}
					x.Close()
					s.Close()
				}
			})
		}
	}
}

// What is removed for good from an index of a former version, or one that is damaged, is
// in none of its files afterwards, and what is not removed is still there.
func TestPurgeOfWhatIsNotWrittenAnewYet(t *testing.T) {
	for _, damage := range []string{"former", "changed"} {
		t.Run(damage, func(t *testing.T) {
			dir := t.TempDir()
			x, s, _ := keptIn(t, dir, hashedOptions)
			c := corpus{}
			us := []sessions.Update{told(one(secretOnes[0], "why the cache is sharded")), one("3", "lunch")}
			for _, u := range us {
				c.apply(u)
			}
			x.Apply(us)
			publish(t, s, "state")
			x.Close()
			s.Close()
			if damage == "former" {
				relabel(t, dir, firstSegmentVersion)
			} else {
				path := filesOf(t, dir, ".seg")[0]
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				data[sectionOf(t, data, secTermBytes).offset] ^= 1
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x = New(hashedOptions)
			x.mergeMu.Lock() // nothing is made anew before it is purged
			s, _, err := OpenStore(dir, x)
			if err != nil {
				t.Fatal(err)
			}
			if !x.Snapshot().Segments(Talk)[0].bare {
				t.Fatal("it is written anew already")
			}
			x.mergeMu.Unlock()
			purge(t, x, s, c, 5)
			x.Compact()
			c.check(t, x.Snapshot())
			x.Close()
			s.Close()
			if names := mentions(t, dir); len(names) > 0 {
				t.Errorf("it stands in %q", names)
			}
		})
	}
}

// The words of a large segment of a former version are cut a part at a time, and what was
// done before the process ended is not done again.
func TestFormerSegmentsAreWrittenAnewInParts(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	var texts []string
	for n := range readDocs + 900 {
		texts = append(texts, fmt.Sprintf("passage %d", n))
	}
	u := one("a", texts...)
	c := corpus{}
	c.apply(u)
	x.Apply([]sessions.Update{u})
	publish(t, s, "state")
	x.Close()
	s.Close()
	relabel(t, dir, firstSegmentVersion)
	open := func() {
		x = New(hashedOptions)
		x.merging = true // nothing is done in the background
		var err error
		if s, _, err = OpenStore(dir, x); err != nil {
			t.Fatal(err)
		}
	}
	open()
	if !x.do(x.next) {
		t.Fatal("there is nothing to do")
	}
	for range 2 {
		snap := x.Snapshot()
		if unread, live := snap.Unread(Talk), snap.Live(Talk); unread != 900 || live != len(texts) {
			t.Errorf("%d of %d have no words, want 900 of %d", unread, live, len(texts))
		}
		publish(t, s, "state")
		s.Close()
		open()
	}
	x.Compact()
	c.check(t, x.Snapshot())
	s.Close()
}
