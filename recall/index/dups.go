package index

import (
	"cmp"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// copies finds the documents that hold a turn part by its key, sorted by key.
type copies struct {
	keys []uint64
	docs []uint16
}

// newCopies lists the turn parts of a segment by key.
func newCopies(t *turns) copies {
	type item struct {
		key uint64
		doc uint16
	}
	items := make([]item, len(t.keys))
	for d := range uint32(max(t.first.len()-1, 0)) {
		for i, end := t.of(d); i < end; i++ {
			items[i] = item{t.keys[i], uint16(d)}
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.doc, b.doc)
	})
	items = slices.Compact(items) // a passage may hold one text twice
	c := copies{keys: make([]uint64, len(items)), docs: make([]uint16, len(items))}
	for i, it := range items {
		c.keys[i], c.docs[i] = it.key, it.doc
	}
	return c
}

// of are the documents that hold the turn part, ascending.
func (c *copies) of(key uint64) []uint16 {
	from, ok := c.find(key)
	if !ok {
		return nil
	}
	to := from
	for to < len(c.keys) && c.keys[to] == key {
		to++
	}
	return c.docs[from:to]
}

// find is the first place of a key. Keys are hashes, spread evenly, so that the
// place is near its share of the whole: a few steps from there stay in the nearest
// memory, where halving the whole touches a far one at each.
func (c *copies) find(key uint64) (at int, ok bool) {
	hi, _ := bits.Mul64(key, uint64(len(c.keys)))
	lo, high, step := int(hi), int(hi), 16
	for lo > 0 && c.keys[lo-1] >= key {
		lo, step = max(lo-step, 0), 2*step
	}
	for step = 16; high < len(c.keys) && c.keys[high] < key; step *= 2 {
		high = min(high+step, len(c.keys))
	}
	at, ok = slices.BinarySearch(c.keys[lo:high], key)
	at += lo
	return at, ok || at < len(c.keys) && c.keys[at] == key
}

// textKey hashes a turn's text with blanks folded: every run of them counts as
// one, those at the ends not at all. Copies of a turn differ in blanks where a
// harness wraps or trims. buf is scratch and is given back grown.
func textKey(text string, buf []byte) (uint64, []byte) {
	buf = buf[:0]
	blank := false
	for i := 0; i < len(text); {
		c := text[i]
		size, space := 1, c == ' ' || c >= '\t' && c <= '\r'
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			space = unicode.IsSpace(r)
		}
		if space {
			blank = len(buf) > 0
		} else {
			if blank {
				buf = append(buf, ' ')
				blank = false
			}
			buf = append(buf, text[i:i+size]...)
		}
		i += size
	}
	return xxhash.Sum64(buf), buf
}

// idKey hashes a turn's id; 0 stands for none.
func idKey(id string) uint64 {
	if id == "" {
		return 0
	}
	return xxhash.Sum64String(id)
}
