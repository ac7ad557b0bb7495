package recall

import (
	"cmp"
	"slices"
	"sync"

	"yore/recall/index"
	"yore/sessions"
)

// maxNearPairs is how many of the rarest words take part in proximity.
const maxNearPairs = 12

// slotRow maps a segment's terms to the query's slots: 0 is none, n slot n-1.
type slotRow struct {
	slot []uint8
	set  []termRange
	buf  []uint32
	read index.SequenceReader
}

// sequence is a document's, good until the next is asked for.
func (r *slotRow) sequence(seg *index.Segment, doc uint32) []uint32 {
	if r.buf == nil {
		r.buf = make([]uint32, 2*sessions.PassageChars)
	}
	return r.read.Sequence(seg, doc, r.buf)
}

var slotRows = sync.Pool{New: func() any { return new(slotRow) }}

// fit makes room for the terms of a segment.
func (r *slotRow) fit(seg *index.Segment) {
	if n := seg.Terms(); len(r.slot) < n {
		r.slot = make([]uint8, n)
	}
}

func (r *slotRow) fill(s *search, t *tally) {
	r.fit(t.seg)
	for i := range s.slots {
		if i < len(s.atoms) {
			for _, ids := range t.columns[i].terms {
				r.give(ids, uint8(i)+1)
			}
			continue
		}
		for _, id := range t.seg.Stems(s.slots[i]) {
			r.give(termRange{id, id + 1}, uint8(i)+1)
		}
	}
}

// give gives a slot to those terms that have none yet.
func (r *slotRow) give(ids termRange, slot uint8) {
	row := r.slot[ids.from:ids.to]
	for i := range row {
		if row[i] == 0 {
			row[i] = slot
		}
	}
	r.set = append(r.set, ids)
}

func (r *slotRow) clear() {
	for _, ids := range r.set {
		clear(r.slot[ids.from:ids.to])
	}
	r.set = r.set[:0]
	r.read.Forget()
}

// slotWeights are the idf of all slots, those of common words included.
func (s *search) slotWeights() []float64 {
	weights := make([]float64, len(s.slots))
	for i := range weights {
		if i < len(s.atoms) {
			weights[i] = s.atoms[i].idf
			continue
		}
		df := 0
		for t := range s.tallies {
			for _, id := range s.tallies[t].seg.Stems(s.slots[i]) {
				df += s.tallies[t].seg.Frequency(id)
			}
		}
		weights[i] = inverseFrequency(s.corpus.passages, df)
	}
	return weights
}

// rarestAtoms are the atoms that take part in proximity.
func (s *search) rarestAtoms() []int {
	var atoms []int
	for a := range s.atoms {
		if s.atomSearched(a) && s.atoms[a].df > 0 {
			atoms = append(atoms, a)
		}
	}
	slices.SortStableFunc(atoms, func(a, b int) int { return cmp.Compare(s.atoms[b].idf, s.atoms[a].idf) })
	return atoms[:min(len(atoms), maxNearPairs)]
}

// wordOrder measures how words stand to each other in one document.
type wordOrder struct {
	s       *search
	weights []float64
	pairs   []int // atoms for proximity
	places  [][]int32
	follows []follow // by slot+1 of one word times size, plus that of the next
	size    int
	texts   uint32 // measured so far
}

// follow is two neighbours of the query.
type follow struct {
	weight float64
	seen   uint32 // the last text that had them side by side
}

// newWordOrder takes the slots' weights.
func newWordOrder(s *search, weights []float64) *wordOrder {
	size := len(s.slots) + 1
	o := &wordOrder{s: s, weights: weights, pairs: s.rarestAtoms(), places: make([][]int32, len(s.slots)), follows: make([]follow, size*size), size: size}
	for i := 1; i < len(s.phrase); i++ {
		x, y := s.phrase[i-1], s.phrase[i]
		o.follows[(x+1)*size+y+1].weight += (o.weights[x] + o.weights[y]) / 2
	}
	return o
}

// measure gives proximity and phrase for a document's sequence of terms.
//
// Proximity is the sum over pairs of words of the lesser idf over 1 + the
// smallest distance; phrase is the sum, over neighbours in the query, of their
// mean idf where they stand side by side, over the number of neighbours.
func (o *wordOrder) measure(sequence []uint32, row *slotRow) (proximity, phrase float64) {
	for i := range o.places {
		o.places[i] = o.places[i][:0]
	}
	o.texts++
	before := 0
	for at, id := range sequence {
		slot := int(row.slot[id])
		if slot != 0 {
			o.places[slot-1] = append(o.places[slot-1], int32(at))
			if pair := &o.follows[before*o.size+slot]; pair.weight > 0 && pair.seen != o.texts {
				pair.seen = o.texts
				phrase += pair.weight
			}
		}
		before = slot
	}
	for i, a := range o.pairs {
		for _, b := range o.pairs[i+1:] {
			if m := nearest(o.places[a], o.places[b]); m > 0 {
				proximity += min(o.weights[a], o.weights[b]) / float64(1+m)
			}
		}
	}
	return proximity, phrase / float64(max(len(o.s.phrase)-1, 1))
}

// nearest is the smallest distance between a place of a and one of b; 0 when one
// of them has none. Both ascend.
func nearest(a, b []int32) int32 {
	best := int32(0)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		d := a[i] - b[j]
		if d < 0 {
			d = -d
			i++
		} else {
			j++
		}
		if best == 0 || d < best {
			best = max(d, 1)
		}
	}
	return best
}
