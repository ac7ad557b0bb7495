package recall

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"yore/recall/index"
	"yore/recall/words"
)

// plainSpellings finds the terms nearest to a's: those with the fewest mistakes,
// the commonest first.
func plainSpellings(segs []*index.Segment, a atom) []nearTerm {
	if a.mistakes == 0 {
		return nil
	}
	found := map[string]*nearTerm{}
	letters := utf8.RuneCountInString(a.term)
	limit := a.mistakes
	for _, seg := range segs {
		for id := range uint32(seg.Terms()) {
			term := seg.Term(id)
			if n := utf8.RuneCount(term); n < letters-limit || n > letters+limit || !shareLetters(a.term, term) {
				continue
			}
			if near, ok := found[string(term)]; ok {
				near.passages += live(seg, id)
				continue
			}
			d, ok := words.Within(a.term, string(term), limit)
			if !ok {
				continue
			}
			if n := live(seg, id); n > 0 {
				limit = min(limit, d)
				found[string(term)] = &nearTerm{string(term), d, n}
			}
		}
	}
	var near []nearTerm
	for _, n := range found {
		if n.mistakes == limit {
			near = append(near, *n)
		}
	}
	slices.SortFunc(near, func(x, y nearTerm) int {
		return cmp.Or(cmp.Compare(y.passages, x.passages), cmp.Compare(x.term, y.term))
	})
	return near[:min(len(near), maxNear)]
}
