package recall

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/recall/query"
	"yore/sessions"
)

// shelf is a few talks; talks that differ in every way that a filter can tell.
func shelf() []talk {
	return []talk{
		said("shop-main", day(2), "sharded cache for the shop", "> We keep the old layout, getUserName included.").with(func(k *talk) {
			k.Directory, k.Branch, k.Title = "/home/me/shop", "main", "Cache layout of the shop"
			k.hung = []sessions.Hung{
				{Turn: sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, At: day(2), Tool: "Bash", Call: "c1", Text: "grep needle config"}},
				{Turn: sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, At: day(2), Tool: "Bash", Call: "c1", Text: "a needle was found"}},
				{Turn: sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, At: day(2), Text: "perhaps a needle in the thinking"}},
			}
		}),
		said("shop-fix", day(9), "the cache was sharded", "> 数据库迁移计划 and a => b").with(func(k *talk) {
			k.Harness, k.Directory, k.Branch, k.Title = "codex", "/home/me/shop/api", "fix/login", "Login"
		}),
		said("worker", day(1), "cache layout research").with(func(k *talk) { k.Subagent, k.Directory = true, "/srv/workshop" }),
		said("noise", day(5), "lunch and weather"),
	}
}

// Each part of the query language does what it says.
func TestQueryLanguage(t *testing.T) {
	e := engineOf(t, shelf()...)
	for _, c := range []struct {
		text string
		want string // sessions, sorted
	}{
		{"cache", "shop-fix shop-main worker"},
		{`"sharded cache"`, "shop-main"},
		{`"Sharded  CACHE"`, "shop-main"}, // case and blanks do not count
		{`"cache sharded"`, ""},
		{`"shop we"`, ""}, // two turns are no phrase
		{`"the"`, "shop-fix shop-main"},
		{`"was"`, "shop-fix"}, // a common word in quotes is asked for (W7)
		{`"b"`, "shop-fix"},   // so is one letter
		{`"shard"`, ""},       // and a beginning is none
		{`"get user name"`, "shop-main"},
		{`"getusername included"`, "shop-main"},
		{`"数据库"`, "shop-fix"},
		{`"迁移 数据"`, ""},
		{`"=>"`, "shop-fix"},
		{"cache -sharded", "worker"},
		{"cache -shards", "worker"}, // other forms of what is left out go, too
		{`cache -"sharded cache"`, "shop-fix worker"},
		{"lunch OR research", "noise worker"},
		{`"cache was" OR research`, "shop-fix worker"},
		{`/cache (was|layout)/`, "shop-fix worker"},
		{`cache /LAYOUT/`, ""},
		{`cache /(?i)LAYOUT RES/`, "worker"},
		{"agent:codex cache", "shop-fix"},
		{"-agent:codex cache", "shop-main worker"},
		{"agent:claude agent:codex cache agents:off", "shop-fix shop-main"},
		{"agents:only cache", "worker"},
		{"dir:shop cache", "shop-fix shop-main"},
		{"dir:me/shop/api cache", "shop-fix"},
		{"dir:/home/me cache", "shop-fix shop-main"},
		{"dir:/home/./you/../me/ cache", "shop-fix shop-main"},
		{"dir:/shop cache", ""}, // an absolute path is a beginning
		{"dir:work cache", ""},  // whole segments only
		{"branch:fix cache", "shop-fix"},
		{"branch:main OR branch:none cache", "shop-main"},
		{`title:"layout cache" sharded`, "shop-main"},
		{"session:shop-m cache", "shop-main"},
		{"-session:worker cache", "shop-fix shop-main"},
		{"role:assistant layout", "shop-main"},
		{"role:user layout", "worker"},
		{"role:assistant cache", ""},
		{"since:3d cache", "shop-main worker"},
		{"before:3d cache", "shop-fix"},
		{"on:yesterday cache", "worker"},
		{"-on:yesterday since:3d cache", "shop-main"},
		{"needle", ""},
		{"in:tools needle", "shop-main"},
		{"in:thinking perhaps", "shop-main"},
		{"in:tools perhaps", ""},
		{"in:all needle cache", "shop-fix shop-main worker"},
		{"in:tools role:user needle", ""},
		{`in:tools /ne+dle con/`, "shop-main"},
	} {
		a := ask(t, e, Query{Text: c.text})
		var got []string
		for _, h := range a.Hits {
			if h.Matched != Topic && !slices.Contains(got, h.Session.ID) {
				got = append(got, h.Session.ID)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q; %q", c.text, got, c.want, a.Notes)
		}
		if c.want == "" && len(a.Hits) == 0 && len(a.Notes) == 0 {
			t.Errorf("%s: nothing is found, and nothing said", c.text)
		}
	}
}

// What hangs on a passage is found under its own locator, each once: a call and what came
// of it are one hit, two calls of one passage are two.
func TestHungHits(t *testing.T) {
	talks := shelf()
	talks[0].hung = append(talks[0].hung,
		sessions.Hung{Index: 1, Turn: sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, At: day(2), Call: "c2", Text: "one more needle"}})
	e := engineOf(t, talks...)
	for _, all := range []bool{true, false} {
		a := ask(t, e, Query{Text: "in:tools in:thinking needle session:shop-main", All: all})
		got := map[string]string{}
		for _, h := range a.Hits {
			if got[h.Ref] != "" {
				t.Errorf("%s twice", h.Ref)
			}
			got[h.Ref] = h.Text
			for _, m := range h.Matches {
				if h.Text[m[0]:m[1]] != "needle" {
					t.Errorf("%v: marked %v in %q", h.Ref, h.Matches, h.Text)
				}
			}
			if _, err := read(t, e, 0, h.Ref); err != nil {
				t.Errorf("%s does not open: %v", h.Ref, err)
			}
		}
		want := map[string]string{
			"shop-main:0.t0": "grep needle config\n\na needle was found", "shop-main:0.t1": "one more needle", "shop-main:0.h0": "perhaps a needle in the thinking",
		}
		if !maps.Equal(got, want) || a.PassagesMatched != 4 || a.SessionsMatched != 1 {
			t.Errorf("%q, want %q; %d passages of %d sessions", got, want, a.PassagesMatched, a.SessionsMatched)
		}
	}
}

