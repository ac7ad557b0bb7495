package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"yore/sessions"
)

// An answer begins alike however much of it is asked for, and page by page it is the
// same list: nothing twice, nothing left out.
func TestPagesAreOneList(t *testing.T) {
	var talks []talk
	for i := range 14 {
		k := said(fmt.Sprintf("s%02d", i), day(1+i))
		for n := range 40 {
			k.turns = append(k.turns, sessions.Turn{Kind: sessions.Prompt, At: k.Start, ID: fmt.Sprintf("%s-%d", k.ID, n), Text: fmt.Sprintf("needle %d of %d ", n, i) + strings.Repeat("padding ", 60*(1+n%3))})
			for c := range 2 {
				k.hung = append(k.hung,
					sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolCall, Tool: "Bash", Call: fmt.Sprint(i, n, c), Text: "needle " + strings.Repeat("x ", n)}, Passage: n, Index: c},
					sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: fmt.Sprint(i, n, c), Text: "the needle " + strings.Repeat("y ", 40-n)}, Passage: n, Index: c})
			}
		}
		talks = append(talks, k)
	}
	copied := talks[0].with(func(k *talk) { k.Session = said("fork", day(20)).Session; k.ForkedFrom = "s00" })
	e := engineOf(t, append(talks, copied)...)
	for _, q := range []Query{
		{Text: "needle"}, {Text: "needle", All: true}, {Text: "needle", Sort: Newest}, {Text: "needle", Uncapped: true},
		{Text: "needle in:tools", All: true}, {Text: "needle in:all", Uncapped: true}, {Text: "/needle/", All: true},
	} {
		q.Limit = maxLimit
		whole := ask(t, e, q)
		seen := map[string]bool{}
		for _, h := range whole.Hits {
			for n := h.Span[0]; n <= h.Span[1]; n++ {
				place := fmt.Sprint(h.Session.ID, n)
				if !h.Kind.Conversation() {
					place = h.Ref
				}
				if seen[place] {
					t.Errorf("%+v: %s stands there twice", q, place)
				}
				seen[place] = true
			}
		}
		if q.All && len(seen) < whole.SessionsMatched*40 {
			t.Errorf("%+v: %d places of %d matches", q, len(seen), whole.PassagesMatched)
		}
		for _, limit := range []int{1, 7, 100, firstLook + 1} {
			q.Limit = limit
			turnPages(t, e, q, whole.Hits)
		}
	}
}

// turnPages asks for one page after the other and compares them with all hits.
func turnPages(t *testing.T, e *Engine, q Query, whole []Hit) {
	t.Helper()
	for at := 0; ; {
		page := ask(t, e, q)
		if len(page.Hits) != min(q.Limit, len(whole)-at) {
			t.Fatalf("%+v: a page of %d hits behind %d of %d", q, len(page.Hits), at, len(whole))
		}
		if diff := cmp.Diff(whole[at:at+len(page.Hits)], page.Hits, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%+v: behind %d hits the page differs (-whole +page):\n%s", q, at, diff)
		}
		at += len(page.Hits)
		if q.Cursor = page.Cursor; q.Cursor == "" {
			if at != len(whole) {
				t.Errorf("%+v: the last page ends at %d of %d", q, at, len(whole))
			}
			return
		}
		if q.Limit == 1 && at > 20 {
			return // every page of one is an answer of its own
		}
	}
}

// candidatesOf is a search among tools for needle, and its n candidates.
func candidatesOf(t *testing.T, e *Engine, n int) (Query, *search, []candidate) {
	t.Helper()
	q := Query{Text: "needle in:tools", Uncapped: true}
	s, _, err := e.newSearch(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.release)
	ranked, err := s.find(t.Context(), e, q, 0, &Answer{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := ranked.first(t.Context(), maxLimit)
	if err != nil || len(all) != n {
		t.Fatalf("%d candidates, %v", len(all), err)
	}
	return q, s, all
}

// Of what hangs alone on its passage no call is told, however many stretches there are.
func TestCallsAreToldWhereTwoHang(t *testing.T) {
	k := said("a", day(1))
	for n := range 2 * firstLook {
		k.turns = append(k.turns, sessions.Turn{Kind: sessions.Prompt, At: k.Start, ID: fmt.Sprint("m", n), Text: fmt.Sprint(n, strings.Repeat(" padding", 150))})
		k.hung = append(k.hung, sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: fmt.Sprint(n), Text: fmt.Sprint("needle ", n)}, Passage: n})
	}
	k.hung = append(k.hung, sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolCall, Tool: "Bash", Call: "0", Text: "needle of 0"}})
	q, s, all := candidatesOf(t, engineOf(t, k), len(k.hung))
	g := s.grouping(q)
	for stretch := range slices.Chunk(all, len(all)/3) {
		g.add(stretch)
	}
	if len(g.calls) > 1 || g.shown[kin{}] != 2*firstLook {
		t.Errorf("%d calls are told, %d hits", len(g.calls), g.shown[kin{}])
	}
}

// To which call a text belongs is told once: what shares a passage is compared by
// stretches and then within one, and may be long.
func TestACallIsToldOnce(t *testing.T) {
	k := said("a", day(1), "asked")
	for n := range 3 {
		k.hung = append(k.hung, sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: fmt.Sprint(n), Text: fmt.Sprint("needle ", n)}, Index: n})
	}
	_, s, all := candidatesOf(t, engineOf(t, k), len(k.hung))
	told := s.callsOf(all)
	s.corpus = &corpus{} // in which there is nothing to read
	for i := range all {
		if got := s.callOf(&all[i]); got != told[&all[i]] || len(told) != len(all) {
			t.Errorf("%+v, told before: %+v", got, told)
		}
	}
}

// Hundreds of sub-agents that repeat what they were told leave the sessions of people in
// sight: all those of one session have two hits, which is said. Who asks for sub-agents
// has two of each.
func TestSubagentsDoNotFlood(t *testing.T) {
	talks := []talk{said("parent", day(1), "nothing of interest"), said("human", day(2), "a remark that names the lattice in passing, among a good many other things of no weight")}
	for i := range 2 * firstLook {
		talks = append(talks, said(fmt.Sprintf("side%03d", i), day(3), fmt.Sprintf("lattice %d", i)).with(func(k *talk) { k.Subagent, k.Parent = true, "parent" }))
	}
	e := engineOf(t, talks...)
	a := ask(t, e, Query{Text: "lattice"})
	if got := ids(a); len(got) != 3 || got[2] != "human" || a.SessionsMatched != 2*firstLook+1 {
		t.Errorf("%d sessions matched, hits %q", a.SessionsMatched, got)
	}
	if !strings.Contains(strings.Join(a.Notes, " "), "agents:only") {
		t.Errorf("notes %q", a.Notes)
	}
	if a := ask(t, e, Query{Text: "lattice agents:only", Limit: 30}); len(a.Hits) != 30 || strings.Contains(strings.Join(a.Notes, " "), "sub-agents") {
		t.Errorf("%d hits of sub-agents alone, notes %q", len(a.Hits), a.Notes)
	}
	apart := strings.Repeat("padding ", 200)
	alone := said("alone", day(4), "plinth one "+apart, apart, "plinth two "+apart, apart, "plinth three "+apart).with(func(k *talk) { k.Subagent, k.Parent = true, "parent" })
	if a := ask(t, engineOf(t, talks[0], alone), Query{Text: "plinth"}); len(a.Hits) != perSession || strings.Contains(strings.Join(a.Notes, " "), "agents:only") {
		t.Errorf("one sub-agent: %d hits, notes %q", len(a.Hits), a.Notes)
	}
}
