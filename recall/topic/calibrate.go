package topic

import (
	"context"
	"iter"
	"math/rand/v2"
	"strings"

	"yore/recall/topic/train"
)

const (
	// FalseAlarms is the share of unrelated pairs of a question and a passage that
	// reach the embedded table's Floor.
	FalseAlarms = 4e-5

	// A calibration compares the sentences of so many passages with these passages:
	// up to three million pairs.
	calibrationPassages = 1_000

	// cosineBins is how finely it counts cosines, from -1 to 1.
	cosineBins = 4_000

	// leastPairs is how many pairs tell a share of FalseAlarms at least, and how few of
	// them a model may know anything of: the floor of fewer is chance.
	leastPairs = int(1 / FalseAlarms)

	// foreignWords is how much of the vocabulary, the commonest stems first, makes
	// up questions that have nothing to do with a corpus.
	foreignWords = 16_000
)

// Calibrate finds the floor of a model for a corpus, which is given as to Adapt: the
// cosine that no more pairs reach than reach the embedded table's floor by that
// table, which was measured on texts that have nothing to do with each other. The
// pairs are those of a sentence and a passage of another session, which have to do
// with each other often enough and by both models, and those of a few words drawn
// from the whole vocabulary and a passage, which do not. Pairs of which the model knows
// one side alone tell nothing. Where there are hardly any others, or unrelated pairs are
// as near as equal ones, no cosine reaches the floor. The error is ctx's.
func Calibrate(ctx context.Context, m Model, corpus iter.Seq[[]string]) (float32, error) {
	s, err := newSample(ctx, corpus)
	if err != nil {
		return noFloor, err
	}
	if err := s.walk(ctx, corpus, func(string, string, bool) {}); err != nil {
		return noFloor, err
	}
	return calibrate(ctx, m, Embedded(), s.texts)
}

// calibrate is Calibrate with any table as the reference.
func calibrate(ctx context.Context, m Model, reference *Table, passages []placedText) (float32, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.text
	}
	c := comparison{m: m, reference: reference, byModel: quantisedOf(m, texts), byReference: vectorsOf(reference, texts)}
	var own, foreign alarms
	each := 1 + 2*leastPairs/max(1, len(passages)*len(passages)) // so that there are twice as many
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return noFloor, err
		}
		c.ask(choose(sentences(p.text), perPassage), &own, func(j int) bool {
			return j != i && passages[j].session != p.session
		})
		questions := make([]string, each)
		for k := range questions {
			questions[k] = foreignQuestion(reference, uint64(i+k*len(passages)))
		}
		c.ask(questions, &foreign, func(int) bool { return true })
	}
	floor := max(own.floor(), foreign.floor())
	if own.total+foreign.total < leastPairs || floor <= 0 || floor >= 1 {
		return noFloor, nil
	}
	return floor, nil
}

// foreignQuestion draws a few words: two to six, as people type, of the commonest
// part of a vocabulary, where those that nearly no text has are left out.
func foreignQuestion(t *Table, seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, uint64(len(t.stems))))
	drawn := make([]string, 2+draw.IntN(5))
	for i := range drawn {
		drawn[i] = t.stems[draw.IntN(min(len(t.stems), foreignWords))]
	}
	return strings.Join(drawn, " ")
}

// comparison holds the passages of a calibration by both models: by the one that is
// measured as they are searched, nil where it knows nothing of one.
type comparison struct {
	m           Model
	reference   *Table
	byModel     [][]int8
	byReference [][]float32
}

// ask counts the cosines between questions and those passages that are strangers to
// them.
func (c *comparison) ask(questions []string, count *alarms, stranger func(passage int) bool) {
	asked, referred := quantisedOf(c.m, questions), vectorsOf(c.reference, questions)
	for k := range questions {
		for j := range c.byModel {
			if asked[k] == nil || c.byModel[j] == nil || !stranger(j) {
				continue
			}
			count.add(float32(Dot(asked[k], c.byModel[j])) / UnitDot)
			if train.Dot(referred[k], c.byReference[j]) >= c.reference.floor {
				count.byReference++
			}
		}
	}
}

// vectorsOf gives the vectors of texts, zeros where a model knows nothing of one.
func vectorsOf(m Model, texts []string) [][]float32 {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, m.Dim())
		m.Vector(text, vectors[i])
	}
	return vectors
}

// quantisedOf gives them as passages have them, nil where a model knows nothing of one.
func quantisedOf(m Model, texts []string) [][]int8 {
	vectors, v := make([][]int8, len(texts)), make([]float32, m.Dim())
	for i, text := range texts {
		if m.Vector(text, v) {
			vectors[i] = make([]int8, m.Dim())
			Quantise(v, vectors[i])
		}
	}
	return vectors
}

// alarms counts cosines by a model in bins, and how many of the same pairs reach the
// reference's floor by that.
type alarms struct {
	bins        [cosineBins + 1]int
	total       int
	byReference int
}

func (c *alarms) add(cosine float32) {
	c.bins[max(0, min(cosineBins, int((cosine+1)/2*cosineBins)))]++
	c.total++
}

// floor is the cosine that as many pairs reach as reach the reference's, and at
// least a share of FalseAlarms.
func (c *alarms) floor() float32 {
	return c.reachedBy(max(c.byReference, int(FalseAlarms*float64(c.total))))
}

// reachedBy gives the least cosine, to a bin, that no more than n of those counted
// reach.
func (c *alarms) reachedBy(n int) float32 {
	if c.total == 0 {
		return noFloor
	}
	bin := cosineBins + 1
	for bin > 0 && n >= c.bins[bin-1] {
		bin--
		n -= c.bins[bin]
	}
	return float32(bin)/cosineBins*2 - 1
}
