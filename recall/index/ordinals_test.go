package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"yore/sessions"
)

// removed is the Update that forgets a session.
func removed(id string) sessions.Update {
	return sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}}, Removed: true}
}

// A ledger says nothing of what was forgotten, so that the ordinals in it may be far
// higher than its bytes are many: without a manifest all that is left is kept.
func TestAFewSessionsOfManyOutliveTheManifest(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	const forgotten = 1000
	c := corpus{}
	var us, gone []sessions.Update
	for n := range forgotten {
		us, gone = append(us, one(fmt.Sprint(n), "lunch")), append(gone, removed(fmt.Sprint(n)))
	}
	last := one("last", "why the cache is sharded")
	last.Gone = true
	c.apply(last)
	x.Apply(append(us, last))
	publish(t, s, "state")
	x.Apply(gone)
	purge(t, x, s, c, 5)
	if s.on.ledger.size >= forgotten {
		t.Fatalf("the ledger has %d bytes, too many to try this", s.on.ledger.size)
	}
	x.Close()
	s.Close()
	if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		x, s, _ = keptIn(t, dir, hashedOptions)
		c.check(t, x.Snapshot())
		if aside := filesOf(t, dir, asideMark+"*"); len(aside) > 0 {
			t.Errorf("set aside: %q", aside)
		}
		publish(t, s, "state")
		x.Close()
		s.Close()
	}
}

// The ordinal of a session that is forgotten is never another's, also when it was the
// highest and whatever becomes of manifest and ledger: what a segment still holds of it
// would be taken for the other's, and purged by nobody.
func TestOrdinalsAreGivenOnce(t *testing.T) {
	for _, lost := range []string{"", manifestName, ".log"} {
		t.Run("without "+lost, func(t *testing.T) {
			dir := t.TempDir()
			x, s, _ := keptIn(t, dir, hashedOptions)
			reopen := func() {
				x.Close()
				s.Close()
				x, s, _ = keptIn(t, dir, hashedOptions)
			}
			c := corpus{}
			us := []sessions.Update{one("a", "lunch"), told(one(secretOnes[0], "why the cache is sharded"))}
			c.apply(us[0])
			x.Apply(us) // into one segment
			publish(t, s, "state")
			x.merging = true // so that what is forgotten stays in it
			x.Apply([]sessions.Update{removed(secretOnes[0])})
			s.ledger.live = -1 << 40 // so that it is written anew
			publish(t, s, "again")
			x.merging = false
			for range 2 {
				x.Close()
				s.Close()
				if lost != "" {
					if err := os.Remove(filesOf(t, dir, lost)[0]); err != nil {
						t.Fatal(err)
					}
				}
				reopen()
				publish(t, s, "and again")
			}
			u := one("b", "dinner")
			c.apply(u)
			x.Apply([]sessions.Update{u})
			c.check(t, x.Snapshot())
			purge(t, x, s, c, 5)
			c.check(t, x.Snapshot())
			x.Close()
			s.Close()
			if names := mentions(t, dir); len(names) > 0 {
				t.Errorf("%q hold the secret", names)
			}
		})
	}
}
