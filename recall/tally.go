package recall

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"time"

	"yore/recall/index"
)

// BM25's constants as measured on passages of this size (level from b .4 to .6).
const (
	termSaturation = .9  // k1
	lengthShare    = .4  // b
	exactBonus     = 1.1 // for a passage that has the very word
)

// tally is what one segment's passages hold of a query.
type tally struct {
	seg     *index.Segment
	columns []*column // by atom
	*rows
}

// rows have an element for each document of a segment.
type rows struct {
	scores []float32 // BM25
	found  []uint32  // words held
	near   []uint32  // words held in a close spelling only
}

var rowPool = sync.Pool{New: func() any { return &rows{} }}

// cleanRows are rows for n documents, to be given back to the pool.
func cleanRows(n int) *rows {
	r := rowPool.Get().(*rows)
	if cap(r.scores) < n {
		*r = rows{make([]float32, n), make([]uint32, n), make([]uint32, n)}
	}
	r.scores, r.found, r.near = r.scores[:n], r.found[:n], r.near[:n]
	clear(r.scores)
	clear(r.found)
	clear(r.near)
	return r
}

// release gives the rows of a search back; nothing may look at them afterwards.
func (s *search) release() {
	for i := range s.tallies {
		rowPool.Put(s.tallies[i].rows)
	}
	s.tallies = nil
}

// tallyWords looks every atom up in every segment and adds up what was found.
func (s *search) tallyWords(ctx context.Context, cache *columnCache) error {
	s.tallies = make([]tally, len(s.corpus.segs))
	for i, seg := range s.corpus.segs {
		s.tallies[i] = tally{seg: seg, rows: cleanRows(seg.Len())}
	}
	for i, seg := range s.corpus.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.tallies[i].columns = make([]*column, len(s.atoms))
		for a := range s.atoms {
			s.tallies[i].columns[a] = cache.get(seg, s.atoms[a])
		}
	}
	for a := range s.atoms {
		s.countAtom(a)
		if s.atoms[a].df > 0 || s.atoms[a].mistakes == 0 || !s.atomSearched(a) {
			continue
		}
		if s.atoms[a].near = closeSpellings(ctx, s.corpus.segs, s.atoms[a]); s.atoms[a].near == nil {
			continue
		}
		for i, seg := range s.corpus.segs {
			s.tallies[i].columns[a] = cache.get(seg, s.atoms[a])
		}
		s.countAtom(a)
	}
	s.sessions = make([]float32, s.corpus.snap.Sessions())
	for i := range s.tallies {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.tallies[i].sum(s.plan, s.corpus.norms[i])
		if s.dated {
			s.tallies[i].holdDates(s)
		}
		s.tallies[i].bury(s.plan)
	}
	s.measure(s.corpus.passages)
	s.sumSessions()
	return ctx.Err()
}

// countAtom counts the living passages that hold an atom. Words that it merely
// begins count only when it occurs in no other way: they say little of how rare
// it is.
func (s *search) countAtom(a int) {
	strong, weak := 0, 0
	for i := range s.tallies {
		t := &s.tallies[i]
		dead := t.seg.DeadBits()
		c := t.columns[a]
		for k, d := range c.docs {
			if dead != nil && dead[d>>6]&(1<<(d&63)) != 0 {
				continue
			}
			if l := c.levels[k]; l == byBeginning && !s.atoms[a].open {
				weak++
			} else {
				strong++
			}
		}
	}
	atom := &s.atoms[a]
	atom.df = strong
	if strong == 0 {
		atom.df = weak
	}
	atom.idf = inverseFrequency(s.corpus.passages, atom.df)
}

// sum fills in the scores and the words held. norms are the length parts of BM25.
func (t *tally) sum(p *plan, norms []float32) {
	scored := make([]bool, len(p.atoms))
	for i := range p.words {
		w := &p.words[i]
		if !p.searched(i) {
			continue
		}
		for _, a := range w.atoms {
			t.score(p, a, norms, scored)
		}
		if w.whole >= 0 {
			t.score(p, w.whole, norms, scored)
		}
		t.hold(w, 1<<i)
	}
}

