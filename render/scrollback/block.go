package scrollback

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/klauspost/compress/s2"

	"yore/render/collapse"
)

const (
	// blockBytes is how much goes to the file at once, and comes back at once.
	blockBytes = 64 << 10
	// rowBytes is what a row costs in memory beside its text.
	rowBytes = 16
)

// mostUnpacked is more bytes than any block has: the longest line, after others, with
// what is said of each.
const mostUnpacked = 2*blockBytes + collapse.MaxLine

// block is some rows that follow each other. One that is in the file only has
// neither text nor rows.
type block struct {
	first, count int64
	text         []byte // of all its rows
	rows         []mark
	at           place  // in the file
	raw          []byte // of one that was read from there: what text is a part of
}

// mark is where a row ends in its block's text, and what it is.
type mark struct {
	end    uint32
	source uint16
	kind   Kind
	count  int64
}

func (b *block) end() int64 { return b.first + b.count }

func (b *block) full(more int) bool {
	return len(b.rows) > 0 && len(b.text)+more+rowBytes*(len(b.rows)+1) > blockBytes
}

// add puts a row at the end and says what it costs.
func (b *block) add(source int, k Kind, text []byte) int {
	b.text = append(b.text, text...)
	b.rows = append(b.rows, mark{uint32(len(b.text)), uint16(source), k, 1})
	b.count++
	return len(text) + rowBytes
}

func (b *block) again() { b.rows[len(b.rows)-1].count++ }

func (b *block) bytes() int { return len(b.text) + rowBytes*len(b.rows) }

// row is row number n, which has to be in the block; its text is the block's.
func (b *block) row(n int64) Row {
	i := n - b.first
	from := uint32(0)
	if i > 0 {
		from = b.rows[i-1].end
	}
	m := b.rows[i]
	return Row{Number: n, Source: int(m.source), Kind: m.kind, Count: m.count, Text: b.text[from:m.end:m.end]}
}

// reset empties a block, and tells whether its memory is worth being used again:
// that of a very long line is not.
func (b *block) reset() bool {
	*b = block{text: b.text[:0], rows: b.rows[:0]}
	return cap(b.text) <= 2*blockBytes
}

// pack is the block's rows as bytes, compressed.
func (b *block) pack(raw, packed []byte) (unpacked, out []byte) {
	raw = binary.AppendUvarint(raw[:0], uint64(len(b.rows)))
	from := uint32(0)
	for _, m := range b.rows {
		raw = binary.AppendUvarint(raw, uint64(m.end-from))
		raw = binary.AppendUvarint(raw, uint64(m.source))
		raw = append(raw, byte(m.kind))
		raw = binary.AppendUvarint(raw, uint64(m.count))
		from = m.end
	}
	raw = append(raw, b.text...)
	return raw, s2.Encode(packed[:cap(packed)], raw)
}

var errDamaged = errors.New("the temporary file of what came before is damaged")

// unpack makes b the block of a stub, in the memory that b has. The file can be
// written by nobody else, but what it says is believed no more than that of another.
func (b *block) unpack(stub *block, packed []byte) error {
	if size, err := s2.DecodedLen(packed); err != nil || size > mostUnpacked {
		return errDamaged
	}
	raw, err := s2.Decode(b.raw[:cap(b.raw)], packed)
	if err != nil {
		return errDamaged
	}
	r := reader{raw}
	n := r.number()
	if n != uint64(stub.count) || n > uint64(len(raw)) {
		return errDamaged
	}
	b.first, b.count, b.raw = stub.first, stub.count, raw
	b.rows = slices.Grow(b.rows[:0], int(n))[:n]
	end := uint64(0)
	for i := range b.rows {
		if end += min(r.number(), mostUnpacked); end > uint64(len(raw)) {
			return errDamaged
		}
		b.rows[i] = mark{end: uint32(end), source: uint16(r.number()), kind: Kind(r.byte()), count: int64(r.number())}
	}
	b.text = r.left
	if end != uint64(len(b.text)) {
		return errDamaged
	}
	return nil
}

// reader reads numbers off the front of bytes; where there are none, zero.
type reader struct{ left []byte }

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.left)
	r.left = r.left[max(0, n):]
	return v
}

func (r *reader) byte() byte {
	if len(r.left) == 0 {
		return 0
	}
	b := r.left[0]
	r.left = r.left[1:]
	return b
}
