package index

import "math/bits"

// bitmap is a set of small numbers. The nil bitmap is empty. One that is shared
// is never changed: with and without copy it.
type bitmap []uint64

const wordBits = 64

func newBitmap(size int) bitmap { return make(bitmap, (size+wordBits-1)/wordBits) }

func (b bitmap) has(i uint32) bool {
	return b != nil && b[i/wordBits]&(1<<(i%wordBits)) != 0
}

func (b bitmap) set(i uint32)   { b[i/wordBits] |= 1 << (i % wordBits) }
func (b bitmap) unset(i uint32) { b[i/wordBits] &^= 1 << (i % wordBits) }

// own is a copy that may be changed and has room for size numbers.
func (b bitmap) own(size int) bitmap {
	c := newBitmap(size)
	copy(c, b)
	return c
}

// count is how many numbers are in the set.
func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// all tells whether every number from lo up to, not including, hi is in the
// set. An empty range is not.
func (b bitmap) all(lo, hi uint32) bool {
	if b == nil || lo >= hi {
		return false
	}
	for i := lo; i < hi; i++ {
		if !b.has(i) {
			return false
		}
	}
	return true
}
