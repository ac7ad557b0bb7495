package index

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/recall/words"
	"yore/sessions"
)

// kept opens the directory for a new index. The states must be those of the
// last Publish.
func keptIn(t rapid.TB, dir string, o Options) (*Index, *Store, []sessions.Saved) {
	t.Helper()
	x := New(o)
	s, saved, err := OpenStore(dir, x)
	if err != nil {
		t.Fatal(err)
	}
	return x, s, saved
}

// publish writes with one state that says what.
func publish(t rapid.TB, s *Store, what string) {
	t.Helper()
	err := s.Publish(func(take func([]sessions.Saved)) { take([]sessions.Saved{{Number: 7, State: []byte(what)}}) })
	if err != nil {
		t.Fatal(err)
	}
}

func clone(c corpus) corpus {
	out := corpus{}
	for key, k := range c {
		one := *k
		one.hung = slices.Clone(k.hung)
		one.passages = slices.Clone(k.passages)
		for i := range one.passages {
			one.passages[i].Spans = slices.Clone(one.passages[i].Spans)
		}
		out[key] = &one
	}
	return out
}

var hashedOptions = testOptions

// Whatever Updates come, and whenever what there is is written, merged, closed or
// lost, a new start has what was written last, and goes on from there.
func TestStoreEqualsPlainCorpus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "yore-store-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		x, s, _ := keptIn(t, dir, hashedOptions)
		c, written, state := corpus{}, corpus{}, ""
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				state += "."
				publish(t, s, state)
				written = clone(c)
			case 1, 3:
				x.Close()
				s.Close()
				if rapid.Bool().Draw(t, "former") {
					relabel(t, dir, uint32(rapid.IntRange(firstSegmentVersion, segmentVersion-1).Draw(t, "version")))
				}
				var saved []sessions.Saved
				x, s, saved = keptIn(t, dir, hashedOptions)
				c = clone(written)
				if state != "" && (len(saved) != 1 || string(saved[0].State) != state) {
					t.Fatalf("states %v, want %q", saved, state)
				}
				applied := x.Applied()
				for key, want := range c {
					if got, whole, _ := applied.Whole(key); !whole || got.Title != want.Title {
						t.Fatalf("%v: %+v, whole %v", key, got, whole)
					}
				}
				x.work.Wait()
			case 2:
				x.Compact()
			default:
				u := updateGen(t, c, 4)
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
			c.check(t, x.Snapshot())
		}
		x.Close()
		s.Close()
		if notes := s.Kept().Notes; len(notes) > 0 {
			t.Fatal(notes)
		}
	})
}

// wholeIn is what is known of a session, and whether all of it is there.
func wholeIn(x *Index, key sessions.Key) (sessions.Session, bool) {
	applied := x.Applied()
	s, whole, _ := applied.Whole(key)
	return s, whole
}

// filled is a directory that holds one session, closed.
func filled(t *testing.T) (dir string, c corpus) {
	t.Helper()
	dir = t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	c = corpus{}
	for _, u := range []sessions.Update{one("a", "why the cache is sharded", "caches again"), one("b", "lunch")} {
		c.apply(u)
		x.Apply([]sessions.Update{u})
	}
	publish(t, s, "state")
	x.Close()
	s.Close()
	return dir, c
}

