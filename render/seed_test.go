package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"yore/recall"
)

// The nine assertions on consolidation that yore carries over. Where the right
// behaviour differs from the one they were made for, the old one is kept below
// as a small reference, so that the difference stays on record.

// lineRange is a passage of numbered lines in the reference's terms.
type lineRange struct {
	file     string
	from, to int
	score    float64
}

func (r lineRange) lines() []string {
	var lines []string
	for i := r.from; i <= r.to; i++ {
		lines = append(lines, fmt.Sprint("line ", i))
	}
	return lines
}

// compactLines is how many lines the reference shows of a range.
const compactLines = 7

func (r lineRange) shown(full bool) string {
	lines := r.lines()
	if !full {
		lines = lines[:min(len(lines), compactLines)]
	}
	return strings.Join(lines, "\n")
}

// referenceKept joins overlapping ranges, sorts by score and fills the budget,
// counting a quarter token a byte; the first range is kept whatever it costs,
// and a later one that does not fit is passed over.
func referenceKept(ranges []lineRange, budget int) (kept []lineRange, truncated bool) {
	var joined []lineRange
next:
	for _, r := range ranges {
		for i, k := range joined {
			if k.file == r.file && k.from <= r.to && r.from <= k.to {
				joined[i] = lineRange{k.file, min(k.from, r.from), max(k.to, r.to), max(k.score, r.score)}
				continue next
			}
		}
		joined = append(joined, r)
	}
	slices.SortStableFunc(joined, func(a, b lineRange) int { return cmp.Compare(b.score, a.score) })
	used := 0
	for _, r := range joined {
		cost := (len(r.shown(false)) + len(r.file) + 80) / 4
		if len(kept) > 0 && used+cost > budget {
			continue
		}
		used += cost
		kept = append(kept, r)
	}
	return kept, len(kept) < len(joined)
}

func referenceMarkdown(query string, ranges []lineRange, full, truncated bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Search Results for %q (%s)\n", query, plural(len(ranges), "result"))
	if truncated {
		b.WriteString("\n_Note: truncated to the budget._\n")
	}
	for i, r := range ranges {
		fmt.Fprintf(&b, "\n### %d. `%s:%d-%d` [score: %.2f, hybrid]\n```rust\n%s\n```\n", i+1, r.file, r.from, r.to, r.score, r.shown(full))
	}
	return b.String()
}

func TestReferenceKeepsOneAtNoBudget(t *testing.T) {
	kept, truncated := referenceKept([]lineRange{{"a.rs", 1, 200, 0.9}}, 0)
	if len(kept) != 1 || truncated {
		t.Errorf("%v, %v", kept, truncated)
	}
}

func TestReferenceTinyBudget(t *testing.T) {
	var ranges []lineRange
	for i := range 5 {
		ranges = append(ranges, lineRange{fmt.Sprintf("f%d.rs", i), 1, 100, 1 - float64(i)/10})
	}
	if kept, truncated := referenceKept(ranges, 50); len(kept) != 1 || !truncated {
		t.Errorf("%v, %v", kept, truncated)
	}
}

func TestReferenceMarkdown(t *testing.T) {
	ranges := []lineRange{{"src/lib.rs", 10, 30, 0.91}}
	compact := referenceMarkdown("auth", ranges, false, false)
	for _, want := range []string{`## Search Results for "auth" (1 result)`, "`src/lib.rs:10-30`", "[score: 0.91, hybrid]", "line 16"} {
		if !strings.Contains(compact, want) {
			t.Errorf("no %q in %s", want, compact)
		}
	}
	if strings.Contains(compact, "line 17") || strings.Contains(compact, "line 30") {
		t.Errorf("more than seven lines: %s", compact)
	}
	if !strings.Contains(referenceMarkdown("auth", ranges, true, false), "line 30") {
		t.Error("not all lines in full")
	}
	if !strings.Contains(referenceMarkdown("q", ranges, false, true), "truncated") {
		t.Error("truncation is not said")
	}
}

// passages are the ranges as a hit: one passage a line.
func (r lineRange) hit() recall.Hit {
	var members []recall.Member
	for i, line := range r.lines() {
		members = append(members, member(r.from+i, line))
	}
	return hit(session(r.file), r.score, members...)
}

func answerOf(ranges ...lineRange) recall.Answer {
	a := recall.Answer{Query: "q"}
	for _, r := range ranges {
		a.Hits = append(a.Hits, r.hit())
	}
	return a
}

func TestOverlapJoins(t *testing.T) {
	a := answerOf(lineRange{"a.rs", 10, 20, 0.8}, lineRange{"a.rs", 15, 25, 0.9})
	groups := merge(a.Hits)
	if got := ranges(groups); !slices.Equal(got, []string{"a.rs 10-25"}) || groups[0].Score != 0.9 {
		t.Errorf("%v, score %v", got, groups[0].Score)
	}
	if d := Consolidate(a, DigestOptions{}); len(d.Shown) != 1 || d.Withheld != 0 {
		t.Errorf("%+v", d)
	}
}

func TestDisjointStaysApart(t *testing.T) {
	a := answerOf(lineRange{"a.rs", 10, 20, 0.8}, lineRange{"a.rs", 30, 40, 0.7}, lineRange{"b.rs", 10, 20, 0.6})
	if d := Consolidate(a, DigestOptions{Budget: 8_000}); len(d.Shown) != 3 {
		t.Errorf("%+v", d.Shown)
	}
}

func TestTinyBudgetKeepsTheBest(t *testing.T) {
	var all []lineRange
	for i := range 5 {
		all = append(all, lineRange{fmt.Sprintf("f%d.rs", i), 1, 100, 1 - float64(i)/10})
	}
	d := Consolidate(answerOf(all...), DigestOptions{Budget: 50})
	if len(d.Shown) != 1 || d.Shown[0].Hit != 0 || d.Withheld != 4 || len(d.Notes) != 2 || d.Notes[1] != d.Exceeds() {
		t.Errorf("%+v", d)
	}
}

func TestAllFit(t *testing.T) {
	if d := Consolidate(answerOf(lineRange{"a.rs", 1, 5, 0.9}), DigestOptions{Budget: 4_000}); len(d.Shown) != 1 || d.Withheld != 0 || d.Shown[0].Form != FormFull {
		t.Errorf("%+v", d)
	}
}

func TestBestFirst(t *testing.T) {
	d := Consolidate(answerOf(lineRange{"a.rs", 1, 5, 0.3}, lineRange{"b.rs", 1, 5, 0.9}, lineRange{"c.rs", 1, 5, 0.6}), DigestOptions{})
	var order []int
	for _, s := range d.Shown {
		order = append(order, s.Hit)
	}
	if !slices.Equal(order, []int{1, 2, 0}) {
		t.Errorf("order %v", order)
	}
}
