package recall

import (
	"cmp"
	"slices"
	"testing"

	"yore/recall/index"
	"yore/recall/topic"
)

// The first by words are those of all, whatever a sample of them has led to expect, in one
// segment or in many.
func TestLeadingAreTheFirstOfAll(t *testing.T) {
	for _, one := range []bool{true, false} {
		x := index.New(newModels(topic.Embedded()).options())
		if !one {
			x.Close() // nothing is merged
		}
		newGenerator(t).feed(x, 1500, func() {})
		x.Compact()
		x.Close()
		if n := len(x.Snapshot().Segments(index.Talk)); (n == 1) != one {
			t.Fatalf("%d segments", n)
		}
		leadAsAll(t, x)
	}
}

func leadAsAll(t *testing.T, x *index.Index) {
	t.Helper()
	s := &search{plan: &plan{}, corpus: newCorpus(x.Snapshot())}
	s.borrow()
	defer s.release()
	for name, score := range map[string]func(i, d int) float32{
		"all differ":               func(_, d int) float32 { return float32(d * 7919 % 100_003) },
		"many are equal":           func(_, d int) float32 { return float32(d * 7919 % 5) },
		"all are equal":            func(int, int) float32 { return 1 },
		"only sampled ones score":  func(_, d int) float32 { return float32(max(0, 1-d%sampleOf)) },
		"sampled ones score most":  func(_, d int) float32 { return float32(1 + 9*max(0, 1-d%sampleOf)) },
		"sampled ones score least": func(_, d int) float32 { return float32(1 + min(1, d%sampleOf)) },
		"one segment has the best": func(i, d int) float32 { return float32(d%97 + 1000*max(0, 1-i)) },
		"the last has the best":    func(i, d int) float32 { return float32(1000*i + d%3) },
		"segments are equal":       func(i, d int) float32 { return float32(1 + (i+d)%2) },
	} {
		sets, all := make([][]uint64, len(s.tallies)), []match(nil)
		for i := range s.tallies {
			row := &s.tallies[i]
			row.clean(row.seg.Len())
			sets[i] = make([]uint64, (len(row.scores)+63)/64)
			for d := range row.scores {
				row.scores[d] = score(i, d)
				sets[i][d/64] |= 1 << (d % 64)
				all = append(all, match{row.scores[d], uint32(i), uint32(d)})
			}
		}
		slices.SortFunc(all, func(a, b match) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(s.orderOf(a), s.orderOf(b)))
		})
		for _, n := range []int{1, 50, firstByWords, len(all), 2 * len(all)} {
			if got, want := s.leading(sets, n), all[:min(n, len(all))]; !slices.Equal(got, want) {
				t.Errorf("%s: the first %d of %d differ", name, n, len(all))
			}
		}
	}
}
