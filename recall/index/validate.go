package index

import (
	"bytes"
	"slices"
)

// valid tells whether everything in c that points somewhere points to something
// that is there, so that no query can fail on it. A file's sums tell damage;
// this tells a file that was made up. What is read later is looked at then, and words
// where they are read (fileReader.words).
func (c *content) valid(packed int64) bool {
	docs := c.table.len()
	return c.scope < scopes && docs > 0 && docs <= MaxDocs &&
		c.table.valid(c.scope == Tools) &&
		c.validSequences() &&
		c.turns.valid(docs, c.scope == Tools) &&
		c.copies.valid(docs) &&
		c.texts.valid(docs, packed)
}

// below tells whether all numbers are less than limit.
func below[T uint16 | uint32](numbers []T, limit int) bool {
	for _, n := range numbers {
		if int(n) >= limit {
			return false
		}
	}
	return true
}

func (v *vocabulary) valid() bool {
	if v.first.len() == 0 {
		return len(v.arena) == 0
	}
	if !v.first.bounds(v.len(), len(v.arena)) {
		return false
	}
	var last []byte
	for id, term := range v.all() {
		if id > 0 && bytes.Compare(last, term) >= 0 {
			return false
		}
		last = term
	}
	return true
}

func (p *postings) valid(terms int) bool {
	return p.first.bounds(terms, p.docs.len()) && p.tfs.len() == p.docs.len()
}

func (t *table) valid(ordered bool) bool {
	docs := t.len()
	if len(t.number) != docs || len(t.length) != docs || t.at.len() != docs || ordered && len(t.order) != docs {
		return false
	}
	for doc := 1; doc < docs; doc++ {
		if a, b := t.session[doc-1], t.session[doc]; a < b {
			continue
		} else if a > b {
			return false
		}
		if a, b := t.number[doc-1], t.number[doc]; a > b || a == b && t.order != nil && t.order[doc] < t.order[doc-1] {
			return false
		}
	}
	return true
}

func (c *content) validSequences() bool {
	if c.scope == Tools {
		return true
	}
	return c.first.bounds(c.table.len(), c.sequence.len())
}

func (t *turns) valid(docs int, hung bool) bool {
	if !t.first.bounds(docs, t.ids.len()) || t.kinds.len() != t.ids.len() || t.at.len() != t.ids.len() {
		return false
	}
	if hung {
		for doc := range uint32(docs) {
			if from, to := t.of(doc); to-from != 1 {
				return false
			}
		}
	} else if len(t.keys) != t.ids.len() || len(t.words) != t.ids.len() {
		return false
	}
	return t.undone.valid(t.ids.len())
}

// valid tells whether the set has room for all numbers below size and no other.
// The empty set may be nil.
func (b bitmap) valid(size int) bool {
	if b == nil {
		return true
	}
	rest := size % wordBits
	return len(b) == len(newBitmap(size)) && (rest == 0 || b[len(b)-1]>>rest == 0)
}

func (c *copies) valid(docs int) bool {
	return len(c.keys) == len(c.docs) && slices.IsSorted(c.keys) && below(c.docs, docs)
}

func (t *texts) valid(docs int, packed int64) bool {
	blocks := len(t.docs)
	if blocks == 0 || len(t.ends) != blocks || len(t.sums) != blocks || t.at.len() != docs || t.docs[0] != 0 {
		return false
	}
	for i := 1; i < blocks; i++ {
		if t.docs[i-1] >= t.docs[i] {
			return false
		}
	}
	return int(t.docs[blocks-1]) < docs && slices.IsSorted(t.ends) && int64(t.ends[blocks-1]) == packed
}

func (v *vectors) valid(docs int) bool {
	return v.known != nil && v.known.valid(docs) && v.whole.len() == docs*v.dim && len(v.signs) == docs*v.signWords() &&
		v.parts.len()%v.dim == 0 && v.first.bounds(docs, v.parts.len()/v.dim)
}
