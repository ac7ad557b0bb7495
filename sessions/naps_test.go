package sessions

import (
	"context"
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
// it was: nothing else can tell that of the row of a database.
func TestWhatWakesDuringAListing(t *testing.T) {
	source := &rows{path: t.TempDir(), units: []string{"a", "b"}}
	c := newCorpus(t)
	var saved []Saved
	run := func() {
		t.Helper()
		l := NewLibrary(Options{Sources: []Source{source}, Workers: 1})
		if err := l.Restore(t.Context(), saved, Applied{Session: c.applied}); err != nil {
			t.Fatal(err)
		}
		source.listed = func() { l.wakeNamed(Key{"rows", "a"}) }
		if err := l.Run(t.Context(), c.apply); err != nil {
			t.Fatal(err)
		}
		l.Save(func(s []Saved) { saved = s })
	}
	run()
	if len(saved) != 1 || !saved[0].Many {
		t.Fatalf("kept %+v", saved)
	}
	run()
	for _, id := range source.units {
		if s := c.session(id); s.Gone || c.text(id) != "this is "+id {
			t.Errorf("%s is %+v and says %q", id, s, c.text(id))
		}
	}
}

// A row that is used again is not the sleeper that a listing saw in it.
func TestARowThatIsUsedAgain(t *testing.T) {
	var s sleepers
	number := func() uint64 { return 1 }
	sleeper := func(path string) *kept {
		return &kept{transcript: transcript{at: Transcript{Root: Root{Path: "/r"}, Path: path}}}
	}
	one, other := sleeper("/r/one"), sleeper("/r/other")
	s.take(one, number)
	var seen naps
	was, ok := s.unchanged(&one.at)
	if seen.add(was); !ok || !seen.has(was) {
		t.Fatalf("not seen: %+v", was)
	}
	s.find(func(s *sleepers) uint64 { return s.byPlace("/r/one", "") }, func(k *kept) {
		if !seen.has(k.nap) {
			t.Error("woken it was not seen")
		}
	})
	s.take(other, number)
	if now, ok := s.unchanged(&other.at); !ok || now.row != was.row || seen.has(now) {
		t.Errorf("%+v was seen as %+v", now, was)
	}
	var missing []string
	s.missing(func(Root) bool { return true }, seen, func(*dormant) bool { return true }, func(k *kept) { missing = append(missing, k.at.Path) })
	if len(missing) != 1 || missing[0] != "/r/other" {
		t.Errorf("missing is %q", missing)
	}
}