// holdDates lets passages of the time that a query names hold the words that name
// it, when the query has no others.
func (t *tally) holdDates(s *search) {
	for d := range t.found {
		if at := t.seg.Doc(uint32(d)).At; at != 0 && s.within(time.Unix(at, 0).In(s.zone)) {
			t.found[d] |= s.required
		}
	}
}

func (t *tally) score(p *plan, a int, norms []float32, scored []bool) {
	if scored[a] {
		return
	}
	scored[a] = true
	c, idf := t.columns[a], float32(p.atoms[a].idf)
	for k, d := range c.docs {
		tf := c.tf[k]
		gain := idf * tf * (termSaturation + 1) / (tf + norms[d])
		if c.levels[k] == exactly {
			gain *= exactBonus
		}
		t.scores[d] += gain
	}
}

// hold marks the documents that hold word w: the whole of it, or all its parts.
func (t *tally) hold(w *planWord, bit uint32) {
	mark := func(d uint16, l level) {
		if l > byMistake {
			t.found[d] |= bit
		} else {
			t.near[d] |= bit
		}
	}
	if len(w.atoms) == 1 {
		c := t.columns[w.atoms[0]]
		for k, d := range c.docs {
			mark(d, c.levels[k])
		}
	} else {
		t.holdParts(w, mark)
	}
	if w.whole >= 0 {
		c := t.columns[w.whole]
		for k, d := range c.docs {
			mark(d, c.levels[k])
			t.near[d] &^= bit
		}
	}
}

// holdParts walks the rarest part's documents and looks the others up.
func (t *tally) holdParts(w *planWord, mark func(uint16, level)) {
	rarest := t.columns[w.atoms[0]]
	for _, a := range w.atoms {
		if c := t.columns[a]; len(c.docs) < len(rarest.docs) {
			rarest = c
		}
	}
	next := make([]int, len(w.atoms))
docs:
	for _, d := range rarest.docs {
		worst := exactly
		for k, a := range w.atoms {
			c := t.columns[a]
			for next[k] < len(c.docs) && c.docs[next[k]] < d {
				next[k]++
			}
			if next[k] == len(c.docs) || c.docs[next[k]] != d {
				continue docs
			}
			worst = min(worst, c.levels[next[k]])
		}
		mark(d, worst)
	}
}

// bury clears dead documents and counts, by word, those that live.
func (t *tally) bury(p *plan) {
	dead := t.seg.DeadBits()
	for d := range t.found {
		if dead != nil && dead[d>>6]&(1<<(d&63)) != 0 {
			t.scores[d], t.found[d], t.near[d] = 0, 0, 0
			continue
		}
		for held := t.found[d] | t.near[d]; held != 0; held &= held - 1 {
			p.words[bits.TrailingZeros32(held)].found++
		}
	}
}

// sumSessions scores each session as one document.
func (s *search) sumSessions() {
	n := s.corpus.snap.Sessions()
	tf := make([]float32, n)
	for a := range s.atoms {
		touched := s.sessionFrequencies(a, tf)
		idf := float32(inverseFrequency(s.corpus.talks, len(touched)))
		for _, ord := range touched {
			f := tf[ord]
			s.sessions[ord] += idf * f * (termSaturation + 1) / (f + s.corpus.sessionNorms[ord])
			tf[ord] = 0
		}
	}
}

// sessionFrequencies adds up atom a by session and tells which have it. Common
// words that are not searched have no part in it.
func (s *search) sessionFrequencies(a int, tf []float32) (touched []uint32) {
	if !s.atomSearched(a) {
		return nil
	}
	for i := range s.tallies {
		t := &s.tallies[i]
		c, dead, owner := t.columns[a], t.seg.DeadBits(), s.corpus.owners[i]
		for k, d := range c.docs {
			if dead != nil && dead[d>>6]&(1<<(d&63)) != 0 {
				continue
			}
			ord := owner[d]
			if tf[ord] == 0 {
				touched = append(touched, ord)
			}
			tf[ord] += c.tf[k]
		}
	}
	return touched
}

func (s *search) atomSearched(a int) bool {
	for i := range s.words {
		if s.searched(i) && (s.words[i].whole == a || slices.Contains(s.words[i].atoms, a)) {
			return true
		}
	}
	return false
}
