package index

import "slices"

// trimmed is s without the room that append left behind it, when that is worth
// a copy.
func trimmed[T any](s []T) []T {
	if cap(s)-len(s) <= len(s)/8 {
		return s
	}
	return slices.Clone(s)
}

// trim gives back the memory that a segment's slices do not need. A merged
// segment stays for long.
func (c *content) trim() {
	c.held.trim()
	c.first.trim()
	c.table.trim()
	t := &c.turns
	t.first.trim()
	t.ids.trim()
	t.kinds.trim()
	t.at.trim()
	t.keys, t.words = trimmed(t.keys), trimmed(t.words)
	c.vectors.trim()
	x := &c.texts
	x.packed, x.ends, x.sums = trimmed(x.packed), trimmed(x.ends), trimmed(x.sums)
	x.docs = trimmed(x.docs)
	x.at.trim()
}

func (v *vectors) trim() {
	v.known, v.signs = trimmed(v.known), trimmed(v.signs)
	v.first.trim()
	v.whole.trim()
	v.parts.trim()
}

func (v *vocabulary) trim() {
	v.arena = trimmed(v.arena)
	v.first.trim()
}

func (t *table) trim() {
	t.session, t.number, t.order = trimmed(t.session), trimmed(t.number), trimmed(t.order)
	t.length = trimmed(t.length)
	t.at.trim()
	t.ords, t.first = trimmed(t.ords), trimmed(t.first)
}
