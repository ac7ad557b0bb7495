package topic

import (
	"context"
	"iter"

	"yore/recall/topic/train"
)

// LeastPassages is how many distinct passages a corpus has at least to be worth
// adapting to: from fewer, chance is learned.
const LeastPassages = 200

const (
	// mostPassages is how many take part: those with the smallest hashes, so that a
	// corpus that grows keeps most of its sample.
	mostPassages = 25_000

	// mostVisits bounds the work: how often pairs are seen in all, by a table of
	// visitDim numbers a row. One took 35 us on a core of a server of 2022; this
	// leaves room for one that is three times slower, within 30 s.
	mostVisits, visitDim = 300_000, 128

	// The epochs that the bound allows: ten are as good as any more.
	leastEpochs, mostEpochs = 3, 10

	adaptBatch = 256
	adaptRate  = .05
	adaptDrop  = .3
	adaptSeed  = 1
)

// Adapt gives a table in which the words of a corpus stand to each other as they
// do there: a passage is drawn to the one before it in its session, and a sentence
// to the rest of its passage, in the same way that the base was trained. corpus
// gives the passages of each session in their order, and the same again when it is
// asked again.
//
// The same base and the same distinct passages give the same table, in whatever
// order the sessions come; what was adapted to before plays no part. The table has
// its own Hash, and its Floor is calibrated on the corpus and never below the base's. A corpus of fewer than
// 200 distinct passages gives the base itself.
//
// It takes up to half a minute of one core, at the lowest priority where the system
// lets a thread have one, and ctx's error when that ends first.
func Adapt(ctx context.Context, base *Table, corpus iter.Seq[[]string]) (*Table, error) {
	var adapted *Table
	var err error
	atLowPriority(func() { adapted, err = adapt(ctx, base, corpus) })
	return adapted, err
}

func adapt(ctx context.Context, base *Table, corpus iter.Seq[[]string]) (*Table, error) {
	s, err := newSample(ctx, corpus)
	if err != nil || s.distinct < LeastPassages {
		return base, err
	}
	pairs, err := s.pairs(ctx, base, corpus)
	if err != nil {
		return base, err
	}
	rows := base.floats()
	err = train.Run(ctx, rows, base.dim, pairs, train.Options{
		Epochs: epochs(len(pairs), base.dim),
		Batch:  adaptBatch, Rate: adaptRate, Drop: adaptDrop, Seed: adaptSeed,
	})
	if err != nil {
		return base, err
	}
	adapted := base.withRows(rows)
	floor, err := calibrate(ctx, adapted, base, s.texts)
	if err != nil {
		return base, err
	}
	adapted.floor = max(floor, base.floor)
	return adapted, nil
}

// epochs is how often each of n pairs is seen.
func epochs(n, dim int) int {
	visits := mostVisits * visitDim / max(dim, 1)
	return max(leastEpochs, min(mostEpochs, visits/max(n, 1)))
}

// floats gives the table's rows as they are meant: bytes times scale.
func (t *Table) floats() []float32 {
	whole := t.whole()
	rows := make([]float32, len(whole))
	for r, scale := range t.scales {
		for i := r * t.dim; i < (r+1)*t.dim; i++ {
			rows[i] = scale * float32(int8(whole[i]))
		}
	}
	return rows
}

// withRows gives a table of the same stems with other rows.
func (t *Table) withRows(rows []float32) *Table {
	bytes, scales := QuantiseRows(rows, t.dim)
	return t.with(string(bytes), scales)
}

// with gives a table of the same stems with other rows. They share what finds a stem's
// row.
func (t *Table) with(rows string, scales []float32) *Table {
	other := &Table{
		dim: t.dim, floor: noFloor,
		rows: rows, scales: scales,
		stems: t.stems, slots: t.slots, words: t.words,
	}
	other.hash = hashOf(other.rows, PackScales(scales), JoinStems(t.stems))
	return other
}
