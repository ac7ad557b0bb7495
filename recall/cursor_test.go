package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"yore/sessions"
)

// Paging by cursor gives every hit once, in the order of one large page.
func TestCursorContinues(t *testing.T) {
	var talks []talk
	for i := range 40 {
		talks = append(talks, said(fmt.Sprintf("s-%02d", i), day(i), "a lattice "+strings.Repeat("and more ", i)))
	}
	e := engineOf(t, talks...)
	whole := ids(ask(t, e, Query{Text: "lattice", Limit: 100}))
	var paged []string
	q := Query{Text: "lattice", Limit: 7}
	for {
		a := ask(t, e, q)
		paged = append(paged, ids(a)...)
		if a.Cursor == "" {
			break
		}
		q.Cursor = a.Cursor
	}
	if !slices.Equal(paged, whole) || len(whole) != 40 {
		t.Fatalf("pages give %q\nwant %q", paged, whole)
	}
	q.Text = "something else"
	if _, err := e.Ask(t.Context(), q); err == nil {
		t.Fatal("a cursor of another query was taken")
	}
}

// What is read, forgotten or said on between two pages makes no hit come twice, and leaves
// out none that was there from the beginning.
func TestCursorContinuesInWhatGrows(t *testing.T) {
	for _, q := range []Query{{Text: "lattice"}, {Text: "lattice", Sort: Newest}, {Text: "/latt[i]ce/"}, {Text: "lattice in:all"}} {
		var talks []talk
		for i := range 40 {
			talks = append(talks, said(fmt.Sprintf("s-%02d", i), day(1+i%9), "a lattice "+strings.Repeat("and more ", i)))
		}
		e := engineOf(t, talks...)
		x, times, gone := e.edition().index, map[string]int{}, ""
		q.Limit = 6
		for page := 0; page == 0 || q.Cursor != ""; page++ {
			if page > 20 {
				t.Fatalf("%+v: there is no end", q)
			}
			a := ask(t, e, q)
			for _, h := range a.Hits {
				times[fmt.Sprint(h.Session.ID, " ", h.Passage)]++
			}
			q.Cursor = a.Cursor
			best, worst := a.Hits[0].Session.ID, fmt.Sprintf("s-%02d", 39-page)
			x.Apply([]sessions.Update{said(fmt.Sprint("new-", page), day(9), "lattice lattice and more").update()}) // better than all
			longer := said(best, day(9), "", strings.Repeat("other words ", 200), "the lattice once more").update()
			longer.From, longer.Passages = 1, longer.Passages[1:]
			x.Apply([]sessions.Update{longer})
			if page == 1 {
				x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: worst}}, Removed: true}})
				gone = worst
			}
		}
		for hit, n := range times {
			if n > 1 {
				t.Errorf("%+v: %s came %d times", q, hit, n)
			}
		}
		for _, k := range talks {
			if k.ID != gone && times[k.ID+" 0"] == 0 {
				t.Errorf("%+v: %s was left out", q, k.ID)
			}
		}
	}
}

// pagesOf turns one page after the other, with something done to the index behind each, and
// counts how often each passage was shown, by its text.
func pagesOf(t *testing.T, e *Engine, q Query, behind func(page int)) map[string]int {
	t.Helper()
	times := map[string]int{}
	for page := 0; page == 0 || q.Cursor != ""; page++ {
		if page > 40 {
			t.Fatalf("%+v: there is no end", q)
		}
		a := ask(t, e, q)
		for _, h := range a.Hits {
			for n := h.Span[0]; n <= h.Span[1]; n++ {
				times[textAt(t, e, h.Session.ID, n)]++
			}
		}
		q.Cursor = a.Cursor
		behind(page)
	}
	return times
}

