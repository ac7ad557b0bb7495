package topic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/cespare/xxhash/v2"
)

// Adapted is a table that was adapted, with what it was adapted to.
type Adapted struct {
	Table    *Table
	Passages int // of the corpus
}

// savedMagic begins a file with an adapted table: the version of the form is its end.
const savedMagic = "yoretab1"

// Before the rows and scales stand, after savedMagic, the hashes of the base and of the
// adapted table, its floor and the number of passages; behind them a checksum.
const savedHead = len(savedMagic) + 8 + 8 + 8 + 8

// errSaved is what is wrong with a file that is no adapted table of the base.
var errSaved = errors.New("it holds no table adapted from this one, or is damaged")

// Write writes the table, which was adapted from base.
func (a Adapted) Write(w io.Writer, base *Table) error {
	head := []byte(savedMagic)
	head = binary.LittleEndian.AppendUint64(head, base.hash)
	head = binary.LittleEndian.AppendUint64(head, a.Table.hash)
	head = binary.LittleEndian.AppendUint64(head, math.Float64bits(float64(a.Table.floor)))
	head = binary.LittleEndian.AppendUint64(head, uint64(a.Passages))
	sum := xxhash.New()
	for _, part := range []string{string(head), a.Table.whole(), PackScales(a.Table.scales)} {
		_, _ = sum.WriteString(part)
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
	}
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64()))
	return err
}

// ReadAdapted reads what Write wrote. It reads no more than a table of base's size
// takes, and refuses what is damaged or was adapted from another table.
func ReadAdapted(r io.Reader, base *Table) (Adapted, error) {
	n := len(base.stems)
	size := savedHead + n*base.dim + 4*n + 8
	data, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
	if err != nil {
		return Adapted{}, err
	}
	if len(data) != size || string(data[:len(savedMagic)]) != savedMagic {
		return Adapted{}, errSaved
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	head := len(savedMagic)
	floor := math.Float64frombits(number(head + 16))
	if number(head) != base.hash || xxhash.Sum64(data[:size-8]) != number(size-8) || !(floor >= -1 && floor <= noFloor) {
		return Adapted{}, errSaved
	}
	rows := string(data[savedHead : savedHead+n*base.dim])
	scales := data[savedHead+n*base.dim : size-8]
	t := base.with(rows, unpackScales(scales))
	t.floor = float32(floor)
	if t.hash != number(head+8) {
		return Adapted{}, fmt.Errorf("%w: its hash is another one", errSaved)
	}
	return Adapted{Table: t, Passages: int(min(number(head+24), math.MaxInt32))}, nil
}

// unpackScales reads what PackScales gives.
func unpackScales(packed []byte) []float32 {
	scales := make([]float32, len(packed)/4)
	for i := range scales {
		scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*i:]))
	}
	return scales
}
