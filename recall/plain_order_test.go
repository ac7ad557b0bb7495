package recall

import (
	"yore/recall/index"
	"yore/recall/words"
)

// plainOrder measures how words stand to each other from the terms' own stems.
type plainOrder struct {
	p       *plainSearch
	weights []float64
	atoms   []int
}

func newPlainOrder(p *plainSearch) *plainOrder {
	o := &plainOrder{p: p, atoms: p.rarestAtoms()}
	for slot, stem := range p.slots {
		if slot < len(p.atoms) {
			o.weights = append(o.weights, p.atoms[slot].idf)
			continue
		}
		df := 0
		for _, seg := range p.corpus.segs {
			for id := range uint32(seg.Terms()) {
				if words.Stem(string(seg.Term(id))) == stem {
					docs, _ := seg.Postings(id)
					df += len(docs)
				}
			}
		}
		o.weights = append(o.weights, inverseFrequency(p.corpus.passages, df))
	}
	return o
}

// slotOf is the first slot of the query that a term belongs to, -1 when none.
func (o *plainOrder) slotOf(term string) int {
	for slot, stem := range o.p.slots {
		if slot < len(o.p.atoms) && o.p.atoms[slot].matches(term, words.Stem(term)) != absent || words.Stem(term) == stem {
			return slot
		}
	}
	return -1
}

func (o *plainOrder) measure(seg *index.Segment, doc uint32) (proximity, phrase float64) {
	var slots []int
	for _, id := range seg.Sequence(doc, nil) {
		slots = append(slots, o.slotOf(string(seg.Term(id))))
	}
	distance := func(a, b int) (best int) {
		for i, x := range slots {
			for j, y := range slots {
				if x == a && y == b && (best == 0 || max(i-j, j-i) < best) {
					best = max(i-j, j-i)
				}
			}
		}
		return best
	}
	for i, a := range o.atoms {
		for _, b := range o.atoms[i+1:] {
			if m := distance(a, b); m > 0 {
				proximity += min(o.weights[a], o.weights[b]) / float64(1+m)
			}
		}
	}
	pairs := map[[2]int]float64{}
	for i := 1; i < len(o.p.phrase); i++ {
		x, y := o.p.phrase[i-1], o.p.phrase[i]
		pairs[[2]int{x, y}] += (o.weights[x] + o.weights[y]) / 2
	}
	for i := 1; i < len(slots); i++ {
		pair := [2]int{slots[i-1], slots[i]}
		phrase += pairs[pair]
		delete(pairs, pair)
	}
	return proximity, phrase / float64(max(len(o.p.phrase)-1, 1))
}
