package recall

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"yore/recall/index"
	"yore/recall/words"
)

// A close spelling (contract.md): one mistake from five letters on, two from
// eight on, for a word that occurs nowhere.
const (
	oneMistakeFrom                 = 5
	twoMistakesFrom                = 8
	shortestIdentifierWithMistakes = 6
	maxNear                        = 4 // spellings searched in a word's place, as measured
)

// nearTerm is a spelling that occurs, searched in place of one that does not.
type nearTerm struct {
	term     string
	mistakes int
	passages int
}

func allowedMistakes(letters int) int {
	switch {
	case letters >= twoMistakesFrom:
		return 2
	case letters >= oneMistakeFrom:
		return 1
	}
	return 0
}

// closeSpellings finds the terms nearest to a's: those with the fewest mistakes,
// the commonest first. When ctx ends it gives what it has.
func closeSpellings(ctx context.Context, segs []*index.Segment, a atom) []nearTerm {
	if a.mistakes == 0 {
		return nil
	}
	found := map[string]*nearTerm{}
	letters := utf8.RuneCountInString(a.term)
	limit := a.mistakes
	for _, seg := range segs {
		if ctx.Err() != nil {
			break
		}
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

// shareLetters is a cheap test that rules most terms out: two spellings within
// two mistakes begin or end alike but for those mistakes.
func shareLetters(a string, b []byte) bool {
	same := 0
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			same++
		}
	}
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if a[len(a)-i] == b[len(b)-i] {
			same++
		}
	}
	return same > 0
}

// live counts the living passages of a term.
func live(seg *index.Segment, id uint32) int {
	docs, _ := seg.Postings(id)
	dead := seg.DeadBits()
	if dead == nil {
		return len(docs)
	}
	n := 0
	for _, d := range docs {
		if dead[d>>6]&(1<<(d&63)) == 0 {
			n++
		}
	}
	return n
}
