package recall

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// scanPatience is how long texts are searched for a pattern when Query.Patience does
// not say: all conversation that one developer has takes a few seconds, and who waits
// longer wants to know what there is so far.
const scanPatience = 30 * time.Second

// looked is how far texts were searched for a pattern, the newest first, when Patience
// ended the search; the zero value is that it did not.
type looked struct {
	at, of int   // texts; the same when only some near by topic were not searched
	back   int64 // the time of the oldest in Unix seconds; 0 when it is not known
}

// scans tells whether every text has to be looked at: there is a pattern, and no word that
// each match holds.
func scans(conditions []*condition, required uint32) bool {
	mixed, pattern, words := false, false, false
	for _, c := range conditions {
		if c.not {
			continue
		}
		for _, a := range c.any {
			pattern = pattern || a.pattern != nil
			mixed = mixed || a.pattern != nil && len(c.any) > 1
			words = words || a.words != 0 && a.pattern == nil && len(c.any) == 1
		}
	}
	return pattern && !words && (mixed || required == 0)
}

// textsTell tells whether texts are looked at and nothing has to be known of their words:
// no phrase is as good as the pattern.
func textsTell(conditions []*condition, required uint32) bool {
	return scans(conditions, required) && !slices.ContainsFunc(conditions, func(c *condition) bool {
		return !c.not && slices.ContainsFunc(c.any, func(a alternative) bool { return a.words != 0 })
	})
}

// patterned tells whether texts are searched for a pattern, all or those that the
// words lead to: how long that takes is up to the pattern.
func (s *search) patterned() bool {
	return slices.ContainsFunc(s.conditions, func(c *condition) bool {
		return slices.ContainsFunc(c.any, func(a alternative) bool { return a.pattern != nil })
	})
}

// late tells whether it is time to stop searching texts.
func (s *search) late() bool { return time.Since(s.began) >= s.patience }

// leftOff notes that not all that is near by topic was searched for a pattern.
func (s *search) leftOff() {
	if s.looked.of == 0 {
		s.looked = looked{at: s.corpus.passages, of: s.corpus.passages}
	}
}

// scanReserve is how many more texts than a page holds a scan finds at least, so
// that folding and merging do not leave the page short.
const scanReserve = 64

// scan looks at every text, the newest first, and gives what fulfils the filters
// and conditions. Only some are needed while somebody types: then it stops after
// limit. Scores fall with the place.
func (s *search) scan(ctx context.Context, limit int) (m *matchSet, stopped bool, err error) {
	m = s.newMatchSet()
	found, stopped, err := s.look(ctx, m, limit)
	for i, at := range found {
		s.tallies[at.seg].scores[at.doc] = float32(len(found) - i)
	}
	return m, stopped, err
}

// look adds to m what is accepted, the newest first, until there is a limit of it, 0
// for none, or patience ends. It returns what it added in that order.
func (s *search) look(ctx context.Context, m *matchSet, limit int) (found []match, stopped bool, err error) {
	seen := make([]bool, s.corpus.snap.Sessions())
	all := s.corpus.newest()
	for i, at := range all {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if !s.scanning && !s.tallies[at.seg].holds(at.doc) {
			continue
		}
		if s.late() {
			s.looked = looked{i, len(all), s.backTo(all[:i])}
			return found, true, nil
		}
		if !s.accepts(int(at.seg), at.doc) {
			continue
		}
		if limit > 0 && len(found) == limit {
			return found, true, nil
		}
		found = append(found, at)
		m.add(int(at.seg), at.doc)
		if ord := s.corpus.owners[at.seg][at.doc]; !seen[ord] {
			seen[ord] = true
			m.sessions = append(m.sessions, ord)
		}
	}
	return found, false, nil
}

// backTo is the time of the oldest of texts that stand newest first.
func (s *search) backTo(texts []match) int64 {
	if len(texts) == 0 {
		return 0
	}
	oldest := texts[len(texts)-1]
	return s.corpus.segs[oldest.seg].Doc(oldest.doc).At
}

// note says in a sentence how far a search was that ended early; "" when it was not.
func (l looked) note(patience time.Duration, zone *time.Location) string {
	where, back := "", ""
	switch {
	case l.of == 0:
		return ""
	case l.at < l.of:
		where = ", the newest first"
	default:
		where = ", but not all that is about the same"
	}
	if l.back != 0 {
		back = time.Unix(l.back, 0).In(zone).Format(", back to 2006-01-02 15:04")
	}
	return fmt.Sprintf("The search for a pattern was ended after %v: %d of %s were searched%s%s. A filter such as since: or agent:, or a word beside the pattern, leaves fewer to search.",
		patience, l.at, count(l.of, "text"), where, back)
}
