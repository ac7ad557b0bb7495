package recall

import (
	"context"
	"slices"

	"yore/sessions"
)

// Asked what was decided, a reply is preferred, and how much of what matches is a
// reply takes a look at each word of a passage. There may be thousands of candidates,
// and the preference is worth little: only those are looked at that it can bring into
// the beginning of the list, and all when somebody pages beyond it. At 60,000
// passages that made a keystroke of such a question three times as fast.

// sureOfOrder is how many candidates are in their final order at first: as many as
// are looked at, and as many more as summaries may fall behind.
const sureOfOrder = firstLook + summaryLook

// settle measures the replies of those of cs, which are sorted, that can be among
// the first n, and sorts again.
func (s *search) settle(ctx context.Context, cs []candidate, most features, n int) error {
	unknown := func(c *candidate) bool {
		return c.replyUnknown && (len(cs) <= n || c.score+s.worth.reply >= cs[n-1].score)
	}
	if !slices.ContainsFunc(cs, func(c candidate) bool { return unknown(&c) }) {
		return ctx.Err()
	}
	bySegment := s.bySegment(cs, unknown)
	err := s.perSegment(ctx, func(seg int) {
		own := s.aside()
		turns := &turnReader{s: own, seg: s.corpus.segs[seg]}
		defer turns.release()
		for _, i := range bySegment[seg] {
			if ctx.Err() != nil {
				break
			}
			c := &cs[i]
			c.features.reply = turns.replyShare(c.doc)
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
	own.plan, own.terms, own.marking = &p, nil, nil
	return &own
}

// replyShare is 1 for a passage that holds a reply whose words match, in part by
// how many of the words do.
func (r *turnReader) replyShare(doc uint32) float64 {
	best, total := 0.0, 0.0
	add := func(kind sessions.Kind, found, near uint32) {
		w := r.s.weight((found | near) & r.s.required)
		total = max(total, w)
		if kind == sessions.Reply {
			best = max(best, w)
		}
	}
	if r.eachTurn(doc, add) {
		return share(best, total)
	}
	p := textOf(r.seg, doc)
	for _, span := range p.Spans {
		found, near := r.s.mark(p.Text[span.From:span.To]).held()
		add(span.Kind, found, near)
	}
	return share(best, total)
}
