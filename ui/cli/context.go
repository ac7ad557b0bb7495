package cli

import (
	"context"
	"io"

	"yore/recall"
	"yore/render"
	"yore/ui/config"
)

// digestHits is how many passages a digest is made of at most: more than a usual
// budget has room for, even as one line each, and as many as on screen.
const digestHits = 50

type contextCommand struct {
	Query  []string `arg:"" optional:"" help:"What to look for: yore context why is the cache sharded"`
	Budget *int     `placeholder:"N" help:"Tokens that the digest may take, 4,000 when neither told nor configured: --budget 1500"`
	Full   bool     `help:"The best passages whole before others get a line: --full"`
	judgeFlags
	questionFlags
	output
}

// Run prints the digest of what answers a question.
func (c contextCommand) Run(ctx context.Context, a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	q, err := c.question(append(c.Query, a.words...))
	if err != nil {
		return err
	}
	q.Limit = digestHits
	if err := q.Check(a.Now().In(a.Zone)); err != nil {
		return err
	}
	budget, err := a.number("--budget", c.Budget, func(set config.Config) int { return set.Budget })
	if err != nil {
		return err
	}
	j, err := c.judge(a)
	if err != nil {
		return err
	}
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	answer, err := a.ask(ctx, e, q)
	if err != nil {
		return err
	}
	if answer, err = a.judged(ctx, j, answer); err != nil {
		return err
	}
	digest := render.Consolidate(answer, render.DigestOptions{Budget: budget, Full: c.Full, Home: a.home(), Zone: a.Zone})
	if said := digest.Exceeds(); said != "" {
		a.notes([]string{said})
	}
	if err := c.print(a, answer, digest); err != nil {
		return err
	}
	if len(answer.Hits) == 0 {
		return errNothing
	}
	return nil
}

func (c contextCommand) print(a *app, answer recall.Answer, digest render.Digest) error {
	switch {
	case c.JSON:
		return render.ContextJSON(a.Out, answer, digest, render.JSONOptions{Fields: c.Fields})
	case c.JSONL:
		return render.ContextJSONL(a.Out, answer, digest, render.JSONOptions{Fields: c.Fields})
	case len(answer.Hits) == 0:
		return nil
	}
	_, err := io.WriteString(a.Out, digest.Markdown)
	return err
}
