package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/recall/query"
	"yore/sessions"
)

// Whatever was said, replaced or removed and whatever is asked: the fast ranking
// gives the plain one's passages in its order with its scores, ranks and counts.
func TestFastRankingEqualsThePlainOne(t *testing.T) {
	vocabulary := strings.Fields("cache caches caching cached cacheline layout layouts shard sharded index indexes getUserName user_name username name the we a decide decided decision agent went go internal/parser file.go:42 v1.2.3 café 数据库 lock locks error errors memory test tests testing watcher 2026-05-08 May dry-run dryrun dry_run run dry")
	word := rapid.SampledFrom(vocabulary)
	sentence := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 1, 8).Draw(t, "words"), " ") })
	rapid.Check(t, func(rt *rapid.T) {
		e := engineOf(t)
		for round := range rapid.IntRange(1, 3).Draw(rt, "rounds") {
			talks := rapid.IntRange(1, 40).Draw(rt, "talks")
			for i := range talks {
				e.edition().index.Apply(drawTalk(rt, sentence, i, round))
			}
		}
		if rapid.Bool().Draw(rt, "compact") {
			e.edition().index.Compact()
		}
		e.Close() // ends the merging in the background
		for range 3 {
			q := drawQuery(rt, sentence)
			comparePlain(rt, e, q)
			q.Typing, q.Text = true, q.Text[:1+rapid.IntRange(0, len(q.Text)-1).Draw(rt, "typed")]
			comparePlain(rt, e, q)
		}
	})
}

// The same on the benchmark's own text, at a size at which nothing fits a first page.
func TestFastRankingEqualsThePlainOneOnProse(t *testing.T) {
	e := engineOf(t)
	newGenerator(t).feed(e.edition().index, 700, func() {})
	e.Close()
	dated := []string{"the error in May", "what did we decide of the index in May"} // of which the best sessions hold hundreds
	for _, phrase := range slices.Concat(typedPhrases, dated) {
		comparePlain(t, e, Query{Text: phrase})
		comparePlain(t, e, Query{Text: phrase[:(len(phrase)+2)/3], Typing: true})
	}
}

func drawTalk(t *rapid.T, sentence *rapid.Generator[string], id, round int) []sessions.Update {
	long := rapid.SampledFrom([]int{1, 1, 1, 60}).Draw(t, "length")
	var texts []string
	for range rapid.IntRange(1, 4).Draw(t, "turns") {
		prefix := rapid.SampledFrom([]string{"", "> "}).Draw(t, "speaker")
		texts = append(texts, prefix+strings.Repeat(sentence.Draw(t, "text")+" ", long))
	}
	k := said(fmt.Sprintf("s-%02d", id), day(rapid.IntRange(0, 300).Draw(t, "day")), texts...)
	if id%5 == 4 {
		k.Subagent, k.Parent = true, "s-00"
	}
	if id%7 == 6 {
		k.Harness = "codex"
	}
	u := k.update()
	u.Removed = round > 0 && id%6 == 5
	return []sessions.Update{u}
}

func drawQuery(t *rapid.T, sentence *rapid.Generator[string]) Query {
	q := Query{Text: sentence.Draw(t, "query"), All: rapid.Bool().Draw(t, "all"), Limit: 1 << 20}
	if rapid.Bool().Draw(t, "mistake") {
		q.Text = strings.Replace(q.Text, "ch", "hc", 1)
	}
	if rapid.Bool().Draw(t, "alternatives") {
		q.Text = strings.Join(strings.Fields(q.Text), rapid.SampledFrom([]string{" OR ", " the OR "}).Draw(t, "between them"))
		q.Text += rapid.SampledFrom([]string{"", " nowhere", " OR nowhere", " lock", " OR"}).Draw(t, "behind them")
	}
	switch rapid.IntRange(0, 5).Draw(t, "filter") {
	case 0:
		q.Filters = []query.Filter{{Name: query.Agent, Value: "codex"}}
	case 1:
		q.Exclude = []string{"s-00", "s-03"}
	case 2:
		q.Filters = between(day(150).Add(time.Minute), time.Time{})
	case 3:
		q.Filters = between(time.Time{}, day(40).Add(time.Minute))
	}
	return q
}

func comparePlain(t rapid.TB, e *Engine, q Query) {
	t.Helper()
	want := plainAsk(e, q)
	ctx := context.Background()
	s, _, err := e.newSearch(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	defer s.release()
	if len(s.words) == 0 {
		return
	}
	if err := s.tallyWords(ctx, e.edition().columns); err != nil {
		t.Fatal(err)
	}
	matches, err := s.matchWords(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s.embedQuery(e.models)
	topical, err := s.byTopic(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var fill []candidate
	if !q.All {
		if fill, err = s.fillUp(ctx, matches); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.rankAll(ctx, matches, topical, fill)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.words {
		if s.words[i].found != want.words[i].found {
			t.Fatalf("%+v: %q in %d passages, want %d", q, s.words[i].Text, s.words[i].found, want.words[i].found)
		}
	}
	page, err := got.first(ctx, firstLook)
	if err != nil {
		t.Fatal(err)
	}
	page = slices.Clone(page)
	all, err := got.first(ctx, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if matches.count != want.counted || len(matches.sessions) != len(want.in) || len(topical) != len(want.topical) || len(all) != len(want.ranked) {
		t.Fatalf("%+v: %d passages of %d sessions, %d by topic, %d in all, want %d, %d, %d, %d",
			q, matches.count, len(matches.sessions), len(topical), len(all), want.counted, len(want.in), len(want.topical), len(want.ranked))
	}
	var scores []float64
	for _, c := range all {
		scores = append(scores, c.features.words)
	}
	ranks := s.wordRanks(matches, got.leading, scores)
	for k, c := range all {
		w := want.ranked[k]
		if fmt.Sprintf("%+v", c) != fmt.Sprintf("%+v", w) || k < len(page) && page[k].order != w.order {
			t.Fatalf("%+v: place %d is\n%+v, want\n%+v", q, k, c, w)
		}
		if c.words && ranks[c.features.words] != want.ranks[w.features.words] {
			t.Fatalf("%+v: rank %d, want %d", q, ranks[c.features.words], want.ranks[w.features.words])
		}
	}
}
