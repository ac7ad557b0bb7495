package topic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whatever the processor, its length and where the rows begin: the numbers are
// those of Dot.
func TestScanGivesTheDotOfEveryRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.OneOf(rapid.IntRange(0, 70), rapid.SampledFrom([]int{96, 128, 256, 512, 528})).Draw(t, "dim")
		n := rapid.IntRange(0, 9).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		extreme := rapid.Bool().Draw(t, "extreme")
		draw := func(size int) []int8 {
			v := make([]int8, size+3)[3:]
			for i := range v {
				v[i] = int8(r.IntN(256) - 128)
				if extreme {
					v[i] = []int8{-128, 127}[r.IntN(2)]
				}
			}
			return v
		}
		query, rows := draw(dim), draw(n*dim)
		got, want := make([]int32, n), make([]int32, n)
		Scan(query, rows, got)
		for i := range want {
			for k := range query {
				want[i] += int32(query[k]) * int32(rows[i*dim+k])
			}
		}
		portable := make([]int32, n)
		scanPortable(query, rows, portable)
		if !slices.Equal(got, want) || !slices.Equal(portable, want) {
			t.Fatalf("%d of %d: %d, portable %d, want %d", n, dim, got, portable, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	const dim, n = 128, 200_000
	r := rand.New(rand.NewPCG(1, 2))
	query, rows, out := make([]int8, dim), make([]int8, n*dim), make([]int32, n)
	for i := range query {
		query[i] = int8(r.IntN(255) - 127)
	}
	for i := range rows {
		rows[i] = int8(r.IntN(255) - 127)
	}
	b.Run("fast", func(b *testing.B) {
		for b.Loop() {
			Scan(query, rows, out)
		}
	})
	b.Run("portable", func(b *testing.B) {
		for b.Loop() {
			scanPortable(query, rows, out)
		}
	})
}
