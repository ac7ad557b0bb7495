package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"yore/sessions"
)

// A ledger that lost its end says of sessions that their transcripts are there, which are gone
// meanwhile: what hangs on their passages is nowhere else, and stays. That of a session whose
// transcript is there is read again.
func TestTurnsOfGoneSessionsOutliveTheEndOfTheLedger(t *testing.T) {
	for _, agents := range []bool{false, true} {
		t.Run(fmt.Sprint("sub-agents ", agents), func(t *testing.T) {
			dir, transcripts := t.TempDir(), t.TempDir()
			there := filepath.Join(transcripts, "there")
			if err := os.WriteFile(there, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			var us, gone []sessions.Update
			for n := range packFrom {
				u := one(fmt.Sprint(n), "why the cache is sharded")
				u.Path, u.Subagent = filepath.Join(transcripts, fmt.Sprint(n)), agents
				u.Hung = []sessions.Hung{{Turn: sessions.Turn{Text: "output"}}}
				if n == 0 {
					u.Path = there
				}
				us = append(us, u)
				if u.Gone = true; n > 0 {
					u.From, u.Passages, u.Hung = 1, nil, nil
					gone = append(gone, u)
				}
			}
			x, s, _ := keptIn(t, dir, hashedOptions)
			x.Apply(us)
			publish(t, s, "1")
			size := s.on.ledger.size
			x.Apply(gone)
			publish(t, s, "2")
			x.Close()
			s.Close()
			if err := os.Truncate(filesOf(t, dir, ".log")[0], size); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				x, s, _ = keptIn(t, dir, hashedOptions)
				snap := x.Snapshot()
				for n, u := range us {
					ord, ok := snap.Find(u.Key)
					if !ok {
						t.Fatalf("%v is lost", u.Key)
					}
					if hung := len(snap.HungAt(ord, 0)); hung != min(n, 1) || snap.Session(ord).Gone != (n > 0) {
						t.Errorf("%v: %d turns hang on it, gone %v", u.Key, hung, snap.Session(ord).Gone)
					}
				}
				publish(t, s, "3")
				x.Close()
				s.Close()
			}
		})
	}
}
