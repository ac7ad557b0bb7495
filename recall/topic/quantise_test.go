package topic

import (
	"math"
	"math/rand/v2"
	"testing"
)

func quantised(v []float32) []int8 {
	q := make([]int8, len(v))
	Quantise(v, q)
	return q
}

func TestQuantiseKeepsCosines(t *testing.T) {
	const worst = .02 // of the pairs below; the bound that always holds is far wider
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		Normalise(v)
		return v
	}
	for range 1000 {
		a, b := draw(128), draw(128)
		got := float64(Dot(quantised(a), quantised(b))) / UnitDot
		if want := cosine(a, b); math.Abs(got-want) > worst {
			t.Fatalf("cosine %.4f becomes %.4f", want, got)
		}
	}
}

func TestQuantiseClamps(t *testing.T) {
	for i, want := range []int8{127, -127, 0, 0, 64} {
		if got := quantised([]float32{2, -2, 0, .003, .5})[i]; got != want {
			t.Errorf("element %d is %d, want %d", i, got, want)
		}
	}
}

func TestDotOfEveryLength(t *testing.T) {
	for n := range 40 {
		a, b := make([]int8, n), make([]int8, n)
		var want int32
		for i := range a {
			a[i], b[i] = int8(i*37), int8(-128+i*11)
			want += int32(a[i]) * int32(b[i])
		}
		if got := Dot(a, b); got != want {
			t.Errorf("length %d: %d, want %d", n, got, want)
		}
	}
}

func TestHalvesKeepRows(t *testing.T) {
	const dim = 32
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([]float32, 50*dim)
	for i := range rows[dim:] {
		rows[dim+i] = float32(r.NormFloat64())
	}
	halves, scales := QuantiseHalves(rows, dim)
	whole := unpack(string(halves))
	if len(halves) != len(rows)/2 || len(whole) != len(rows) || scales[0] != 0 {
		t.Fatalf("%d bytes, %d numbers, first scale %v", len(halves), len(whole), scales[0])
	}
	for i := 1; i < len(scales); i++ {
		got := make([]float32, dim)
		for k := range got {
			got[k] = scales[i] * float32(int8(whole[i*dim+k]))
		}
		want := rows[i*dim : (i+1)*dim]
		if c := cosine(got, want) / math.Sqrt(cosine(got, got)*cosine(want, want)); c < .985 {
			t.Errorf("row %d: cosine %.4f to what it was", i, c)
		}
	}
}