func filesOf(t *testing.T, dir, kind string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"+kind))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// X4: a damaged file is set aside and said, and what it held is known to be
// lost; nothing is deleted.
func TestDamagedFilesAreSetAside(t *testing.T) {
	for _, kind := range []string{".seg", ".log", manifestName} {
		for _, damage := range []string{"cut", "changed", "foreign", "format"} { // of no version: those of newer ones are left alone
			t.Run(kind+" "+damage, func(t *testing.T) {
				dir, _ := filled(t)
				path := filesOf(t, dir, kind)[0]
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				switch damage {
				case "cut":
					data = data[:len(data)/2]
				case "changed": // in a segment before the texts
					data[len(data)/3] ^= 1
				case "foreign":
					data = []byte(strings.Repeat("GIF89a ", 40))
				case "format":
					data[magicBytes] = 0
				}
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				textsLeft := kind == ".seg" && damage == "changed"
				recordsLeft := kind == ".log" // of sessions, the segments have them too
				recovered := recordsLeft || kind == manifestName
				x, s, saved := keptIn(t, dir, hashedOptions)
				defer s.Close()
				defer x.Close()
				if aside := filesOf(t, dir, ".damaged-*"); len(aside) == 0 != (textsLeft || recordsLeft) {
					t.Errorf("set aside: %q of %q", aside, filesOf(t, dir, ""))
				}
				if notes := s.Kept().Notes; len(notes) == 0 || !strings.Contains(notes[0], filepath.Base(path)) && !strings.Contains(notes[0], manifestName) {
					t.Errorf("notes %q", notes)
				}
				if _, whole := wholeIn(x, sessions.Key{Harness: "claude", ID: "a"}); whole != textsLeft || kind != ".seg" && !recovered && len(saved) > 0 {
					t.Errorf("whole %v, states %v", whole, saved)
				}
				x.Apply([]sessions.Update{one("c", "after")})
				x.Compact()
				publish(t, s, "again")
				if aside := filesOf(t, dir, ".damaged-*"); len(aside) == 0 {
					t.Error("what was set aside is gone")
				}
			})
		}
	}
}

// Vectors of another table are made anew, and no word is written for it.
func TestVectorsOfAnotherTable(t *testing.T) {
	dir, c := filled(t)
	segment, vectors := filesOf(t, dir, ".seg")[0], filesOf(t, dir, ".vec")[0]
	before, _ := os.Stat(segment)
	old, _ := os.ReadFile(vectors)
	o := hashedOptions
	o.Model = func() *Model { return &Model{Hash: 8, Dim: testDim, Embed: testEmbed} }
	x, s, _ := keptIn(t, dir, o)
	x.Compact()
	x.work.Wait()
	c.check(t, x.Snapshot())
	publish(t, s, "state")
	x.Close()
	s.Close()
	after, err := os.Stat(segment)
	if err != nil || !os.SameFile(before, after) {
		t.Error("the words were written again")
	}
	if now, _ := os.ReadFile(vectors); string(now) == string(old) {
		t.Error("the vectors were not")
	}
}

// The words of a segment that another version cut are cut anew from its texts,
// before it is merged with others.
func TestWordsOfAnotherVersion(t *testing.T) {
	dir, c := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.mergeMu.Lock()
	old := *x.Snapshot().Segments(Talk)[0].content
	old.cut = words.Revision - 1
	old.held.terms = vocabulary{arena: []byte("x"), first: newOffsets([]uint32{0, 1})}
	x.exchange(&old)
	x.mergeMu.Unlock()
	u := one("c", "new")
	c.apply(u)
	x.Apply([]sessions.Update{u})
	x.Compact()
	c.check(t, x.Snapshot())
	publish(t, s, "state")
	x.Close()
	s.Close()
	y, again, _ := keptIn(t, dir, hashedOptions)
	defer y.Close()
	defer again.Close()
	c.check(t, y.Snapshot())
	for _, seg := range y.Snapshot().Segments(Talk) {
		if seg.cut != words.Revision {
			t.Error("the old words are kept")
		}
	}
}

// While one process writes, another reads what is there, keeps what is new to
// itself, and writes once it can and has missed nothing (X3).
func TestOneWriter(t *testing.T) {
	dir, c := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer x.Close()
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer y.Close()
	defer other.Close()
	c.check(t, y.Snapshot())
	if !s.Kept().Writes || other.Kept().Writes {
		t.Fatal("not the first one writes")
	}
	u := one("c", "new to one")
	y.Apply([]sessions.Update{u})
	publish(t, other, "unheard")
	if z, third, saved := keptIn(t, dir, hashedOptions); len(saved) != 1 || string(saved[0].State) != "state" {
		t.Fatalf("the other wrote %v", saved)
	} else {
		third.Close()
		z.Close()
	}
	s.Close()
	publish(t, other, "heard")
	if !other.Kept().Writes {
		t.Fatal("nobody writes")
	}
	z, third, saved := keptIn(t, dir, hashedOptions)
	defer z.Close()
	defer third.Close()
	c.apply(u)
	c.check(t, z.Snapshot())
	if string(saved[0].State) != "heard" {
		t.Errorf("states %v", saved)
	}
}

// A directory in which nothing can be written is said, and costs nothing else.
func TestUnwritableDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := New(hashedOptions)
	defer x.Close()
	s, _, err := OpenStore(filepath.Join(path, "yore"), x)
	if err == nil {
		t.Fatal("no error")
	}
	defer s.Close()
	c := corpus{}
	u := one("a", "in memory")
	c.apply(u)
	x.Apply([]sessions.Update{u})
	if err := s.Publish(func(take func([]sessions.Saved)) { take(nil) }); err == nil {
		t.Error("Publish says nothing")
	}
	c.check(t, x.Snapshot())
}