// A filter with a senseless value is an error that names it; while typing it is left
// out and noted.
func TestBadFilters(t *testing.T) {
	e := engineOf(t, shelf()...)
	for text, want := range map[string]string{
		"since:nonsense cache": `since:nonsense: "nonsense" is no time`,
		"role:nobody cache":    "role:nobody: \"nobody\" is none of user, assistant",
		"agent:clod cache":     "no agent program is called",
		"session:none cache":   "no such session",
		"session:shop cache":   "ambiguous session",
		"-in:tools cache":      "cannot be excluded",
		"agents:maybe cache":   "is none of on, off, only",
		"title:... cache":      `title:...: "..." has no word`,
		"-title:\" \" cache":   "has no word",
		"branch:/ cache":       `"/" names no branch`,
	} {
		_, err := e.Ask(t.Context(), Query{Text: text})
		if !errors.Is(err, ErrFilter) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		a := ask(t, e, Query{Text: text, Lenient: true})
		if len(a.Hits) == 0 || !strings.Contains(strings.Join(a.Notes, " "), "Ignored: ") {
			t.Errorf("%s, lenient: %d hits, %q", text, len(a.Hits), a.Notes)
		}
		if strings.HasPrefix(text, "session:") {
			continue
		}
		if err := (Query{Text: text}).Check(testNow); !errors.Is(err, ErrFilter) {
			t.Errorf("%s is checked as %v", text, err)
		}
	}
}

