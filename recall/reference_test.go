package recall

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"
)

// The reference below is the earlier tool's own rule, kept to show where this one
// agrees with it and where it is meant to differ.

// seedWordHits counts the query words that begin some token of text: lower case,
// tokens of letters and digits, no stems.
func seedWordHits(text string, query []string) int {
	tokens := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_", r)
	})
	n := 0
	for _, w := range query {
		if slices.ContainsFunc(tokens, func(t string) bool { return strings.HasPrefix(t, w) }) {
			n++
		}
	}
	return n
}

// hits counts the words of a query that a text holds by this ranker's rule.
func hits(text, query string) int {
	s := &search{plan: newPlan(Query{Text: query}, time.Time{})}
	found, _ := s.mark(text).held()
	n := 0
	for i := range s.words {
		n += int(found >> i & 1)
	}
	return n
}

func TestWordHitsAgainstTheReference(t *testing.T) {
	for _, c := range []struct {
		text, query string
		words       []string
		seed, ours  int
	}{
		{"The Cache LAYOUT", "how did we decide the cache layout", []string{"decide", "cache", "layout"}, 2, 2},
		{"the current and different", "rent", []string{"rent"}, 0, 0},
		{"we priced gpus to rent", "renting GPUs", []string{"renting", "gpus"}, 1, 2}, // W4: stems
		{"the layout is", "layout. cache.", []string{"layout.", "cache."}, 0, 1},      // W1
		{"session_recall", "recall", []string{"recall"}, 0, 1},                        // W5
		{"we decide", "decided", []string{"decided"}, 0, 1},                           // W4
		{"我们决定缓存要分片", "缓存", []string{"缓存"}, 0, 1},                                     // W6
	} {
		if got := seedWordHits(c.text, c.words); got != c.seed {
			t.Errorf("reference on %q: %d, want %d", c.text, got, c.seed)
		}
		if got := hits(c.text, c.query); got != c.ours {
			t.Errorf("%q on %q: %d, want %d", c.query, c.text, got, c.ours)
		}
	}
}

// A passage good in both rankings beats one that tops only one of them: true of
// the reference's reciprocal ranks (from 0, k = 60) and of the convex form.
func TestStrongBothWaysBeatsStrongOneWay(t *testing.T) {
	type scored struct{ words, topic float64 }
	passages := []scored{{3, .10}, {0, .60}, {2, .45}}
	const k, floor = 60, .22
	rank := func(of func(scored) float64, least float64) map[int]int {
		var order []int
		for i, p := range passages {
			if of(p) >= least {
				order = append(order, i)
			}
		}
		slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, of(passages[b])-of(passages[a]))) })
		ranks := map[int]int{}
		for r, i := range order {
			ranks[i] = r
		}
		return ranks
	}
	byWords, byTopic := rank(func(p scored) float64 { return p.words }, 1), rank(func(p scored) float64 { return p.topic }, floor)
	reciprocal := func(i int) (sum float64) {
		for _, ranks := range []map[int]int{byWords, byTopic} {
			if r, ok := ranks[i]; ok {
				sum += 1 / float64(k+r)
			}
		}
		return sum
	}
	cs := make([]candidate, len(passages))
	for i, p := range passages {
		cs[i].features.words, cs[i].features.topic = p.words, p.topic
	}
	recipe.fuse(cs, features{})
	for _, other := range []int{0, 1} {
		if reciprocal(2) <= reciprocal(other) {
			t.Errorf("reciprocal ranks: passage 2 does not beat %d", other)
		}
		if cs[2].score <= cs[other].score {
			t.Errorf("convex: passage 2 (%.3f) does not beat %d (%.3f)", cs[2].score, other, cs[other].score)
		}
	}
}

