package recall

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"yore/sessions"
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

// R1: words that occur nowhere, and filler, do not keep a passage out.
func TestNoSessionGate(t *testing.T) {
	e := engineOf(t,
		said("a", day(9), "The sharded cache layout lives in one file now."),
		said("b", day(8), "Lunch was fine."),
		said("c", day(7), "Nothing to see."),
	)
	a := ask(t, e, Query{Text: "what did somebody say about the sharded cache layout"})
	if !slices.Equal(ids(a), []string{"a"}) {
		t.Fatalf("hits %q, notes %q", ids(a), a.Notes)
	}
}

// R2: equal passages share their rank, and recency does not beat relevance however
// many newer ones there are.
func TestTiesShareARankAndRelevanceBeatsRecency(t *testing.T) {
	talks := []talk{said("old", day(400), "The cache layout decision: shard the cache by tenant.")}
	for i := range 120 {
		talks = append(talks, said(fmt.Sprintf("new-%03d", i), day(1), "cache and also layout"))
	}
	e := engineOf(t, talks...)
	a := ask(t, e, Query{Text: "cache layout decision", Limit: 200})
	if a.Hits[0].Session.ID != "old" || a.Hits[0].RankWords != 1 {
		t.Fatalf("first is %s", a.Hits[0].Session.ID)
	}
	for _, h := range a.Hits[1:] {
		if h.RankWords != 2 {
			t.Fatalf("%s has rank %d, want 2: it is equal to all others", h.Session.ID, h.RankWords)
		}
	}
}

// R3, R4: nothing is cut before it is ranked, and the counts are those before caps.
func TestCountsAreExactBeforeAnyCap(t *testing.T) {
	var talks []talk
	for i := range 300 {
		talks = append(talks, said(fmt.Sprintf("s-%03d", i), day(i), fmt.Sprintf("the lattice number%d was measured", i), strings.Repeat("padding ", 160), fmt.Sprintf("another lattice%d and a lattice", i)))
	}
	e := engineOf(t, talks...)
	a := ask(t, e, Query{Text: "lattice"})
	want, in := 0, map[string]bool{}
	for _, k := range talks {
		for _, p := range k.update().Passages {
			if strings.Contains(p.Text, "lattice") {
				want++
				in[k.ID] = true
			}
		}
	}
	if a.PassagesMatched != want || a.SessionsMatched != len(in) || want < 300 {
		t.Fatalf("%d passages of %d sessions, want %d of %d", a.PassagesMatched, a.SessionsMatched, want, len(in))
	}
	if len(a.Hits) != DefaultLimit || a.Cursor == "" {
		t.Fatalf("%d hits, cursor %q", len(a.Hits), a.Cursor)
	}
}

// R6: a word said twice counts once; nor do two forms of one word count as two.
func TestRepeatedWordsCountOnce(t *testing.T) {
	e := engineOf(t,
		said("one", day(3), "the cache is cold"),
		said("two", day(2), "lunch"),
		said("three", day(2), "dinner"),
	)
	a := ask(t, e, Query{Text: "cache cache Cache caches"})
	if len(a.Words) != 1 || a.PassagesMatched != 1 {
		t.Fatalf("words %+v, %d matched", a.Words, a.PassagesMatched)
	}
}

// R7: history that forks repeat stands once, under the session that owns it.
func TestCopiesFoldIntoTheirOwner(t *testing.T) {
	shared := []string{"forkprobe: shall we shard the cache?", "> Yes, forkprobe says shard it by tenant."}
	origin := said("origin", day(9), append(shared, "and then the origin goes on alone")...)
	fork := said("fork", day(5), append(shared, "the fork asks for a lattice instead")...).with(func(k *talk) {
		k.ForkedFrom = "origin"
		for i := range shared {
			k.turns[i].ID, k.turns[i].Copied = origin.turns[i].ID, true
		}
	})
	e := engineOf(t, fork, origin)
	a := ask(t, e, Query{Text: "forkprobe shard"})
	if !slices.Equal(ids(a), []string{"origin"}) || !slices.Equal(a.Hits[0].AlsoIn, []string{"fork"}) {
		t.Fatalf("hits %q, also in %q", ids(a), a.Hits[0].AlsoIn)
	}
	if a := ask(t, e, Query{Text: "lattice instead"}); !slices.Equal(ids(a), []string{"fork"}) {
		t.Fatalf("the fork's own prompt is found in %q", ids(a))
	}
	if a := ask(t, e, Query{Text: "forkprobe shard", Exclude: []string{"origin"}}); !slices.Equal(ids(a), []string{"fork"}) {
		t.Fatalf("without the owner the copy is found: %q", ids(a)) // X1 too: excluded here, known still
	}
	if a := ask(t, e, Query{Text: "forkprobe shard", All: true}); len(a.Hits) != 2 {
		t.Fatalf("--all lifts folding: %q", ids(a))
	}
}

