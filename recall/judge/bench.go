package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"yore/recall"
)

// Bench is the judge that was set up: it remembers its rulings, keeps to its
// timeout, and leaves an endpoint alone that fails.
type Bench struct {
	endpoint
	judge   Judge
	timeout time.Duration
	cache   *cache
	breaker *breaker
}

// New makes a judge; nothing is asked yet. Its errors wrap ErrConfig.
func New(c Config) (*Bench, error) {
	e, err := c.check()
	if err != nil {
		return nil, err
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	return &Bench{endpoint: e, judge: newClient(e), timeout: c.Timeout, cache: newCache(), breaker: &breaker{now: time.Now}}, nil
}

// Local tells whether what is judged stays on this machine.
func (b *Bench) Local() bool { return b.local }

// Who names the model and where it is asked.
func (b *Bench) Who() string {
	who := b.model + " at " + b.host
	switch {
	case b.clear:
		who += " (another machine, unencrypted)"
	case !b.local:
		who += " (another machine)"
	}
	return who
}

// Judge is the Judge that was set up. What ends ctx is no failure of it.
func (b *Bench) Judge(ctx context.Context, question string, items []string) (Ruling, error) {
	grades, missing := b.cache.known(question, items)
	ruling := Ruling{Grades: grades, Known: len(items) - len(missing)}
	if len(missing) == 0 {
		return ruling, nil
	}
	if err := b.breaker.allow(); err != nil {
		return Ruling{}, err
	}
	asked := make([]string, len(missing))
	for i, at := range missing {
		asked[i] = items[at]
	}
	limited, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	said, err := b.judge.Judge(limited, question, asked)
	if ctx.Err() != nil {
		return Ruling{}, ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not answer within %s", b.timeout)
	}
	b.breaker.took(err)
	if err != nil {
		return Ruling{}, err
	}
	for i, at := range missing {
		grades[at] = said.Grades[i]
		b.cache.keep(question, asked[i], said.Grades[i])
	}
	ruling.Tokens, ruling.Bytes = said.Tokens, said.Bytes
	return ruling, nil
}

// Decide has an answer judged by what sent holds, which is the same answer as it
// may leave the program. On an error the answer comes back as it was, and the
// error says in a sentence who was asked and why nothing was judged; it is ctx's
// own when that ended.
func (b *Bench) Decide(ctx context.Context, a, sent recall.Answer) (recall.Answer, error) {
	items := Items(sent)
	if len(items) == 0 {
		return a, nil
	}
	ruling, err := b.Judge(ctx, opening(sent.Query), items)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if err != nil {
		return a, fmt.Errorf("nothing was judged by %s: %w", b.Who(), err)
	}
	judged, disbelieved := Apply(a, ruling.Grades)
	judged.Judged = b.sentence(ruling, len(a.Hits), disbelieved)
	return judged, nil
}

// sentence says who judged, what came of it, and what was sent where.
func (b *Bench) sentence(r Ruling, hits int, disbelieved bool) string {
	graded, off := 0, 0
	for _, g := range r.Grades {
		if g != recall.Unjudged {
			graded++
		}
		if g == recall.OffTopic {
			off++
		}
	}
	s := fmt.Sprintf("Judged by %s: %d of %d graded, ", b.Who(), graded, hits)
	switch {
	case disbelieved:
		s += fmt.Sprintf("all off-topic, so the first %d count as unjudged", min(kept, off))
	case off == 0:
		s += "none off-topic"
	default:
		s += fmt.Sprintf("%d off-topic", off)
	}
	switch {
	case r.Bytes == 0:
		s += "; remembered, nothing was sent"
	case r.Tokens > 0:
		s += fmt.Sprintf("; %d tokens sent", r.Tokens)
	default:
		s += fmt.Sprintf("; %d bytes sent", r.Bytes)
	}
	return s + "."
}
