package recall

import (
	"context"
)

// scans tells whether every text has to be looked at: there is a pattern, and no
// word that each match holds.
func (s *search) scans() bool {
	mixed, pattern, words := false, false, false
	for _, c := range s.conditions {
		if c.not {
			continue
		}
		for _, a := range c.any {
			pattern = pattern || a.pattern != nil
			mixed = mixed || a.pattern != nil && len(c.any) > 1
			words = words || a.words != 0 && a.pattern == nil && len(c.any) == 1
		}
	}
	return pattern && !words && (mixed || s.required == 0)
}

// scanReserve is how many more texts than a page holds a scan finds at least, so
// that folding and merging do not leave the page short.
const scanReserve = 64

// scan looks at every text, the newest first, and gives what fulfils the filters
// and conditions. Only some are needed while somebody types: then it stops after
// limit. Scores fall with the place.
func (s *search) scan(ctx context.Context, limit int) (m *matchSet, stopped bool, err error) {
	m = s.newMatchSet()
	seen := make([]bool, s.corpus.snap.Sessions())
	var found []match
	for i, at := range s.corpus.newest() {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if !s.accepts(int(at.seg), at.doc) {
			continue
		}
		if stopped = limit > 0 && len(found) == limit; stopped {
			break
		}
		found = append(found, at)
		m.add(int(at.seg), at.doc)
		if ord := s.corpus.owners[at.seg][at.doc]; !seen[ord] {
			seen[ord] = true
			m.sessions = append(m.sessions, ord)
		}
	}
	for i, at := range found {
		s.tallies[at.seg].scores[at.doc] = float32(len(found) - i)
	}
	return m, stopped, nil
}
