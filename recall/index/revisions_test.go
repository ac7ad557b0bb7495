package index

import (
	"maps"
	"strings"
	"testing"

	"yore/recall/words"
	"yore/sessions"
)

// raised makes the manifest of a directory that of a program with a higher revision.
func raised(t *testing.T, dir string, which int) {
	t.Helper()
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.by[which]++
	if err := m.write(dir); err != nil {
		t.Fatal(err)
	}
}

// What a program with a higher revision made is read, and left as it is down to the last
// file, whoever of the two runs first.
func TestWhatHigherRevisionsMadeIsLeftAlone(t *testing.T) {
	for which, of := range ruled {
		t.Run(of, func(t *testing.T) {
			dir := writtenIn(t)
			x, s, _ := keptIn(t, dir, hashedOptions)
			later, second, _ := keptIn(t, dir, hashedOptions)
			x.Apply([]sessions.Update{one("c", "the tank is full")})
			publish(t, s, "state")
			x.Close()
			s.Close()
			raised(t, dir, which)
			before := filesIn(t, dir)
			publish(t, second, "another state")
			if !second.Missed() || second.Newer() { // it opens the directory anew
				t.Errorf("missed %v, newer %v", second.Missed(), second.Newer())
			}
			later.Close()
			second.Close()

			x, s, saved := keptIn(t, dir, hashedOptions)
			leaves(t, dir, s)
			if note := s.Kept().Notes[0]; !strings.Contains(note, of+" by revision ") {
				t.Errorf("it is said: %s", note)
			}
			if c := (sessions.Key{Harness: "claude", ID: "c"}); !holds(x, c) || len(saved) != 1 || s.Kept().Segments == 0 {
				t.Errorf("what is there is not read; states %v", saved)
			}
			useAndClose(t, x, s)
			if !maps.Equal(filesIn(t, dir), before) {
				t.Fatal("the directory was changed")
			}
		})
	}
}

// A program with higher revisions makes the directory its own with the first that it
// writes, whether anything else is new or not, and writes nothing where nothing is.
func TestHigherRevisionsTakeADirectory(t *testing.T) {
	dir := writtenIn(t)
	o := hashedOptions
	o.Table++
	x, s, _ := keptIn(t, dir, o)
	nothing := func(s *Store) {
		if err := s.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
			t.Error(err)
		}
	}
	nothing(s)
	first := filesIn(t, dir)
	nothing(s)
	x.Close()
	s.Close()
	if m, err := readManifest(dir); err != nil || m.by != s.revisions() || m.by[2] != o.Table || !maps.Equal(filesIn(t, dir), first) {
		t.Errorf("written by %v, %v", m.by, err)
	}
	x, s, _ = keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	leaves(t, dir, s)

	empty := t.TempDir()
	y, other, _ := keptIn(t, empty, o)
	defer other.Close()
	defer y.Close()
	if nothing(other); len(filesIn(t, empty)) > 0 {
		t.Errorf("of nothing there is %v", filesIn(t, empty))
	}
}

// The words that a newer version cut stay, and are searched.
func TestWordsOfANewerVersionStay(t *testing.T) {
	dir := writtenIn(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.closed.Store(true)
	x.Apply([]sessions.Update{one("b", "the valve is open")})
	x.Snapshot().Segments(Talk)[1].cut++
	publish(t, s, "state")
	x.Close()
	s.Close()
	raised(t, dir, 1)
	before := filesIn(t, dir)
	x, s, _ = keptIn(t, dir, hashedOptions)
	x.work.Wait()
	newer := 0
	for _, seg := range x.Snapshot().Segments(Talk) {
		if _, ok := seg.Lookup("valve"); ok && seg.cut > words.Revision {
			newer++
		}
	}
	if newer != 1 {
		t.Errorf("%d segments of a newer version are searched", newer)
	}
	x.Close()
	s.Close()
	if !maps.Equal(filesIn(t, dir), before) {
		t.Error("the directory was changed")
	}
}
