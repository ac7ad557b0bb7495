package index

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	if m, err := readManifest(dir); err != nil || m.by != s.revisions() || m.by[byTable] != o.Table || !maps.Equal(filesIn(t, dir), first) {
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
	dir := cutHigher(t)
	raised(t, dir, byWords)
	before := filesIn(t, dir)
	x, s, _ := keptIn(t, dir, hashedOptions)
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

// cutHigher is a directory with two segments, of which the words of one are cut by a
// higher revision.
func cutHigher(t *testing.T) (dir string) {
	t.Helper()
	dir = writtenIn(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	x.closed.Store(true)
	x.Apply([]sessions.Update{one("b", "the valve is open")})
	x.Snapshot().Segments(Talk)[1].cut++
	publish(t, s, "state")
	x.Close()
	s.Close()
	return dir
}

// Where no manifest tells of a higher revision, a segment does.
func TestHigherRevisionWithoutAManifest(t *testing.T) {
	for what, lose := range map[string]func(path string) error{
		"gone": os.Remove, "damaged": func(path string) error { return os.Truncate(path, 9) },
	} {
		t.Run(what, func(t *testing.T) {
			dir := cutHigher(t)
			if err := lose(filepath.Join(dir, manifestName)); err != nil {
				t.Fatal(err)
			}
			before := filesIn(t, dir)
			x, s, _ := keptIn(t, dir, hashedOptions)
			x.Compact()
			if k := s.Kept(); !s.Newer() || k.Writes || !strings.Contains(strings.Join(k.Notes, "\n"), "words are cut by revision ") {
				t.Errorf("newer %v, writes %v, notes %q", s.Newer(), k.Writes, k.Notes)
			}
			useAndClose(t, x, s)
			if !maps.Equal(filesIn(t, dir), before) {
				t.Error("the directory was changed")
			}
		})
	}
}

// What a merged segment says of its words holds for each of them: those that are cut by
// two revisions stay in two.
func TestWordsOfTwoRevisionsStayApart(t *testing.T) {
	cuts := func(x *Index) (cuts []uint32) {
		for _, seg := range x.Snapshot().Segments(Talk) {
			cuts = append(cuts, seg.cut)
		}
		slices.Sort(cuts)
		return cuts
	}
	want := []uint32{words.Revision, words.Revision + 1}
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	for i, id := range []string{"a", "b", "c", "d"} {
		x.Apply([]sessions.Update{one(id, "the valve is open")})
		segs := x.Snapshot().Segments(Talk)
		segs[len(segs)-1].cut += uint32(i % 2)
	}
	publish(t, s, "state") // which gathers the small ones
	if got := cuts(x); !slices.Equal(got, want) {
		t.Errorf("written: cut by %v", got)
	}
	x.Apply([]sessions.Update{one("e", "the valve is shut")})
	x.Compact()
	if got := cuts(x); !slices.Equal(got, want) {
		t.Errorf("merged: cut by %v", got)
	}
}

// A folder that is left to a program with higher revisions may be damaged all the same:
// that is said, and nothing of it set aside.
func TestDamageBesideHigherRevisionsIsTold(t *testing.T) {
	dir := writtenIn(t)
	raised(t, dir, byReading)
	for _, path := range filesMatching(t, dir, "*.log") {
		if err := os.Truncate(path, 3); err != nil {
			t.Fatal(err)
		}
	}
	before := filesIn(t, dir)
	x, s, _ := keptIn(t, dir, hashedOptions)
	notes := strings.Join(s.Kept().Notes, "\n")
	if !s.Newer() || !strings.Contains(notes, "newer yore") || !strings.Contains(notes, "its ledger: ") {
		t.Errorf("newer %v, notes %q", s.Newer(), notes)
	}
	useAndClose(t, x, s)
	if !maps.Equal(filesIn(t, dir), before) {
		t.Error("the directory was changed")
	}
}

// Another package's file is removed by who may write in the directory alone.
func TestRemoveFrom(t *testing.T) {
	dir := writtenIn(t)
	path := filepath.Join(dir, "table")
	remove := func(wantWas, wantMay bool) {
		t.Helper()
		if was, may, err := RemoveFrom(dir, "table", hashedOptions.Table); was != wantWas || may != wantMay || err != nil {
			t.Errorf("was there %v, may %v, %v", was, may, err)
		}
		if _, err := os.Lstat(path); (err == nil) != (wantWas && !wantMay) {
			t.Errorf("it is there: %v", err)
		}
	}
	remove(false, true)
	if err := os.WriteFile(path, []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, s, _ := keptIn(t, dir, hashedOptions)
	remove(true, false)
	s.Close()
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	raised(t, dir, byTable)
	remove(true, false)
	if err := m.write(dir); err != nil {
		t.Fatal(err)
	}
	remove(true, true)
	remove(false, true)
}