// What is said about a query does not say all of it again: it may be pasted, and as long
// as it likes.
func TestNotesAreShort(t *testing.T) {
	e := engineOf(t, shelf()...)
	long := strings.Repeat("zyxwv", 3000)
	many := func(format string) string {
		var b strings.Builder
		for i := range 150 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, text := range []string{
		long, `"` + long + `"`, "cache -" + long, "cache title:" + long, "cache dir:" + long, "/(" + long + "/", "agnet:" + long,
		many("zyx%d "), "cache " + many("-zyx%d "), "cache " + many("dir:zyx%d "), many(`"zyx%d" OR `) + "zyx", "cache " + many("-title:zyx%d "),
		"agent:" + long, "since:" + long, "session:" + long, "role:" + long, "branch:/" + long, long + " in July",
	} {
		a := ask(t, e, Query{Text: text, Lenient: true})
		for _, n := range a.Notes {
			if len(n) > 1000 {
				t.Errorf("%.20s: %d bytes: %.200s", text, len(n), n)
			}
		}
		if _, err := e.Ask(t.Context(), Query{Text: text}); err != nil && len(err.Error()) > 1000 {
			t.Errorf("%.20s: %d bytes: %.200s", text, len(err.Error()), err)
		}
	}
	if _, err := e.Read(t.Context(), Locator{Session: long}, 0); err == nil || len(err.Error()) > 1000 {
		t.Errorf("%.200v", err)
	}
}

// What the query comes to is said: exclusions, filters that emptied it, conditions
// that did, slips.
func TestLanguageNotes(t *testing.T) {
	e := engineOf(t, shelf()...)
	for text, want := range map[string]string{
		"cache -sharded":       "Left out: passages with sharded.",
		"research -cache":      "-cache emptied the answer: 1 passage would match without.",
		`"sharded layout"`:     `"sharded layout" emptied the answer`,
		"cache role:assistant": "role:assistant emptied the answer",
		"cache since:today":    "since:today emptied the answer: 3 passages would match without.",
		"cache dir:nowhere":    "dir:nowhere emptied the answer",
		"agnet:claude cache":   "did you mean agent:claude?",
		"-cache":               "only says what to leave out",
		"role:user":            "it has filters alone",
		"needle":               "in:all looks into tool calls",
		"in:tools sharded":     "",
		"when did the shop name the book \"sharded layout\" in the weather of lunch":         "stands nowhere word for word",
		"when did the shop name the book \"layout research\" in the weather of lunch -cache": "No passage that fits the rest of the query has \"layout research\" word for word",
	} {
		a := ask(t, e, Query{Text: text})
		if !strings.Contains(strings.Join(a.Notes, " "), want) {
			t.Errorf("%s: %q, want %q", text, a.Notes, want)
		}
	}
}

// A time in plain words prefers; required it filters; ignored its words are words (W9).
func TestTimePhrase(t *testing.T) {
	e := engineOf(t, said("last", day(5), "the cache"), said("old", day(40), "the cache"), said("words", day(60), "cache of last week"))
	for _, c := range []struct {
		use        TimeUse
		text, want string
	}{{TimePreferred, "cache last week -session:words", "last"}, {TimeRequired, "cache last week", "last"}, {TimeIgnored, "cache last week", "words"}} {
		a := ask(t, e, Query{Text: c.text, Time: c.use})
		if len(a.Hits) == 0 || a.Hits[0].Session.ID != c.want || c.use == TimeRequired && len(a.Hits) != 1 {
			t.Errorf("use %d: %q", c.use, ids(a))
		}
		if a.Time == nil || a.Time.Text != "last week" || a.Time.Use != c.use || !a.Time.Window.From.Equal(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("use %d: phrase %+v", c.use, a.Time)
		}
	}
	for text, from := range map[string]string{
		"cache in July": "2026-07-01", "cache since monday": "2026-11-23", "cache in december": "2025-12-01", "cache 3 days ago": "2026-11-27", "cache in 2025": "2025-01-01",
	} {
		a := ask(t, e, Query{Text: text})
		if a.Time == nil || a.Time.Window.From.Format(time.DateOnly) != from {
			t.Errorf("%s: %+v, want %s", text, a.Time, from)
		}
	}
	if a := ask(t, e, Query{Text: `cache "last week"`}); a.Time != nil {
		t.Errorf("a time in quotes is %+v", a.Time)
	}
}

// Sorted by time, the newest comes first whatever it says.
func TestSortNewest(t *testing.T) {
	e := engineOf(t, said("b", day(3), "cache cache layout"), said("c", day(1), "a cache of things"), said("a", day(9), "cache layout"), said("x", day(2), "lunch"))
	q := Query{Text: "cache layout", Sort: Newest, Limit: 2}
	a := ask(t, e, q)
	q.Cursor = a.Cursor
	if got := append(ids(a), ids(ask(t, e, q))...); !slices.Equal(got, []string{"c", "b", "a"}) {
		t.Errorf("%q", got)
	}
}

// Flags and text mean the same.
func TestFlagsMeanTheSame(t *testing.T) {
	e := engineOf(t, shelf()...)
	for _, f := range []query.Filter{{Name: query.Role, Value: "user"}, {Name: query.Dir, Value: "shop"}, {Name: query.In, Value: query.All}, {Name: query.Since, Value: "3d"}, {Name: query.Title, Value: "cache layout"}} {
		text, flag := ask(t, e, Query{Text: "cache " + f.String()}), ask(t, e, Query{Text: "cache", Filters: []query.Filter{f}})
		if !slices.Equal(ids(text), ids(flag)) || text.PassagesMatched != flag.PassagesMatched {
			t.Errorf("%s: %q as text, %q as flag", f, ids(text), ids(flag))
		}
	}
}

// What nobody asks about any more keeps no old state of the corpus.
func TestOldCorporaAreDropped(t *testing.T) {
	lib := &fakeLibrary{loaded: make(chan struct{}), more: make(chan []sessions.Update)}
	lib.updates = []sessions.Update{shelf()[0].update()}
	e := open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, lib)
	defer e.Close()
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(t, e, Query{Text: "in:all needle"})
	generation := e.Status().Generation
	lib.more <- []sessions.Update{shelf()[1].update()}
	for e.Status().Generation == generation {
		<-e.Changes()
	}
	ask(t, e, Query{Text: "cache"})
	for i := range e.edition().known {
		if c := e.edition().known[i].Load(); c != nil && c.snap != e.edition().index.Snapshot() {
			t.Errorf("corpus %d is of an old snapshot", i)
		}
	}
}

// The words of a time need not occur anywhere, and are not told as missing.
func TestTimePhraseIsNotMissed(t *testing.T) {
	e := engineOf(t, said("a", day(40), "the cache was sharded"))
	if a := ask(t, e, Query{Text: "cache last month"}); a.Time == nil || strings.Contains(strings.Join(a.Notes, " "), "month") {
		t.Errorf("notes %q beside the time %v", a.Notes, a.Time)
	}
	if a := ask(t, e, Query{Text: "cache last month", Time: TimeIgnored}); !strings.Contains(strings.Join(a.Notes, " "), "month") {
		t.Errorf("of words that are no time: %q", a.Notes)
	}
}
