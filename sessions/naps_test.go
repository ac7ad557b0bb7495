package sessions

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// rows reads the invented harness "rows", whose transcripts lie in one store, each with
// the text of its name; they are sub-agents' that ended.
type rows struct {
	path   string
	units  []string
	listed func() // called when all were listed
}

func (r *rows) Name() string            { return "rows" }
func (r *rows) Roots(Env) []Root        { return []Root{{Path: r.path, From: "default"}} }
func (r *rows) Resume(Session) []string { return nil }

func (r *rows) List(_ context.Context, root Root, send func(Transcript)) error {
	for _, unit := range r.units {
		send(Transcript{Path: root.Path, Unit: unit, ID: unit, Side: true, Stamp: Stamp{Size: 1, Mtime: time.Unix(1e9, 0)}})
	}
	if r.listed != nil {
		r.listed()
	}
	return nil
}

func (r *rows) Read(_ context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	to.Facts(Session{Key: Key{ID: t.ID}, Subagent: true})
	to.Turn(t.ID, Turn{Kind: Prompt, Role: User, Text: "this is " + t.ID}, false)
	return from, nil
}

// What wakes between a listing that saw it asleep and what is made of the listing is where
// it was: nothing else can tell that of the row of a database. So is what shared a block
// with it, which is written anew when all is saved meanwhile.
func TestWhatWakesDuringAListing(t *testing.T) {
	for _, saves := range []bool{false, true} {
		source := &rows{path: t.TempDir(), units: []string{"a", "b"}}
		c := newCorpus(t)
		saved := make(map[uint64]Saved)
		save := func(l *Library) {
			l.Save(func(all []Saved) {
				for _, s := range all {
					if saved[s.Number] = s; s.State == nil {
						delete(saved, s.Number)
					}
				}
			})
		}
		run := func() {
			t.Helper()
			l := NewLibrary(Options{Sources: []Source{source}, Workers: 1})
			if err := l.Restore(t.Context(), slices.Collect(maps.Values(saved)), Applied{Session: c.applied}); err != nil {
				t.Fatal(err)
			}
			source.listed = func() {
				if l.wakeNamed(Key{"rows", "a"}); saves {
					save(l)
				}
			}
			if err := l.Run(t.Context(), c.apply); err != nil {
				t.Fatal(err)
			}
			save(l)
		}
		run()
		if len(saved) != 1 || !slices.Collect(maps.Values(saved))[0].Many {
			t.Fatalf("kept %+v", saved)
		}
		run()
		for _, id := range source.units {
			if s := c.session(id); s.Gone || c.text(id) != "this is "+id {
				t.Errorf("saved %v: %s is %+v and says %q", saves, id, s, c.text(id))
			}
		}
	}
}

// A second path to what wakes during a listing that saw it asleep is no transcript of its
// own.
func TestALinkToWhatWakesDuringAListing(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 2)
	d.run(t)
	d.f.put(t, "two/other.log", line{ID: "1", Text: "words"})
	if err := os.Link(filepath.Join(d.f.dir, names[0]), filepath.Join(d.f.dir, "two/side-link.log")); err != nil {
		t.Skip(err)
	}
	l := d.start(t)
	d.f.listed = func() { l.wakeAt(filepath.Join(d.f.dir, names[0])) }
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	if ids := d.corpus.ids(); !slices.Equal(ids, []string{"other", "side-one-000", "side-one-001"}) {
		t.Errorf("sessions %v", ids)
	}
}

// What sleeps is the one that a listing saw asleep also after it woke meanwhile, and never
// another that has its row.
func TestARowThatIsUsedAgain(t *testing.T) {
	var s sleepers
	number := func() uint64 { return 1 }
	sleeper := func(path string) *kept {
		return &kept{transcript: transcript{at: Transcript{Root: Root{Path: "/r"}, Path: path}}}
	}
	one, other := sleeper("/r/one"), sleeper("/r/other")
	s.take(one, number)
	var seen naps
	was, _, ok := s.unchanged(&one.at)
	if seen.add(was); !ok || !seen.has(was) {
		t.Fatalf("not seen: %+v", was)
	}
	var woken *kept
	s.find(func(s *sleepers) uint64 { return s.byPlace("/r/one", "") }, func(k *kept) { woken = k })
	if !seen.has(woken.nap) {
		t.Error("woken it was not seen")
	}
	s.take(other, number)
	if now, _, ok := s.unchanged(&other.at); !ok || len(s.rows) != 1 || seen.has(now) {
		t.Errorf("%+v was seen as %+v", now, was)
	}
	s.take(woken, number)
	if again, _, ok := s.unchanged(&woken.at); !ok || again != was {
		t.Errorf("asleep again it is %+v, not %+v", again, was)
	}
	var missing []string
	s.missing(func(Root) bool { return true }, seen, func(Transcript) bool {
		free := s.mu.TryLock()
		if free {
			s.mu.Unlock()
		} else {
			t.Error("others wait for the disk")
		}
		return true
	}, func(k *kept) { missing = append(missing, k.at.Path) })
	if len(missing) != 1 || missing[0] != "/r/other" {
		t.Errorf("missing is %q", missing)
	}
}
