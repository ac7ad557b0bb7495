package train

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Bag is a text as its distinct rows, each with its weight in the text's vector.
type Bag struct {
	Rows    []int32
	Weights []float32
}

// Pair is two texts that belong together.
type Pair struct {
	Asked, Found Bag
}

// Options steer the training. Those of the embedded table are in package cmd, those
// of an adaptation in package topic.
type Options struct {
	Epochs int // how often each pair is seen
	Batch  int // pairs that are told apart from each other in one step; at least 2

	// Rate is that of the first step; it falls in a line to LastRate x Rate.
	Rate float64

	// Drop is the share of a text's rows that a step leaves out, chosen anew each
	// time: it makes the vectors lean less on the words that both sides share.
	Drop float64

	Seed    uint64
	Workers int // goroutines; below 2: the caller's alone

	// Report, if any, is told after each epoch its mean loss in nats.
	Report func(epoch int, loss float64)
}

const (
	// Temperature divides the cosines in the softmax. .1 instead of .05 cost a
	// tenth of the recall where it was tried.
	Temperature = .05

	// LastRate is the share of Rate that the last step has.
	LastRate = .05
)

// Run changes rows, a table of dim numbers a row, in place. It takes Epochs x
// len(pairs) pair visits, each of about 3 x Batch x dim multiplications, and returns
// ctx's error when that ends first; the rows are then half trained.
func Run(ctx context.Context, rows []float32, dim int, pairs []Pair, o Options) error {
	if o.Batch < 2 || dim < 1 || len(rows)%dim != 0 {
		return fmt.Errorf("train: batches of %d and %d numbers in rows of %d", o.Batch, len(rows), dim)
	}
	if len(pairs) < 2 {
		return nil
	}
	draw := rand.New(rand.NewPCG(o.Seed, uint64(len(pairs))))
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	s := newStep(rows, dim, min(o.Batch, len(pairs)), o.Workers)
	total := o.Epochs * len(pairs)
	for epoch := range o.Epochs {
		draw.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		for from := 0; from+1 < len(order); from += o.Batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			batch := order[from:min(from+o.Batch, len(order))]
			done := float64(epoch*len(pairs)+from) / float64(total)
			rate := o.Rate * (1 - (1-LastRate)*done)
			loss += s.run(pairs, batch, draw, o.Drop, rate) * float64(len(batch))
		}
		if o.Report != nil {
			o.Report(epoch, loss/float64(len(order)))
		}
	}
	return nil
}
