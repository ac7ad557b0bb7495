package recall

import (
	"cmp"
	"context"
	"math"
	"math/bits"
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

// spellings are the close spellings of a word in one corpus.
type spellings struct{ terms []nearTerm }

// spellingBytes bounds the spellings that are kept with a corpus.
const spellingBytes = 1 << 20

// closeSpellings finds the terms nearest to a's: those with the fewest mistakes,
// the commonest first. They are kept: a misspelt word stays in the query while the
// next ones are typed.
func (s *search) closeSpellings(ctx context.Context, a atom) ([]nearTerm, error) {
	if a.mistakes == 0 {
		return nil, nil
	}
	if known := s.corpus.spelled.get(a.term); known != nil {
		return known.terms, nil
	}
	found := make([]map[string]nearTerm, len(s.corpus.segs))
	if err := s.perSegment(ctx, func(i int) { found[i] = spelledAlike(s.corpus.segs[i], &a) }); err != nil {
		return nil, err
	}
	near := &spellings{nearestTerms(found)}
	s.corpus.spelled.put(a.term, near, 256)
	return near.terms, nil
}

// nearestTerms puts together what the segments hold.
func nearestTerms(found []map[string]nearTerm) []nearTerm {
	all := map[string]nearTerm{}
	fewest := math.MaxInt
	for _, terms := range found {
		for term, n := range terms {
			n.passages += all[term].passages
			all[term] = n
			if n.passages > 0 {
				fewest = min(fewest, n.mistakes)
			}
		}
	}
	var near []nearTerm
	for _, n := range all {
		if n.mistakes == fewest && n.passages > 0 {
			near = append(near, n)
		}
	}
	slices.SortFunc(near, func(x, y nearTerm) int {
		return cmp.Or(cmp.Compare(y.passages, x.passages), cmp.Compare(x.term, y.term))
	})
	return near[:min(len(near), maxNear)]
}

// spelledAlike are the terms of a segment within a's mistakes, with the passages of
// this segment that hold them.
func spelledAlike(seg *index.Segment, a *atom) map[string]nearTerm {
	var found map[string]nearTerm
	letters, limit, set := utf8.RuneCountInString(a.term), a.mistakes, letterSet([]byte(a.term))
	for id, term := range seg.AllTerms() {
		if len(term) < letters-limit || len(term) > utf8.UTFMax*(letters+limit) {
			continue
		}
		if len(term) > letters+limit && term[0] < utf8.RuneSelf && utf8.RuneCount(term) > letters+limit {
			continue
		}
		other := letterSet(term)
		if set != 0 && other != 0 && (bits.OnesCount32(set&^other) > limit || bits.OnesCount32(other&^set) > limit) {
			continue
		}
		if !shareLetters(a.term, term) {
			continue
		}
		d, ok := words.Within(a.term, string(term), limit)
		if !ok {
			continue
		}
		if n := live(seg, id); n > 0 {
			limit = d
			if found == nil {
				found = map[string]nearTerm{}
			}
			found[string(term)] = nearTerm{string(term), d, n}
		}
	}
	return found
}

// letterSet has a bit for each byte of a term, by its last five bits. One mistake
// takes at most one away and brings at most one in. Of the terms of fit length that
// leaves one in forty or fewer to be compared letter by letter. It is 0, which says
// nothing, for a term with characters of several bytes.
func letterSet(term []byte) uint32 {
	set := uint32(0)
	for _, b := range term {
		if b >= utf8.RuneSelf {
			return 0
		}
		set |= 1 << (b & 31)
	}
	return set
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
	dead := seg.DeadBits()
	if dead == nil {
		return seg.Frequency(id)
	}
	docs, _ := seg.Postings(id)
	n := 0
	for _, d := range docs {
		if dead[d>>6]&(1<<(d&63)) == 0 {
			n++
		}
	}
	return n
}
