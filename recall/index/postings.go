package index

import (
	"math"
	"slices"
	"sync"
)

// postings say which documents hold each term. Those of all terms lie one after
// the other in the order of the terms, so a range of terms is one stretch.
type postings struct {
	first offsets     // those of term id are the docs from first.part(id)
	docs  run[uint16] // ascending within a term
	tfs   run[uint8]  // how often, never wrapped: 255 is "or more"
	last  uint16      // no document has a higher number
}

func (p *postings) of(id uint32) (docs []uint16, tfs []uint8) {
	from, to := p.first.part(id)
	docs, tfs = p.docs.part(int(from), int(to), nil), p.tfs.part(int(from), int(to), nil)
	if len(docs) != int(to-from) || len(tfs) != int(to-from) || !p.within(docs) {
		return nil, nil
	}
	return docs, tfs
}

// within tells whether there are such documents. A file whose sums are right may
// still be made up.
func (p *postings) within(docs []uint16) bool {
	if p.docs.file == nil {
		return true
	}
	most := uint16(0)
	for _, d := range docs {
		most = max(most, d)
	}
	if most > p.last {
		p.docs.file.fail(errDamaged)
		return false
	}
	return true
}

// stretch buffers what is read of postings.
type stretch struct {
	docs []uint16
	tfs  []uint8
}

var stretches = sync.Pool{New: func() any {
	return &stretch{make([]uint16, chunkNumbers), make([]uint8, chunkNumbers)}
}}

// visit goes through the postings of terms lo to hi-1. Those of one term may come in
// several pieces, and those of several in one: at is the place of the first.
func (p *postings) visit(lo, hi uint32, use func(at uint32, docs []uint16, tfs []uint8)) {
	if lo >= hi {
		return
	}
	buf := stretches.Get().(*stretch)
	defer stretches.Put(buf)
	for at, to := p.first.get(lo), p.first.get(hi); at < to; {
		end := min(at+chunkNumbers, to)
		if p.docs.file == nil {
			end = to
		}
		docs, tfs := p.docs.part(int(at), int(end), buf.docs), p.tfs.part(int(at), int(end), buf.tfs)
		if docs == nil || tfs == nil || !p.within(docs) {
			return
		}
		use(at, docs, tfs)
		at = end
	}
}

// postingsReader reads the postings of terms in rising order, many at once.
type postingsReader struct {
	*postings
	from, to uint32 // what is read already
	read     stretch
}

func (r *postingsReader) of(id uint32) (docs []uint16, tfs []uint8) {
	from, to := r.first.part(id)
	if r.docs.file == nil {
		return r.postings.of(id)
	}
	if from < r.from || to > r.to {
		end := max(to, min(from+chunkNumbers, r.first.last()))
		r.read.docs, r.read.tfs = r.docs.part(int(from), int(end), r.read.docs), r.tfs.part(int(from), int(end), r.read.tfs)
		if r.from, r.to = from, end; r.read.docs == nil || r.read.tfs == nil || !r.within(r.read.docs) {
			r.from, r.to = 0, 0
			return nil, nil
		}
	}
	return r.read.docs[from-r.from : to-r.from], r.read.tfs[from-r.from : to-r.from]
}

// saturate is a+b, or the largest tf when that is less.
func saturate(a, b uint8) uint8 {
	return uint8(min(uint(a)+uint(b), math.MaxUint8))
}

// invert makes the postings of documents whose terms are seq[first[d]:first[d+1]].
// df says how many documents hold each term.
func invert(seq, first, df []uint32) postings {
	from := make([]uint32, len(df)+1)
	for i, n := range df {
		from[i+1] = from[i] + n
	}
	total := from[len(df)]
	docs, tfs := make([]uint16, total), make([]uint8, total)
	next := slices.Clone(from) // where a term's next posting goes
	for d := range len(first) - 1 {
		for _, term := range seq[first[d]:first[d+1]] {
			at := next[term]
			if at > from[term] && docs[at-1] == uint16(d) {
				tfs[at-1] = saturate(tfs[at-1], 1)
				continue
			}
			docs[at], tfs[at] = uint16(d), 1
			next[term]++
		}
	}
	return postings{first: newOffsets(from), docs: run[uint16]{held: docs}, tfs: run[uint8]{held: tfs}}
}

// postingsWriter makes postings of one term after the other. Where they go through a
// spill, the frequencies wait in memory until all documents are there.
type postingsWriter struct {
	first offsets
	docs  *runWriter[uint16]
	tfs   []uint8
	term  []uint16 // scratch
}

// newPostingsWriter begins postings, most of them at most.
func newPostingsWriter(to *spill, most int) *postingsWriter {
	p := &postingsWriter{docs: newRunWriter[uint16](to, most), tfs: make([]uint8, 0, most)}
	p.first.append(0)
	return p
}

// add appends the next term's postings, each a document and its tf in the
// lowest byte, in any order.
func (p *postingsWriter) add(found []uint32) {
	if !slices.IsSorted(found) {
		slices.Sort(found)
	}
	p.term = p.term[:0]
	for _, f := range found {
		p.term = append(p.term, uint16(f>>8))
		p.tfs = append(p.tfs, uint8(f))
	}
	p.docs.add(p.term)
	p.first.append(uint32(len(p.tfs)))
}

func (p *postingsWriter) finish(to *spill) postings {
	out := postings{first: p.first, docs: p.docs.finish(), tfs: run[uint8]{held: p.tfs}}
	if to != nil {
		tfs := newRunWriter[uint8](to, 0)
		tfs.add(p.tfs)
		out.tfs = tfs.finish()
	}
	return out
}
