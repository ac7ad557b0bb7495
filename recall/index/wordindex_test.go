package index

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"yore/sessions"
)

// ran is a session in which a tool printed something.
func ran(id, output string) sessions.Update {
	u := one(id, "run the tests of "+id)
	u.Hung = []sessions.Hung{{Turn: sessions.Turn{ID: "t", Kind: sessions.ToolOutput, Text: output}}}
	return u
}

// toolsIn is a closed directory in which the tools' texts of two sessions have words, in a
// segment each.
func toolsIn(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.IndexTools()
	for _, u := range []sessions.Update{ran("a", "Segmentation fault"), ran("b", "a fault of the disk")} {
		x.Apply([]sessions.Update{u})
		x.work.Wait()
		publish(t, s, u.Key.ID)
	}
	x.Close()
	s.Close()
	return dir
}

// toolsWith is how many tools' texts have a word.
func toolsWith(snap *Snapshot, term string) (n int) {
	for _, seg := range snap.Segments(Tools) {
		if id, ok := seg.Lookup(term); ok {
			docs, _ := seg.Postings(id)
			n += len(docs)
		}
	}
	return n
}

// unreadWords is how many segments of a scope have left their words to their files.
func unreadWords(snap *Snapshot, scope Scope) (n int) {
	for _, seg := range snap.Segments(scope) {
		if seg.late != nil && seg.late.read != nil {
			n++
		}
	}
	return n
}

// Who does not search what the tools said does not pay for its words, and can read it
// nevertheless; several who do read them once.
func TestWordsOfToolsAreReadOnUse(t *testing.T) {
	x, s, _ := keptIn(t, toolsIn(t), hashedOptions)
	defer s.Close()
	defer x.Close()
	snap := x.Snapshot()
	for _, seg := range snap.Segments(Talk) {
		askEverything(seg)
	}
	for ord, output := range []string{"Segmentation fault", "a fault of the disk"} {
		refs := snap.HungAt(uint32(ord), 0)
		if len(refs) != 1 || refs[0].Seg.Hung(refs[0].Doc).Text != output {
			t.Errorf("%q cannot be read", output)
		}
	}
	if !holds(x, sessions.Key{Harness: "claude", ID: "a"}) {
		t.Error("it is not whole")
	}
	if n := unreadWords(snap, Tools); n != 2 {
		t.Errorf("the words of %d segments are not read yet, want 2", n)
	}
	if n := unreadWords(snap, Talk); n != 0 {
		t.Errorf("the words of %d segments of the conversation are not read", n)
	}
	var asked sync.WaitGroup
	for range 4 {
		asked.Go(func() {
			snap.ReadWords(Tools)
			if n := toolsWith(snap, "fault"); n != 2 {
				t.Errorf("%d are found, want 2", n)
			}
		})
	}
	asked.Wait()
	if n := unreadWords(snap, Tools); n != 0 {
		t.Errorf("the words of %d segments are still not read", n)
	}
}

// Words that are not read yet are merged like others, and whoever had the file open that the
// merge removed reads them from it.
func TestWordsOfToolsOutliveTheirFile(t *testing.T) {
	dir := toolsIn(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer other.Close()
	defer y.Close()
	before := filesOf(t, dir, ".seg")
	x.Compact()
	publish(t, s, "merged")
	for _, path := range before {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", filepath.Base(path))
		}
	}
	for name, snap := range map[string]*Snapshot{"who merged": x.Snapshot(), "who reads": y.Snapshot()} {
		if n := toolsWith(snap, "fault"); n != 2 || toolsWith(snap, "disk") != 1 || snap.Err() != nil {
			t.Errorf("%s finds %d, want 2: %v", name, n, snap.Err())
		}
	}
}

// Damage in the words of tools is noticed when they are asked for: it is said then, the
// texts stay, and their words are cut anew.
func TestDamagedWordsOfTools(t *testing.T) {
	for _, kind := range []uint32{secTermBytes, secStemOf, secPostings, secPostingDocs | sumsOf} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			dir := toolsIn(t)
			path := filepath.Join(dir, segmentName(spoilWords(t, dir, kind)))
			x, s, _ := keptIn(t, dir, hashedOptions)
			defer s.Close()
			defer x.Close()
			if err := x.Snapshot().Err(); err != nil || len(s.Kept().Notes) > 0 {
				t.Errorf("it is noticed before anybody asks: %v, %q", err, s.Kept().Notes)
			}
			x.Snapshot().ReadWords(Tools)
			if toolsWith(x.Snapshot(), "fault") != 1 || x.Snapshot().Err() == nil {
				t.Fatal("it is not noticed")
			}
			x.IndexTools()
			x.Heal()
			x.work.Wait()
			if n := toolsWith(x.Snapshot(), "fault"); n != 2 || x.Snapshot().Err() != nil {
				t.Errorf("%d are found, want 2: %v", n, x.Snapshot().Err())
			}
			if notes := fmt.Sprint(s.Kept().Notes); !strings.Contains(notes, path) {
				t.Errorf("notes %s do not name %s", notes, path)
			}
			publish(t, s, "healed")
			if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 1 {
				t.Errorf("set aside: %v", aside)
			}
		})
	}
}

// spoilWords changes a byte of a section of a file of tools' texts, and gives its number.
func spoilWords(t *testing.T, dir string, kind uint32) (id uint64) {
	t.Helper()
	x, s, _ := keptIn(t, dir, hashedOptions)
	id = x.Snapshot().Segments(Tools)[0].ID()
	x.Close()
	s.Close()
	path := filepath.Join(dir, segmentName(id))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[sectionOf(t, data, kind).offset] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return id
}

// Any byte of a file of tools' texts that differs is noticed when the file is opened, or
// when what differs is read.
func TestDamagedFileOfTools(t *testing.T) {
	dir := toolsIn(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	whole, err := os.ReadFile(filepath.Join(dir, segmentName(x.Snapshot().Segments(Tools)[0].ID())))
	x.Close()
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
	owners := sectionOf(t, whole, secOwners) // read where the ledger is lost
	for n := range whole {
		if at := int64(n); at >= owners.offset && at < owners.offset+owners.length {
			continue
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
