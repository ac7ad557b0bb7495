package index

import "unicode/utf8"

// verbatim are the terms that every text which has them spells as they are, but for
// the case of letters. Others stand somewhere with an apostrophe, '_' or an accent
// (dont, sessionrecall), so that only the text tells how. It is nil where that is not
// known: in Tools, and of files of before it was kept.
type verbatim bitmap

// with is v with the next term, number id, which is in it or not.
func (v verbatim) with(id uint32, in bool) verbatim {
	if int(id/wordBits) == len(v) {
		v = append(v, 0)
	}
	if in {
		bitmap(v).set(id)
	}
	return v
}

// spelledOut tells whether a text is a term of so many bytes letter for letter. Folding
// changes no length in ASCII, and what is left out of a term makes it shorter; whatever
// lies beyond ASCII is taken for spelled otherwise.
func spelledOut(text string, term int) bool {
	if len(text) != term {
		return false
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// section saves v, if it is known.
func (v verbatim) section(io sections) {
	if v != nil {
		io.numbers(secVerbatim, (*[]uint64)(&v))
	}
}

// verbatim reads what a segment's file has of them.
func (r *fileReader) verbatim(terms int) (v verbatim) {
	if _, ok := r.dir[secVerbatim]; !ok {
		return nil
	}
	if r.numbers(secVerbatim, (*[]uint64)(&v)); r.err == nil && !bitmap(v).valid(terms) {
		r.fail(errDamaged)
	}
	return v
}

// Verbatim tells whether every document that holds a term spells it as it is, but for
// the case of letters. False says nothing.
func (s *Segment) Verbatim(id uint32) bool { return bitmap(s.words().verbatim).has(id) }
