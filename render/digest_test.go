package render

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/recall"
	"yore/sessions"
)

var noon = time.Date(2026, 5, 12, 12, 0, 0, 0, time.UTC)

func session(id string) sessions.Session {
	return sessions.Session{
		Key: sessions.Key{Harness: "claude", ID: id}, Directory: "/home/dev/shop", Title: "Title of " + id, LastActive: noon,
	}
}

// member is a passage with one whole turn in it.
func member(n int, text string, matches ...[2]int) recall.Member {
	return recall.Member{
		Passage: sessions.Passage{Number: n, Text: text, Spans: []sessions.Span{{
			From: 0, To: len(text), Kind: sessions.Reply, Role: sessions.Assistant, At: noon, ID: fmt.Sprint("turn", n),
		}}},
		Matches: matches,
	}
}

func hit(s sessions.Session, score float64, members ...recall.Member) recall.Hit {
	best := members[0]
	return recall.Hit{
		Session: s, Short: s.ID, Passage: best.Number, Span: [2]int{best.Number, members[len(members)-1].Number},
		Kind: sessions.Reply, Role: sessions.Assistant, At: noon, Text: best.Text, Matches: best.Matches,
		Matched: recall.Words, RankWords: 1, Score: score, Members: members,
	}
}

// numbered is a passage's text of so many lines, each naming its passage.
func numbered(passage, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "passage %d line %d\n", passage, i)
	}
	return b.String()
}

func ranges(groups []*group) []string {
	var list []string
	for _, g := range groups {
		list = append(list, fmt.Sprintf("%s %d-%d", g.Session.ID, g.Span[0], g.Span[1]))
	}
	slices.Sort(list)
	return list
}

// C1: what the heading promises is in the body.
func TestUnionText(t *testing.T) {
	a := recall.Answer{Query: "q", Hits: []recall.Hit{
		hit(session("s"), 0.8, member(10, numbered(10, 3)), member(11, numbered(11, 3))),
		hit(session("s"), 0.9, member(11, numbered(11, 3)), member(12, numbered(12, 3))),
	}}
	d := Consolidate(a, DigestOptions{})
	if len(d.Shown) != 1 || d.Shown[0].Hit != 1 || !slices.Equal(d.Shown[0].Joined, []int{0}) {
		t.Fatalf("shown: %+v", d.Shown)
	}
	for _, want := range []string{"passages 10 to 12", "passage 10 line 0", "passage 11 line 1", "passage 12 line 2"} {
		if strings.Count(d.Markdown, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, d.Markdown)
		}
	}
}

// C1: a turn that is split between passages, with some of it in both, is whole
// again and repeats nothing.
func TestStitchedTurn(t *testing.T) {
	turn := "one two three four five six seven eight"
	part := func(n, from, to int) recall.Member {
		m := member(n, turn[from:to], [2]int{0, 3})
		m.Spans[0].Offset, m.Spans[0].ID = from, "t"
		return m
	}
	for name, members := range map[string][]recall.Member{
		"repeated": {part(0, 0, 18), part(1, 14, 27), part(2, 24, len(turn))},
		"touching": {part(0, 0, 18), part(1, 18, 27), part(2, 27, len(turn))},
		"within":   {part(0, 0, 27), part(1, 14, 23), part(2, 27, len(turn))},
	} {
		pieces := stitch(members)
		if len(pieces) != 1 || pieces[0].text != turn {
			t.Errorf("%s: %+v", name, pieces)
		}
		for _, m := range pieces[0].matches {
			if m[1]-m[0] < 3 {
				t.Errorf("%s: match %v is torn", name, m)
			}
		}
	}
	if pieces := stitch([]recall.Member{part(0, 0, 8), part(1, 14, 27)}); len(pieces) != 2 || !pieces[1].gap {
		t.Errorf("a hole in a turn is not marked: %+v", pieces)
	}
	other := part(1, 14, 27)
	other.Text = "THREE" + other.Text[5:]
	if pieces := stitch([]recall.Member{part(0, 0, 18), other}); len(pieces) != 2 || !pieces[1].gap {
		t.Errorf("parts that contradict each other are joined: %+v", pieces)
	}
}

