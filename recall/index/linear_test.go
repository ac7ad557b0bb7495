package index

import (
	"fmt"
	"strings"
	"testing"

	"yore/sessions"
)

// X5: a first build takes work in proportion to the sessions: twice as many are not
// four times the work. What is counted are allocations, which do not depend on what
// else the machine does.
func TestFirstBuildIsLinear(t *testing.T) {
	build := func(n int) float64 {
		var us []sessions.Update
		for i := range n {
			u := sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: fmt.Sprintf("s%06d", i)}}}
			for k := range 3 {
				u.Passages = append(u.Passages, sessions.Passage{Number: k, Text: fmt.Sprintf("word%d and %s", i, strings.Repeat("again ", 20)), Spans: []sessions.Span{{To: 10}}})
			}
			us = append(us, u)
		}
		return testing.AllocsPerRun(1, func() {
			x := New(Options{})
			defer x.Close()
			x.Apply(us)
		})
	}
	if once, twice := build(1000), build(2000); twice > 2.5*once {
		t.Errorf("%.0f allocations for 1,000 sessions, %.0f for 2,000", once, twice)
	}
}
