package index

import (
	"sync"

	"yore/recall/words"
	"yore/sessions"
)

// builder makes a segment of new text. Documents are added in the order of
// row.before.
type builder struct {
	opts  *Options
	scope Scope

	terms *interner
	out   content
	last  []uint32 // for each term the last document that holds it, plus 1
	df    []uint32 // for each term how many documents hold it
	seq   []uint32
	first []uint32
	pack  packer

	buf    []byte // scratch: a record, a folded text
	keys   []uint64
	ids    []uint64
	vector []int8
	parts  []int8
	undone []uint32 // turn parts that are abandoned
}

// keptTerms is how large a builder may have grown to be used again: emptying
// the table of a large one would cost a single new line more than a new table.
const keptTerms = 4096

var builders = sync.Pool{New: func() any { return &builder{terms: newInterner()} }}

func newBuilder(o *Options, scope Scope) *builder {
	b := builders.Get().(*builder)
	b.opts, b.scope = o, scope
	b.out.scope = scope
	b.first = append(b.first, 0)
	if scope != Tools && o.Embed != nil {
		b.out.vectors.dim = o.Dim
		b.vector = make([]int8, o.Dim)
	}
	return b
}

// full tells whether the segment should be ended before another document.
func (b *builder) full() bool {
	return b.out.table.len() >= MaxDocs || b.pack.out.size >= maxBytes
}

// passage adds passage p of a session.
func (b *builder) passage(ord, number uint32, p *sessions.Passage) {
	length := b.text(p.Text)
	b.out.table.add(row{session: ord, number: number, length: length, at: newest(p.Spans)}, false)
	b.keys, b.ids = b.keys[:0], b.ids[:0]
	for i := range p.Spans {
		s := &p.Spans[i]
		var key uint64
		key, b.buf = textKey(within(p.Text, s.From, s.To), b.buf)
		b.keys = append(b.keys, key)
		b.turn(s.ID, s.Undone)
	}
	b.out.turns.add(b.keys, b.ids)
	b.buf = appendPassage(b.buf[:0], p)
	b.pack.add(b.buf)
	b.embed(p.Text)
}

// hung adds a turn that hangs on a passage, the order-th of its session.
func (b *builder) hung(ord, number, order uint32, h *sessions.Hung) {
	length := b.text(h.Text)
	r := row{session: ord, number: number, order: order, length: length}
	if !h.At.IsZero() {
		r.at = h.At.Unix()
	}
	b.out.table.add(r, true)
	b.ids = b.ids[:0]
	b.turn(h.ID, h.Undone)
	b.out.turns.add(nil, b.ids)
	b.buf = appendHung(b.buf[:0], h)
	b.pack.add(b.buf)
}

// turn takes up the id of the next turn part and whether it is abandoned.
func (b *builder) turn(id string, undone bool) {
	if undone {
		b.undone = append(b.undone, uint32(len(b.out.turns.ids)+len(b.ids)))
	}
	b.ids = append(b.ids, idKey(id))
}

// text cuts the words of the next document and returns their number.
func (b *builder) text(text string) uint32 {
	doc := uint32(len(b.first)) // plus 1
	words.Scan(text, func(t words.Token) {
		id := b.terms.id(t.Term)
		if int(id) == len(b.df) {
			b.df, b.last = append(b.df, 0), append(b.last, 0)
		}
		if b.last[id] != doc {
			b.last[id] = doc
			b.df[id]++
		}
		b.seq = append(b.seq, id)
	})
	b.first = append(b.first, uint32(len(b.seq)))
	return b.first[doc] - b.first[doc-1]
}

// embed adds the vectors of the next document.
func (b *builder) embed(text string) {
	if b.out.vectors.dim == 0 {
		return
	}
	b.parts = b.parts[:0]
	if b.opts.Parts {
		for _, part := range split(text) {
			clear(b.vector)
			if b.opts.Embed(part, b.vector) {
				b.parts = append(b.parts, b.vector...)
			}
		}
	}
	clear(b.vector)
	if !b.opts.Embed(text, b.vector) {
		b.out.vectors.add(nil, b.parts)
		return
	}
	b.out.vectors.add(b.vector, b.parts)
}

// finish gives the segment. The builder must not be used afterwards.
func (b *builder) finish() *content {
	out := b.out
	var rank []uint32
	out.terms, rank = b.terms.sorted()
	df := make([]uint32, len(rank))
	for i, n := range b.df {
		df[rank[i]] = n
	}
	sequence := make([]uint32, len(b.seq))
	for i, id := range b.seq {
		sequence[i] = rank[id]
	}
	first := append([]uint32(nil), b.first...)
	out.postings = invert(sequence, first, df)
	if b.scope != Tools {
		out.sequence, out.first = sequence, first
		out.copies = newCopies(&out.turns)
	}
	out.turns.setUndone(b.undone)
	out.texts = b.pack.finish()
	b.release()
	out.stems = stemsOf(&out.terms)
	return &out
}

func (b *builder) release() {
	if b.terms.len() > keptTerms {
		return
	}
	b.terms.reset()
	b.out = content{}
	b.last, b.df, b.seq, b.first, b.undone = b.last[:0], b.df[:0], b.seq[:0], b.first[:0], b.undone[:0]
	builders.Put(b)
}

// stemsOf finds the stem of every term.
func stemsOf(v *vocabulary) stems {
	names := newInterner()
	s := stems{of: make([]uint32, v.len())}
	for id := range s.of {
		s.of[id] = names.id([]byte(words.Stem(string(v.at(uint32(id))))))
	}
	var rank []uint32
	s.names, rank = names.sorted()
	for i, num := range s.of {
		s.of[i] = rank[num]
	}
	s.group()
	return s
}

// within is text[from:to] as far as it exists.
func within(text string, from, to int) string {
	from = min(max(from, 0), len(text))
	return text[from:min(max(to, from), len(text))]
}
