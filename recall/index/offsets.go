package index

import (
	"iter"
	"math/bits"
	"slices"
)

// offsets are numbers that never fall: where the parts of something begin, and where the
// last ends. Of each 64 the first is kept, and of all what they are above it, in as many
// bits as the largest of them takes: 9 to 14 instead of 32 for what a segment has.
type offsets struct {
	blocks []offsetBlock
	bits   []uint64 // a word longer than what the blocks have, so that two can be read
	rest   []uint32 // fewer than a block's
}

type offsetBlock struct {
	first uint32
	at    uint32 // where its bits begin: 64 numbers of width bits are width words
	width uint32
}

const (
	blockShift = 6
	blockSize  = 1 << blockShift
)

func newOffsets(numbers []uint32) offsets {
	var o offsets
	for _, n := range numbers {
		o.append(n)
	}
	o.trim()
	return o
}

func (o *offsets) len() int { return len(o.blocks)<<blockShift + len(o.rest) }

// append adds a number that is not less than the last.
func (o *offsets) append(n uint32) {
	if o.rest = append(o.rest, n); len(o.rest) == blockSize {
		o.pack()
	}
}

func (o *offsets) pack() {
	first, last := o.rest[0], o.rest[blockSize-1]
	block := offsetBlock{first: first, width: uint32(bits.Len32(last - first))}
	if len(o.bits) > 0 {
		block.at = uint32(len(o.bits) - 1)
	}
	o.bits = append(o.bits[:block.at], make([]uint64, block.width+1)...)
	words := o.bits[block.at:]
	for k, n := range o.rest {
		place := uint32(k) * block.width
		above, shift := uint64(n-first), place%64
		words[place/64] |= above << shift
		if shift+block.width > 64 {
			words[place/64+1] |= above >> (64 - shift)
		}
	}
	o.blocks = append(o.blocks, block)
	o.rest = o.rest[:0]
}

// get is number i.
func (o *offsets) get(i uint32) uint32 {
	k := i & (blockSize - 1)
	if i>>blockShift == uint32(len(o.blocks)) {
		return o.rest[k]
	}
	b := &o.blocks[i>>blockShift]
	if b.width == 0 {
		return b.first
	}
	place := k * b.width
	words, shift := o.bits[b.at+place/64:], place%64
	above := words[0]>>shift | words[1]<<1<<(63-shift)
	return b.first + uint32(above&(1<<b.width-1))
}

// part is where part i begins and where it ends.
func (o *offsets) part(i uint32) (from, to uint32) { return o.get(i), o.get(i + 1) }

// last is the last number; 0 when there is none.
func (o *offsets) last() uint32 {
	if o.len() == 0 {
		return 0
	}
	return o.get(uint32(o.len() - 1))
}

// unpacked are the numbers of block i; those behind the last block for one more. They may
// lie in buf. Who goes through all numbers does so by block, in a quarter of the time.
func (o *offsets) unpacked(i int, buf *[blockSize]uint32) []uint32 {
	if i == len(o.blocks) {
		return o.rest
	}
	b := &o.blocks[i]
	words, mask := o.bits[b.at:b.at+b.width+1], uint64(1)<<b.width-1
	for k := range buf {
		place := uint32(k) * b.width
		shift := place % 64
		above := words[place/64] >> shift
		if shift+b.width > 64 {
			above |= words[place/64+1] << (64 - shift)
		}
		buf[k] = b.first + uint32(above&mask)
	}
	return buf[:]
}

// all goes through the numbers.
func (o *offsets) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		var buf [blockSize]uint32
		for i := range len(o.blocks) + 1 {
			for _, n := range o.unpacked(i, &buf) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// trim gives back the memory that appending left unused.
func (o *offsets) trim() {
	o.blocks, o.bits, o.rest = trimmed(o.blocks), trimmed(o.bits), trimmed(o.rest)
}

// bounds tells whether the numbers are those of so many parts, of which the last ends at
// to.
func (o *offsets) bounds(parts, to int) bool {
	return o.len() == parts+1 && o.get(0) == 0 && int64(o.last()) == int64(to)
}

// readOffsets packs what a file holds. It reports false when that falls somewhere.
func readOffsets(numbers []uint32) (o offsets, ok bool) {
	if !slices.IsSorted(numbers) {
		return offsets{}, false
	}
	return newOffsets(numbers), true
}
