package index

import (
	"os"
	"path/filepath"
	"testing"

	"yore/sessions"
)

// What cannot be written stays in memory, is said, and is written once it can be.
func TestFailedWriteCostsNothing(t *testing.T) {
	for name, hinder := range map[string]func(dir string) (undo func() error){
		"no directory": func(dir string) func() error {
			_ = os.Rename(dir, dir+".away")
			return func() error { return os.Rename(dir+".away", dir) }
		},
		"no manifest": func(dir string) func() error {
			path := filepath.Join(dir, manifestName)
			_ = os.Rename(path, path+".away")
			_ = os.MkdirAll(filepath.Join(path, "in the way"), 0o700)
			return func() error {
				_ = os.RemoveAll(path)
				return os.Rename(path+".away", path)
			}
		},
		"no ledger": func(dir string) func() error {
			path := ledgerPath(dir, 1)
			_ = os.Rename(path, path+".away")
			_ = os.Mkdir(path, 0o700)
			return func() error {
				_ = os.Remove(path)
				return os.Rename(path+".away", path)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, c := filled(t)
			x, s, _ := keptIn(t, dir, hashedOptions)
			apply := func(u sessions.Update) {
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
			apply(one("c", "said before the disk was full"))
			undo := hinder(dir)
			err := s.Publish(func(take func([]sessions.Saved)) { take([]sessions.Saved{{Number: 9, State: []byte("unheard")}}) })
			if err == nil || len(s.Kept().Notes) != 1 {
				t.Fatalf("%v, notes %q", err, s.Kept().Notes)
			}
			c.check(t, x.Snapshot())
			apply(one("d", "said while it was"))
			apply(sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "b"}}, Removed: true})
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			publish(t, s, "heard")
			if notes := s.Kept().Notes; len(notes) > 0 {
				t.Errorf("it is still said: %q", notes)
			}
			c.check(t, x.Snapshot())
			x.Close()
			s.Close()
			y, again, saved := keptIn(t, dir, hashedOptions)
			defer y.Close()
			defer again.Close()
			c.check(t, y.Snapshot())
			if len(saved) != 2 {
				t.Errorf("states %v", saved)
			}
		})
	}
}
