package recall

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// leaving is the context of somebody who waits until it was asked so often.
type leaving struct {
	context.Context
	waits int
}

func (l *leaving) Err() error {
	if l.waits--; l.waits < 0 {
		return context.Canceled
	}
	return nil
}

// Who no longer waits ends the search within a segment: each of its passages may have
// to be read for what is left out.
func TestMatchingIsCancelledWithinASegment(t *testing.T) {
	var talks []talk
	for i := range 3 * heedEvery {
		talks = append(talks, said(fmt.Sprintf("s-%d", i), day(1), fmt.Sprintf("error %d in cachelayout", i)))
	}
	e := engineOf(t, talks...)
	e.edition().index.Compact()
	s, _, err := e.newSearch(t.Context(), Query{Text: "error -cache-layout"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.release()
	if err := s.tallyWords(t.Context(), e.edition().columns); err != nil {
		t.Fatal(err)
	}
	if len(s.tallies) != 1 {
		t.Fatalf("%d segments", len(s.tallies))
	}
	if _, err := s.matchWords(&leaving{t.Context(), 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it goes on: %v", err)
	}
}
