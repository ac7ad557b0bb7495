package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions"
)

// What cannot be written stays in memory, is said, and is written once it can be.
func TestFailedWriteCostsNothing(t *testing.T) {
	for name, hinder := range map[string]func(dir string) (undo func() error){
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

// A manifest that is in its place counts, also where the disk does not say that it will
// be found there after a power cut: until it does, nothing is removed of what the former
// one names either, and nothing is said to be purged.
func TestNothingIsRemovedUntilTheManifestIsOnDisk(t *testing.T) {
	for _, purged := range []bool{false, true} {
		t.Run(fmt.Sprint("purged ", purged), func(t *testing.T) {
			dir, c := filled(t)
			x, s, _ := keptIn(t, dir, hashedOptions)
			before := filesOf(t, dir, ".seg")
			us := []sessions.Update{one("a", "anew"), removed("b")}
			for _, u := range us {
				c.apply(u)
				x.Apply([]sessions.Update{u})
			}
			x.Compact()
			s.sync = func(string) error { return os.ErrInvalid }
			save := func(take func([]sessions.Saved)) { take(nil) }
			write := func() (err error) {
				if !purged {
					return s.Publish(save)
				}
				if done, err := s.Purge(t.Context(), Clean{Hash: 5}, save); done != (err == nil) {
					t.Errorf("done %v, %v", done, err)
				}
				return s.failed
			}
			for range 2 {
				if err := write(); err == nil || len(s.Kept().Notes) != 1 {
					t.Errorf("%v, notes %q", err, s.Kept().Notes)
				}
				y, other, _ := keptIn(t, dir, hashedOptions)
				c.check(t, y.Snapshot())
				other.Close()
				y.Close()
				for _, path := range before {
					if _, err := os.Stat(path); err != nil {
						t.Error(err)
					}
				}
			}
			s.sync = SyncDir
			if err := write(); err != nil || len(s.Kept().Notes) > 0 {
				t.Errorf("%v, notes %q", err, s.Kept().Notes)
			}
			x.Close()
			s.Close()
			if k := s.Kept(); k.Segments != len(filesOf(t, dir, ".seg")) || purged != (s.CleanNow() == 5) {
				t.Errorf("%d segments, files %q, clean of %d", k.Segments, filesOf(t, dir, ""), s.CleanNow())
			}
			y, again, saved := keptIn(t, dir, hashedOptions)
			defer y.Close()
			defer again.Close()
			c.check(t, y.Snapshot())
			if len(saved) != 1 {
				t.Errorf("states %v", saved)
			}
		})
	}
}

// A process that is killed while it begins its first ledger leaves nothing that is damaged:
// what the segments know is taken over, and nothing is said.
func TestKilledAtTheFirstLedger(t *testing.T) {
	for _, written := range []int{0, 5, headBytes} {
		dir, c := filled(t)
		if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(ledgerPath(dir, 1), int64(written)); err != nil {
			t.Fatal(err)
		}
		x, s, _ := keptIn(t, dir, hashedOptions)
		c.check(t, x.Snapshot())
		publish(t, s, "state")
		if notes := s.Kept().Notes; len(notes) > 0 {
			t.Errorf("with %d bytes: %q", written, notes)
		}
		x.Close()
		s.Close()
	}
}

// A file that another package keeps there is not swept while it is written, and only the
// process that writes puts one there.
func TestPutBesideASweep(t *testing.T) {
	dir, _ := filled(t)
	x, s, _ := keptIn(t, dir, hashedOptions)
	defer s.Close()
	defer x.Close()
	y, other, _ := keptIn(t, dir, hashedOptions)
	defer other.Close()
	defer y.Close()
	x.Apply([]sessions.Update{one("c", "said meanwhile")})
	begun, published := make(chan struct{}), make(chan error)
	go func() {
		<-begun
		published <- s.Publish(func(take func([]sessions.Saved)) { take(nil) })
	}()
	put, err := s.Put("table", func(f *os.File) error {
		close(begun)
		for s.x.mergeMu.TryLock() { // until it is about to be published
			s.x.mergeMu.Unlock()
			time.Sleep(time.Millisecond)
		}
		_, err := f.WriteString("rows")
		return err
	})
	if text, wrong := os.ReadFile(filepath.Join(dir, "table")); !put || err != nil || string(text) != "rows" {
		t.Errorf("%v, %v: %q, %v", put, err, text, wrong)
	}
	if err := <-published; err != nil {
		t.Error(err)
	}
	if put, err := other.Put("table", func(*os.File) error { t.Error("it is written"); return nil }); put || err != nil {
		t.Errorf("put by another: %v, %v", put, err)
	}
}

// A process that is killed right after its manifest came to its place leaves open whether a
// power cut brings back the former one. So whoever writes next removes nothing, and sets
// nothing aside, before the disk says that it does not; nor does one that cannot write.
func TestAStartRemovesNothingBeforeTheManifestIsOnDisk(t *testing.T) {
	for name, later := range map[string]bool{"at a start": false, "when the writer has ended": true} {
		t.Run(name, func(t *testing.T) {
			dir, _ := filled(t)
			stray := filepath.Join(dir, segmentName(99)) // of the former one
			x := New(hashedOptions)
			s := newStore(dir, x)
			failed := 0
			s.sync = func(string) error { failed++; return os.ErrInvalid }
			var former *Store
			if later {
				_, former, _ = keptIn(t, dir, hashedOptions)
			}
			if err := os.WriteFile(stray, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := s.begin(); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			defer x.Close()
			x.Apply([]sessions.Update{one("c", "said later")})
			if later {
				former.Close()
			}
			ledger := ledgerPath(dir, 1)
			if err := os.Rename(ledger, ledger+".away"); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(ledger, 0o700); err != nil {
				t.Fatal(err)
			}
			save := func(take func([]sessions.Saved)) { take(nil) }
			if err := s.Publish(save); err == nil {
				t.Fatal("it is written")
			}
			if _, err := os.Stat(stray); err != nil || failed == 0 {
				t.Fatalf("%v after %d looks", err, failed)
			}
			s.sync = SyncDir
			if err := s.Publish(save); err == nil {
				t.Fatal("it is written")
			}
			if _, err := os.Stat(stray); err == nil {
				t.Error("what does not count stays")
			}
		})
	}
}
