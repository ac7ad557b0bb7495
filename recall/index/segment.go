package index

import (
	"cmp"
	"iter"

	"yore/sessions"
	"yore/sessions/packed"
)

// MaxDocs is how many documents a segment holds at most, so that a document's
// number fits 16 bits.
const MaxDocs = 1 << 16

// Doc is the row of a document in its segment's table.
type Doc struct {
	Session uint32 // ordinal, Snapshot.Session
	Number  uint32 // the passage; for a hung turn the passage on which it hangs
	Len     uint32 // in tokens; 0 in Tools until Index.IndexTools
	At      int64  // Unix seconds of its newest turn; 0 when unknown
	Undone  bool   // every turn of it is abandoned
	Order   uint32 // of a hung turn: its place among all that hang in the session
}

// content is what never changes of a segment: slices without pointers, each of
// which can be written to a file as it is. The long ones, of which a question needs
// a small part, stay in the file once they are written.
type content struct {
	id     uint64
	scope  Scope
	unread bool   // the words of its texts are not cut yet
	bare   bool   // only its texts could be read (former.go); it is unread then
	cut    uint32 // the words.Revision by which they are cut

	held     wordIndex  // what words gives
	late     *lateWords // nil: it is held
	table    table
	first    offsets     // the terms of document d are those of sequence from first.part(d)
	sequence run[uint32] // both empty in Tools
	turns    turns
	copies   copies // empty in Tools
	vectors  vectors
	texts    texts
	file     *origin // of all but the vectors; nil while it is in memory
}

// err is why something of the content cannot be read any more.
func (c *content) err() error { return cmp.Or(c.file.err(), c.vectors.file.err()) }

// Segment is an immutable run of documents, as one Snapshot sees it: with the
// tombstones and the abandoned turns of that moment. Documents are sorted by
// session, then number, so that those of one session are neighbours.
type Segment struct {
	*content
	cache  *recordCache
	dead   bitmap // by document; nil when none is
	undone bitmap // by turn part; nil when none is
	live   int
	tokens int64 // of the live documents
}

func newSegment(c *content, cache *recordCache) *Segment {
	s := &Segment{content: c, cache: cache, undone: c.turns.undone, live: c.table.len()}
	for _, n := range c.table.length {
		s.tokens += int64(n)
	}
	return s
}

// ID names the content. Two Segments with the same ID differ at most in
// tombstones and abandoned turns: what is computed from postings alone may be
// kept by ID. What could be kept of a damaged file has none of its postings, and so
// another ID than the file's segment.
func (s *Segment) ID() uint64 {
	if s.bare {
		return s.id | bareID
	}
	return s.id
}

// bareID stands in the ID of a segment without words; files are numbered from below.
const bareID = 1 << 63

// Err is why the segment's file cannot be read any more, nil as long as it can. What
// was read of the segment since may be incomplete: ask again after Index.Heal.
func (s *Segment) Err() error { return s.err() }

// Len is how many documents there are, dead ones included.
func (s *Segment) Len() int { return s.table.len() }

// Live is how many are not dead.
func (s *Segment) Live() int { return s.live }

// Dead tells whether a document was replaced or removed.
func (s *Segment) Dead(doc uint32) bool { return s.dead.has(doc) }

// DeadBits has bit doc%64 of word doc/64 set for each dead document. It is nil
// when none is dead. It must not be changed.
func (s *Segment) DeadBits() []uint64 { return s.dead }

// Terms is how many distinct terms there are. Their ids go from 0 in the order
// of their bytes.
func (s *Segment) Terms() int { return s.words().terms.len() }

// Term is a term's text. It must not be changed.
func (s *Segment) Term(id uint32) []byte { return s.words().terms.at(id) }

// AllTerms goes through the terms in the order of their ids, faster than Term does.
// They must not be changed.
func (s *Segment) AllTerms() iter.Seq2[uint32, []byte] { return s.words().terms.all() }

// Lookup finds a term.
func (s *Segment) Lookup(term string) (id uint32, ok bool) { return s.words().terms.find(term) }

// Prefix finds the terms that begin with p: the ids from lo up to, not
// including, hi.
func (s *Segment) Prefix(p string) (lo, hi uint32) { return s.words().terms.prefix(p) }

// Stems are the ids of all terms with this stem, ascending. The slice must not
// be changed.
func (s *Segment) Stems(stem string) []uint32 {
	w := s.words()
	return w.stems.of(stem, &w.terms)
}

