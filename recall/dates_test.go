package recall

import (
	"slices"
	"testing"
	"time"
)

// Explicit dates prefer their day and stay no requirement.
func TestDatesPrefer(t *testing.T) {
	on := time.Date(2026, 5, 8, 10, 0, 0, 0, time.UTC)
	e := engineOf(t,
		said("before", on.AddDate(0, -2, 0), "the lattice was measured"),
		said("that-day", on, "the lattice was measured once"),
		said("after", on.AddDate(0, 2, 0), "the lattice was measured"),
	)
	for _, q := range []string{"lattice on 8 May 2026", "lattice May 8", "lattice 2026-05-08", "lattice in May", "the lattice of May 2026"} {
		if got := ids(ask(t, e, Query{Text: q})); len(got) != 3 || got[0] != "that-day" {
			t.Errorf("%s: %q", q, got)
		}
	}
	for _, q := range []string{"8 May 2026", "May 2026", "2026-05-08"} { // a date alone asks for what was said then
		if got := ids(ask(t, e, Query{Text: q})); !slices.Equal(got, []string{"that-day"}) {
			t.Errorf("%s: %q", q, got)
		}
	}
}

// A day that is named decides among what holds some of the words: elsewhere more of
// them stand, side by side.
func TestNamedDayDecides(t *testing.T) {
	on := time.Date(2026, 5, 8, 10, 0, 0, 0, time.UTC)
	e := engineOf(t,
		said("other", on.AddDate(0, -2, 0), "which discussion of the lattice, the discussion of the lattice"),
		said("that-day", on, "the lattice was measured"),
		said("noise", on.AddDate(0, 3, 0), "lunch"),
	)
	for q, want := range map[string]string{"discussion of the lattice on 8 May 2026": "that-day", "discussion of the lattice in May": "other"} {
		if got := ids(ask(t, e, Query{Text: q})); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q", q, got)
		}
	}
}

// What was said in the time that is named is known of the query, though not every word
// is; without it, and for a query of which too much is missing, nothing matches.
func TestNamedTimeIsKnown(t *testing.T) {
	on := time.Date(2026, 7, 8, 10, 0, 0, 0, time.UTC)
	e := engineOf(t, said("july", on, "joanna was away"), said("may", on.AddDate(0, -2, 0), "joanna again"))
	for q, want := range map[string]int{"where did joanna zyxwv to in July 2026": 2, "where did joanna zyxwv to": 0, "where did joanna zyxwv to in June 2026": 0, "which zyxwv vutsr of joanna in July 2026": 0} {
		if a := ask(t, e, Query{Text: q}); a.PassagesMatched != want || want > 0 && ids(a)[0] != "july" {
			t.Errorf("%s: %d, %q", q, a.PassagesMatched, ids(a))
		}
	}
}

// Who asks for last week's decision and names no subject wants one of last week,
// though another passage says the word more tersely.
func TestATimeWithoutASubjectComesFirst(t *testing.T) {
	e := engineOf(t,
		said("older", day(16), "so?", "> Decision: keep it."),
		said("inside", day(6), "what of the layout of the files that we keep for the catalogue?",
			"> After a long look at what reading and writing costs, here is what we decided: the files are split, and each part is written by itself."),
	)
	if got := ids(ask(t, e, Query{Text: "what did the agent decide last week"})); len(got) != 2 || got[0] != "inside" {
		t.Errorf("hits %q", got)
	}
}
