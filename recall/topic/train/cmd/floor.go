package main

import (
	"context"
	"fmt"

	"yore/recall/topic"
	"yore/recall/topic/train"
)

// unrelated prints the share of pairs that reach each cosine: of pairs of a question
// and a passage of different sets, which have nothing to do with each other but by
// chance, and of questions and the passages that answer them. A floor is chosen where
// the first is topic.FalseAlarms.
func unrelated(ctx context.Context, dir string, sets []string) error {
	table, err := openTable(dir)
	if err != nil {
		return err
	}
	var asked, passages [][][]float32 // by set
	var answers histogram
	for _, path := range sets {
		pools, err := readSet(path)
		if err != nil {
			return err
		}
		var questions, texts [][]float32
		for _, p := range pools {
			vectors := embedAll(table, p.passages)
			texts = append(texts, vectors...)
			for _, q := range p.questions {
				v := embedAll(table, []string{q.Query})[0]
				questions = append(questions, v)
				if best, ok := bestOf(v, vectors, q.Relevant); ok {
					answers.add(best)
				}
			}
		}
		asked, passages = append(asked, questions), append(passages, texts)
	}
	var chance histogram
	for i, questions := range asked {
		for j, texts := range passages {
			if err := ctx.Err(); err != nil {
				return err
			}
			if i != j {
				chance.addAll(questions, texts)
			}
		}
	}
	fmt.Printf("%d unrelated pairs, floor for a share of %.0e: %.3f\n", chance.total, topic.FalseAlarms, chance.reachedBy(topic.FalseAlarms))
	for c := 30; c <= 60; c += 2 {
		fmt.Printf("%.2f  unrelated %.1e  answers %.2f\n", float64(c)/100, chance.share(float64(c)/100), answers.share(float64(c)/100))
	}
	return nil
}

func embedAll(table *topic.Table, all []string) [][]float32 {
	vectors := make([][]float32, len(all))
	for i, text := range all {
		vectors[i] = make([]float32, table.Dim())
		table.Vector(text, vectors[i])
	}
	return vectors
}

// histogram counts cosines in thousandths; negative ones count as 0.
type histogram struct {
	counts [1001]int
	total  int
}

func (h *histogram) add(cosine float32) {
	h.counts[max(0, min(1000, int(cosine*1000)))]++
	h.total++
}

func (h *histogram) addAll(questions, texts [][]float32) {
	for _, q := range questions {
		for _, v := range texts {
			h.add(train.Dot(q, v))
		}
	}
}

// bestOf gives the best cosine that one of the relevant passages has to a question;
// false when there is none.
func bestOf(question []float32, vectors [][]float32, relevant []int) (best float32, ok bool) {
	for _, r := range relevant {
		if r >= 0 && r < len(vectors) {
			best, ok = max(best, train.Dot(question, vectors[r])), true
		}
	}
	return best, ok
}

// share is that of the cosines that reach at least c.
func (h *histogram) share(c float64) float64 {
	var n int
	for i := int(c * 1000); i < len(h.counts); i++ {
		n += h.counts[i]
	}
	return float64(n) / float64(max(h.total, 1))
}

// reachedBy is the least cosine that at most so large a share reaches.
func (h *histogram) reachedBy(share float64) float64 {
	c := 1.0
	for c > 0 && h.share(c-.001) <= share {
		c -= .001
	}
	return c
}