// C13: what is no number comes last and never unsettles the order.
func TestOrderIsTotalWithNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, .5, .5, 1})
		cs := make([]candidate, rapid.IntRange(0, 60).Draw(t, "n"))
		for i := range cs {
			cs[i].score, cs[i].number, cs[i].order = score.Draw(t, "score"), i, uint64(i)
		}
		back := slices.Clone(cs)
		slices.Reverse(back)
		slices.SortFunc(cs, compareScore)
		slices.SortFunc(back, compareScore)
		for i := range cs {
			if cs[i].number != back[i].number {
				t.Fatalf("place %d depends on the order before", i)
			}
			if i > 0 && math.IsNaN(cs[i-1].score) && !math.IsNaN(cs[i].score) {
				t.Fatal("what is no number is not last")
			}
		}
	})
	cs := []candidate{{}, {}, {}}
	cs[0].features.words, cs[1].features.words, cs[2].features.words = math.NaN(), 1, math.Inf(1)
	recipe.fuse(cs, features{})
	for i, c := range cs {
		if math.IsNaN(c.score) || math.IsInf(c.score, 0) {
			t.Errorf("score %d is %v", i, c.score)
		}
	}
}

// The counts and matches of an answer equal those of a plain scan of every text.
func TestCountsEqualBruteForce(t *testing.T) {
	vocabulary := []string{"cache", "caches", "caching", "layout", "shard", "sharded", "index", "indexes", "getUserName", "user_name", "name", "the", "we", "数据库", "数据", "café", "lock"}
	word := rapid.SampledFrom(vocabulary)
	sentence := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), " ") })
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(sentence, 1, 12).Draw(rt, "texts")
		query := sentence.Draw(rt, "query")
		var talks []talk
		for i, text := range texts {
			talks = append(talks, said(fmt.Sprintf("s-%02d", i), day(i), text))
		}
		e := engineOf(t, talks...)
		a := ask(t, e, Query{Text: query, All: true, Limit: 1000})

		s := &search{plan: newPlan(Query{Text: query}, testNow)}
		held := make([]uint32, len(texts))
		for i, text := range texts {
			held[i], _ = s.mark(text).held()
			for w := range s.words {
				s.words[w].found += int(held[i] >> w & 1)
			}
		}
		s.measure(len(texts))
		want := 0
		for i := range texts {
			if ok, _ := s.matches(held[i], 0); ok {
				want++
			}
		}
		if a.PassagesMatched != want {
			rt.Fatalf("%q: %d matched, a plain scan finds %d of %q", query, a.PassagesMatched, want, texts)
		}
		for _, h := range a.Hits {
			if h.Matched != Topic && len(h.Matches) == 0 {
				rt.Fatalf("%q: nothing is marked in %q", query, h.Text)
			}
		}
		for i, w := range a.Words {
			if w.Found != s.words[i].found {
				rt.Fatalf("%q: %q found in %d passages, want %d", query, w.Text, w.Found, s.words[i].found)
			}
		}
	})
}

// FuzzAsk asks any bytes: no panic, bounded words, ranges inside the text.
func FuzzAsk(f *testing.F) {
	for _, q := range []string{`"sharded cache" -lunch OR /l.nch/`, "role:user in:all since:3d dir:x -title:y", `"=>" OR "the" agents:only`, "on:last", "sharded cache", `"`, "a -b (c OR", "数据库 youer", "\xff\xfe", "in May 2023", "3 days ago", "c++ c#", "getUserName foo_bar", "last", "\u0130\u1e9e", strings.Repeat("word ", 1000), "\x00"} {
		f.Add(q, false)
		f.Add(q, true)
	}
	e := engineOf(f,
		said("a", day(3), "We chose a sharded cache in May 2023 for getUserName.", "> 数据库 youer服务端 and c++"),
		said("b", day(2), "Lunch \u0130\u0130 \U0001F469\u200d\U0001F466 \xff"),
		said("c", day(1), strings.Repeat("a long passage of words ", 90)),
	)
	f.Fuzz(func(t *testing.T, q string, typing bool) {
		a, err := e.Ask(t.Context(), Query{Text: q, Typing: typing, Lenient: true})
		if err != nil || len(a.Words) > maxWords {
			t.Fatalf("%v, %d words", err, len(a.Words))
		}
		for _, h := range a.Hits {
			for _, m := range h.Matches {
				if m[0] < 0 || m[1] > len(h.Text) || m[0] >= m[1] {
					t.Fatalf("range %v of %d bytes", m, len(h.Text))
				}
			}
		}
	})
}
