package train

import (
	"math"
	"sync"
)

// negligible is the gradient below which a pair of texts is passed over: these two
// are told apart already, and most are.
const negligible = 5e-5

// compare fills likeness for the first n texts of both sides.
func (s *step) compare(n int) {
	const block = 4
	units := func(of *side, i int) []float32 { return of.units[i*s.dim : (i+1)*s.dim] }
	s.spread(n, func(from, to int) {
		for i := from; i < to; i += 2 {
			second := min(i+1, to-1) // the last of an odd number is its own partner: all are summed in one order
			a, b := units(&s.asked, i), units(&s.asked, second)
			rowA, rowB := s.likeness[i*n:(i+1)*n], s.likeness[second*n:(second+1)*n]
			j := 0
			for ; j+block <= n; j += block {
				dotBlock(a, b, units(&s.found, j), units(&s.found, j+1), units(&s.found, j+2), units(&s.found, j+3),
					rowA[j:j+block], rowB[j:j+block])
			}
			for ; j < n; j++ {
				rowA[j], rowB[j] = Dot(a, units(&s.found, j)), Dot(b, units(&s.found, j))
			}
		}
		for i := from; i < to; i++ {
			row := s.likeness[i*n : (i+1)*n]
			for j, c := range row {
				row[j] = float32(math.Exp((float64(c) - 1) / Temperature))
			}
		}
	})
}

// pull makes the gradients of both sides' unit vectors from those of their cosines.
func (s *step) pull(n int) {
	s.spread(n, func(from, to int) {
		var near gathered
		for i := from; i < to; i++ {
			near.reset()
			for j, g := range s.likeness[i*n : (i+1)*n] {
				near.add(j, g)
			}
			near.sum(s.asked.grads[i*s.dim:(i+1)*s.dim], s.found.units)
		}
	})
	s.spread(n, func(from, to int) {
		var near gathered
		for j := from; j < to; j++ {
			near.reset()
			for i := range n {
				near.add(i, s.likeness[i*n+j])
			}
			near.sum(s.found.grads[j*s.dim:(j+1)*s.dim], s.asked.units)
		}
	})
}

// spread runs work over the numbers below n, by as many goroutines as the step has
// workers. Every number's result is its own, so that their count changes nothing.
func (s *step) spread(n int, work func(from, to int)) {
	if s.workers < 2 {
		work(0, n)
		return
	}
	var all sync.WaitGroup
	for w := range s.workers {
		all.Go(func() { work(w*n/s.workers, (w+1)*n/s.workers) })
	}
	all.Wait()
}

// gathered are the texts that a text is pulled to or pushed from, each by how much.
type gathered struct {
	texts   []int
	weights []float32
}

func (g *gathered) reset() { g.texts, g.weights = g.texts[:0], g.weights[:0] }

func (g *gathered) add(text int, weight float32) {
	if weight > negligible || weight < -negligible {
		g.texts, g.weights = append(g.texts, text), append(g.weights, weight)
	}
}

// sum writes the weighted sum of the texts' vectors to dst.
func (g *gathered) sum(dst, vectors []float32) {
	clear(dst)
	dim := len(dst)
	vector := func(k int) []float32 { return vectors[g.texts[k]*dim : (g.texts[k]+1)*dim] }
	k := 0
	for ; k+4 <= len(g.texts); k += 4 {
		addFour(dst, vector(k), vector(k+1), vector(k+2), vector(k+3), g.weights[k:k+4])
	}
	for ; k < len(g.texts); k++ {
		addScaled(dst, vector(k), g.weights[k])
	}
}

// dotBlock gives the inner products of a and b with four vectors. Eight sums at a
// time keep a processor's units busy; a compiler without vector instructions gets
// about twice as far as with one.
func dotBlock(a, b, v0, v1, v2, v3, outA, outB []float32) {
	b, v0, v1, v2, v3 = b[:len(a)], v0[:len(a)], v1[:len(a)], v2[:len(a)], v3[:len(a)]
	var a0, a1, a2, a3, b0, b1, b2, b3 float32
	for i, x := range a {
		y := b[i]
		w0, w1, w2, w3 := v0[i], v1[i], v2[i], v3[i]
		a0 += x * w0
		b0 += y * w0
		a1 += x * w1
		b1 += y * w1
		a2 += x * w2
		b2 += y * w2
		a3 += x * w3
		b3 += y * w3
	}
	outA[0], outA[1], outA[2], outA[3] = a0, a1, a2, a3
	outB[0], outB[1], outB[2], outB[3] = b0, b1, b2, b3
}

// addFour adds four vectors to dst, each times its weight.
func addFour(dst, v0, v1, v2, v3, weights []float32) {
	v0, v1, v2, v3 = v0[:len(dst)], v1[:len(dst)], v2[:len(dst)], v3[:len(dst)]
	w0, w1, w2, w3 := weights[0], weights[1], weights[2], weights[3]
	for i := range dst {
		dst[i] += v0[i]*w0 + v1[i]*w1 + v2[i]*w2 + v3[i]*w3
	}
}

// addScaled adds v times weight to dst.
func addScaled(dst, v []float32, weight float32) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += v[i] * weight
	}
}

func scale(v []float32, by float32) {
	for i := range v {
		v[i] *= by
	}
}

// Dot is the inner product of two vectors of equal length.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