// R7: short equal words under other ids are no copy.
func TestEqualWordsAreNoCopy(t *testing.T) {
	e := engineOf(t, said("a", day(2), "continue lattice"), said("b", day(1), "continue lattice"))
	if a := ask(t, e, Query{Text: "lattice"}); len(a.Hits) != 2 {
		t.Fatalf("hits %q", ids(a))
	}
}

// R7: a text that one session says over and over is no copy of itself; a session
// that has one of those turns, by its id or by a text too long for chance, is.
func TestRepeatedTurnsFold(t *testing.T) {
	padding := strings.Repeat("padding of no interest ", 50)
	var short, long []string
	for range 300 {
		short = append(short, "lattice "+padding, "go on")
		long = append(long, "trellis "+padding)
	}
	short[0] = "quartz " + short[0]
	origin := said("origin", day(9), append(short, long...)...)
	fork := said("fork", day(5), short[0], "go on", "trellis "+padding).with(func(k *talk) {
		k.ForkedFrom = "origin"
		k.turns[0].ID, k.turns[1].ID = origin.turns[0].ID, origin.turns[1].ID
	})
	other := said("other", day(4), "go on")
	e := engineOf(t, origin, fork, other)
	for _, query := range []string{"quartz", "trellis"} {
		a := ask(t, e, Query{Text: query})
		if len(a.Hits) == 0 || a.Hits[0].Session.ID != "origin" || !slices.Equal(a.Hits[0].AlsoIn, []string{"fork"}) || slices.Contains(ids(a), "fork") {
			t.Errorf("%s: hits %q, also in %q", query, ids(a), a.Hits[0].AlsoIn)
		}
	}
	if a := ask(t, e, Query{Text: "go on"}); !slices.Contains(ids(a), "other") {
		t.Errorf("equal short words under another id were folded: %q", ids(a))
	}
}

// A sub-agent never owns what its parent says, and ranks behind it.
func TestSubagentRanksBehindItsParent(t *testing.T) {
	text := "the lattice was measured with great care by everybody who took part in it, twice, and written down"
	side := said("side", day(9), text).with(func(k *talk) { k.Subagent, k.Parent = true, "parent" })
	e := engineOf(t, side, said("parent", day(1), text))
	a := ask(t, e, Query{Text: "lattice measured"})
	if !slices.Equal(ids(a), []string{"parent"}) || !slices.Equal(a.Hits[0].AlsoIn, []string{"side"}) {
		t.Fatalf("hits %q", ids(a))
	}
}

// A session that is left out takes its sub-agents along, in answers and in lists.
func TestSubagentIsLeftOutWithItsParent(t *testing.T) {
	side := said("side", day(9), "a lattice of brass").with(func(k *talk) { k.Subagent, k.Parent = true, "parent" })
	e := engineOf(t, side, said("parent", day(1), "a lattice of quartz"), said("other", day(2), "a lattice of tin"))
	if a := ask(t, e, Query{Text: "lattice", Exclude: []string{"parent"}}); !slices.Equal(ids(a), []string{"other"}) {
		t.Errorf("hits %q", ids(a))
	}
	list, err := e.Sessions(t.Context(), SessionFilter{Subagents: "on", Exclude: []string{"parent"}})
	if err != nil || len(list) != 1 || list[0].ID != "other" {
		t.Errorf("sessions %v, %v", list, err)
	}
	for _, f := range []SessionFilter{
		{Subagents: "on", Of: []string{"parent"}}, {Subagents: "on", Among: map[string]bool{"side": true, "nobody": true}},
	} {
		if list, err := e.Sessions(t.Context(), f); err != nil || len(list) != 1 || list[0].ID != "side" {
			t.Errorf("%+v: %v, %v", f, list, err)
		}
	}
}

// Of two passages that hold the same, the one beside what it lacks ranks first; words
// that it has itself beside it are worth nothing.
func TestNeighboursHoldWhatIsMissing(t *testing.T) {
	padding := strings.Repeat("padding of no interest ", 45)
	e := engineOf(t, said("long", day(3), padding+"alpha beta", padding+"alpha beta too", padding+"nothing", padding+"alpha beta", padding+"gamma"), said("other", day(2), "delta"))
	a := ask(t, e, Query{Text: "alpha beta gamma", All: true})
	if len(a.Hits) == 0 || a.Hits[0].Span != [2]int{3, 3} {
		t.Fatalf("%+v", a.Hits)
	}
	e = engineOf(t, said("long", day(3), padding+"alpha beta", padding+"alpha beta", padding+"alpha beta", padding+"nothing", padding+"alpha beta", padding+"nothing"), said("other", day(2), "delta"))
	a = ask(t, e, Query{Text: "alpha beta", All: true})
	if len(a.Hits) != 2 || a.Hits[0].Span != [2]int{0, 2} || a.Hits[0].Score != a.Hits[1].Score {
		t.Fatalf("%+v", a.Hits)
	}
}

