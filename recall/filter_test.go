package recall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/recall/query"
)

// between are the filters for times from since up to before; a zero time is no limit.
func between(since, before time.Time) (filters []query.Filter) {
	for name, at := range map[string]time.Time{query.Since: since, query.Before: before} {
		if !at.IsZero() {
			filters = append(filters, query.Filter{Name: name, Value: at.Format(time.RFC3339)})
		}
	}
	return filters
}

// A word counts only inside turns whose time passes; a turn without time does not
// pass.
func TestTimesFilterTurns(t *testing.T) {
	mixed := said("mixed", day(10), "the old lattice", "> the new cache").with(func(k *talk) { k.turns[1].At = day(1) })
	undated := said("undated", day(1), "a lattice and a cache").with(func(k *talk) { k.turns[0].At = time.Time{} })
	e := engineOf(t, mixed, undated, said("noise", day(1), "lunch"))
	for _, c := range []struct {
		text          string
		since, before time.Time
		want          int
	}{
		{"lattice", time.Time{}, time.Time{}, 2},
		{"lattice", day(20), time.Time{}, 1},
		{"lattice", day(5), time.Time{}, 0},
		{"cache", day(5), time.Time{}, 1},
		{"cache", time.Time{}, day(5), 0},
		{"lattice", time.Time{}, day(5), 1},
		{"cache", day(1), time.Time{}, 1}, // since is inclusive
		{"cache", time.Time{}, day(1), 0}, // before is exclusive
		{"cache", day(30), day(20), 0},
	} {
		a := ask(t, e, Query{Text: c.text, Filters: between(c.since, c.before)})
		if a.PassagesMatched != c.want || len(a.Hits) < c.want {
			t.Errorf("%s since %v before %v: %d matched", c.text, c.since, c.before, a.PassagesMatched)
		}
		for _, h := range a.Hits {
			if !c.since.IsZero() && h.At.Before(c.since) {
				t.Errorf("%s since %v: the hit's turn is of %v", c.text, c.since, h.At)
			}
		}
	}
}

// A query that a filter empties says which filter it was.
func TestEmptyingFilterIsNamed(t *testing.T) {
	e := engineOf(t, said("a", day(10), "the lattice"), said("b", day(9), "lunch"), said("c", day(9), "dinner"))
	for want, q := range map[string]Query{
		"since:2026-11-29 emptied the answer: 1 passage would match without.": {Text: "lattice since:2026-11-29"},
		"before:2026-10-01 emptied":                           {Text: "lattice before:2026-10-01"},
		"agent:codex emptied":                                 {Text: "lattice", Filters: []query.Filter{{Name: query.Agent, Value: "codex"}}},
		"Leaving out your own or an excluded session emptied": {Text: "lattice", Exclude: []string{"a"}},
		"Looking only at /w/x and /w/y emptied":               {Text: "lattice", Within: []string{"/w/x", "/w/y"}},
	} {
		a := ask(t, e, q)
		if len(a.Hits) != 0 || !strings.Contains(strings.Join(a.Notes, " "), want) {
			t.Errorf("%+v: %d hits, notes %q, want %q", q, len(a.Hits), a.Notes, want)
		}
	}
}

// Filters act in every ranking: what the topic finds passes them too (D13).
func TestFiltersActInTheTopicTier(t *testing.T) {
	e := engineOf(t, topicTalks()...)
	q := Query{Text: "cryptographic secrets and login credentials"}
	all := ask(t, e, q)
	if !slices.Contains(ids(all), "security") {
		t.Fatalf("the paraphrase finds %q", ids(all))
	}
	for _, narrow := range []Query{{Exclude: []string{"security"}}, {Filters: []query.Filter{{Name: query.Agent, Value: "codex"}}}, {Filters: between(time.Time{}, day(300))}} {
		narrow.Text = q.Text
		if got := ids(ask(t, e, narrow)); slices.Contains(got, "security") {
			t.Errorf("%+v lets %q through", narrow, got)
		}
	}
}

func topicTalks() []talk {
	talks := []talk{said("security", day(9), "Encrypt the password of every user account and store the authentication key in a vault, for security.")}
	for i, text := range []string{
		"The lunch was good and the weather fine.", "Paint the wall of the garden house green.", "The parser reads tokens of the grammar.",
		"A compiler lowers loops to jumps.", "The train to the mountains leaves at nine.", "Bake the bread for an hour.",
		"The database index speeds up the query.", "Scroll the terminal by a page.", "Music played all night.",
	} {
		talks = append(talks, said(strings.Repeat("n", i+1), day(i), text))
	}
	return talks
}

