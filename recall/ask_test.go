package recall

import (
	"strings"
	"testing"
)

// The session that discussed the thing comes back as a passage, the caller's own
// does not, and the passage can be opened by number. (The values are those of the
// end-to-end test of cctop's recall.)
func TestAskFindsThePassageAndSkipsTheCaller(t *testing.T) {
	long := strings.Repeat("filler words about nothing in particular ", 20)
	e := engineOf(t,
		said("past", day(60), long, "We chose a sharded cache because the single file grew past 120 MB."),
		said("other", day(60), "Lunch plans and nothing else."),
		said("me", day(0), "Why is the cache sharded? I am asking right now."),
	)
	a := ask(t, e, Query{Text: "sharded cache", Exclude: []string{"me"}})
	if len(a.Hits) != 1 || a.Hits[0].Session.ID != "past" || !strings.Contains(a.Hits[0].Text, "120 MB") {
		t.Fatalf("hits %q", ids(a))
	}
	l, err := ParseLocator("pa", "0")
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Read(t.Context(), l, 1)
	if err != nil || !strings.Contains(r.Passages[0].Turns[1].Text, "120 MB") {
		t.Fatalf("Read: %+v, %v", r, err)
	}
}
