package index

import (
	"yore/sessions"
)

// MaxDocs is how many documents a segment holds at most, so that a document's
// number fits 16 bits.
const MaxDocs = 1 << 16

// MaxTerm is how many bytes of a term are indexed. Lookup, Prefix and Stems cut
// what they are asked for in the same way.
const MaxTerm = 64

// Doc is the row of a document in its segment's table.
type Doc struct {
	Session uint32 // ordinal, Snapshot.Session
	Number  uint32 // the passage; for a hung turn the passage on which it hangs
	Len     uint32 // in tokens
	At      int64  // Unix seconds of its newest turn; 0 when unknown
	Undone  bool   // every turn of it is abandoned
}

// Segment is an immutable run of documents, as one Snapshot sees it: with the
// tombstones and the abandoned turns of that moment. Documents are sorted by
// session, then number, so that those of one session are neighbours.
type Segment struct {
	live int
}

// ID names the content. Two Segments with the same ID differ at most in
// tombstones and abandoned turns: what is computed from postings alone may be
// kept by ID.
func (s *Segment) ID() uint64 { return 0 }

// Len is how many documents there are, dead ones included.
func (s *Segment) Len() int { return 0 }

// Live is how many are not dead.
func (s *Segment) Live() int { return s.live }

// Dead tells whether a document was replaced or removed.
func (s *Segment) Dead(doc uint32) bool { return false }

// DeadBits has bit doc%64 of word doc/64 set for each dead document. It is nil
// when none is dead.
func (s *Segment) DeadBits() []uint64 { return nil }

// Terms is how many distinct terms there are. Their ids go from 0 in the order
// of their bytes.
func (s *Segment) Terms() int { return 0 }

// Term is a term's text. It must not be changed.
func (s *Segment) Term(id uint32) []byte { return nil }

// Lookup finds a term.
func (s *Segment) Lookup(term string) (id uint32, ok bool) { return 0, false }

// Prefix finds the terms that begin with p: the ids from lo up to, not
// including, hi.
func (s *Segment) Prefix(p string) (lo, hi uint32) { return 0, 0 }

// Stems are the ids of all terms with this stem, ascending. The slice must not
// be changed.
func (s *Segment) Stems(stem string) []uint32 { return nil }

// StemOf is a number for the stem of a term: equal for the terms of one stem,
// below Terms.
func (s *Segment) StemOf(id uint32) uint32 { return 0 }

// Postings are the documents that hold a term, ascending, dead ones included,
// and how often each holds it (255 stands for 255 and more). The slices must
// not be changed.
func (s *Segment) Postings(id uint32) (docs []uint16, tfs []uint8) { return nil, nil }

// Accumulate adds the frequencies of all terms from lo up to, not including,
// hi to tf, which has an element for each document; sums stop at 255.
func (s *Segment) Accumulate(lo, hi uint32, tf []uint8) {}

// AccumulateTerms adds the frequencies of the terms ids in the same way.
func (s *Segment) AccumulateTerms(ids []uint32, tf []uint8) {}

// Doc is a document's row.
func (s *Segment) Doc(doc uint32) Doc { return Doc{} }

// Sessions are the ordinals of the sessions that have documents here,
// ascending, and for each the first of its documents. The slices must not be
// changed.
func (s *Segment) Sessions() (ords []uint32, first []uint16) { return nil, nil }

// Sequence is the ids of a document's terms in the order of the text, for
// phrases and distances. It is nil in Tools. It must not be changed.
func (s *Segment) Sequence(doc uint32) []uint32 { return nil }

// Vector is what a passage is about; nil when unknown, and in Tools.
func (s *Segment) Vector(doc uint32) []int8 { return nil }

// Parts are the vectors of a long passage's parts, one after the other.
func (s *Segment) Parts(doc uint32) []int8 { return nil }

// Passage is a document's text with its spans. The zero Passage is returned for
// a document that cannot be read.
func (s *Segment) Passage(doc uint32) sessions.Passage { return sessions.Passage{} }

// Hung is a document of the Tools scope.
func (s *Segment) Hung(doc uint32) sessions.Hung { return sessions.Hung{} }

// TurnKeys are, for each span of a passage, a hash of its text with blanks
// folded: equal in every copy of it. The slice must not be changed.
func (s *Segment) TurnKeys(doc uint32) []uint64 { return nil }

// TurnIDs are, for each span of a passage, a hash of the turn's id; 0 when it
// has none. The slice must not be changed.
func (s *Segment) TurnIDs(doc uint32) []uint64 { return nil }
