package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// invented gives pairs of n topics, ten rows each: both sides draw from their
// topic's rows, and share none of them.
func invented(topics, perTopic int) (pairs []Pair, rows int) {
	draw := rand.New(rand.NewPCG(7, 7))
	bag := func(first int) Bag {
		var b Bag
		for _, k := range draw.Perm(5)[:3] {
			b.Rows, b.Weights = append(b.Rows, int32(first+k)), append(b.Weights, 1)
		}
		return b
	}
	for topic := range topics {
		for range perTopic {
			pairs = append(pairs, Pair{Asked: bag(10 * topic), Found: bag(10*topic + 5)})
		}
	}
	return pairs, 10 * topics
}

func randomRows(n, dim int) []float32 {
	draw := rand.New(rand.NewPCG(1, 1))
	rows := make([]float32, n*dim)
	for i := range rows {
		rows[i] = float32(draw.NormFloat64()) * .1
	}
	return rows
}

// hits is the share of pairs whose found side is the nearest of all to the asked.
func hits(rows []float32, dim int, pairs []Pair) float64 {
	s := newStep(rows, dim, len(pairs), 0)
	for i, p := range pairs {
		s.asked.kept[i], s.found.kept[i] = p.Asked, p.Found
	}
	s.embed(&s.asked, len(pairs))
	s.embed(&s.found, len(pairs))
	var right int
	for i := range pairs {
		best, at := float32(-2), 0
		for j := range pairs {
			if c := Dot(s.asked.units[i*dim:(i+1)*dim], s.found.units[j*dim:(j+1)*dim]); c > best {
				best, at = c, j
			}
		}
		if slices.Equal(pairs[at].Found.Rows[:1], pairs[i].Found.Rows[:1]) || pairs[at].Found.Rows[0]/10 == pairs[i].Found.Rows[0]/10 {
			right++
		}
	}
	return float64(right) / float64(len(pairs))
}

func options() Options { return Options{Epochs: 12, Batch: 32, Rate: .05, Drop: .2, Seed: 3} }

func TestRunBringsPairsTogether(t *testing.T) {
	const dim = 16
	pairs, n := invented(20, 10)
	rows := randomRows(n, dim)
	before := hits(rows, dim, pairs)
	var losses []float64
	o := options()
	o.Report = func(_ int, loss float64) { losses = append(losses, loss) }
	if err := Run(context.Background(), rows, dim, pairs, o); err != nil {
		t.Fatal(err)
	}
	if after := hits(rows, dim, pairs); before > .3 || after < .9 {
		t.Errorf("the right topic is nearest for %.2f of the pairs before, %.2f after", before, after)
	}
	if len(losses) != o.Epochs || losses[len(losses)-1] > losses[0]-.5 {
		t.Errorf("losses %.3f", losses)
	}
}

func TestRunRepeats(t *testing.T) {
	const dim = 8
	pairs, n := invented(6, 9)
	train := func(seed uint64, workers int) []float32 {
		rows := randomRows(n, dim)
		o := options()
		o.Seed, o.Workers = seed, workers
		if err := Run(context.Background(), rows, dim, pairs, o); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	first := train(1, 1)
	if !slices.Equal(first, train(1, 1)) {
		t.Error("two runs differ")
	}
	if !slices.Equal(first, train(1, 3)) {
		t.Error("the number of workers changes the result")
	}
	if slices.Equal(first, train(2, 1)) {
		t.Error("the seed changes nothing")
	}
}

// The gradient of the loss agrees with what the loss does when a number changes.
func TestGradient(t *testing.T) {
	const dim = 6
	pairs, n := invented(4, 2)
	batch := []int{0, 1, 2, 3, 4, 5, 6, 7}
	rows := randomRows(n, dim)
	lossOf := func() float64 {
		s := newStep(rows, dim, len(batch), 0)
		return s.run(pairs, batch, nil, 0, 0)
	}
	s := newStep(rows, dim, len(batch), 0)
	for i, p := range pairs {
		s.asked.kept[i], s.found.kept[i] = p.Asked, p.Found
	}
	s.embed(&s.asked, len(batch))
	s.embed(&s.found, len(batch))
	s.compare(len(batch))
	s.weigh(len(batch))
	s.pull(len(batch))
	s.collect(&s.asked, len(batch))
	s.collect(&s.found, len(batch))
	for _, row := range s.touched[:6] {
		g := slices.Clone(s.change(row))
		for k := range 2 {
			const delta = 1e-3
			at := int(row)*dim + k
			was := rows[at]
			rows[at] = was + delta
			up := lossOf()
			rows[at] = was - delta
			down := lossOf()
			rows[at] = was
			got := float64(g[k]) / (2 * float64(len(batch)) * Temperature)
			want := (up - down) / (2 * delta)
			if diff := got - want; diff > .02*max(1, want, -want) || diff < -.02*max(1, want, -want) {
				t.Errorf("row %d, number %d: gradient %.4f, the loss changes by %.4f", row, k, got, want)
			}
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	pairs, n := invented(4, 8)
	ctx, cancel := context.WithCancel(context.Background())
	o := options()
	o.Report = func(int, float64) { cancel() }
	if err := Run(ctx, randomRows(n, 4), 4, pairs, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRunOfLittle(t *testing.T) {
	pairs, n := invented(1, 3)
	pairs[1].Asked, pairs[2] = Bag{}, Pair{}
	for count := range 4 {
		rows := randomRows(n, 4)
		if err := Run(context.Background(), rows, 4, pairs[:count], options()); err != nil {
			t.Errorf("%d pairs: %v", count, err)
		}
		for _, x := range rows {
			if x != x {
				t.Fatalf("%d pairs: a row is not a number", count)
			}
		}
	}
	if err := Run(context.Background(), make([]float32, 5), 4, pairs, options()); err == nil {
		t.Error("no error for a row that is not whole")
	}
}

// 5,849 pairs, ten epochs, is what a few hundred sessions' adaptation takes; here
// it is one epoch.
func BenchmarkRun(b *testing.B) {
	const dim, n = 128, 32_000
	draw := rand.New(rand.NewPCG(9, 9))
	pairs := make([]Pair, 5_849)
	bag := func(size int) Bag {
		var out Bag
		for range size {
			out.Rows = append(out.Rows, int32(float64(n)*draw.Float64()*draw.Float64()*draw.Float64()))
			out.Weights = append(out.Weights, 1)
		}
		return out
	}
	for i := range pairs {
		pairs[i] = Pair{bag(20), bag(20)}
	}
	rows := randomRows(n, dim)
	for b.Loop() {
		if err := Run(context.Background(), rows, dim, pairs, Options{Epochs: 1, Batch: 256, Rate: .05, Drop: .3}); err != nil {
			b.Fatal(err)
		}
	}
}
