package recall

import (
	"slices"
	"strings"
	"testing"

	"yore/recall/query"
)

// Words that a hyphen joins are one, as an identifier is, however the passages spell it
// (W5): the lone word run is something else.
func TestHyphensJoin(t *testing.T) {
	e := engineOf(t,
		said("camel", day(1), "set dryRun to true"),
		said("snake", day(2), "set DRY_RUN to true"),
		said("hyphen", day(3), "pass --dry-run here"),
		said("joined", day(4), "the dryrun option"),
		said("apart", day(5), "the run was dry"),
		said("run", day(6), "run the tests"),
		said("noise", day(7), "lunch and weather"),
	)
	for _, c := range []struct {
		text string
		want string // sessions, sorted
	}{
		{"dry-run", "apart camel hyphen joined snake"},
		{"--dry-run", "apart camel hyphen joined snake"},
		{"dry_run", "apart camel hyphen joined snake"},
		{`"dry-run"`, "camel hyphen joined snake"},
		{`"the dry-run option"`, "joined"},
		{`"dryRun"`, "camel hyphen joined snake"},
		{`"dry run"`, "camel hyphen snake"},
		{"run -dry-run", "apart run"},
		{"set role:user", "camel snake"},
		{"set role:user -dryruns", ""}, // read from the text, as the filter on turns has it
		{"weather OR dry-run", "apart camel hyphen joined noise snake"},
	} {
		a := ask(t, e, Query{Text: c.text})
		got := ids(a)
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s finds %q, want %s", c.text, got, c.want)
		}
	}
	for _, text := range []string{"dry-run", "dry-r"} {
		a := ask(t, e, Query{Text: text, Typing: true, Filters: []query.Filter{{Name: query.Session, Value: "joined"}}})
		if len(a.Hits) != 1 || len(a.Hits[0].Matches) != 1 {
			t.Errorf("%s, typed, marks %+v", text, a.Hits)
		}
	}
}

// A part of what occurs as one word is no slip of another word, whether a hyphen joins
// the parts or they are an identifier's.
func TestPartsOfWhatOccursAreSpelledRight(t *testing.T) {
	e := engineOf(t,
		said("meant", day(1), "the websocket closed before the reply"),
		said("other", day(2), "pocket money in the web"),
		said("noise", day(3), "lunch and weather"),
	)
	for _, text := range []string{"web-socket", "web_socket", "webSocket"} {
		a := ask(t, e, Query{Text: text})
		if got := ids(a); len(got) == 0 || got[0] != "meant" || slices.Contains(got, "other") || len(a.Notes) > 0 {
			t.Errorf("%s finds %q, with notes %q", text, got, a.Notes)
		}
	}
	if a := ask(t, e, Query{Text: "money-pockett"}); !strings.Contains(strings.Join(a.Notes, " "), `"pocket"`) {
		t.Errorf("the slip of a part is not told: %q", a.Notes)
	}
}
