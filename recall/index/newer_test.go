package index

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions"
)

// filesIn is what lies in a directory, but for the lock.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		if e.Name() == lockName {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

// newerVersion makes a directory's files of a kind such of the version after this one.
func newerVersion(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, path := range filesMatching(t, dir, pattern) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		version := data[magicBytes:headBytes]
		binary.LittleEndian.PutUint32(version, binary.LittleEndian.Uint32(version)+1)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writtenIn has a session in a directory, which is closed.
func writtenIn(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.Apply([]sessions.Update{one("a", "the pump is broken")})
	publish(t, s, "state")
	x.Close()
	s.Close()
	return dir
}

// leaves checks that a store leaves its directory to a newer version, and says so once.
func leaves(t *testing.T, dir string, s *Store) {
	t.Helper()
	k := s.Kept()
	if !s.Newer() || s.Missed() || k.Writes {
		t.Fatalf("newer %v, missed %v, writes %v", s.Newer(), s.Missed(), k.Writes)
	}
	if len(k.Notes) == 1 && !strings.Contains(k.Notes[0], "but not its file tombstones") {
		t.Error("as it is told to go back, what was forgotten would come back")
	}
	if len(k.Notes) != 1 || !strings.Contains(k.Notes[0], "written by a newer yore") || !strings.Contains(k.Notes[0], dir) {
		t.Fatalf("notes %q", k.Notes)
	}
}

// useAndClose does what a process does that keeps an index, and ends.
func useAndClose(t *testing.T, x *Index, s *Store) {
	t.Helper()
	for range 2 {
		x.Apply([]sessions.Update{one("b", "the valve is open")})
		publish(t, s, "another state")
	}
	if done, err := s.Purge(t.Context(), Clean{Hash: 5, Names: []uint64{5}}, func(func([]sessions.Saved)) {}); done || err != nil {
		t.Fatalf("purged: %v, %v", done, err)
	}
	if _, ok := x.Snapshot().Find(sessions.Key{Harness: "claude", ID: "b"}); !ok {
		t.Error("what was read is not there")
	}
	x.Close()
	s.Close()
}

var ofNewer = []struct{ what, pattern string }{
	{"manifest", manifestName},
	{"ledger", "*.log"},
	{"segment", "*.seg"},
	{"vectors", "*.vec"},
}

func TestFilesOfANewerVersionAreLeftAlone(t *testing.T) {
	for _, k := range ofNewer {
		t.Run(k.what, func(t *testing.T) {
			dir := writtenIn(t)
			newerVersion(t, dir, k.pattern)
			before := filesIn(t, dir)
			x, s, _ := keptIn(t, dir, hashedOptions)
			leaves(t, dir, s)
			other := &Store{dir: dir}
			if taken, err := other.take(); !taken || err != nil {
				t.Fatalf("the lock is kept: %v, %v", taken, err)
			}
			other.release()
			useAndClose(t, x, s)
			if !maps.Equal(filesIn(t, dir), before) {
				t.Fatal("the directory was changed")
			}
		})
	}
}

// One that has the directory open takes over from a newer version that has ended.
func TestNewerVersionWritesMeanwhile(t *testing.T) {
	for _, k := range ofNewer {
		t.Run(k.what, func(t *testing.T) {
			dir := writtenIn(t)
			x, s, _ := keptIn(t, dir, hashedOptions)
			later, second, _ := keptIn(t, dir, hashedOptions)
			x.Apply([]sessions.Update{one("c", "the tank is full")})
			publish(t, s, "state")
			x.Close()
			s.Close()
			newerVersion(t, dir, k.pattern)
			before := filesIn(t, dir)
			useAndClose(t, later, second)
			leaves(t, dir, second)
			if !maps.Equal(filesIn(t, dir), before) {
				t.Fatal("the directory was changed")
			}
		})
	}
}

// What a newer version writes between the look for it and the reading is no damage either.
func TestNewerVersionWritesBeforeItIsRead(t *testing.T) {
	for _, k := range ofNewer[:3] { // what is wrong with vectors is never said
		t.Run(k.what, func(t *testing.T) {
			dir := writtenIn(t)
			_, writer, _ := keptIn(t, dir, hashedOptions)
			defer writer.Close()
			newerVersion(t, dir, k.pattern)
			before := filesIn(t, dir)
			x := New(hashedOptions)
			s := newStore(dir, x)
			if saved := s.fill(); len(saved) > 0 {
				t.Errorf("states %v", saved)
			}
			s.tell()
			leaves(t, dir, s)
			useAndClose(t, x, s)
			if !maps.Equal(filesIn(t, dir), before) {
				t.Fatal("the directory was changed")
			}
		})
	}
}

// What a manifest that is lost named is not known, so that any file counts.
func TestNewerVersionWithoutAManifest(t *testing.T) {
	for _, lose := range []func(path string) error{os.Remove, func(path string) error { return os.Truncate(path, 9) }} {
		dir := writtenIn(t)
		newerVersion(t, dir, "*.seg")
		if err := lose(filepath.Join(dir, manifestName)); err != nil {
			t.Fatal(err)
		}
		before := filesIn(t, dir)
		x, s, _ := keptIn(t, dir, hashedOptions)
		leaves(t, dir, s)
		useAndClose(t, x, s)
		if !maps.Equal(filesIn(t, dir), before) {
			t.Fatal("the directory was changed")
		}
	}
}

// No format has changed as often as a version says that is damaged: it is believed as
// little as what else cannot be read, and costs no session that others hold.
func TestDamagedVersionIsNoNewerOne(t *testing.T) {
	a := sessions.Key{Harness: "claude", ID: "a"}
	for _, k := range []struct {
		what, pattern              string
		said, whole, text, resumed bool
	}{
		{"manifest", manifestName, true, false, true, true},
		{"ledger", "*.log", true, false, true, false},
		{"segment", "*.seg", true, false, false, true},
		{"vectors", "*.vec", false, true, true, true},
	} {
		t.Run(k.what, func(t *testing.T) {
			dir := writtenIn(t)
			x, s, _ := keptIn(t, dir, hashedOptions)
			x.Apply([]sessions.Update{one("b", "the valve is open")})
			x.closed.Store(true) // so that it has a segment of its own
			publish(t, s, "state")
			x.Close()
			s.Close()
			for _, path := range filesMatching(t, dir, k.pattern)[:1] {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				data[magicBytes+1] |= 64
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x, s, saved := keptIn(t, dir, hashedOptions)
			defer s.Close()
			defer x.Close()
			if s.Newer() || !s.Kept().Writes {
				t.Error("taken for one of a newer version")
			}
			if notes := strings.Join(s.Kept().Notes, "\n"); strings.Contains(notes, "newer yore") || (notes != "") != k.said {
				t.Errorf("notes %q", notes)
			}
			if _, ok := x.Snapshot().Find(a); !ok {
				t.Error("the session is not known")
			}
			if _, whole := wholeIn(x, a); whole != k.whole || holds(x, a) != k.text || (len(saved) > 0) != k.resumed {
				t.Errorf("whole %v, text there %v, states %v", whole, holds(x, a), saved)
			}
		})
	}
}

// holds tells whether the first passage of a session can be read.
func holds(x *Index, key sessions.Key) bool {
	snap := x.Snapshot()
	ord, _ := snap.Find(key)
	ref, ok := snap.At(ord, 0)
	return ok && ref.Seg.Passage(ref.Doc).Text != ""
}

func filesMatching(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	return paths
}

// One that did not write learns of a newer version when it looks anew, and keeps what it
// shows.
func TestAReaderStandsBack(t *testing.T) {
	dir := writtenIn(t)
	_, writer, _ := keptIn(t, dir, hashedOptions)
	x, s, _ := keptIn(t, dir, hashedOptions)
	if s.StandBack() {
		t.Fatal("it stands back from its own version")
	}
	writer.Close()
	newerVersion(t, dir, "*.seg")
	if !s.StandBack() {
		t.Fatal("it does not stand back")
	}
	leaves(t, dir, s)
	if _, ok := x.Snapshot().Find(sessions.Key{Harness: "claude", ID: "a"}); !ok {
		t.Error("what was shown is gone")
	}
	x.Close()
	s.Close()
}
