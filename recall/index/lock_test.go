package index

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions"
)

// A directory that somebody removes while it is open, and another process makes anew, is
// that one's: the first writes nothing there, and opens it anew.
func TestADirectoryThatIsMadeAnew(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	x.Apply([]sessions.Update{one("c", "said to the first")})
	save := func(take func([]sessions.Saved)) { take(nil) }
	if err := s.Publish(save); err != nil || !s.Missed() {
		t.Errorf("it goes on where no directory is: %v", err)
	}
	c, u := corpus{}, one("d", "said to the second")
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer y.Close()
	c.apply(u)
	y.Apply([]sessions.Update{u})
	publish(t, other, "state")
	before := filesIn(t, dir)
	for range 2 { // beside it, and after it
		if err := s.Publish(save); err != nil {
			t.Error(err)
		}
		if done, err := s.Purge(t.Context(), Clean{Hash: 5}, save); done || err != nil {
			t.Errorf("purged: %v, %v", done, err)
		}
		if s.Kept().Writes || !maps.Equal(filesIn(t, dir), before) {
			t.Fatalf("two processes write there")
		}
		other.Close()
	}
	if notes := s.Kept().Notes; !s.Missed() || len(notes) != 1 || !strings.Contains(notes[0], dir) {
		t.Errorf("it does not open the directory anew; notes %q", notes)
	}
	z, third, _ := keptIn(t, dir, hashedOptions)
	defer z.Close()
	defer third.Close()
	c.check(t, z.Snapshot())
}

// A directory that somebody empties while it is open, the lock too, is no place to go on
// writing: the ledger would begin in its middle, and the manifest name what is gone.
func TestADirectoryThatIsEmptied(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	x.Apply([]sessions.Update{one("c", "said to nobody")})
	publish(t, s, "state")
	if left := filesIn(t, dir); len(left) > 0 || !s.Missed() || s.Kept().Writes {
		t.Errorf("missed %v, and wrote %d files", s.Missed(), len(left))
	}
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer other.Close()
	defer y.Close()
	c, u := corpus{}, one("d", "said to the second")
	c.apply(u)
	y.Apply([]sessions.Update{u})
	publish(t, other, "state")
	z, third, _ := keptIn(t, dir, hashedOptions)
	defer third.Close()
	defer z.Close()
	c.check(t, z.Snapshot())
	if notes := third.Kept().Notes; len(notes) > 0 {
		t.Errorf("it is told to be damaged: %q", notes)
	}
}

// A lock that was removed before it was taken is nobody's.
func TestALockThatIsRemoved(t *testing.T) {
	dir := t.TempDir()
	s := newStore(dir, New(hashedOptions))
	f, err := s.openLock()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !s.locked(f) {
		t.Error("the lock is not the directory's")
	}
	if err := os.Remove(f.Name()); err != nil {
		t.Skip(err) // where an open file cannot be removed
	}
	if s.locked(f) {
		t.Error("it is the directory's when it is gone")
	}
	other, err := s.openLock()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if s.locked(f) || !s.locked(other) {
		t.Error("another one is in its place")
	}
}
