package mask

import (
	"context"

	"yore/recall"
	"yore/recall/judge"
)

// Judge is a judge that is sent no credentials, whatever is shown on screen: what
// a user may see need not be known to a model, here or elsewhere.
type Judge struct{ *judge.Bench }

// Decide is judge.Bench.Decide on the masked answer and question.
func (j Judge) Decide(ctx context.Context, a recall.Answer) (recall.Answer, error) {
	sent := answer(a)
	sent.Query = Text(a.Query)
	return j.Bench.Decide(ctx, a, sent)
}
