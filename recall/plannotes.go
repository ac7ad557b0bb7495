package recall

import (
	"fmt"
	"slices"
	"strings"

	"yore/recall/query"
)

// queryWords is the report for Answer.Words.
func (p *plan) queryWords() []QueryWord {
	out := make([]QueryWord, len(p.words))
	for i, w := range p.words {
		out[i] = QueryWord{Text: w.Text, Filler: w.Filler, Found: w.found}
		for _, at := range w.atoms {
			if near := p.atoms[at].near; len(near) > 0 && len(w.atoms) == 1 {
				out[i].Close = near[0].term
			}
		}
	}
	return out
}

// mostListed is how many of a query's words a note lists.
const mostListed = 10

// listed are some words, the first of many.
func listed(some []string, between string) string {
	if more := len(some) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(some[:mostListed], between), more)
	}
	return strings.Join(some, between)
}

// notes says in whole sentences what the words of the query came to. Where there is no
// session, no word is to blame for being found nowhere.
func (s *search) notes() []string {
	p, notes := s.plan, slices.Clone(s.typed)
	switch {
	case p.cut && len(p.words) < maxWords:
		notes = append(notes, "The query is too long: only its beginning was searched.")
	case p.cut:
		notes = append(notes, fmt.Sprintf("Only the first %d distinct words of the query were searched.", len(p.words)))
	}
	if p.common {
		notes = append(notes, "The query has only common words: all of them are needed.")
	}
	var absent []string
	for i, w := range p.words {
		if w.optional {
			continue // a part of a time, which is understood whether or not it was ever said
		}
		for _, at := range w.atoms {
			if a := p.atoms[at]; len(a.near) > 0 {
				notes = append(notes, fmt.Sprintf("%s occurs nowhere; searched for the close spelling %s.", query.Quoted(a.term), query.Quoted(a.near[0].term)))
			}
		}
		if w.found == 0 && p.searched(i) {
			absent = append(absent, query.Quoted(w.Text))
		}
	}
	if all, _ := s.corpus.snap.Count(); all > 0 && len(absent) > 0 {
		notes = append(notes, fmt.Sprintf("Found nowhere: %s.", listed(absent, ", ")))
	}
	return notes
}
