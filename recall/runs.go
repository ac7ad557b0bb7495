package recall

import "context"

// Most questions ask for words alone, perhaps in some of the sessions: then no text
// is read, and segments are looked through two at a time. On one core it takes little
// more than half the time of asking for each passage all that could be asked.

// runMatches is how many passages of a session pass the word rule.
type runMatches struct {
	ord uint32
	n   int
}

// wordsAlone tells whether the word rule and the filters on sessions decide.
func (s *search) wordsAlone() bool {
	return len(s.conditions) == 0 && !s.filter.turnwise() && !s.scanning && !s.asserted
}

// matchRuns fills m by the word rule and the filters on sessions.
func (s *search) matchRuns(ctx context.Context, m *matchSet, seen []bool) error {
	runs := make([][]runMatches, len(s.tallies))
	if err := s.perSegment(ctx, func(i int) { runs[i] = s.runsOf(i, m.bits[i]) }); err != nil {
		return err
	}
	for _, segment := range runs {
		for _, run := range segment {
			if !s.filter.sessions[run.ord] {
				s.filter.rules[s.filter.failed[run.ord]].dropped += run.n
				continue
			}
			m.count += run.n
			if !seen[run.ord] {
				seen[run.ord] = true
				m.sessions = append(m.sessions, run.ord)
			}
		}
	}
	return nil
}

// runsOf goes through a segment and sets the bits of the matches whose session passes.
func (s *search) runsOf(i int, bits []uint64) (runs []runMatches) {
	t, own := &s.tallies[i], *s.plan // weighs words for this goroutine
	rule := knownRule{plan: &own}
	ords, first := t.seg.Sessions()
	for k, ord := range ords {
		from, to := int(first[k]), len(t.found)
		if k+1 < len(first) {
			to = int(first[k+1])
		}
		n := 0
		pass := s.filter.sessions[ord]
		for d := from; d < to; d++ {
			if found, near := t.found[d], t.near[d]; found|near != 0 && rule.matches(found, near) {
				n++
				if pass {
					bits[d>>6] |= 1 << (d & 63)
				}
			}
		}
		if n > 0 {
			runs = append(runs, runMatches{ord, n})
		}
	}
	return runs
}
