package index

import (
	"maps"
	"os"
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
	if err := s.Publish(save); err == nil || s.Missed() {
		t.Errorf("nothing is wrong with no directory: missed %v", s.Missed())
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
	if !s.Missed() {
		t.Error("it does not open the directory anew")
	}
	z, third, _ := keptIn(t, dir, hashedOptions)
	defer z.Close()
	defer third.Close()
	c.check(t, z.Snapshot())
}
