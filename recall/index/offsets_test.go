package index

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Offsets are what was appended, at every moment and of whatever size.
func TestOffsetsAreWhatWasAppended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]uint32{0, 1, 5, 300, 1 << 16, 1 << 25}).Draw(t, "most")
		steps := rapid.SliceOfN(rapid.Uint32Range(0, most), 0, 200).Draw(t, "steps")
		var o offsets
		var want []uint32
		n := rapid.SampledFrom([]uint32{0, 7, 1 << 30}).Draw(t, "first")
		for _, step := range steps {
			n = max(n, n+step) // does not wrap
			o.append(n)
			want = append(want, n)
			if o.last() != n || o.len() != len(want) {
				t.Fatalf("%d offsets, the last %d, want %d and %d", o.len(), o.last(), len(want), n)
			}
		}
		packed := newOffsets(want)
		for _, o := range []*offsets{&o, &packed} {
			if got := slices.Collect(o.all()); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		if _, ok := readOffsets(want); !ok {
			t.Fatal("they are refused")
		}
		if len(want) > 1 && want[0] < want[len(want)-1] {
			slices.Reverse(want)
			if _, ok := readOffsets(want); ok {
				t.Fatal("falling ones are not refused")
			}
		}
	})
}
