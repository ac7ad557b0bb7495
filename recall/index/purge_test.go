package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// secret is a word that only sessions say that are to be purged.
const secret = "zanzibar"

// secretOnes are the sessions of updateGen that are to be purged.
var secretOnes = []string{"1", "2"}

// told makes the Update of a session that is to be purged say the secret everywhere.
func told(u sessions.Update) sessions.Update {
	u.Title += secret
	for i := range u.Passages {
		u.Passages[i].Text += " " + secret
	}
	for i := range u.Hung {
		u.Hung[i].Text += " " + secret
	}
	return u
}

// mentions are the files of a directory that hold the secret, as they are or unpacked.
func mentions(t rapid.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".seg") {
			c, _, err := openSegment(path)
			if err != nil {
				t.Fatal(err)
			}
			s := newSegment(c, newRecordCache())
			for doc := range uint32(s.Len()) {
				data = append(data, s.record(doc)...)
			}
		}
		if bytes.Contains(data, []byte(secret)) {
			names = append(names, e.Name())
		}
	}
	return names
}

// copyFiles copies what is in a directory to another, all or what is not there yet.
func copyFiles(t rapid.TB, from, to string, over bool) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(to, e.Name())
		if _, err := os.Stat(path); err == nil && !over {
			continue
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func tempDir(t rapid.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "yore-purge-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// purge removes all sessions that say the secret and purges the directory of them.
func purge(t rapid.TB, x *Index, s *Store, c corpus, clean uint64) {
	t.Helper()
	for key := range clone(c) {
		if slices.Contains(secretOnes, key.ID) {
			u := sessions.Update{Session: sessions.Session{Key: key}, Removed: true}
			c.apply(u)
			x.Apply([]sessions.Update{u})
		}
	}
	done, err := s.Purge(context.Background(), Clean{Hash: clean}, func(take func([]sessions.Saved)) { take([]sessions.Saved{{Number: 7, State: []byte("wiped")}}) })
	if !done || err != nil || s.Clean().Hash != clean {
		t.Fatalf("done %v, %v, clean of %v", done, err, s.Clean())
	}
}

// Whatever there is of sessions that are to be purged, no file of the directory holds a
// word of them afterwards, nothing else is lost, and a process that is killed
// at any step leaves what the next makes right: before the manifest is there the old,
// after it the new, with files that no longer count.
func TestPurgeLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, before := tempDir(t), tempDir(t)
		defer os.RemoveAll(dir)
		defer os.RemoveAll(before)
		x, s, _ := keptIn(t, dir, hashedOptions)
		c := corpus{}
		if rapid.Bool().Draw(t, "tools") {
			x.IndexTools()
		}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				publish(t, s, "a state that says "+secret)
			case 1:
				x.Compact()
			default:
				u := updateGen(t, c, 4)
				if !u.Removed && slices.Contains(secretOnes, u.ID) {
					u = told(u)
				}
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
		}
		publish(t, s, "a state that says "+secret)
		s.mu.Lock()
		copyFiles(t, dir, before, true)
		s.mu.Unlock()
		full := clone(c)
		purge(t, x, s, c, 5)
		c.check(t, x.Snapshot())
		x.Close()
		s.Close()
		if names := mentions(t, dir); len(names) > 0 {
			t.Fatalf("%q hold the secret", names)
		}
		afterKill(t, before, dir, false, full)
		afterKill(t, before, dir, true, c)
	})
}