// R8: neighbours that both match are one hit, whichever of them ranks first, and
// only then a session has two hits at most.
func TestNeighboursMergeBeforeTheCap(t *testing.T) {
	padding := strings.Repeat("padding of no interest ", 45)
	var texts []string
	for i := range 12 {
		word := "the lattice "
		if i == 4 || i == 6 || i == 8 {
			word = "nothing "
		}
		texts = append(texts, padding+word+strings.Repeat("x ", i*7%5))
	}
	e := engineOf(t, said("long", day(3), texts...), said("other", day(2), "one more lattice"))
	a := ask(t, e, Query{Text: "lattice"})
	var spans [][2]int
	for _, h := range a.Hits {
		if h.Session.ID == "long" {
			spans = append(spans, h.Span)
		}
		if len(h.Members) != h.Span[1]-h.Span[0]+1 || h.Passage < h.Span[0] || h.Passage > h.Span[1] {
			t.Errorf("passage %d of span %v with %d members", h.Passage, h.Span, len(h.Members))
		}
		for i, m := range h.Members {
			if m.Number != h.Span[0]+i || m.Text == "" || m.RankWords == 0 {
				t.Errorf("member %d of %v is passage %d of rank %d", i, h.Span, m.Number, m.RankWords)
			}
		}
	}
	possible := [][2]int{{0, 3}, {5, 5}, {7, 7}, {9, 11}}
	for _, s := range spans {
		if !slices.Contains(possible, s) {
			t.Errorf("span %v, want one of %v", s, possible)
		}
	}
	if len(spans) != 2 || len(a.Hits) != 3 {
		t.Fatalf("spans %v, %d hits", spans, len(a.Hits))
	}
	if a := ask(t, e, Query{Text: "lattice", All: true}); len(a.Hits) != 5 {
		t.Fatalf("without the cap %d hits", len(a.Hits))
	}
}

// R9 and the total order: the same question has the same answer, whoever asks
// beside, and in whatever order the transcripts were read.
func TestAnswersAreDeterministic(t *testing.T) {
	var talks []talk
	for i := range 30 {
		talks = append(talks, said(fmt.Sprintf("s-%02d", i), day(i%3), "lattice and cache", "> the cache lattice"))
	}
	first := engineOf(t, talks...)
	slices.Reverse(talks)
	second := engineOf(t, talks...)
	want := ask(t, first, Query{Text: "cache lattice", Limit: 50})
	done := make(chan Answer)
	for range 4 {
		go func() { a, _ := second.Ask(context.Background(), Query{Text: "cache lattice", Limit: 50}); done <- a }()
	}
	for range 4 {
		got := <-done
		got.Took, want.Took = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("another answer:\n%q\nwant\n%q", ids(got), ids(want))
		}
	}
}

// A cancelled question ends with the context's error.
func TestAskStopsWithItsContext(t *testing.T) {
	e := engineOf(t, said("a", day(1), "lattice"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Ask(ctx, Query{Text: "lattice"}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

// The product's own example: of three decisions only the one an agent made within
// the week is on top; nothing is hidden for it (W9's preference).
func TestAgentsDecisionOfLastWeekComesFirst(t *testing.T) {
	e := engineOf(t,
		said("inside", day(6), "what about the queue?", "> We decided to keep the queue in one file."),
		said("outside", day(60), "what about the queue?", "> We decided to keep the queue in one file, always."),
		said("user", day(6), "I decided to keep the queue in one file.", "> Noted."),
		said("noise", day(6), "The agent is fast."),
	)
	a := ask(t, e, Query{Text: "what did an agent decided last week?"})
	if got := ids(a); len(got) != 3 || got[0] != "inside" {
		t.Fatalf("hits %q, notes %q", got, a.Notes)
	}
}

// A hit says who said it, of the turn that matches best, and whether all of that
// is abandoned.
func TestHitNamesTheTurnThatMatchesBest(t *testing.T) {
	k := said("a", day(2), "shall we do it?", "> The lattice stays.").with(func(k *talk) { k.turns[1].Undone = true })
	e := engineOf(t, k)
	h := ask(t, e, Query{Text: "lattice"}).Hits[0]
	if h.Kind != sessions.Reply || h.Role != sessions.Assistant || !h.At.Equal(k.turns[1].At) || !h.Undone {
		t.Fatalf("%v %v %v undone=%v", h.Kind, h.Role, h.At, h.Undone)
	}
	if h.Ref != "a#a-m0+0" || h.Strength != 1 || h.Matched == Topic {
		t.Fatalf("ref %q, strength %v, badge %v", h.Ref, h.Strength, h.Matched)
	}
}

// The words of a summary rank behind the words themselves, and stay a hit of
// their own.
func TestSummaryRanksBehindTheOriginal(t *testing.T) {
	k := said("a", day(2), "please measure the lattice", "> The lattice is measured.", "Summary: the lattice lattice was measured.").with(func(k *talk) {
		k.turns[2].Kind = sessions.Summary
	})
	a := ask(t, engineOf(t, k), Query{Text: "lattice measured"})
	if len(a.Hits) != 2 || a.Hits[0].Kind == sessions.Summary || a.Hits[1].Kind != sessions.Summary {
		t.Fatalf("%d hits, first is a %v", len(a.Hits), a.Hits[0].Kind)
	}
}
