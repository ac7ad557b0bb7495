package recall

import (
	"context"
	"math/bits"
)

// Most questions ask for words alone, perhaps in some of the sessions: then no text
// is read, and segments are looked through two at a time. On one core it takes little
// more than half the time of asking for each passage all that could be asked.

// runMatches is how many passages of a session pass the word rule.
type runMatches struct {
	ord, n uint32
}

// wordsAlone tells whether the word rule and the filters on sessions decide.
func (s *search) wordsAlone() bool {
	return len(s.conditions) == 0 && !s.filter.turnwise() && !s.scanning && !s.asserted
}

// matchRuns fills m by the word rule and the filters on sessions.
func (s *search) matchRuns(ctx context.Context, m *matchSet, seen []bool) error {
	if err := s.perSegment(ctx, func(i int) { s.fillRuns(i, m.bits[i]) }); err != nil {
		return err
	}
	runs := 0
	for i := range s.tallies {
		runs += len(s.tallies[i].runs)
	}
	m.sessions = make([]uint32, 0, min(runs, len(seen)))
	for i := range s.tallies {
		for _, run := range s.tallies[i].runs {
			if !s.filter.sessions[run.ord] {
				s.filter.rules[s.filter.failed[run.ord]].dropped += int(run.n)
				continue
			}
			m.count += int(run.n)
			if !seen[run.ord] {
				seen[run.ord] = true
				m.sessions = append(m.sessions, run.ord)
			}
		}
	}
	return nil
}

// fillRuns goes through a segment, notes its runs and sets the bits of the matches whose
// session passes.
func (s *search) fillRuns(i int, set []uint64) {
	t, own := &s.tallies[i], *s.plan // weighs words for this goroutine
	rule := knownRule{plan: &own}
	rule.mark(t.rows, set)
	ords, first := t.seg.Sessions()
	t.runs = t.runs[:0]
	for k, ord := range ords {
		from, to := int(first[k]), len(t.found)
		if k+1 < len(first) {
			to = int(first[k+1])
		}
		n := 0
		for w := from / 64; w*64 < to; w++ {
			n += bits.OnesCount64(set[w] & docsInWord(w, from, to))
		}
		if n == 0 {
			continue
		}
		t.runs = append(t.runs, runMatches{ord, uint32(n)})
		if s.filter.sessions[ord] {
			continue
		}
		for w := from / 64; w*64 < to; w++ {
			set[w] &^= docsInWord(w, from, to)
		}
	}
}

// docsInWord are the bits in word w of the documents from from up to, not including, to.
func docsInWord(w, from, to int) uint64 {
	mask := ^uint64(0)
	if before := from - w*64; before > 0 {
		mask <<= before
	}
	if end := to - w*64; end < 64 {
		mask &= 1<<end - 1
	}
	return mask
}

// mark sets the bits of the documents that pass the rule. Which of them do follows no
// order that a processor could foresee, so that nothing branches by it; and the bits of
// 64 are put together before they are stored, so that none waits for the one before.
func (r *knownRule) mark(t *rows, set []uint64) {
	r.known[0] = ruledOut // without a word there is no match
	for w := range set {
		found := t.found[w*64 : min(w*64+64, len(t.found))]
		near := t.near[w*64:][:len(found)]
		passing := uint64(0)
		for k, held := range found {
			rule := uint8(0)
			if near[k]|held&^(knownSets-1) == 0 {
				rule = r.known[held&(knownSets-1)]
			}
			if rule == 0 {
				rule = ruledOut
				if r.matches(held, near[k]) {
					rule = ruledIn
				}
			}
			passing |= uint64(rule-ruledOut) << (k & 63)
		}
		set[w] = passing
	}
}
