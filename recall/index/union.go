package index

import "bytes"

// place is a string in one of several vocabularies.
type place struct {
	from int // which vocabulary
	id   uint32
}

// head is the next string of one vocabulary in a union.
type head struct {
	place
	key  uint64 // its first eight bytes
	term []byte
}

func (a *head) less(b *head) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if c := bytes.Compare(a.term, b.term); c != 0 {
		return c < 0
	}
	return a.from < b.from
}

// union goes through several vocabularies at once: each distinct string in
// order, with the places where it stands in order of the vocabularies. It ends
// early, reporting false, when visit does.
func union(vocabularies []*vocabulary, visit func(term []byte, at []place) bool) bool {
	var heads heap[head]
	for i, v := range vocabularies {
		if v.len() > 0 {
			heads = append(heads, head{place{i, 0}, leading(v.at(0)), v.at(0)})
		}
	}
	less := func(a, b *head) bool { return a.less(b) }
	heads.init(less)
	var at []place
	for len(heads) > 0 {
		term := heads[0].term
		at = at[:0]
		for len(heads) > 0 && bytes.Equal(heads[0].term, term) {
			h := &heads[0]
			at = append(at, h.place)
			v := vocabularies[h.from]
			if h.id++; int(h.id) < v.len() {
				h.term = v.at(h.id)
				h.key = leading(h.term)
				heads.down(0, less)
			} else {
				heads.pop(less)
			}
		}
		if !visit(term, at) {
			return false
		}
	}
	return true
}

// heap is a binary heap whose least item is changed in place, which
// container/heap does only through an interface.
type heap[T any] []T

func (h heap[T]) init(less func(a, b *T) bool) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i, less)
	}
}

// down restores the order after item i grew.
func (h heap[T]) down(i int, less func(a, b *T) bool) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if less(&h[child], &h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// pop drops the least item.
func (h *heap[T]) pop(less func(a, b *T) bool) {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.down(0, less)
}
