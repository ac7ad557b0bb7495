package index

import (
	"math"
	"slices"
	"unicode/utf8"

	"yore/recall/words"
)

// beginnings are those letters with which so many words begin that adding up what is
// known of each took most of a keystroke: at 200,000 passages a word's first letter
// stands before a million postings. Of each it is kept, by document, how often all
// words that begin so stand there together.
//
// They say nothing that the postings do not, and are made when a segment is written:
// one in memory is small. A file that has none may be of before there were any.
type beginnings struct {
	names vocabulary
	sums  run[uint8] // those of all documents, one name after the other; 255 is "or more"
}

// A beginning is kept from so many postings on for each document of a segment, which
// take six bytes to read where a sum takes one; and from so many on at all, since less
// is added up in some microseconds.
const (
	beginningDocs  = 2
	beginningLeast = 4 << 10
)

// newBeginnings chooses the beginnings of a segment of so many documents; their sums
// are not made yet.
func newBeginnings(terms *vocabulary, p *postings, docs int) (b beginnings) {
	least := max(beginningDocs*docs, beginningLeast)
	var within func(lo, hi uint32, letters int)
	within = func(lo, hi uint32, letters int) { // these terms share their first bytes
		for lo < hi {
			term := terms.at(lo)
			if len(term) == letters || letters >= words.MaxTerm {
				lo++
				continue
			}
			_, size := utf8.DecodeRune(term[letters:])
			_, end := terms.prefix(string(term[:letters+size]))
			if int(p.first.get(end)-p.first.get(lo)) >= least {
				b.names.add(term[:letters+size])
				within(lo, end, letters+size)
			}
			lo = end
		}
	}
	within(0, uint32(terms.len()), 0)
	return b
}

// sections saves or fills b.
func (b *beginnings) sections(io sections, sums pageable) {
	io.numbers(secBeginningBytes, &b.names.arena)
	io.offsets(secBeginnings, &b.names.first)
	io.paged(secBeginningSums, sums)
}

// beginnings reads what a segment's file has of them.
func (r *fileReader) beginnings(docs int) (b beginnings) {
	if _, ok := r.dir[secBeginningSums]; !ok {
		return b
	}
	if b.sections(r, &b.sums); r.err == nil && (!b.names.valid() || b.sums.len() != b.names.len()*docs) {
		r.fail(errDamaged)
	}
	return b
}

// summing is the sums of b as they are written: made one name after the other, since
// together they would take as much memory as a quarter of the segment.
type summing struct {
	*run[uint8]
	content *content
	names   *vocabulary
}

func (s summing) save(emit func([]byte)) bool {
	w := s.content.words()
	row, p := make([]uint8, s.content.table.len()), &w.postings
	for name := range uint32(s.names.len()) {
		clear(row)
		lo, hi := w.terms.prefix(string(s.names.at(name)))
		added := uint32(0)
		p.visit(lo, hi, func(_ uint32, docs []uint16, tfs []uint8) {
			for i, d := range docs {
				row[d] = saturate(row[d], tfs[i])
			}
			added += uint32(len(docs))
		})
		if added != p.first.get(hi)-p.first.get(lo) {
			return false
		}
		emit(row)
	}
	return true
}

// Beginning is for each document how often it holds words that begin with p, all of
// them together. It is nil where that is not kept or not known, and has to be added up.
// It may lie in buf.
func (s *Segment) Beginning(p string, buf []uint8) []uint8 {
	begun := &s.words().begun
	name, ok := begun.names.find(p)
	if !ok {
		return nil
	}
	docs := s.Len()
	sums := begun.sums.part(int(name)*docs, int(name+1)*docs, buf)
	if slices.Contains(sums, math.MaxUint8) {
		return nil
	}
	return sums
}
