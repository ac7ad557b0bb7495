package modeltest

import (
	"context"

	"yore/recall"
)

// Judge grades answers as a test says.
type Judge struct {
	// Grades are those of the hits in their order; hits beyond them are unjudged.
	Grades []recall.Grade
	Fails  error
	// OnDecide, if set, comes before all that.
	OnDecide func(ctx context.Context) error

	asked []recall.Answer
}

// Asked are the answers that were to be judged.
func (j *Judge) Asked() []recall.Answer { return j.asked }

// Who names an invented model.
func (j *Judge) Who() string { return "small:1b at 127.0.0.1:9999" }

// Decide grades an answer and leaves the order to what shows it.
func (j *Judge) Decide(ctx context.Context, a recall.Answer) (recall.Answer, error) {
	j.asked = append(j.asked, a)
	if j.OnDecide != nil {
		if err := j.OnDecide(ctx); err != nil {
			return a, err
		}
	}
	if j.Fails != nil {
		return a, j.Fails
	}
	a.Judged = "Judged by " + j.Who() + ": 3 of 14 graded, 1 off-topic; 900 tokens sent."
	a.Hits = append([]recall.Hit(nil), a.Hits...)
	for i := range min(len(j.Grades), len(a.Hits)) {
		a.Hits[i].Grade = j.Grades[i]
	}
	return a, nil
}
