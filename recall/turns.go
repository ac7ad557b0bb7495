package recall

import (
	"math/bits"
	"slices"

	"yore/recall/index"
	"yore/sessions"
)

// Of each turn the index knows who said it and when, and which of the passage's words
// it has. So a filter on turns reads no text.

// turnReader answers about the turns of one segment's documents.
type turnReader struct {
	s     *search
	seg   *index.Segment
	spans []sessions.Span

	marker *marker
	row    *slotRow // by term: 0 for none of the query's, n for sets[n-1]
	sets   []uint64 // of atoms, a bit each
	full   bool     // there are more sets than a slot can name
}

// turnsOf is the reader of a segment.
func (s *search) turnsOf(i int) *turnReader {
	if s.readers == nil {
		s.readers = make([]*turnReader, len(s.corpus.segs))
	}
	if s.readers[i] == nil {
		s.readers[i] = &turnReader{s: s, seg: s.corpus.segs[i]}
	}
	return s.readers[i]
}

// of are the turns of a document with their kinds, roles and times, good until the
// next document's are asked for.
func (r *turnReader) of(doc uint32) []sessions.Span {
	if spans, ok := r.seg.Turns(doc, r.spans); ok && r.s.filter.decides(spans) {
		r.spans = spans
		return spans
	}
	return textOf(r.seg, doc).Spans
}

// held is which words stand in those turns of a document that pass; ok is false when
// the index does not know.
func (r *turnReader) held(doc uint32, spans []sessions.Span) (found, near uint32, ok bool) {
	before := r.seg.TurnWords(doc)
	if len(before) != len(spans) || !r.ready() {
		return 0, 0, false
	}
	ids, atoms := r.row.sequence(r.seg, doc), uint64(0)
	for k, span := range spans {
		if r.s.filter.turn(span) {
			atoms |= r.atomsOf(turnOf(ids, before, k))
		}
	}
	found, near = r.wordsOf(atoms)
	return found, near, true
}

// eachTurn gives for each turn of a document which words stand in it. It reports false
// when the index does not know.
func (r *turnReader) eachTurn(doc uint32, use func(kind sessions.Kind, found, near uint32)) bool {
	kinds, ok := r.seg.Kinds(doc)
	before := r.seg.TurnWords(doc)
	if !ok || before == nil || !r.ready() {
		return false
	}
	ids, k := r.row.sequence(r.seg, doc), 0
	for kind := range kinds {
		found, near := r.wordsOf(r.atomsOf(turnOf(ids, before, k)))
		use(kind, found, near)
		k++
	}
	return true
}

// atomsOf are the atoms for which words stand, a bit each.
func (r *turnReader) atomsOf(ids []uint32) (atoms uint64) {
	for _, id := range ids {
		if slot := r.row.slot[id]; slot != 0 {
			atoms |= r.sets[slot-1]
		}
	}
	return atoms
}

// wordsOf are the words of the query that atoms make.
func (r *turnReader) wordsOf(atoms uint64) (found, near uint32) {
	clear(r.marker.levels)
	for ; atoms != 0; atoms &= atoms - 1 {
		a := bits.TrailingZeros64(atoms)
		r.marker.levels[a] = r.s.atoms[a].leastLevel()
	}
	return r.marker.held()
}

// turnOf are those of a document's words that the k-th turn has; fewer when they could
// not be read.
func turnOf(ids []uint32, before []uint16, k int) []uint32 {
	to := len(ids)
	if k+1 < len(before) {
		to = min(int(before[k+1]), to)
	}
	return ids[min(int(before[k]), to):to]
}

// leastLevel stands for any level at which an atom's words can be found: an atom for
// which close spellings are searched occurs in no other way.
func (a *atom) leastLevel() level {
	if len(a.near) > 0 {
		return byMistake
	}
	return byStem
}

// ready notes, when first asked, for each term of the segment which atoms it stands
// for. It reports false when there are too many combinations.
func (r *turnReader) ready() bool {
	if r.row != nil {
		return !r.full
	}
	r.marker, r.row = r.s.marker(), slotRows.Get().(*slotRow)
	r.row.fit(r.seg)
	t := slices.IndexFunc(r.s.tallies, func(t tally) bool { return t.seg == r.seg })
	for a, column := range r.s.tallies[t].columns {
		for _, ids := range column.terms {
			r.row.set = append(r.row.set, ids)
			for i, slot := range r.row.slot[ids.from:ids.to] {
				set := uint64(1) << a
				if slot != 0 {
					set |= r.sets[slot-1]
				}
				k := slices.Index(r.sets, set)
				if k < 0 {
					if len(r.sets) == 1<<8-1 {
						r.full = true
						return false
					}
					k, r.sets = len(r.sets), append(r.sets, set)
				}
				r.row.slot[int(ids.from)+i] = uint8(k) + 1
			}
		}
	}
	return true
}

// release gives back what the reader has taken; it can be nil.
func (r *turnReader) release() {
	if r != nil && r.row != nil {
		r.row.clear()
		slotRows.Put(r.row)
		r.row = nil
	}
}
