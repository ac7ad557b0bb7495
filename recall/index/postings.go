package index

import "math"

// postings say which documents hold each term. Those of all terms lie one after
// the other in the order of the terms, so a range of terms is one stretch.
type postings struct {
	first []uint32 // those of term id are docs[first[id]:first[id+1]]
	docs  []uint16 // ascending within a term
	tfs   []uint8  // how often, never wrapped: 255 is "or more"
}

func (p *postings) of(id uint32) ([]uint16, []uint8) {
	from, to := p.first[id], p.first[id+1]
	return p.docs[from:to:to], p.tfs[from:to:to]
}

// accumulate adds the frequencies of terms lo to hi-1 to tf, by document.
func (p *postings) accumulate(lo, hi uint32, tf []uint8) {
	if lo >= hi {
		return
	}
	from, to := p.first[lo], p.first[hi]
	docs, tfs := p.docs[from:to], p.tfs[from:to]
	tfs = tfs[:len(docs)]
	for i, d := range docs {
		tf[d] = saturate(tf[d], tfs[i])
	}
}

// saturate is a+b, or the largest tf when that is less.
func saturate(a, b uint8) uint8 {
	return uint8(min(uint(a)+uint(b), math.MaxUint8))
}

// invert makes the postings of documents whose terms are seq[first[d]:first[d+1]].
// df says how many documents hold each term.
func invert(seq, first, df []uint32) postings {
	p := postings{first: make([]uint32, len(df)+1)}
	for i, n := range df {
		p.first[i+1] = p.first[i] + n
	}
	total := p.first[len(df)]
	p.docs, p.tfs = make([]uint16, total), make([]uint8, total)
	next := make([]uint32, len(df)) // where a term's next posting goes
	copy(next, p.first)
	for d := range len(first) - 1 {
		for _, term := range seq[first[d]:first[d+1]] {
			at := next[term]
			if at > p.first[term] && p.docs[at-1] == uint16(d) {
				p.tfs[at-1] = saturate(p.tfs[at-1], 1)
				continue
			}
			p.docs[at], p.tfs[at] = uint16(d), 1
			next[term]++
		}
	}
	return p
}
