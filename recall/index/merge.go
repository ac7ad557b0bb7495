package index

import (
	"slices"
)

// gone stands for a document or term that a merge leaves out.
const gone = ^uint32(0)

// merger makes one segment of the live documents of several. It reads only
// what never changes and writes only to its own arenas, and to its spill.
type merger struct {
	from  []*Segment
	stop  func() bool // ends the work early
	spill *spill      // takes texts, sequences, postings and many vectors; nil: they stay in memory

	order []place    // for each new document where it comes from
	docs  [][]uint32 // for each segment the new number of each document, or gone
	terms [][]uint32 // for each segment the new id of each term, or gone
	out   *content
}

// newMerger prepares to make one segment of several of one scope, which hold at
// most MaxDocs live documents. Stop ends the work early where it is true.
func newMerger(from []*Segment, stop func() bool) *merger {
	m := &merger{from: from, stop: stop}
	m.arrange()
	return m
}

// leave leaves the documents of a lone segment from the one at a place of the order on
// where they are, and gives the number of the first.
func (m *merger) leave(at int) (rest uint32) {
	rest = m.order[at].id
	m.order = m.order[:at]
	for doc := int(rest); doc < len(m.docs[0]); doc++ {
		m.docs[0][doc] = gone
	}
	return rest
}

// merge makes the segment of what the segments hold, nil when it was stopped or
// something of them could not be read.
func (m *merger) merge() *content {
	m.out = &content{scope: m.from[0].scope, unread: m.from[0].unread, cut: m.from[0].cut}
	if !m.mergeTerms() || !m.mergeTexts() {
		return nil
	}
	m.mergeStems()
	if !m.mergeRows() || !m.mergeVectors() {
		return nil
	}
	if m.out.scope != Tools {
		if !m.mergeSequences() {
			return nil
		}
		m.out.copies = newCopies(&m.out.turns)
	}
	m.out.trim()
	if unreadable(m.from) || m.spill != nil && !m.spill.done() {
		return nil
	}
	return m.out
}

// packedBytes is how much packed text segments hold together.
func packedBytes(segs []*Segment) (size int) {
	for _, s := range segs {
		size += s.texts.packedBytes()
	}
	return size
}

// spills tells whether so much is merged that it is not to be held in memory: of many short
// texts, as sub-agents write them, the vectors are more than the texts.
func spills(group []*Segment) bool {
	docs, vectors := 0, 0
	for _, s := range group {
		docs += s.live
		vectors += s.live * s.vectors.dim
	}
	if docs <= heldVectors {
		vectors = 0 // they are held in any case
	}
	return packedBytes(group)+vectors >= spillFrom
}

// read makes the segment of the texts of segments, whose words it cuts (in Tools if
// they are wanted); nil as with merge. Of a lone one it makes so much that the work is not
// long, and gives the number of the first document that is left where it is.
func (m *merger) read(x *Index) (out *content, rest uint32) {
	b := x.newBuilder(m.from[0].scope, m.from[0].scope == Tools && !x.tools.Load())
	rest = MaxDocs
	for at, pl := range m.order {
		if m.stop() {
			return nil, rest
		}
		if len(m.from) == 1 && (at >= readDocs || b.full()) {
			rest = m.leave(at)
			break
		}
		s := m.from[pl.from]
		row := s.table.row(pl.id)
		m.docs[pl.from][pl.id] = uint32(b.out.table.len())
		if s.scope == Tools {
			h := s.Hung(pl.id)
			b.hung(row.session, row.number, row.order, &h)
			continue
		}
		p := s.Passage(pl.id)
		if from, to := s.turns.of(pl.id); int(to-from) != len(p.Spans) {
			m.docs[pl.from][pl.id] = gone // the file is made up
			continue
		}
		b.passage(row.session, row.number, &p)
	}
	if out = b.finish(); unreadable(m.from) {
		return nil, rest
	}
	return out, rest
}

// arrange puts the live documents of all segments in order.
func (m *merger) arrange() {
	type next struct {
		place
		row
	}
	less := func(a, b *next) bool {
		if a.row != b.row {
			return a.row.before(b.row)
		}
		return a.from < b.from
	}
	var heads heap[next]
	total := 0
	for i, s := range m.from {
		m.docs = append(m.docs, make([]uint32, s.Len()))
		total += s.live
		if s.Len() > 0 {
			heads = append(heads, next{place{i, 0}, s.table.row(0)})
		}
	}
	m.order = make([]place, 0, total)
	heads.init(less)
	for len(heads) > 0 {
		h := &heads[0]
		s := m.from[h.from]
		m.docs[h.from][h.id] = gone
		if !s.Dead(h.id) {
			m.docs[h.from][h.id] = uint32(len(m.order))
			m.order = append(m.order, h.place)
		}
		if h.id++; int(h.id) < s.Len() {
			h.row = s.table.row(h.id)
			heads.down(0, less)
		} else {
			heads.pop(less)
		}
	}
}

