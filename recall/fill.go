package recall

import (
	"context"
	"slices"
)

// Where hardly a passage holds enough of the query's words, those that hold some of
// them fill the answer up: the word rule is about what is asked, and an answer is
// often put in other words. Only when the query as a whole is one that the corpus
// knows, and something matches or the query is a whole question of which nearly all is
// known, so that a question about nothing stays without an answer. What a filter leaves
// nothing of is not filled up either: the answer says which one it was. They are no
// matches: no total counts them, nor how many a filter kept out.

const (
	// fillTo is how many passages there are to choose from at least, if as many hold a
	// word: several times as many as are shown when not told. What fills up is then
	// ranked among the matches: where they are few, their order alone says little.
	fillTo = DefaultLimit * 4
	// partlyShare is what such a passage keeps of its score: between equals the match
	// comes first.
	partlyShare = .9
)

// fillUp gives those that may fill up: the first by their words, as candidates.
func (s *search) fillUp(ctx context.Context, matches *matchSet) ([]candidate, error) {
	if matches.count >= fillTo || s.common || s.oneRow || s.asserted || s.looked.of > 0 {
		return nil, nil
	}
	if matches.count == 0 && (!s.wellKnown || emptied(s.drops()) != "") {
		return nil, nil
	}
	counted := s.drops()
	s.loose, s.rule = true, &knownRule{plan: s.plan}
	some, err := s.matchWords(ctx)
	s.loose, s.rule = false, &knownRule{plan: s.plan}
	s.countDrops(counted)
	if err != nil {
		return nil, err
	}
	for i, bits := range some.bits {
		for w := range bits {
			bits[w] &^= matches.bits[i][w]
		}
	}
	var fill []candidate
	for _, m := range s.leading(some.bits, firstByWords) {
		c := s.candidate(int(m.seg), m.doc)
		c.partly, c.leading = true, true
		fill = append(fill, c)
	}
	return fill, nil
}

// dropSurplus leaves of those that fill up, among ranked candidates, the best that
// are needed beside so many matches.
func dropSurplus(ranked []candidate, matches int) []candidate {
	return slices.DeleteFunc(ranked, func(c candidate) bool {
		if c.partly {
			matches++
		}
		return c.partly && matches > fillTo
	})
}