// Postings are the documents that hold a term, ascending, dead ones included,
// and how often each holds it (255 stands for 255 and more). The slices must
// not be changed.
func (s *Segment) Postings(id uint32) (docs []uint16, tfs []uint8) {
	return s.words().postings.of(id)
}

// Frequency is how many documents hold a term, dead ones included.
func (s *Segment) Frequency(id uint32) int {
	from, to := s.words().postings.first.part(id)
	return int(to - from)
}

// CountPostings is how many postings all terms from lo up to, not including, hi have
// together.
func (s *Segment) CountPostings(lo, hi uint32) int {
	if lo >= hi {
		return 0
	}
	first := &s.words().postings.first
	return int(first.get(hi) - first.get(lo))
}

// Stretch goes through the postings of all terms from lo up to, not including, hi,
// one term's after the other, in pieces that begin and end anywhere. use must not
// keep or change them.
func (s *Segment) Stretch(lo, hi uint32, use func(docs []uint16, tfs []uint8)) {
	s.words().postings.visit(lo, hi, func(_ uint32, docs []uint16, tfs []uint8) { use(docs, tfs) })
}

// EachPostings goes through the postings of each term from lo up to, not including,
// hi. Those of one term may come in several pieces. use must not keep or change them.
func (s *Segment) EachPostings(lo, hi uint32, use func(id uint32, docs []uint16, tfs []uint8)) {
	if lo >= hi {
		return
	}
	p := &s.words().postings
	id, end := lo, p.first.get(lo+1)
	p.visit(lo, hi, func(at uint32, docs []uint16, tfs []uint8) {
		for len(docs) > 0 {
			for end <= at {
				id++
				end = p.first.get(id + 1)
			}
			n := min(int(end-at), len(docs))
			use(id, docs[:n], tfs[:n])
			docs, tfs, at = docs[n:], tfs[n:], at+uint32(n)
		}
	})
}

// Doc is a document's row.
func (s *Segment) Doc(doc uint32) Doc {
	row := s.table.row(doc)
	return Doc{
		Session: row.session,
		Number:  row.number,
		Len:     row.length,
		At:      row.at,
		Undone:  s.undone != nil && s.undone.all(s.turns.of(doc)),
		Order:   row.order,
	}
}

// Place is the ordinal of a document's session and its place there, without the rest of
// its row: the passage's number, in Tools the order.
func (s *Segment) Place(doc uint32) (session, place uint32) {
	if s.table.order != nil {
		return s.table.session[doc], s.table.order[doc]
	}
	return s.table.session[doc], s.table.number[doc]
}

// Owners are the ordinals of the documents' sessions. They must not be changed.
func (s *Segment) Owners() []uint32 { return s.table.session }

// Lengths are how many tokens each document has. They must not be changed.
func (s *Segment) Lengths() []uint32 { return s.table.length }

// Tokens is the sum of the lengths of the documents that are not dead.
func (s *Segment) Tokens() int64 { return s.tokens }

// Sessions are the ordinals of the sessions that have documents here,
// ascending, and for each the first of its documents. The slices must not be
// changed.
func (s *Segment) Sessions() (ords []uint32, first []uint16) { return s.table.ords, s.table.first }

// Run is the documents of a session: those from from up to, not including, to.
func (s *Segment) Run(ord uint32) (from, to uint32) { return s.table.run(ord) }

// Sequence is the ids of a document's terms in the order of the text, for
// phrases and distances. It is nil in Tools. It must not be changed, and may lie in
// buf.
func (s *Segment) Sequence(doc uint32, buf []uint32) []uint32 {
	if s.first.len() == 0 {
		return nil
	}
	from, to := s.first.part(doc)
	return s.sound(s.sequence.part(int(from), int(to), buf))
}

// sound are terms read from the file; none where some are no terms.
func (s *Segment) sound(ids []uint32) []uint32 {
	if s.sequence.file != nil && !below(ids, s.Terms()) {
		s.sequence.file.fail(errDamaged)
		return nil
	}
	return ids
}

// SequenceReader reads the sequences of documents of one segment: those of documents
// side by side, which lie in one page of the file, with one look into it.
type SequenceReader struct {
	seg  *Segment // whose pages are held
	read window
}