// C2, C3: joining does not depend on order, and passages that touch join.
func TestJoinTransitive(t *testing.T) {
	span := func(from, to int) recall.Hit {
		var members []recall.Member
		for n := from; n <= to; n++ {
			members = append(members, member(n, numbered(n, 1)))
		}
		return hit(session("s"), 0.5, members...)
	}
	hits := []recall.Hit{span(1, 10), span(20, 30), span(8, 22), span(31, 33), span(40, 41)}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {2, 1, 0, 4, 3}, {4, 3, 2, 1, 0}} {
		var shuffled []recall.Hit
		for _, i := range order {
			shuffled = append(shuffled, hits[i])
		}
		if got, want := ranges(merge(shuffled)), []string{"s 1-33", "s 40-41"}; !slices.Equal(got, want) {
			t.Errorf("order %v: %v, want %v", order, got, want)
		}
	}
}

// C15: joining is a sweep. Twice the hits make about twice the work, counted in
// allocations because time cannot be asserted; the seed's cloning squares it.
func TestJoinIsASweep(t *testing.T) {
	allocations := func(n int) float64 {
		var hits []recall.Hit
		for i := range n {
			hits = append(hits, hit(session(fmt.Sprint("s", i%7)), 0.5, member(i, "one line")))
		}
		return testing.AllocsPerRun(3, func() { merge(hits) })
	}
	if one, two := allocations(1000), allocations(2000); two > 3*one {
		t.Errorf("1,000 hits take %.0f allocations, 2,000 take %.0f", one, two)
	}
}

// C4: equal ids of two harnesses are two sessions.
func TestSessionKey(t *testing.T) {
	other := session("s")
	other.Harness = "codex"
	groups := merge([]recall.Hit{hit(session("s"), 0.5, member(1, "a")), hit(other, 0.4, member(2, "b"))})
	if len(groups) != 2 {
		t.Errorf("%v", ranges(groups))
	}
}

