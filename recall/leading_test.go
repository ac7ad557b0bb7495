package recall

import (
	"cmp"
	"slices"
	"testing"

	"yore/recall/index"
	"yore/recall/topic"
)

// The first by words are those of all, whatever a sample of them has led to expect.
func TestLeadingAreTheFirstOfAll(t *testing.T) {
	x := index.New(newModels(topic.Embedded()).options())
	defer x.Close()
	newGenerator(t).feed(x, 1500, func() {})
	x.Compact()
	s := &search{plan: &plan{}, corpus: newCorpus(x.Snapshot())}
	s.borrow()
	defer s.release()
	for name, score := range map[string]func(d int) float32{
		"all differ":               func(d int) float32 { return float32(d * 7919 % 100_003) },
		"many are equal":           func(d int) float32 { return float32(d * 7919 % 5) },
		"all are equal":            func(int) float32 { return 1 },
		"only sampled ones score":  func(d int) float32 { return float32(max(0, 1-d%sampleOf)) },
		"sampled ones score most":  func(d int) float32 { return float32(1 + 9*max(0, 1-d%sampleOf)) },
		"sampled ones score least": func(d int) float32 { return float32(1 + min(1, d%sampleOf)) },
	} {
		sets, all := make([][]uint64, len(s.tallies)), []match(nil)
		for i := range s.tallies {
			row := &s.tallies[i]
			row.clean(row.seg.Len())
			sets[i] = make([]uint64, (len(row.scores)+63)/64)
			for d := range row.scores {
				row.scores[d] = score(d)
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
