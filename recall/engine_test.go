package recall

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"yore/sessions"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// While the first reading goes on, answers come from what is there and say so;
// a change is signalled and is in the next answer.
func TestAnswersWhileReading(t *testing.T) {
	lib := &fakeLibrary{loaded: make(chan struct{}), hold: make(chan struct{}), more: make(chan []sessions.Update)}
	lib.updates = []sessions.Update{said("first", day(1), "the lattice").update()}
	e := open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, lib)
	defer e.Close()
	<-e.Changes()
	a := ask(t, e, Query{Text: "lattice"})
	if a.Complete || len(a.Hits) != 1 {
		t.Fatalf("complete %v, hits %q", a.Complete, ids(a))
	}
	if s := e.Status(); s.Progress.Complete || s.Progress.TranscriptsDone != 1 {
		t.Fatalf("progress %+v", s.Progress)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := e.Wait(short); err == nil {
		t.Fatal("Wait returned before the reading was complete")
	}
	close(lib.hold)
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	generation := e.Status().Generation
	lib.more <- []sessions.Update{said("second", day(0), "another lattice").update()}
	for e.Status().Generation == generation {
		<-e.Changes()
	}
	if a := ask(t, e, Query{Text: "lattice"}); !a.Complete || len(a.Hits) != 2 {
		t.Fatalf("complete %v, hits %q", a.Complete, ids(a))
	}
}

// What is gone from the corpus is gone from the answer, and what is said again is
// there once.
func TestUpdatesReplace(t *testing.T) {
	lib := &fakeLibrary{loaded: make(chan struct{}), more: make(chan []sessions.Update)}
	k := said("a", day(1), "the lattice")
	lib.updates = []sessions.Update{k.update(), said("b", day(1), "lunch").update()}
	e := open(Config{Zone: time.UTC}, lib)
	defer e.Close()
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	step := func(u sessions.Update) {
		generation := e.Status().Generation
		lib.more <- []sessions.Update{u}
		for e.Status().Generation == generation {
			<-e.Changes()
		}
	}
	step(k.with(func(k *talk) { k.turns[0].Text = "the lattice lattice" }).update())
	if a := ask(t, e, Query{Text: "lattice"}); len(a.Hits) != 1 || !strings.Contains(a.Hits[0].Text, "lattice lattice") {
		t.Fatalf("after a rewrite: %+v", a.Hits)
	}
	step(sessions.Update{Session: sessions.Session{Key: k.Key}, Removed: true})
	if a := ask(t, e, Query{Text: "lattice"}); a.PassagesMatched != 0 {
		t.Fatalf("after removal: %q", ids(a))
	}
}

// Close ends a reading that would never end by itself.
func TestCloseEndsReading(t *testing.T) {
	lib := &fakeLibrary{loaded: make(chan struct{}), hold: make(chan struct{}), more: make(chan []sessions.Update)}
	e := open(Config{}, lib)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Wait(t.Context()); err == nil {
		t.Fatal("the reading was cut short, yet Wait says it is complete")
	}
}

// An empty corpus answers, too.
func TestEmptyCorpus(t *testing.T) {
	e := engineOf(t)
	if a := ask(t, e, Query{Text: "sharded cache"}); len(a.Hits) != 0 || !a.Complete {
		t.Fatalf("%+v", a)
	}
	if _, err := read(t, e, 1, "any", "0"); !errors.Is(err, ErrNoSession) {
		t.Fatalf("error %v", err)
	}
	if all, err := e.Sessions(t.Context(), SessionFilter{}); err != nil || len(all) != 0 {
		t.Fatalf("%v, %v", all, err)
	}
}

// Questions and changes at the same time: every answer is of one consistent state,
// and in the end it is that of one reading at once.
func TestAsksBesideChanges(t *testing.T) {
	lib := &fakeLibrary{loaded: make(chan struct{}), more: make(chan []sessions.Update)}
	e := open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, lib)
	defer e.Close()
	var talks []talk
	for i := range 60 {
		talks = append(talks, said(fmt.Sprintf("s-%02d", i), day(i%7), "the lattice", "> and the cache of the lattice"))
	}
	var asking sync.WaitGroup
	for range 3 {
		asking.Go(func() {
			for range 30 {
				a, err := e.Ask(context.Background(), Query{Text: "cache lattice", Limit: 100, Typing: true})
				if err != nil || a.PassagesMatched != len(a.Hits) || a.SessionsMatched != len(a.Hits) {
					t.Errorf("%v: %d passages of %d sessions, %d hits", err, a.PassagesMatched, a.SessionsMatched, len(a.Hits))
				}
			}
		})
	}
	for _, k := range talks {
		lib.more <- []sessions.Update{k.update()}
	}
	asking.Wait()
	for e.Status().Sessions < len(talks) {
		<-e.Changes()
	}
	got, want := ask(t, e, Query{Text: "cache lattice", Limit: 100}), ask(t, engineOf(t, talks...), Query{Text: "cache lattice", Limit: 100})
	got.Took, want.Took = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("read in steps: %q\nat once: %q", ids(got), ids(want))
	}
}