// What hangs on a passage is not joined to it, and does not keep the passages
// around it apart.
func TestToolsStandApart(t *testing.T) {
	tool := hit(session("s"), 0.7, member(4, "FAIL"))
	tool.Kind = sessions.ToolOutput
	groups := merge([]recall.Hit{hit(session("s"), 0.9, member(3, "a")), tool, hit(session("s"), 0.8, member(4, "b"))})
	if got, want := ranges(groups), []string{"s 3-4", "s 4-4"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// C5: the evidence of all members stays.
func TestEvidence(t *testing.T) {
	a, b := hit(session("s"), 0.8, member(1, "alpha", [2]int{0, 5})), hit(session("s"), 0.9, member(2, "beta"))
	a.AlsoIn, b.AlsoIn = []string{"x", "y"}, []string{"y", "z"}
	b.Matched, b.RankWords, b.RankTopic = recall.Topic, 0, 3
	a.Undone = true
	g := merge([]recall.Hit{a, b})[0]
	if g.Matched != recall.Both || g.RankWords != 1 || g.RankTopic != 3 || g.Score != 0.9 || g.Undone {
		t.Errorf("%+v", g.Hit)
	}
	if !slices.Equal(g.AlsoIn, []string{"x", "y", "z"}) || len(g.Members) != 2 {
		t.Errorf("%v, %d members", g.AlsoIn, len(g.Members))
	}
	if got := g.words(); !slices.Equal(got, []string{"`alpha`"}) {
		t.Errorf("words %v", got)
	}
}

// C6: the excerpt holds the match, wherever it stands.
func TestExcerptHoldsMatch(t *testing.T) {
	for _, at := range []int{0, 7_000, 29_000} {
		text := strings.Repeat("filler words go on and on. ", 1_200)
		text = text[:at] + " needle " + text[at:]
		found := strings.Index(text, "needle")
		a := recall.Answer{Query: "needle", Hits: []recall.Hit{
			hit(session("s"), 1, member(3, text, [2]int{found, found + 6})),
		}}
		d := Consolidate(a, DigestOptions{Budget: 600})
		if d.Shown[0].Form != FormExcerpt || !strings.Contains(body(d.Markdown), "needle") {
			t.Errorf("match at %d: %s\n%s", at, d.Shown[0].Form, d.Markdown)
		}
	}
}

// body is a digest from the first fence on.
func body(markdown string) string {
	_, rest, _ := strings.Cut(markdown, "```")
	return rest
}

func many(n, lines int) recall.Answer {
	a := recall.Answer{Query: "which layout"}
	for i := range n {
		a.Hits = append(a.Hits, hit(session(fmt.Sprintf("s%02d", i)), 1-float64(i)/1000, member(i, numbered(i, lines), [2]int{0, 7})))
	}
	return a
}

// C7: a large hit is shown shorter; none is passed over for a lower one.
func TestNeverSkips(t *testing.T) {
	a := many(12, 8)
	a.Hits[1].Members[0] = member(1, numbered(1, 2_000), [2]int{0, 7})
	for _, full := range []bool{false, true} {
		for budget := 100; budget < 2_500; budget += 200 {
			d := Consolidate(a, DigestOptions{Budget: budget, Full: full})
			for i, s := range d.Shown {
				if s.Hit != i {
					t.Fatalf("budget %d: hit %d stands at rank %d", budget, s.Hit, i+1)
				}
			}
			if len(d.Shown)+d.Withheld != 12 {
				t.Fatalf("budget %d: %d shown, %d withheld", budget, len(d.Shown), d.Withheld)
			}
			if note := fmt.Sprintf("%d more, withheld", d.Withheld); d.Withheld > 0 && !strings.Contains(d.Markdown, note) {
				t.Errorf("budget %d: no %q in\n%s", budget, note, d.Markdown)
			}
		}
	}
}

// The line of every hit comes before the length of one, unless the whole text
// was asked for.
func TestFullBeforeLines(t *testing.T) {
	a := many(8, 100)
	brief, full := Consolidate(a, DigestOptions{Budget: 2_000}), Consolidate(a, DigestOptions{Budget: 2_000, Full: true})
	if brief.Withheld > 0 || full.Shown[0].Form != FormFull || full.Withheld == 0 {
		t.Errorf("brief: %+v, %d withheld; full: %+v, %d withheld", brief.Shown, brief.Withheld, full.Shown, full.Withheld)
	}
}

// C8: the first hit is cut to the budget, and says so.
func TestFirstHitCut(t *testing.T) {
	a := recall.Answer{Query: "q", Hits: []recall.Hit{hit(session("s"), 1, member(0, numbered(0, 5_000)))}}
	d := Consolidate(a, DigestOptions{Budget: 500})
	if d.Tokens > 500 || d.Tokens < 250 || d.Shown[0].Form != FormExcerpt || !strings.Contains(d.Markdown, "· excerpt ·") {
		t.Errorf("%d tokens, %s\n%s", d.Tokens, d.Shown[0].Form, d.Markdown)
	}
}

// C14: no budget is the default one; a negative or tiny one gives the first hit
// as one line.
func TestOddBudgets(t *testing.T) {
	a := many(3, 4)
	if d := Consolidate(a, DigestOptions{}); d.Budget != DefaultBudget || len(d.Shown) != 3 {
		t.Errorf("budget 0: %+v", d)
	}
	for _, budget := range []int{-1, 1, 20, math.MinInt} {
		d := Consolidate(a, DigestOptions{Budget: budget})
		if len(d.Shown) != 1 || d.Shown[0].Form != FormLine || d.Withheld != 2 || strings.Contains(d.Markdown, "```") {
			t.Errorf("budget %d: %+v\n%s", budget, d.Shown, d.Markdown)
		}
	}
}

// C14: blank bodies and ranges turned round.
func TestOddHits(t *testing.T) {
	blank := hit(session("s"), 1, member(1, " \n"))
	turned := hit(session("u"), 1, member(1, "word"))
	turned.Members = nil
	turned.Span, turned.Passage = [2]int{9, 4}, 6
	bad := hit(session("v"), 1, member(1, "word", [2]int{3, 1}, [2]int{-5, 99}))
	bad.Members[0].Spans = []sessions.Span{{From: -3, To: 99}, {From: 2, To: 1}}
	groups := merge([]recall.Hit{blank, turned, bad})
	if got, want := ranges(groups), []string{"u 4-9", "v 1-1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if d := Consolidate(recall.Answer{Query: "q"}, DigestOptions{}); len(d.Shown) != 0 || !strings.Contains(d.Markdown, "0 passages") {
		t.Errorf("%+v", d)
	}
}

// C12: nothing that a transcript says ends a fence or begins a heading.
func TestNoBreakout(t *testing.T) {
	evil := "a\n```\n# not a heading\n`````\nb"
	s := session("s")
	s.Title, s.Directory = "x`\n# title", "/tmp/`a`\n## dir"
	h := hit(s, 1, member(0, evil, [2]int{0, len(evil)}))
	h.Short = "id`\n# id"
	d := Consolidate(recall.Answer{Query: "q`\n# query\x1b[31m", Hits: []recall.Hit{h}}, DigestOptions{})
	if got := headings(d.Markdown); len(got) != 2 {
		t.Errorf("headings %q in\n%s", got, d.Markdown)
	}
	line := Consolidate(recall.Answer{Query: "q", Hits: []recall.Hit{h}}, DigestOptions{Budget: -1})
	if got := headings(line.Markdown); len(got) != 1 {
		t.Errorf("headings %q in\n%s", got, line.Markdown)
	}
}

// headings are the lines outside of fences that begin with "#".
func headings(markdown string) []string {
	var list []string
	fence := ""
	for line := range strings.SplitSeq(markdown, "\n") {
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(run) >= 3:
			fence = run
		case fence != "" && len(run) >= len(fence) && run == line:
			fence = ""
		case fence == "" && strings.HasPrefix(line, "#"):
			list = append(list, line)
		}
	}
	return list
}

// C13: an order for any scores.
func TestNaN(t *testing.T) {
	a := many(60, 1)
	for i := range a.Hits {
		if i%3 == 0 {
			a.Hits[i].Score = math.NaN()
		}
	}
	d := Consolidate(a, DigestOptions{Budget: 100_000})
	var order []int
	for _, s := range d.Shown {
		order = append(order, s.Hit)
	}
	var want []int
	for _, nan := range []bool{false, true} {
		for i := range 60 {
			if (i%3 == 0) == nan {
				want = append(want, i)
			}
		}
	}
	if !slices.Equal(order, want) {
		t.Errorf("order %v", order)
	}
}

// C11: rank and badge, not a score that reads 0.03 everywhere. C10: C17: C18.
func TestEvidenceIsShown(t *testing.T) {
	a := recall.Answer{Query: "cache layout", Took: time.Second, Hits: []recall.Hit{
		hit(session("1a2b3c4d"), 0.0325, member(12, "the cache layout", [2]int{4, 9}, [2]int{10, 16})),
	}}
	o := DigestOptions{Home: "/home/dev"}
	d := Consolidate(a, o)
	for _, want := range []string{
		"## Digest · 1 passage · ", " of 4,000 tokens", "### 1. claude · `~/shop` · 12 May 2026 · `Title of 1a2b3c4d`",
		"**words** · rank 1 · matches `cache` `layout` · passage 12 · `yore read 1a2b3c4d 12`", "**assistant** · 12:00",
	} {
		if !strings.Contains(d.Markdown, want) {
			t.Errorf("no %q in\n%s", want, d.Markdown)
		}
	}
	if strings.Contains(d.Markdown, "0.03") || d.Estimator != Estimator {
		t.Errorf("score shown, or no estimator: %q\n%s", d.Estimator, d.Markdown)
	}
	a.Took = time.Hour
	if again := Consolidate(a, o); again.Markdown != d.Markdown {
		t.Error("equal answers give different text")
	}
}

// C16: sessions by rank, the parts of one in transcript order.
func TestReadingOrder(t *testing.T) {
	s, u := session("s"), session("u")
	d := Consolidate(recall.Answer{Query: "q", Hits: []recall.Hit{
		hit(s, 0.9, member(8, "eighth")), hit(u, 0.8, member(1, "first of u")), hit(s, 0.7, member(2, "second")),
	}}, DigestOptions{})
	var at []int
	for _, want := range []string{"### 1.", "second", "\n…\n", "eighth", "### 2.", "first of u"} {
		at = append(at, strings.Index(d.Markdown, want))
	}
	if !slices.IsSorted(at) || at[0] < 0 {
		t.Errorf("places %v in\n%s", at, d.Markdown)
	}
}

// drawnAnswer is an answer over few sessions and passages, so that hits meet.
func drawnAnswer(t *rapid.T) recall.Answer {
	words := rapid.SampledFrom([]string{"cache", "shard", "```", "`", "\n", "# head", "数据库", "👨‍👩‍👧", "\x1b[31m", "~~~", strings.Repeat("long ", 300)})
	text := rapid.Map(rapid.SliceOfN(words, 1, 12), func(w []string) string { return strings.Join(w, " ") })
	// One text a passage, as in a real corpus.
	texts := map[string]string{}
	a := recall.Answer{Query: text.Draw(t, "query")}
	for i := range rapid.IntRange(0, 12).Draw(t, "hits") {
		s := session(rapid.SampledFrom([]string{"s", "t", "u"}).Draw(t, "session"))
		from := rapid.IntRange(0, 12).Draw(t, "from")
		var members []recall.Member
		for n := from; n <= from+rapid.IntRange(0, 2).Draw(t, "more"); n++ {
			key := fmt.Sprint(s.ID, n)
			if _, ok := texts[key]; !ok {
				texts[key] = text.Draw(t, "text")
			}
			members = append(members, member(n, texts[key], [2]int{0, min(5, len(texts[key]))}))
		}
		h := hit(s, float64(20-i), members...)
		h.Grade = recall.Grade(rapid.IntRange(0, int(recall.Answering)).Draw(t, "grade"))
		a.Hits = append(a.Hits, h)
	}
	return a
}

// F2, F7: what was judged stands in the order of the grades and says its grade;
// what is off-topic is one line at the end, whatever the budget has room for.
func TestJudgedDigest(t *testing.T) {
	a := recall.Answer{Query: "cache", Judged: "Judged by a_model_here: 3 of 4 graded.", Hits: []recall.Hit{
		hit(session("first000"), 9, member(0, "the first is about ```cheese```")), hit(session("second00"), 8, member(0, "the second says nothing clear")),
		hit(session("third000"), 7, member(0, "the third touches it")), hit(session("fourth00"), 6, member(0, "the fourth answers")),
	}}
	a.Hits[0].Grade, a.Hits[2].Grade, a.Hits[3].Grade = recall.OffTopic, recall.Touching, recall.Answering
	d := Consolidate(a, DigestOptions{})
	var hits []int
	for _, s := range d.Shown {
		hits = append(hits, s.Hit)
	}
	if !slices.Equal(hits, []int{3, 1, 2, 0}) || d.Shown[3].Form != FormLine || d.Shown[2].Form != FormFull || d.Withheld != 0 {
		t.Errorf("shown %+v", d.Shown)
	}
	for _, want := range []string{"\n`" + a.Judged + "`\n", "judged 3 of 3", "judged 1 of 3", "\n- rank 4 · ", "judged off-topic"} {
		if !strings.Contains(d.Markdown, want) {
			t.Errorf("no %q in\n%s", want, d.Markdown)
		}
	}
	if !slices.Contains(d.Notes, a.Judged) {
		t.Errorf("notes %q", d.Notes)
	}
}

func TestDigestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawnAnswer(t)
		groups := merge(a.Hits)

		// C2: no two parts of a session overlap or touch.
		for i, g := range groups {
			for _, h := range groups[:i] {
				if g.Session.Key == h.Session.Key && g.Span[0] <= h.Span[1]+1 && h.Span[0] <= g.Span[1]+1 {
					t.Fatalf("%v overlap", ranges(groups))
				}
			}
		}
		// C2: any order gives the same text, and merging again changes nothing.
		shuffled := recall.Answer{Query: a.Query, Hits: rapid.Permutation(a.Hits).Draw(t, "order")}
		again := recall.Answer{Query: a.Query}
		for _, g := range groups {
			again.Hits = append(again.Hits, g.Hit)
		}
		o := DigestOptions{Budget: rapid.IntRange(-1, 3_000).Draw(t, "budget"), Full: rapid.Bool().Draw(t, "full")}
		d := Consolidate(a, o)
		for _, other := range []recall.Answer{shuffled, again} {
			if got := Consolidate(other, o); got.Markdown != d.Markdown {
				t.Fatalf("order matters:\n%s", cmp.Diff(d.Markdown, got.Markdown))
			}
		}
		// C9: the budget is that of the finished text.
		least := Consolidate(a, DigestOptions{Budget: -1})
		if d.Tokens != Tokens(d.Markdown) || d.Tokens > max(d.Budget, least.Tokens) {
			t.Fatalf("%d tokens said, %d counted, budget %d, least %d\n%s", d.Tokens, Tokens(d.Markdown), d.Budget, least.Tokens, d.Markdown)
		}
		// C7: a rank prefix.
		if len(d.Shown)+d.Withheld != len(groups) {
			t.Fatalf("%d shown, %d withheld of %d", len(d.Shown), d.Withheld, len(groups))
		}
		// C12: fences are balanced and hold what they should.
		sections := map[sessions.Key]bool{}
		for i, s := range d.Shown {
			if s.Form != FormLine {
				sections[groups[i].Session.Key] = true
			}
		}
		if got := headings(d.Markdown); len(got) != 1+len(sections) {
			t.Fatalf("headings %q in\n%s", got, d.Markdown)
		}
		if Clean(d.Markdown) != d.Markdown {
			t.Fatalf("control characters in the digest")
		}
	})
}