// textAt is the text of a passage.
func textAt(t *testing.T, e *Engine, session string, number int) string {
	t.Helper()
	read, err := e.Read(t.Context(), Locator{Session: session, Passage: number}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return read.Passages[0].Turns[0].Text
}

// once reports what was not shown just once.
func once(t *testing.T, times map[string]int, want int) {
	t.Helper()
	if len(times) != want {
		t.Errorf("%d texts were shown, want %d", len(times), want)
	}
	for text, n := range times {
		if n != 1 {
			t.Errorf("%.40q was shown %d times", text, n)
		}
	}
}

// A text that was shown as a fork's does not come again as that of the session that it was
// forked from, which is read later; what only the other says does come.
func TestCursorKnowsCopiesReadLater(t *testing.T) {
	shared := "lattice, lattice and lattice again that both tell " + strings.Repeat("at length ", 120)
	fork := said("fork", day(5), shared, strings.Repeat("other words ", 120), "the lattice of the fork alone "+strings.Repeat("and so on ", 120)).with(func(k *talk) { k.ForkedFrom = "origin" })
	origin := said("origin", day(9), shared, strings.Repeat("some more words ", 90), "the lattice of the origin alone "+strings.Repeat("or not ", 200))
	e := engineOf(t, fork, said("third", day(3), "a lattice besides"))
	once(t, pagesOf(t, e, Query{Text: "lattice", Limit: 1}, func(page int) {
		if page == 1 {
			e.edition().index.Apply([]sessions.Update{origin.update()})
		}
	}), 4)
}

// A passage of which another that was shown holds every turn, and more, has its own place.
func TestCursorKnowsCopiesFromMore(t *testing.T) {
	origin := said("origin", day(9), "the lattice that both tell")
	fork := said("fork", day(5), "the lattice that both tell", "> lattice lattice lattice of the fork").with(func(k *talk) {
		k.ForkedFrom, k.turns[0].ID = "origin", origin.turns[0].ID
	})
	e := engineOf(t, fork, origin)
	whole := ids(ask(t, e, Query{Text: "lattice"}))
	first := ask(t, e, Query{Text: "lattice", Limit: 1})
	if paged := append(ids(first), ids(ask(t, e, Query{Text: "lattice", Limit: 1, Cursor: first.Cursor}))...); !slices.Equal(paged, whole) || !slices.Equal(whole, []string{"fork", "origin"}) {
		t.Errorf("pages give %q, one answer %q", paged, whole)
	}
}

// Neighbours are shown once, though the best of them and with it the hits that they are
// merged to are others on each page.
func TestCursorKnowsNeighbours(t *testing.T) {
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprintf("%d ", i)+strings.Repeat("lattice ", 1+i%7)+strings.Repeat("plinth ", 1+(i*3)%5)+strings.Repeat("filler ", 110))
	}
	e := engineOf(t, said("long", day(5), long...))
	once(t, pagesOf(t, e, Query{Text: "lattice plinth session:long", Limit: 1}, func(page int) {
		for i := range 8 {
			word := []string{"lattice", "plinth"}[page%2]
			e.edition().index.Apply([]sessions.Update{said(fmt.Sprintf("new-%d-%d", page, i), day(2), word+strings.Repeat(" "+word, page)).update()})
		}
	}), 40)
}

// A page names each passage of its hits; when those are too many the hits shown first are
// named no more, each as a whole, and their number stays known.
func TestCursorNamesWholeHits(t *testing.T) {
	var long []string
	for i := range 20 * mergeSpan {
		long = append(long, fmt.Sprintf("%d lattice ", i)+strings.Repeat("filler ", 120))
	}
	e := engineOf(t, said("long", day(5), long...))
	q := Query{Text: "lattice session:long", Limit: 1}
	for page := range 10 {
		q.Cursor = ask(t, e, q).Cursor
		c, err := readCursor(Query{Text: q.Text, Filters: q.Filters, Limit: q.Limit, Uncapped: true, Cursor: q.Cursor})
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for _, name := range c.names {
			if name&beginsHit != 0 {
				hits++
			}
		}
		if c.shown != page+1 || len(c.names) > cursorNames || c.names[0]&beginsHit == 0 || hits != min(page+1, cursorNames/mergeSpan) {
			t.Errorf("behind page %d: %d shown, %d names of %d hits", page, c.shown, len(c.names), hits)
		}
	}
}
