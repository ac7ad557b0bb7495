package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"yore/sessions"
)

// One writer a session and readers beside them: every snapshot holds each
// session as one of its Updates left it, never a mixture of two.
func TestSnapshotsAreWhole(t *testing.T) {
	const writers, rounds = 4, 60
	x := New(testOptions)
	defer x.Close()
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writing.Go(func() { writeVersions(x, w, rounds) })
	}
	for range 2 {
		reading.Go(func() {
			for generation := uint64(0); ; {
				s := x.Snapshot()
				if s.Generation < generation {
					t.Errorf("generation %d after %d", s.Generation, generation)
				}
				generation = s.Generation
				checkVersions(t, s)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	reading.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				x.Compact()
			}
		}
	})
	writing.Wait()
	close(done)
	reading.Wait()
	s := x.Snapshot()
	checkVersions(t, s)
	if s.Generation != writers*rounds {
		t.Errorf("generation %d after %d Updates", s.Generation, writers*rounds)
	}
}

// writeVersions writes a session again and again: all its passages, and what
// hangs on the first, have the word of the version.
func writeVersions(x *Index, session, rounds int) {
	rnd := rand.New(rand.NewPCG(uint64(session), 0))
	for v := range rounds {
		u := sessions.Update{Reset: true, Session: sessions.Session{
			Key:   sessions.Key{Harness: "claude", ID: fmt.Sprint(session)},
			Title: fmt.Sprintf("version%d", v),
		}}
		u.Subagent = v%7 == 0
		for n := range 1 + rnd.IntN(30) {
			text := fmt.Sprintf("common %s in passage %d of %d", u.Title, n, session)
			u.Passages = append(u.Passages, sessions.Passage{Number: n, Text: text, Spans: []sessions.Span{{To: len(text), ID: "m"}}})
		}
		u.Session.Passages = len(u.Passages)
		u.Hung = []sessions.Hung{{Turn: sessions.Turn{Kind: sessions.Thinking, Text: u.Title}}}
		x.Apply([]sessions.Update{u})
	}
}

func checkVersions(t *testing.T, s *Snapshot) {
	live := 0
	for ord := range uint32(s.Sessions()) {
		e := s.Session(ord)
		if e == nil {
			continue
		}
		live += e.Numbered
		if e.Numbered != e.Session.Passages {
			t.Errorf("%d passages of %d", e.Numbered, e.Session.Passages)
		}
		for n := range uint32(e.Numbered) {
			ref, ok := s.At(ord, n)
			if !ok {
				t.Errorf("%s lacks passage %d", e.Title, n)
				continue
			}
			if text := ref.Seg.Passage(ref.Doc).Text; !strings.Contains(text, e.Title+" ") {
				t.Errorf("%s has the passage %q", e.Title, text)
			}
		}
		hung := s.HungAt(ord, 0)
		if len(hung) != 1 || hung[0].Seg.Hung(hung[0].Doc).Text != e.Title {
			t.Errorf("%s has %d hung turns or another's", e.Title, len(hung))
		}
	}
	if got := s.Live(Talk) + s.Live(Agents); got != live {
		t.Errorf("%d live passages, want %d", got, live)
	}
	found := 0
	for _, scope := range []Scope{Talk, Agents} {
		for _, seg := range s.Segments(scope) {
			if id, ok := seg.Lookup("common"); ok {
				docs, _ := seg.Postings(id)
				for _, d := range docs {
					if !seg.Dead(uint32(d)) {
						found++
					}
				}
			}
		}
	}
	if found != live {
		t.Errorf("%d passages found by word, want %d", found, live)
	}
}