// Forget lets go of the segment; the room for its pages stays.
func (r *SequenceReader) Forget() { *r = SequenceReader{read: window{buffer: r.read.buffer}} }

// Sequence is Segment.Sequence.
func (r *SequenceReader) Sequence(s *Segment, doc uint32, buf []uint32) []uint32 {
	if r.seg != s {
		r.Forget()
		r.seg = s
	}
	if s.first.len() == 0 {
		return nil
	}
	from, to := s.first.part(doc)
	return s.sound(s.sequence.partIn(&r.read, int(from), int(to), buf))
}

// Model is the hash of the model that the vectors are of; 0 when there are none.
func (s *Segment) Model() uint64 { return s.vectors.model }

// Vector is what a passage is about; nil when unknown, and in Tools. It must not be
// changed, and may lie in buf.
func (s *Segment) Vector(doc uint32, buf []int8) []int8 { return s.vectors.of(doc, buf) }

// KnownVectors has bit doc%64 of word doc/64 set for each document that has a vector.
// It must not be changed.
func (s *Segment) KnownVectors() []uint64 { return s.vectors.known }

// Vectors are those of all documents, one behind the other, zeros for a document
// that has none; nil when they are not in memory. They must not be changed.
func (s *Segment) Vectors() []int8 { return s.vectors.whole.held }

// VectorRange are those of the documents from from up to, not including, to, as
// Vectors gives them; nil when they cannot be read. They may lie in buf.
func (s *Segment) VectorRange(from, to uint32, buf []int8) []int8 {
	return s.vectors.whole.part(int(from)*s.vectors.dim, int(to)*s.vectors.dim, buf)
}

// SampleVectors are those of every so-many-th document, from the first on. They must
// not be changed.
func (s *Segment) SampleVectors() (rows []int8, every uint32) {
	return s.vectors.sample, sampleEvery
}

// Parts are the vectors of a long passage's parts, one after the other.
func (s *Segment) Parts(doc uint32) []int8 { return s.vectors.partsOf(doc) }

// Signs are the signs of all vectors, for a first pass over many: words words
// for each document, bit i%64 of word i/64 set when element i is above 0. The
// slice must not be changed.
func (s *Segment) Signs() (signs []uint64, words int) {
	return s.vectors.signs, s.vectors.signWords()
}

// Passage is a document's text with its spans. The zero Passage is returned for
// a document of Tools or one that cannot be read.
func (s *Segment) Passage(doc uint32) sessions.Passage {
	if s.scope == Tools {
		return sessions.Passage{}
	}
	r := packed.NewSharing(s.record(doc))
	p := sessions.ReadPassage(r)
	if r.Bad() {
		return sessions.Passage{}
	}
	p.Number = int(s.table.number[doc])
	from, to := s.turns.of(doc)
	for i := range p.Spans {
		if turn := from + uint32(i); turn < to {
			p.Spans[i].Undone = s.undone.has(turn)
		}
	}
	return p
}

// Hung is a document of Tools. The zero Hung is returned for another or one
// that cannot be read.
func (s *Segment) Hung(doc uint32) sessions.Hung {
	if s.scope != Tools {
		return sessions.Hung{}
	}
	r := packed.NewSharing(s.record(doc))
	h := sessions.ReadHung(r)
	if r.Bad() {
		return sessions.Hung{}
	}
	h.Passage = int(s.table.number[doc])
	from, _ := s.turns.of(doc)
	h.Undone = s.undone.has(from)
	return h
}

func (s *Segment) record(doc uint32) []byte {
	return s.cache.get(s.id, doc, &s.texts)
}

// find is the live document of a session's passage.
func (s *Segment) find(ord, number uint32) (uint32, bool) {
	from, to := s.table.since(ord, number)
	if from < to && s.table.number[from] == number && !s.Dead(from) {
		return from, true
	}
	return 0, false
}

// withDead is s with the documents for which dead reports true dead as well,
// of those from lo to hi-1; s itself when there are none.
func (s *Segment) withDead(lo, hi uint32) *Segment {
	c := *s
	for doc := lo; doc < hi; doc++ {
		if s.Dead(doc) {
			continue
		}
		if c.live == s.live {
			c.dead = s.dead.own(s.Len())
		}
		c.dead.set(doc)
		c.live--
		c.tokens -= int64(s.table.length[doc])
	}
	if c.live == s.live {
		return s
	}
	return &c
}