// afterKill opens what a process leaves that was killed while it purged: the files of
// before and after, with the manifest of one or the other.
func afterKill(t rapid.TB, before, after string, published bool, c corpus) {
	t.Helper()
	dir := tempDir(t)
	defer os.RemoveAll(dir)
	copyFiles(t, before, dir, true)
	copyFiles(t, after, dir, false)
	if published {
		data, err := os.ReadFile(filepath.Join(after, manifestName))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, manifestName), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x, s, _ := keptIn(t, dir, hashedOptions)
	c = clone(c)
	c.check(t, x.Snapshot())
	if published != (s.Clean().Hash == 5) {
		t.Fatalf("clean of %v", s.Clean())
	}
	if names := mentions(t, dir); published && len(names) > 0 {
		t.Fatalf("%q hold the secret", names)
	}
	purge(t, x, s, c, 5)
	c.check(t, x.Snapshot())
	x.Close()
	s.Close()
	if names := mentions(t, dir); len(names) > 0 {
		t.Fatalf("%q hold the secret", names)
	}
	if notes := s.Kept().Notes; len(notes) > 0 {
		t.Fatal(notes)
	}
}

// What was set aside may hold anything, and goes; what is not ours stays.
func TestPurgeRemovesWhatWasSetAside(t *testing.T) {
	dir, c := filled(t)
	segment := filesOf(t, dir, ".seg")[0]
	if err := os.WriteFile(segment, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "mine.damaged-1")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	purge(t, x, s, c, 5)
	if aside := filesOf(t, dir, asideMark+"*"); len(aside) != 1 || aside[0] != mine {
		t.Errorf("there are %q", aside)
	}
	if names := mentions(t, dir); len(names) > 0 {
		t.Errorf("%q hold the secret", names)
	}
}

// A process that does not write purges nothing, and sees that another has.
func TestPurgeIsTheWriters(t *testing.T) {
	dir, c := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer other.Close()
	defer y.Close()
	if done, err := other.Purge(t.Context(), Clean{Hash: 5}, func(func([]sessions.Saved)) { t.Error("asked for what is to be written") }); done || err != nil {
		t.Fatalf("done %v, %v", done, err)
	}
	purge(t, x, s, c, 5)
	if other.Clean().Hash != 0 || other.CleanNow() != 5 || other.Missed() {
		t.Errorf("the other knows %v, and sees %d", other.Clean(), other.CleanNow())
	}
	s.Close()
	if done, err := other.Purge(t.Context(), Clean{Hash: 6}, func(func([]sessions.Saved)) { t.Error("asked for what is to be written") }); done || err != nil || !other.Missed() {
		t.Errorf("done %v, %v: the other has missed what was written", done, err)
	}
}