// The headline states the tokens of a text that it is part of, also where the
// words "of N tokens" alone make the text exceed N.
func TestHeadlineCountsItself(t *testing.T) {
	for _, a := range []recall.Answer{{Query: "cache"}, many(1, 3), many(3, 200)} {
		for budget := 1; budget < 1_200; budget += 7 {
			d := Consolidate(a, DigestOptions{Budget: budget})
			if d.Tokens != Tokens(d.Markdown) {
				t.Fatalf("budget %d: %d said, %d counted", budget, d.Tokens, Tokens(d.Markdown))
			}
			if !strings.Contains(d.Markdown, thousands(d.Tokens)) {
				t.Fatalf("budget %d: %d is not in the headline of\n%s", budget, d.Tokens, d.Markdown)
			}
		}
	}
}

// C6: whatever the text and the room, an excerpt holds a match if there is one,
// is about as long as asked for, and cuts no grapheme.
func TestExcerptProperties(t *testing.T) {
	part := rapid.SampledFrom([]string{"words go on ", "\n", "\n\n", "数据库缓存布局", "👨‍👩‍👧", "e\u0301", "x", strings.Repeat("y", 90), "needle"})
	rapid.Check(t, func(t *rapid.T) {
		var members []recall.Member
		matches := 0
		for n := range rapid.IntRange(1, 3).Draw(t, "members") {
			text := strings.Join(rapid.SliceOfN(part, 1, 120).Draw(t, "text"), "")
			m := member(n, text)
			for at := 0; ; at += len("needle") {
				i := strings.Index(text[at:], "needle")
				if i < 0 {
					break
				}
				at += i
				m.Matches = append(m.Matches, [2]int{at, at + len("needle")})
				matches++
			}
			members = append(members, m)
		}
		pieces := stitch(members)
		limit := rapid.IntRange(leastExcerpt, 2_000).Draw(t, "limit")
		size, kept, whole := 0, 0, ""
		for _, p := range pieces {
			whole += p.text
		}
		for _, p := range excerpt(pieces, 0, limit) {
			size += len(p.text)
			kept += len(p.matches)
			for _, m := range p.matches {
				if p.text[m[0]:m[1]] != "needle" {
					t.Fatalf("match %v of %q", m, p.text)
				}
			}
			inner := strings.TrimSuffix(strings.TrimPrefix(p.text, ellipsis), ellipsis)
			if !strings.Contains(whole, inner) || strings.HasPrefix(inner, "\u200d") || strings.HasPrefix(inner, "\u0301") || strings.HasSuffix(inner, "\u200d") {
				t.Fatalf("cut in a grapheme: %q", p.text)
			}
		}
		if matches > 0 && kept == 0 {
			t.Fatalf("no match in the excerpt of %q", whole)
		}
		if size > limit+len("👨‍👩‍👧")+2*len(members)*len(ellipsis) {
			t.Fatalf("%d bytes for %d", size, limit)
		}
	})
}

func BenchmarkConsolidate(b *testing.B) {
	a := many(50, 60)
	b.ReportAllocs()
	for b.Loop() {
		Consolidate(a, DigestOptions{})
	}
}
