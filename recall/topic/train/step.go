package train

import (
	"math"
	"math/rand/v2"
)

// side is one half of a batch: the texts' unit vectors, what they were made of and
// how they should change.
type side struct {
	kept    []Bag // the rows that were not dropped
	units   []float32
	lengths []float32 // of the sums before they were brought to unit length; 0: no row is left
	grads   []float32
}

// step holds what one step needs, so that steps do not allocate.
type step struct {
	rows    []float32
	dim     int
	workers int

	asked, found side
	likeness     []float32 // by asked, then by found: exp((cosine - 1) / Temperature)
	byAsked      []float32 // one over the sum of likeness, by asked text
	byFound      []float32 // the same by found text

	// Row-wise Adagrad: one sum of squares for each row, not for each number.
	squares []float64
	place   []int32 // by row: 1 + its place in touched; 0: untouched in this step
	touched []int32
	changes []float32 // by place: the row's gradient
}

func newStep(rows []float32, dim, batch, workers int) *step {
	newSide := func() side {
		return side{
			kept:    make([]Bag, batch),
			units:   make([]float32, batch*dim),
			lengths: make([]float32, batch),
			grads:   make([]float32, batch*dim),
		}
	}
	return &step{
		rows: rows, dim: dim, workers: workers,
		asked: newSide(), found: newSide(),
		likeness: make([]float32, batch*batch),
		byAsked:  make([]float32, batch), byFound: make([]float32, batch),
		squares: make([]float64, len(rows)/dim),
		place:   make([]int32, len(rows)/dim),
	}
}

// run takes one step on a batch and gives its loss.
func (s *step) run(pairs []Pair, batch []int, draw *rand.Rand, drop, rate float64) float64 {
	for i, p := range batch {
		s.asked.kept[i].keep(pairs[p].Asked, draw, drop)
		s.found.kept[i].keep(pairs[p].Found, draw, drop)
	}
	n := len(batch)
	s.embed(&s.asked, n)
	s.embed(&s.found, n)
	s.compare(n)
	loss := s.weigh(n)
	s.pull(n)
	s.collect(&s.asked, n)
	s.collect(&s.found, n)
	s.update(rate)
	return loss
}

// keep makes b a random share of from.
func (b *Bag) keep(from Bag, draw *rand.Rand, drop float64) {
	b.Rows, b.Weights = b.Rows[:0], b.Weights[:0]
	for i, row := range from.Rows {
		if drop > 0 && draw.Float64() < drop {
			continue
		}
		b.Rows, b.Weights = append(b.Rows, row), append(b.Weights, from.Weights[i])
	}
}

// embed makes the unit vectors of the first n texts of a side.
func (s *step) embed(of *side, n int) {
	for i := range n {
		v := of.units[i*s.dim : (i+1)*s.dim]
		clear(v)
		for k, row := range of.kept[i].Rows {
			addScaled(v, s.rows[int(row)*s.dim:(int(row)+1)*s.dim], of.kept[i].Weights[k])
		}
		length := float32(math.Sqrt(float64(Dot(v, v))))
		of.lengths[i] = length
		if length > 0 {
			scale(v, 1/length)
		}
	}
}

// weigh turns likeness into the gradient of the loss by each cosine, times twice
// the batch and the temperature, and gives the loss: the mean over both directions
// of minus the logarithm of the share that the right text has.
func (s *step) weigh(n int) float64 {
	sums := make([]float64, n)
	var loss float64
	for i := range n {
		row := s.likeness[i*n : (i+1)*n]
		var sum float64
		for j, e := range row {
			sum += float64(e)
			sums[j] += float64(e)
		}
		s.byAsked[i] = float32(1 / sum)
	}
	for j, sum := range sums {
		s.byFound[j] = float32(1 / sum)
	}
	for i := range n {
		row := s.likeness[i*n : (i+1)*n]
		right := float64(row[i])
		loss -= (math.Log(right*float64(s.byAsked[i])) + math.Log(right*float64(s.byFound[i]))) / 2
		for j := range row {
			row[j] *= s.byAsked[i] + s.byFound[j]
		}
		row[i] -= 2
	}
	return loss / float64(n)
}

// collect carries the gradients of a side's unit vectors to the rows they are made
// of.
func (s *step) collect(of *side, n int) {
	for i := range n {
		if of.lengths[i] == 0 {
			continue
		}
		g, v := of.grads[i*s.dim:(i+1)*s.dim], of.units[i*s.dim:(i+1)*s.dim]
		addScaled(g, v, -Dot(g, v)) // a unit vector can only turn
		scale(g, 1/of.lengths[i])
		for k, row := range of.kept[i].Rows {
			addScaled(s.change(row), g, of.kept[i].Weights[k])
		}
	}
}

// change is the gradient of a row in this step, zeros at first.
func (s *step) change(row int32) []float32 {
	if s.place[row] == 0 {
		s.touched = append(s.touched, row)
		s.place[row] = int32(len(s.touched))
		if need := len(s.touched) * s.dim; need > len(s.changes) {
			s.changes = append(s.changes, make([]float32, need)...)
		}
		clear(s.changes[(len(s.touched)-1)*s.dim : len(s.touched)*s.dim])
	}
	at := int(s.place[row]-1) * s.dim
	return s.changes[at : at+s.dim]
}

// update moves the rows against their gradients and forgets these.
func (s *step) update(rate float64) {
	for k, row := range s.touched {
		s.place[row] = 0
		g := s.changes[k*s.dim : (k+1)*s.dim]
		square := float64(Dot(g, g))
		if square == 0 {
			continue
		}
		s.squares[row] += square / float64(s.dim)
		addScaled(s.rows[int(row)*s.dim:(int(row)+1)*s.dim], g, float32(-rate/math.Sqrt(s.squares[row])))
	}
	s.touched = s.touched[:0]
}
