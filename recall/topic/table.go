package topic

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// The table as it was trained: row i of table.i4 times the i-th number of
// scale.f32 (little-endian float32) is the vector of the i-th line of vocab.txt,
// a Snowball stem. A byte holds two numbers of -7 to 7, plus 8 each, the first in
// its low half: twice as many dimensions are worth more than finer steps. NOTICE
// names the texts it was made from.
var (
	//go:embed table.i4
	embeddedRows string
	//go:embed scale.f32
	embeddedScales string
	//go:embed vocab.txt
	embeddedVocabulary string
)

const (
	embeddedDim = 256

	// wordCacheSize is how many words keep their row; a power of two. The words of
	// ordinary text repeat so much that nearly every look-up hits.
	wordCacheSize = 1 << 14

	unknown = -1 // the row of a word that is not in the table

	noFloor = 2 // no cosine reaches it

	halfZero = 8 // what 0 is in half a byte

	// Revision is raised whenever the embedded table becomes another one, whose vectors
	// are made in the place of those of the one before.
	Revision = 1

	// embeddedHash is what hashOf gives for the three files. Working it out would read
	// all 4 MB of them at every start, of which a question needs the rows of its words.
	embeddedHash = 0x6efe9557492e41be
)

// Table turns text into vectors. It is immutable and safe for concurrent use.
type Table struct {
	dim    int
	hash   uint64
	floor  float32
	rows   string    // dim int8 a row, or half as many bytes that hold two numbers each
	halves bool      // rows are of half bytes: they stay so, unpacking all would delay a start
	scales []float32 // one a row
	stems  []string  // one a row

	// slots is an open hash table over stems: row+1, 0 for an empty slot. A Go map
	// of as many strings takes several times as long to build.
	slots []uint32

	// words remembers the rows of words that were looked up, so that a word is
	// stemmed once. Each has two places; where both are taken the second is
	// overwritten, which bounds the cache without a lock.
	words []atomic.Pointer[wordRow]
}

type wordRow struct {
	word string
	row  int32
}

// Embedded gives the table that is part of the binary.
func Embedded() *Table { return embedded() }

var embedded = sync.OnceValue(func() *Table {
	t := newTable(embeddedDim, embeddedRows, embeddedScales, embeddedVocabulary)
	t.floor, t.hash = embeddedFloor, embeddedHash
	return t
})

// NewTable makes a table of what its three files hold, rows of bytes or of half bytes.
// It has no floor: nothing counts as being about the same thing until it is
// calibrated.
func NewTable(dim int, rows, scales, vocabulary string) (*Table, error) {
	n := strings.Count(strings.TrimSuffix(vocabulary, "\n"), "\n") + 1
	if dim < 1 || n*dim != len(rows) && n*dim != 2*len(rows) || 4*n != len(scales) {
		return nil, fmt.Errorf("word vectors: %d words, %d bytes of rows of %d and %d bytes of scales do not belong together", n, len(rows), dim, len(scales))
	}
	t := newTable(dim, rows, scales, vocabulary)
	t.hash = hashOf(rows, scales, vocabulary)
	return t, nil
}

// Build makes a table of rows of dim numbers, one for each stem; like NewTable's it
// has no floor.
func Build(rows []float32, dim int, stems []string) (*Table, error) {
	if dim < 1 || len(rows)%dim != 0 {
		return nil, fmt.Errorf("word vectors: %d numbers do not make rows of %d", len(rows), dim)
	}
	bytes, scales := QuantiseRows(rows, dim)
	return NewTable(dim, string(bytes), PackScales(scales), JoinStems(stems))
}

// newTable indexes a table whose three parts belong together. It has no hash yet.
func newTable(dim int, rows, scales, vocabulary string) *Table {
	n := len(scales) / 4
	t := &Table{dim: dim, floor: noFloor, rows: rows, halves: 2*len(rows) == n*dim, words: make([]atomic.Pointer[wordRow], wordCacheSize)}
	t.scales = unpackScales([]byte(scales))
	t.stems = make([]string, 0, n)
	for stem := range strings.SplitSeq(strings.TrimSuffix(vocabulary, "\n"), "\n") {
		t.stems = append(t.stems, stem)
	}
	size := 1
	for size < 2*n {
		size *= 2
	}
	t.slots = make([]uint32, size)
	for row, stem := range t.stems {
		i := t.slot(stem)
		if t.slots[i] == 0 {
			t.slots[i] = uint32(row) + 1
		}
	}
	return t
}

// hashOf is the hash of a table's three files one behind the other.
func hashOf(rows, scales, vocabulary string) uint64 {
	h := xxhash.New()
	for _, part := range []string{rows, scales, vocabulary} {
		_, _ = h.WriteString(part)
	}
	return h.Sum64()
}

// JoinStems gives stems as the table's third file holds them.
func JoinStems(stems []string) string { return strings.Join(stems, "\n") + "\n" }

// slot gives the slot that holds stem, or the empty one where it would stand.
func (t *Table) slot(stem string) int {
	mask := len(t.slots) - 1
	i := int(xxhash.Sum64String(stem)) & mask
	for t.slots[i] != 0 && t.stems[t.slots[i]-1] != stem {
		i = (i + 1) & mask
	}
	return i
}

// Dim is the number of dimensions of its vectors.
func (t *Table) Dim() int { return t.dim }

// Hash stands for the table's contents: vectors of different tables never meet.
func (t *Table) Hash() uint64 { return t.hash }

// PackScales gives scales as the table's second file holds them.
func PackScales(scales []float32) string {
	packed := make([]byte, 0, 4*len(scales))
	for _, s := range scales {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(s))
	}
	return string(packed)
}

// whole gives the rows as bytes.
func (t *Table) whole() string {
	if t.halves {
		return unpack(t.rows)
	}
	return t.rows
}

// unpack gives the numbers of a table of half bytes as bytes.
func unpack(rows string) string {
	whole := make([]byte, 2*len(rows))
	for i := range len(rows) {
		whole[2*i], whole[2*i+1] = rows[i]&15-halfZero, rows[i]>>4-halfZero
	}
	return string(whole)
}

// Files gives the three files of the table, as NewTable takes them, with rows of
// bytes.
func (t *Table) Files() (rows, scales, vocabulary string) {
	return t.whole(), PackScales(t.scales), JoinStems(t.stems)
}