// D1: sessions are listed by instants, whatever the zones; unknown times last.
func TestSessionsNewestFirst(t *testing.T) {
	at := func(id, when string) talk {
		k := said(id, day(1), "x")
		k.LastActive = time.Time{}
		if when != "" {
			var err error
			if k.LastActive, err = time.Parse(time.RFC3339Nano, when); err != nil {
				t.Fatal(err)
			}
		}
		return k
	}
	side := at("side", "2026-05-01T00:00:00Z").with(func(k *talk) { k.Subagent = true })
	e := engineOf(t, at("east", "2026-05-01T12:00:00+05:00"), at("half", "2026-05-01T08:00:00.500Z"), at("whole", "2026-05-01T08:00:00Z"), at("unknown", ""), side)
	list := func(f SessionFilter) string {
		all, err := e.Sessions(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range all {
			got = append(got, s.ID)
		}
		return strings.Join(got, " ")
	}
	for want, f := range map[string]SessionFilter{
		"half whole east unknown":      {},
		"half whole":                   {Limit: 2},
		"side":                         {Subagents: "only"},
		"half whole east side unknown": {Subagents: "on"},
		"":                             {Agents: []string{"codex"}},
		"half whole east":              {Since: time.Date(2026, 5, 1, 7, 0, 0, 0, time.UTC)},
	} {
		if got := list(f); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
	for text, want := range map[string]string{
		"agent:claude":                    "half whole east unknown",
		"-agent:claude":                   "",
		"agents:only":                     "side",
		"session:side":                    "side",
		"session:ha":                      "half",
		"before:2026-05-01T08:00:00Z":     "east",
		"role:user on:2026-05-01 in:talk": "half whole east",
		"role:user in:tools":              "half whole east unknown",
	} {
		if got := list(SessionFilter{Filters: SessionFilters(text)}); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"agent:nobody", "session:nobody", "since:whenever", "role:nobody", "agent:claude in:nowhere"} {
		if got, err := e.Sessions(t.Context(), SessionFilter{Filters: SessionFilters(text)}); !errors.Is(err, ErrFilter) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "agent:claude x", "role:user in:all x", "agent:claude -x"} {
		if got := SessionFilters(text); got != nil {
			t.Errorf("%q chooses sessions by %v", text, got)
		}
	}
	if s := e.Status(); s.Sessions != 4 || s.Subagents != 1 || s.Passages != 5 || !s.Progress.Complete {
		t.Errorf("status %+v", s)
	}
}

// Within narrows beside a dir: of the query, which would take either of two.
func TestWithin(t *testing.T) {
	in := func(id, dir string) talk {
		k := said(id, day(1), "lattice")
		k.Session.Directory = dir
		return k
	}
	e := engineOf(t, in("a", "/w/shop"), in("b", "/w/shop/api"), in("c", "/w/tools"), in("d", "/w/shopping"))
	for text, want := range map[string]string{"lattice": "a b c", "lattice dir:api": "b", "lattice dir:shopping": ""} {
		if got := strings.Join(slices.Sorted(slices.Values(ids(ask(t, e, Query{Text: text, Within: []string{"/w/shop", "/w/tools"}})))), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	listed, err := e.Sessions(t.Context(), SessionFilter{Filters: SessionFilters("dir:api"), Within: []string{"/w/tools"}})
	if err != nil || len(listed) != 0 {
		t.Errorf("listed %v, %v", listed, err)
	}
}

// Excluding by id is exact.
func TestExcludeIsExact(t *testing.T) {
	e := engineOf(t, said("me", day(1), "lattice"), said("me-too", day(1), "lattice"))
	if got := ids(ask(t, e, Query{Text: "lattice", Exclude: []string{"me"}})); !slices.Equal(got, []string{"me-too"}) {
		t.Fatalf("%q", got)
	}
}

// What passed an earlier filter says nothing of another one, and a question that ended
// leaves nothing behind.
func TestFiltersOfOneCorpus(t *testing.T) {
	in := func(dir string) func(*talk) { return func(k *talk) { k.Directory = dir } }
	e := engineOf(t, said("a", day(10), "the lattice").with(in("/w/a")), said("b", day(9), "a lattice").with(in("/w/b")))
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := e.Ask(ended, Query{Text: "lattice dir:/w/b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that ended: %v", err)
	}
	for range 2 {
		for _, c := range []struct {
			q    Query
			want string
		}{
			{Query{Text: "lattice dir:/w/a"}, "a"},
			{Query{Text: "lattice dir:/w/b"}, "b"},
			{Query{Text: "lattice -dir:/w/b"}, "a"},
			{Query{Text: "lattice dir:/w/a dir:/w/b"}, "a b"},
			{Query{Text: "lattice", Within: []string{"/w/b"}}, "b"},
			{Query{Text: "lattice", Within: []string{}}, ""},
			{Query{Text: "lattice", Exclude: []string{"b"}}, "a"},
			{Query{Text: "lattice dir:/w/b", Exclude: []string{"b"}}, ""},
		} {
			if got := slices.Sorted(slices.Values(ids(ask(t, e, c.q)))); strings.Join(got, " ") != c.want {
				t.Errorf("%+v: %q, want %q", c.q, got, c.want)
			}
		}
	}
}