// A manifest of before there was anything to purge, and of before it told revisions, is
// read as it is.
func TestFormerManifests(t *testing.T) {
	m := manifest{generation: 3, written: 9, ordinals: 2, ledger: ledgerEnd{1, 20}, segments: []kept{{id: 9}}}
	data := m.encode()
	const clean, segments = headBytes + 5, headBytes + 7 + len(m.by) // each of the numbers takes a byte
	former := func(version uint32, upTo int) []byte {
		old := binary.LittleEndian.AppendUint32([]byte(manifestMagic), version)
		old = append(append(old, data[headBytes:upTo]...), data[segments:len(data)-4]...)
		return binary.LittleEndian.AppendUint32(old, crc32.Checksum(old, castagnoli))
	}
	for _, data := range [][]byte{data, former(1, clean), former(2, clean+1), former(3, clean+2)} {
		if got, err := decodeManifest(data); err != nil || !reflect.DeepEqual(*got, m) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	m.clean = Clean{1 << 40, []uint64{0, 3, 1 << 63}}
	if got, err := decodeManifest(m.encode()); err != nil || !got.clean.Equal(m.clean) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A file that was set aside and cannot be removed keeps nothing else that holds what was
// forgotten, and it is not called clean before that file is gone.
func TestPurgeRemovesAllElseThanWhatStays(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	aside := filepath.Join(dir, segmentName(99)+asideMark+"1")
	if err := os.WriteFile(aside, []byte("who knows"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Apply([]sessions.Update{removed("a")})
	ledger := ledgerPath(dir, s.on.ledger.number)
	save := func(take func([]sessions.Saved)) { take(nil) }
	want := Clean{Hash: 5}
	s.remove = func(path string) error {
		if path == aside {
			return os.ErrPermission
		}
		return os.Remove(path)
	}
	if done, err := s.Purge(t.Context(), want, save); done || !errors.Is(err, os.ErrPermission) || s.IsClean(want) || s.CleanNow() != 0 {
		t.Errorf("done %v, %v", done, err)
	}
	if _, err := os.Stat(ledger); err == nil {
		t.Error("the ledger of before is there")
	}
	for range 2 { // also once something else was written
		if notes := s.Kept().Notes; len(notes) != 1 || !strings.Contains(notes[0], "forgotten") || !s.Hindered() {
			t.Errorf("hindered %v, notes %q", s.Hindered(), notes)
		}
		x.Apply([]sessions.Update{one("later", "text")})
		publish(t, s, "later")
	}
	if called := (Clean{}); !s.IsClean(called) || s.Hindered() || len(s.Kept().Notes) > 0 {
		t.Errorf("called back, it is still said: %q", s.Kept().Notes)
	}
	s.remove = os.RemoveAll
	if done, err := s.Purge(t.Context(), want, save); !done || err != nil || s.CleanNow() != want.Hash || len(s.Kept().Notes) > 0 {
		t.Errorf("then done %v, %v, notes %q", done, err, s.Kept().Notes)
	}
	if _, err := os.Stat(aside); err == nil {
		t.Error("what was set aside is there")
	}
}

// A file that cannot be removed may hold what was forgotten: nothing is purged before it
// is gone.
func TestPurgeIsNotDoneWhileAFileStays(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	x.Apply([]sessions.Update{removed("a")})
	save := func(take func([]sessions.Saved)) { take(nil) }
	want := Clean{Hash: 5}
	s.remove = func(string) error { return os.ErrPermission }
	for range 2 {
		if done, err := s.Purge(t.Context(), want, save); done || err != nil || s.IsClean(want) || len(s.Kept().Notes) != 1 {
			t.Errorf("done %v, %v, notes %q", done, err, s.Kept().Notes)
		}
	}
	generation := s.on.generation
	s.Close()
	x.Close()
	y := New(hashedOptions)
	defer y.Close()
	again := newStore(dir, y)
	again.remove = s.remove
	if _, err := again.begin(); err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	z, other, _ := keptIn(t, dir, hashedOptions)
	defer z.Close()
	defer other.Close()
	if other.IsClean(want) {
		t.Error("a process that does not write calls it clean")
	}
	if done, err := again.Purge(t.Context(), want, save); done || err != nil || again.IsClean(want) || !again.Hindered() || other.Hindered() || len(again.Kept().Notes) != 1 {
		t.Errorf("after a start: done %v, %v, notes %q", done, err, again.Kept().Notes)
	}
	again.remove = os.Remove
	if done, err := again.Purge(t.Context(), want, save); !done || err != nil || again.CleanNow() != want.Hash || again.Hindered() || len(again.Kept().Notes) > 0 {
		t.Errorf("then done %v, %v, notes %q", done, err, again.Kept().Notes)
	}
	if !other.IsClean(want) {
		t.Error("a process that does not write does not see that it is clean")
	}
	if again.on.generation != generation {
		t.Errorf("%d manifests were written to remove a file", again.on.generation-generation)
	}
}

// Where a file that is open cannot be removed, purging closes those that nobody asks any
// more, and a file that can be removed a moment later is.
func TestPurgeTriesAgain(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	x.Apply([]sessions.Update{removed("a")})
	tried := 0
	s.remove = func(path string) error {
		if tried++; tried == 1 {
			return os.ErrPermission
		}
		return os.Remove(path)
	}
	want := Clean{Hash: 5}
	if done, err := s.Purge(t.Context(), want, func(take func([]sessions.Saved)) { take(nil) }); !done || err != nil || !s.IsClean(want) {
		t.Errorf("done %v, %v", done, err)
	}
}
