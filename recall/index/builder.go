package index

import (
	"sync"
	"time"

	"yore/recall/words"
	"yore/sessions"
)

// builder makes a segment of new text. Documents are added in the order of
// row.before.
type builder struct {
	model  *Model // nil: no vectors
	parted bool   // parts have vectors too
	lex    *lexicon
	out    content

	seq   []uint32 // the documents' words by their numbers in lex
	first []uint32
	pack  packer

	buf    []byte // scratch: a record, a folded text
	vector []int8
	parts  []int8
	undone []uint32 // turn parts that are abandoned
}

var builders = sync.Pool{New: func() any { return &builder{lex: newLexicon()} }}

// newBuilder begins a segment. The words of an unread one are not cut.
func (x *Index) newBuilder(scope Scope, unread bool) *builder {
	b := builders.Get().(*builder)
	b.out.scope, b.out.unread = scope, unread
	b.first = append(b.first, 0)
	if scope == Tools {
		b.embedWith(nil, false)
	} else {
		b.embedWith(x.model(), x.opts.Parts)
	}
	return b
}

// embedWith chooses the model of the vectors; nil makes none.
func (b *builder) embedWith(m *Model, parts bool) {
	b.model, b.parted = m, parts
	if m != nil {
		b.out.vectors.dim, b.out.vectors.model = m.Dim, m.Hash
		b.vector = make([]int8, m.Dim)
	}
}

// builderBytes is how much text a segment is made of at once, twice what comes together
// but for turns that are larger alone: of 30 MB its words, postings and packed text would
// take four times as much until it is finished.
const builderBytes = 4 << 20

// full tells whether the segment should be ended before another document.
func (b *builder) full() bool {
	return b.out.table.len() >= MaxDocs || b.pack.out.size >= builderBytes
}

// passage adds passage p of a session.
func (b *builder) passage(ord, number uint32, p *sessions.Passage) {
	length := b.text(p.Text, p.Spans)
	b.out.table.add(row{session: ord, number: number, length: length, at: newest(p.Spans)}, false)
	for i := range p.Spans {
		s := &p.Spans[i]
		var key uint64
		key, b.buf = textKey(within(p.Text, s.From, s.To), b.buf)
		b.out.turns.keys = append(b.out.turns.keys, key)
		b.turn(s.ID, s.Kind, s.Role, s.At, s.Undone)
	}
	b.out.turns.end()
	b.buf = sessions.AppendPassage(b.buf[:0], p)
	b.pack.add(b.buf)
	b.embed(p.Text)
}

// hung adds a turn that hangs on a passage, the order-th of its session.
func (b *builder) hung(ord, number, order uint32, h *sessions.Hung) {
	length := b.text(h.Text, nil)
	r := row{session: ord, number: number, order: order, length: length}
	if !h.At.IsZero() {
		r.at = h.At.Unix()
	}
	b.out.table.add(r, true)
	b.turn(h.ID, h.Kind, h.Role, h.At, h.Undone)
	b.out.turns.end()
	b.buf = sessions.AppendHung(b.buf[:0], h)
	b.pack.add(b.buf)
}

// turn takes up the next turn part.
func (b *builder) turn(id string, kind sessions.Kind, role sessions.Role, at time.Time, undone bool) {
	if undone {
		b.undone = append(b.undone, uint32(b.out.turns.ids.len()))
	}
	b.out.turns.addTurn(idKey(id), kind, role, at)
}

// text cuts the words of the next document and returns their number. It notes how many
// come before each of its turn parts.
func (b *builder) text(text string, spans []sessions.Span) uint32 {
	before := b.beforeTurns(len(spans))
	from, next := len(b.seq), 0
	if !b.out.unread {
		words.Scan(text, func(t words.Token) {
			for next < len(spans) && t.From >= spans[next].From {
				before[next] = uint16(min(len(b.seq)-from, unknownWords))
				next++
			}
			if len(spans) > 0 && (next == 0 || t.To > spans[next-1].To) {
				before[0] = unknownWords // it is in no turn, or in two
			}
			word := b.lex.word(t.Term)
			b.seq = append(b.seq, word)
			b.lex.spelled(word, text[t.From:t.To])
		})
	}
	for ; next < len(spans); next++ {
		before[next] = uint16(min(len(b.seq)-from, unknownWords))
	}
	b.first = append(b.first, uint32(len(b.seq)))
	doc := len(b.first) - 2
	b.lex.count(b.seq[b.first[doc]:])
	return b.first[doc+1] - b.first[doc]
}

// beforeTurns is room for a number for each of the next n turn parts.
func (b *builder) beforeTurns(n int) []uint16 {
	t := &b.out.turns
	t.words = append(t.words, make([]uint16, n)...)
	return t.words[len(t.words)-n:]
}

// embed adds the vectors of the next document.
func (b *builder) embed(text string) {
	if b.model == nil {
		return
	}
	b.parts = b.parts[:0]
	if b.parted {
		for _, part := range split(text) {
			clear(b.vector)
			if b.model.Embed(part, b.vector) {
				b.parts = append(b.parts, b.vector...)
			}
		}
	}
	clear(b.vector)
	if !b.model.Embed(text, b.vector) {
		b.out.vectors.add(nil, b.parts)
		return
	}
	b.out.vectors.add(b.vector, b.parts)
}

// finish gives the segment. The builder must not be used afterwards.
func (b *builder) finish() *content {
	out := b.out
	var place, df []uint32
	out.held.terms, out.held.stems, place, df = b.lex.finish()
	sequence := make([]uint32, len(b.seq))
	for i, word := range b.seq {
		sequence[i] = place[word]
	}
	out.held.postings = invert(sequence, b.first, df)
	out.held.postings.last = uint16(max(out.table.len(), 1) - 1)
	if out.scope != Tools {
		out.sequence.held, out.first = sequence, newOffsets(b.first)
		out.copies = newCopies(&out.turns)
		out.held.verbatim = b.lex.verbatim()
	}
	out.cut = words.Revision
	out.turns.setUndone(b.undone)
	out.texts = b.pack.finish()
	b.out = content{}
	b.seq, b.first, b.undone = b.seq[:0], b.first[:0], b.undone[:0]
	b.lex.clear()
	builders.Put(b)
	return &out
}

// within is text[from:to] as far as it exists.
func within(text string, from, to int) string {
	from = min(max(from, 0), len(text))
	return text[from:min(max(to, from), len(text))]
}