// Files are for their owner alone, and those that no longer count are removed.
func TestStoreFiles(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer x.Close()
	defer s.Close()
	stray := filepath.Join(dir, segmentName(99))
	for _, path := range []string{stray, filepath.Join(dir, "tmp-1"), filepath.Join(dir, "mine.txt")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "b"}}, Removed: true}, one("a", "anew")})
	x.Compact()
	publish(t, s, "state")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
		if path := filepath.Join(dir, e.Name()); path == stray || strings.HasPrefix(e.Name(), "tmp-") {
			t.Errorf("%s is still there", e.Name())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "mine.txt")); err != nil {
		t.Error("a file of the user's was removed")
	}
	if k := s.Kept(); k.Segments != len(filesOf(t, dir, ".seg")) || k.Segments == 0 {
		t.Errorf("%d segments, files %q", k.Segments, filesOf(t, dir, ".seg"))
	}
}

// A folder in the place of a file that does not count is set aside once; one that has no
// place there is the user's, whatever its name.
func TestFoldersAmongTheFiles(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer x.Close()
	defer s.Close()
	for _, name := range []string{"tmp-mine", segmentName(99)} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 3 {
		x.Apply([]sessions.Update{one("a", strings.Repeat("anew ", n+1))})
		publish(t, s, "state")
	}
	aside, err := filepath.Glob(filepath.Join(dir, "*"+asideMark+"*"))
	if err != nil || len(aside) != 1 || !strings.HasPrefix(filepath.Base(aside[0]), segmentName(99)+asideMark) {
		t.Errorf("set aside: %q, %v", aside, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "tmp-mine")); err != nil {
		t.Errorf("the user's folder: %v", err)
	}
}

// A ledger that is mostly out of date is written anew, and holds the same.
func TestLedgerStaysSmall(t *testing.T) {
	dir := t.TempDir()
	l := ledger{}
	body := make([]byte, 100<<10)
	for i := range 100 {
		body[0] = byte(i)
		_, keep, err := l.put(dir, map[recordKey][]byte{{recordTranscript, uint64(i % 3)}: body}, &directory{}, false)
		if err != nil {
			t.Fatal(err)
		}
		keep()
	}
	if l.size > 2*l.live+ledgerSlack {
		t.Errorf("%d bytes for %d", l.size, l.live)
	}
	_, found, err := readLedger(dir, l.ledgerEnd)
	if err != nil || len(found.records) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	for i := range uint64(3) {
		r := payload(found.records[recordKey{recordTranscript, i}])
		if last := r.Byte(); int(last) != 97+int((i+3-97%3)%3) {
			t.Errorf("record %d is %d", i, last)
		}
	}
}

// No bytes make reading a manifest or a ledger panic.
func FuzzManifest(f *testing.F) {
	m := manifest{generation: 1, segments: []kept{{id: 3, dead: bitmap{5}}}}
	f.Add(m.encode(), appendRecord(ledgerHead(), recordKey{recordSession, 1}, appendEntry(nil, &Entry{Numbered: 3})))
	packed, err := subagents(packFrom).packAll()
	if err != nil {
		f.Fatal(err)
	}
	paged, err := packed.appendPacked(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.encode(), appendRecord(appendRecord(ledgerHead(), recordKey{recordPage, 0}, paged), recordKey{recordSession, 1}, nil))
	f.Fuzz(func(t *testing.T, manifest, ledger []byte) {
		if m, err := decodeManifest(manifest); err == nil {
			if again, err := decodeManifest(m.encode()); err != nil || !reflect.DeepEqual(again, m) {
				t.Errorf("%x was read as %+v, and %+v of that: %v", manifest, m, again, err)
			}
		}
		found, err := parseLedger(bytes.NewReader(ledger), int64(len(ledger)))
		if err != nil {
			return
		}
		for _, r := range found.records {
			readEntry(payload(r))
		}
		var s Snapshot
		if _, _, err := s.enter(found, chunk); err == nil {
			for ord, e := range s.dir.each {
				if b, ok := s.dir.brief(ord); !ok || e == nil || !found.knows(uint64(ord)) {
					t.Errorf("session %d is %+v", ord, b)
				}
			}
		}
	})
}
