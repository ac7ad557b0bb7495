package recall

import (
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
	ids   []uint32

	marker *marker
	slot   []uint8  // by term: 0 for none of the query's, n for sets[n-1]
	sets   []uint64 // of atoms, a bit each
	full   bool     // there are more sets than slot can name
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
	if len(before) != len(spans) || r.full {
		return 0, 0, false
	}
	if r.slot == nil && !r.index() {
		return 0, 0, false
	}
	ids := r.sequence(doc)
	clear(r.marker.levels)
	for k, span := range spans {
		if !r.s.filter.turn(span) {
			continue
		}
		var atoms uint64
		for _, id := range ids[before[k]:endOf(before, k, len(ids))] {
			if slot := r.slot[id]; slot != 0 {
				atoms |= r.sets[slot-1]
			}
		}
		for a := range r.s.atoms {
			if atoms&(1<<a) != 0 {
				r.marker.levels[a] = r.s.atoms[a].leastLevel()
			}
		}
	}
	found, near = r.marker.held()
	return found, near, true
}

// endOf is where the words of the k-th turn end.
func endOf(before []uint16, k, all int) int {
	if k+1 < len(before) {
		return min(int(before[k+1]), all)
	}
	return all
}

// leastLevel stands for any level at which an atom's words can be found: an atom for
// which close spellings are searched occurs in no other way.
func (a *atom) leastLevel() level {
	if len(a.near) > 0 {
		return byMistake
	}
	return byStem
}

// sequence is a document's words; none when they cannot be read.
func (r *turnReader) sequence(doc uint32) []uint32 {
	if r.ids == nil {
		r.ids = make([]uint32, 2*sessions.PassageChars)
	}
	return r.seg.Sequence(doc, r.ids)
}

// index notes for each term of the segment which atoms it stands for. It reports false
// when there are too many combinations.
func (r *turnReader) index() bool {
	r.marker = r.s.marker()
	r.slot = make([]uint8, r.seg.Terms())
	t := slices.IndexFunc(r.s.tallies, func(t tally) bool { return t.seg == r.seg })
	for a, column := range r.s.tallies[t].columns {
		for _, id := range column.terms {
			set := uint64(1) << a
			if slot := r.slot[id]; slot != 0 {
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
			r.slot[id] = uint8(k) + 1
		}
	}
	return true
}
