package recall

import (
	"context"

	"yore/sessions"
)

// Asked what was decided, a reply is preferred, and to know how much of what
// matches is a reply a passage has to be read. There may be thousands of candidates,
// and the preference is worth little: only those are read that it can bring into
// the beginning of the list, and all when somebody pages beyond it. At 60,000
// passages that made a keystroke of such a question three times as fast.

// sureOfOrder is how many candidates are in their final order at first: as many as
// are looked at, and as many more as summaries may fall behind.
const sureOfOrder = firstLook + summaryLook

// settle measures the replies of those of cs, which are sorted, that can be among
// the first n, and sorts again.
func (s *search) settle(ctx context.Context, cs []candidate, most features, n int) error {
	var unknown []int
	for i := range cs {
		if cs[i].replyUnknown && (len(cs) <= n || cs[i].score+s.worth.reply >= cs[n-1].score) {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return ctx.Err()
	}
	err := split(ctx, searchers, len(unknown) > 16, func(part int) {
		own := s.aside()
		for k := part; k < len(unknown) && ctx.Err() == nil; k += searchers {
			c := &cs[unknown[k]]
			c.features.reply = own.replyShare(s.passage(c.seg, c.doc))
			c.replyUnknown = false
			c.score = s.worth.fused(c, most)
		}
	})
	sortByScore(cs)
	return err
}

// aside is s for another goroutine: it shares what is known of the corpus and has
// its own memory of words and weights.
func (s *search) aside() *search {
	own, p := *s, *s.plan
	own.plan, own.terms = &p, nil
	return &own
}

// replyShare is 1 for a passage that holds a reply whose words match, in part by
// how many of the words do.
func (s *search) replyShare(p sessions.Passage) float64 {
	best, total := 0.0, 0.0
	for _, span := range p.Spans {
		m := s.mark(p.Text[span.From:span.To])
		found, near := m.held()
		w := s.weight((found | near) & s.required)
		total = max(total, w)
		if span.Kind == sessions.Reply {
			best = max(best, w)
		}
	}
	return share(best, total)
}
