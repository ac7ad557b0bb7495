package topic

import (
	"context"
	"iter"
	"slices"

	"yore/recall/topic/train"
)

const (
	// FalseAlarms is the share of unrelated pairs of a question and a passage that
	// reach a table's Floor.
	FalseAlarms = 4e-5

	// A calibration compares the sentences of so many passages with these passages:
	// up to three million pairs, of which 120 are alarms.
	calibrationPassages = 1_000
)

// Calibrate finds the floor of a model for a corpus, which is given as to Adapt: the
// cosine that a share of FalseAlarms of its unrelated pairs reaches. Where there are
// too few pairs to tell, no cosine reaches it. The error is ctx's.
func Calibrate(ctx context.Context, m Model, corpus iter.Seq[[]string]) (float32, error) {
	s, err := newSample(ctx, corpus)
	if err != nil {
		return noFloor, err
	}
	if err := s.walk(ctx, corpus, func(string, string, bool) {}); err != nil {
		return noFloor, err
	}
	return calibrate(ctx, m, s.texts)
}

// calibrate gives the cosine that a share of FalseAlarms of the pairs of a sentence
// and a passage of another session reaches. Some of these pairs are about the same
// thing, which makes it the stricter; texts that are the same have been brought to
// one before.
func calibrate(ctx context.Context, m Model, passages []placedText) (float32, error) {
	vectors := make([][]float32, len(passages))
	for i, p := range passages {
		vectors[i] = make([]float32, m.Dim())
		m.Vector(p.text, vectors[i])
	}
	var pairs int
	var alarms []float32 // the largest, in ascending order
	asked := make([]float32, m.Dim())
	most := int(FalseAlarms*float64(len(passages)*len(passages)*perPassage)) + 1
	for _, p := range passages {
		if err := ctx.Err(); err != nil {
			return noFloor, err
		}
		for _, sentence := range choose(sentences(p.text), perPassage) {
			if !m.Vector(sentence, asked) {
				continue
			}
			for i, other := range passages {
				if other.session == p.session {
					continue
				}
				pairs++
				alarms = insertLargest(alarms, train.Dot(asked, vectors[i]), most)
			}
		}
	}
	allowed := int(FalseAlarms * float64(pairs))
	if allowed == 0 || len(alarms) < allowed {
		return noFloor, nil
	}
	return alarms[len(alarms)-allowed], nil
}

// insertLargest keeps x among the most largest, if it is one of them.
func insertLargest(largest []float32, x float32, most int) []float32 {
	if len(largest) == most && x <= largest[0] {
		return largest
	}
	at, _ := slices.BinarySearch(largest, x)
	largest = slices.Insert(largest, at, x)
	return largest[max(0, len(largest)-most):]
}
