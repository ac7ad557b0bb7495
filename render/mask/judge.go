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
	decided, err := j.Bench.Decide(ctx, a, sent)
	if err != nil {
		err = told{err}
	}
	return decided, err
}

// told is an error whose words are of transcripts, or the endpoint's, which may repeat
// the key.
type told struct{ error }

func (t told) Error() string { return Text(t.error.Error()) }

// Unwrap gives the error as it was, for errors.Is.
func (t told) Unwrap() error { return t.error }
