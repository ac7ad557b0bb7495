package index

import (
	"os"
	"testing"

	"yore/sessions"
)

// What is rejected is neither seen nor written again: no segment or session that comes
// later is taken for one of those, and no state is read again.
func TestWhatIsRejectedIsGone(t *testing.T) {
	for _, damage := range []string{"", "no manifest", "a former ledger"} {
		t.Run("with "+damage, func(t *testing.T) {
			dir, _ := filled(t)
			switch damage {
			case "no manifest":
				_ = os.Remove(filesOf(t, dir, manifestName)[0])
			case "a former ledger": // it is written anew, with all states
				m, err := readManifest(dir)
				if err != nil {
					t.Fatal(err)
				}
				relabelLedger(t, ledgerPath(dir, m.ledger.number))
			}
			x, s, _ := keptIn(t, dir, hashedOptions)
			before := x.Snapshot()
			ord, _ := before.Find(sessions.Key{Harness: "claude", ID: "a"})
			for _, seg := range before.Segments(Talk) {
				for doc := range uint32(seg.Len()) {
					seg.Passage(doc)
				}
			}
			s.Reject(os.ErrInvalid)
			if aside := filesOf(t, dir, asideMark+"*"); len(aside) == 0 {
				t.Error("nothing is set aside")
			}
			if now := x.Snapshot(); now.Generation <= before.Generation || now.Live(Talk) > 0 {
				t.Errorf("generation %d after %d, %d passages", now.Generation, before.Generation, now.Live(Talk))
			}
			c := corpus{}
			for _, u := range []sessions.Update{one("c", "dinner"), one("d", "tea", "more tea")} {
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
			c.check(t, x.Snapshot())
			if now, _ := x.Snapshot().Find(sessions.Key{Harness: "claude", ID: "c"}); now <= ord {
				t.Errorf("ordinal %d was another's", now)
			}
			x.Compact()
			c.check(t, x.Snapshot())
			publishAll(t, s, sessions.Saved{Number: 8, State: []byte("new")})
			x.Close()
			s.Close()
			y, again, saved := keptIn(t, dir, hashedOptions)
			defer y.Close()
			defer again.Close()
			c.check(t, y.Snapshot())
			if len(saved) != 1 || saved[0].Number != 8 {
				t.Errorf("states %v", saved)
			}
		})
	}
}
