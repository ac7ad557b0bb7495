package index

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/sessions"
)

// agent is a sub-agent with facts of its own and some that others have too.
func agent(n int, text string) sessions.Update {
	at := time.Date(2026, 5, 1, 10, 0, n, 70, time.UTC)
	u := one(fmt.Sprintf("agent-%04d", n), text)
	u.Subagent, u.Parent, u.ParentCall = true, fmt.Sprintf("parent-%d", n/50), fmt.Sprintf("call-%d", n)
	u.Directory, u.Title, u.Path = "/home/dev/x", "task "+text, fmt.Sprintf("/home/dev/.x/%d/agent-%04d.jsonl", n/50, n)
	u.Start, u.LastActive, u.TimeFrom = at, at.Add(time.Minute), sessions.TimeMessage
	u.Prompts, u.Replies, u.Session.Passages = 1, 2, len(u.Passages)
	return u
}

// However sessions come, change and go, and whenever they are packed, a directory holds
// what one holds that never packs.
func TestPackedDirectories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d directory
		want := map[uint32]*Entry{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			var changed []entry
			from := rapid.IntRange(0, 3*chunk).Draw(t, "from")
			for ord := from; ord < from+rapid.IntRange(1, 2*chunk).Draw(t, "many"); ord++ {
				e := &Entry{Session: agent(ord, rapid.StringN(0, 9, -1).Draw(t, "text")).Session, Numbered: ord, hung: uint32(ord) % 3}
				switch rapid.IntRange(0, 9).Draw(t, "kind") {
				case 0:
					e = nil
				case 1:
					e.Subagent, e.LastActive, e.Gone = false, time.Time{}, true
				case 2:
					e.Resume = []string{"x", e.ID}
				}
				changed = append(changed, entry{uint32(ord), e})
				want[uint32(ord)] = e
			}
			before := d
			d = d.with(changed)
			for at, p := range d.pages { // what is written is what changed
				for i := range uint32(chunk) {
					ord := uint32(at)*chunk + i
					if at < len(before.pages) && before.pages[at] != nil && p.same(before.pages[at], i) && !reflect.DeepEqual(d.at(ord), before.at(ord)) {
						t.Fatalf("%d is called the same", ord)
					}
				}
			}
			if rapid.Bool().Draw(t, "pack") {
				packed, _ := d.pack()
				d = d.replace(&d, &packed)
			}
			next := uint32(0)
			for ord, e := range d.each {
				for ; next < ord; next++ {
					if want[next] != nil {
						t.Fatalf("%d is passed over", next)
					}
				}
				if next++; !reflect.DeepEqual(e, want[ord]) {
					t.Fatalf("in a row %d is\n%+v, want\n%+v", ord, e, want[ord])
				}
			}
			for ord := range uint32(d.size) {
				if ord >= next && want[ord] != nil {
					t.Fatalf("%d is left out", ord)
				}
				got, e := d.at(ord), want[ord]
				if !reflect.DeepEqual(got, e) {
					t.Fatalf("%d is\n%+v, want\n%+v", ord, got, e)
				}
				b, ok := d.brief(ord)
				if ok != (e != nil) || ok && (b.Key != e.Key || b.Subagent != e.Subagent || !b.At().Equal(e.LastActive) || int(b.numbered) != e.Numbered || b.hung != e.hung) {
					t.Fatalf("%d in brief is %+v, %v", ord, b, ok)
				}
			}
		}
	})
}

// Sub-agents that are packed once they are written are not written again, are the same
// after a new start, and change and go like others.
func TestPackedSubagents(t *testing.T) {
	dir := t.TempDir()
	x, s, _ := keptIn(t, dir, hashedOptions)
	var us []sessions.Update
	for n := range 600 {
		us = append(us, agent(n, fmt.Sprintf("text %d", n)))
	}
	us = append(us, one("talk", "a talk"))
	x.Apply(us)
	check := func(what string) {
		t.Helper()
		snap := x.Snapshot()
		for _, u := range us {
			ord, ok := snap.Find(u.Key)
			if ok == u.Removed {
				t.Fatalf("%s: %v is there: %v", what, u.Key, ok)
			}
			if !ok {
				continue
			}
			if e := snap.Session(ord); !reflect.DeepEqual(e.Session, u.Session) || e.Numbered != 1 {
				t.Fatalf("%s: is\n%+v, want\n%+v", what, e.Session, u.Session)
			}
			if ref, ok := snap.At(ord, 0); !ok || ref.Seg.Passage(ref.Doc).Text != u.Passages[0].Text {
				t.Fatalf("%s: %v has lost its text", what, u.Key)
			}
		}
		if partial := x.Applied().Partial; len(partial) > 0 {
			t.Fatalf("%s: %v are not whole", what, partial)
		}
	}
	publishAll(t, s)
	check("published")
	if p := x.Snapshot().dir.pages[0]; p.side == nil {
		t.Error("nothing is packed")
	}
	size := s.Kept().Bytes
	publishAll(t, s)
	if now := s.Kept().Bytes; now != size {
		t.Errorf("written again: %d bytes, then %d", size, now)
	}
	us[3] = agent(3, "another text")
	us[3].Reset = true
	us[4] = sessions.Update{Session: sessions.Session{Key: us[4].Key}, Removed: true}
	x.Apply(us[3:5])
	check("changed")
	for range 2 {
		publishAll(t, s)
		x.Close()
		s.Close()
		x, s, _ = keptIn(t, dir, hashedOptions)
		check("opened again")
	}
	x.Close()
	s.Close()
}

// A ledger that cannot be read is asked once for all that is known of a session.
func TestAFailingLedgerIsAskedOnce(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	for n := range packFrom {
		x.Apply([]sessions.Update{agent(n, "text")})
	}
	packed, _ := x.Snapshot().dir.pack()
	asked, why := 0, errors.New("the disk fails")
	packed.pages[0] = packed.pages[0].left(func() ([]byte, error) { asked++; return nil, why })
	if e, err := packed.all(1); !errors.Is(err, why) || e.Key != agent(1, "").Key || asked != 1 {
		t.Errorf("%v of %v, asked %d times", err, e.Key, asked)
	}
}

// What was known of the sessions at a time does not stay in memory for the sake of
// telling what is new, and a page that is gone is told to be another one.
func TestARollKeepsNoPages(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	change := func(title string) {
		x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "a"}, Title: title}}})
	}
	change("first")
	roll := x.Snapshot().Roll()
	for range x.Snapshot().Since(roll) {
		t.Error("nothing changed, yet something is new")
	}
	change("second")
	for until := time.Now().Add(time.Minute); roll.pages[0].Value() != nil && time.Now().Before(until); {
		runtime.GC()
	}
	if roll.pages[0].Value() != nil {
		t.Error("a page of an earlier snapshot is kept")
	}
	for _, e := range x.Snapshot().Since(roll) {
		if e != nil && e.Title == "second" {
			return
		}
	}
	t.Error("what changed is not new")
}