// mergeTerms makes the vocabulary and the postings. A term that only dead
// documents hold is left out.
func (m *merger) mergeTerms() bool {
	vocabularies := make([]*vocabulary, len(m.from))
	readers := make([]postingsReader, len(m.from))
	most := 0
	for i, s := range m.from {
		w := s.words()
		vocabularies[i], readers[i].postings = &w.terms, &w.postings
		m.terms = append(m.terms, make([]uint32, w.terms.len()))
		most += w.postings.docs.len()
	}
	out := &m.out.held
	p := newPostingsWriter(m.spill, most)
	known := !slices.ContainsFunc(m.from, func(s *Segment) bool { return s.words().verbatim == nil })
	var found []uint32 // a document and its tf in the lowest byte
	done := union(vocabularies, func(term []byte, at []place) bool {
		found = found[:0]
		for _, pl := range at {
			docs, tfs := readers[pl.from].of(pl.id)
			to := m.docs[pl.from]
			for i, d := range docs {
				if doc := to[d]; doc != gone {
					found = append(found, doc<<8|uint32(tfs[i]))
				}
			}
		}
		id := gone
		if len(found) > 0 {
			id = uint32(out.terms.len())
			out.terms.add(term)
			if known {
				out.verbatim = out.verbatim.with(id, m.verbatim(at))
			}
			p.add(found)
		}
		for _, pl := range at {
			m.terms[pl.from][pl.id] = id
		}
		return !m.stop()
	})
	out.postings = p.finish(m.spill)
	out.postings.last = uint16(max(len(m.order), 1) - 1)
	return done
}

// verbatim tells whether a term is in all its places.
func (m *merger) verbatim(at []place) bool {
	return !slices.ContainsFunc(at, func(pl place) bool { return !m.from[pl.from].Verbatim(pl.id) })
}

// mergeStems carries over what the segments know of the terms' stems.
func (m *merger) mergeStems() {
	var list []inflected
	for i, s := range m.from {
		list = s.words().stems.appendTo(list, &s.words().terms, m.terms[i])
	}
	m.out.held.stems = newStems(&m.out.held.terms, list)
}

// mergeRows makes the table and the turns.
func (m *merger) mergeRows() bool {
	out := m.out
	hung := out.scope == Tools
	out.table.reserve(len(m.order), hung)
	out.turns.reserve(m.turnParts(), !hung)
	var undone []uint32
	for _, pl := range m.order {
		if m.stop() {
			return false
		}
		s := m.from[pl.from]
		out.table.add(s.table.row(pl.id), hung)
		from, to := s.turns.of(pl.id)
		for turn := from; turn < to; turn++ {
			if s.undone.has(turn) {
				undone = append(undone, uint32(out.turns.ids.len())+turn-from)
			}
		}
		out.turns.addFrom(&s.turns, pl.id)
	}
	out.turns.setUndone(undone)
	return true
}

// turnParts is how many turn parts the documents have together.
func (m *merger) turnParts() (total int) {
	for _, pl := range m.order {
		from, to := m.from[pl.from].turns.of(pl.id)
		total += int(to - from)
	}
	return total
}

func (m *merger) mergeVectors() bool {
	out := &m.out.vectors
	out.dim, out.model = m.from[0].vectors.dim, m.from[0].vectors.model
	for _, s := range m.from {
		if s.vectors.dim != out.dim || s.vectors.model != out.model {
			*out = vectors{} // those of different models never meet: they are made anew
		}
	}
	if out.dim == 0 {
		return true
	}
	docs := len(m.order)
	out.signs = make([]uint64, 0, docs*out.signWords())
	var to *spill
	if docs > heldVectors && m.spill != nil {
		to, out.file = m.spill, m.spill.file
	}
	whole := newRunWriter[int8](to, docs*out.dim)
	buf := make([]int8, out.dim)
	for i, pl := range m.order {
		if m.stop() {
			return false
		}
		v := &m.from[pl.from].vectors
		out.add(v.of(pl.id, buf), v.partsOf(pl.id))
		if to != nil && i%sampleEvery == 0 {
			out.sample = append(out.sample, out.whole.held...)
		}
		whole.add(out.whole.held)
		out.whole.held = out.whole.held[:0]
	}
	out.whole = whole.finish()
	return true
}

// mergeSequences reports false when it was stopped, or a segment cannot be what was written.
func (m *merger) mergeSequences() bool {
	sequence := newRunWriter[uint32](m.spill, m.tokens())
	m.out.first.append(0)
	end := uint32(0)
	var ids []uint32
	buf := make([]uint32, chunkNumbers)
	for _, pl := range m.order {
		if m.stop() {
			return false
		}
		to := m.terms[pl.from]
		ids = ids[:0]
		for _, id := range m.from[pl.from].Sequence(pl.id, buf) {
			if ids = append(ids, to[id]); to[id] == gone { // no text that is left has the word: the file is made up
				if f := m.from[pl.from].file; f != nil {
					f.fail(errDamaged)
				}
				return false
			}
		}
		sequence.add(ids)
		end += uint32(len(ids))
		m.out.first.append(end)
	}
	m.out.sequence = sequence.finish()
	return true
}

// tokens is how long the sequences are together.
func (m *merger) tokens() (total int) {
	for _, pl := range m.order {
		total += int(m.from[pl.from].table.length[pl.id])
	}
	return total
}

// mergeTexts packs the records anew. Each segment is read in its own order, so
// one unpacked block of each is enough.
func (m *merger) mergeTexts() bool {
	type reading struct {
		block int
		raw   []byte
	}
	at := make([]reading, len(m.from))
	for i := range at {
		at[i].block = -1
	}
	pack := packer{tight: true, spill: m.spill} // what is merged stays for long
	if m.spill != nil {
		m.out.file, pack.out.file, pack.out.base = m.spill.file, m.spill.file, m.spill.at
	} else {
		size := packedBytes(m.from)
		pack.out.packed = make([]byte, 0, size+size/16)
	}
	for _, pl := range m.order {
		s, r := m.from[pl.from], &at[pl.from]
		if b := s.texts.block(pl.id); b != r.block {
			if m.stop() {
				return false
			}
			r.block, r.raw = b, s.texts.unpack(b, r.raw)
		}
		pack.add(s.texts.record(pl.id, r.block, r.raw))
	}
	m.out.texts = pack.finish()
	return true
}
