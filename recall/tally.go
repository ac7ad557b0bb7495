package recall

import (
	"context"
	"math/bits"
	"slices"

	"yore/recall/index"
)

// BM25's constants as measured on passages of this size (level from b .4 to .6).
const (
	termSaturation = .9  // k1
	lengthShare    = .4  // b
	exactBonus     = 1.1 // for a passage that has the very word
)

// levelBonus is by level what a word's part of BM25 is multiplied by. It is a table so
// that nothing branches by what no processor can foresee.
var levelBonus = [levelSlots]float32{1, 1, 1, 1, exactBonus, 1, 1, 1}

// levelSlots is the least power of two that no level reaches.
const levelSlots = 8

// tally is what one segment's passages hold of a query.
type tally struct {
	seg     *index.Segment
	columns []*column     // by atom
	held    [maxWords]int // living passages that hold each word
	*rows
}

// holds tells whether a document has any of the query's words.
func (t *tally) holds(doc uint32) bool { return t.found[doc]|t.near[doc] != 0 }

// tallyWords looks every atom up in every segment and adds up what was found.
func (s *search) tallyWords(ctx context.Context, cache *columnCache) error {
	s.borrow()
	err := s.perSegment(ctx, func(i int) {
		s.tallies[i].clean(s.corpus.segs[i].Len())
		s.tallies[i].columns = make([]*column, len(s.atoms))
		for a := range s.atoms {
			s.tallies[i].columns[a] = cache.get(s.corpus.segs[i], s.atoms[a])
		}
	})
	if err != nil {
		return err
	}
	for a := range s.atoms {
		if s.countAtom(a); s.atoms[a].df == 0 && s.atoms[a].unscored {
			s.atoms[a].unscored = false // what it begins counts then
			s.fetch(cache, a)
			s.countAtom(a)
		}
	}
	for a := range s.atoms {
		if s.atoms[a].df > 0 || s.atoms[a].mistakes == 0 || !s.atomSearched(a) || s.spelt(a) {
			continue
		}
		near, err := s.closeSpellings(ctx, s.atoms[a])
		if err != nil {
			return err
		}
		if s.atoms[a].near = near; near == nil {
			continue
		}
		s.fetch(cache, a)
		s.countAtom(a)
	}
	// Sessions are added up beside: that follows no order, and no other goroutine needs it.
	err = split(ctx, len(s.tallies)+1, s.corpus.passages > inlinePassages, func(k int) {
		i := k - 1
		if i < 0 {
			s.sumSessions()
			return
		}
		s.tallies[i].sum(s.plan, s.corpus.norms[i])
		if s.dated {
			s.tallies[i].holdDates(s)
		}
		s.tallies[i].bury()
	})
	if err != nil {
		return err
	}
	for i := range s.tallies {
		for w := range s.words {
			s.words[w].found += s.tallies[i].held[w]
		}
	}
	s.measure(s.corpus.passages)
	if s.strange && len(s.dates) > 0 && s.saidThen(ctx) {
		s.knowTime()
	}
	return ctx.Err()
}

// fetch looks an atom up in every segment.
func (s *search) fetch(cache *columnCache, a int) {
	for i, seg := range s.corpus.segs {
		s.tallies[i].columns[a] = cache.get(seg, s.atoms[a])
	}
}

// countAtom counts the living passages that hold an atom. Words that it merely
// begins count only when it occurs in no other way: they say little of how rare
// it is.
func (s *search) countAtom(a int) {
	atom := &s.atoms[a]
	strong, weak := 0, 0
	for i := range s.tallies {
		all, begun := s.tallies[i].columns[a].living(s.tallies[i].seg.DeadBits())
		if atom.open {
			begun = 0
		}
		strong, weak = strong+all-begun, weak+begun
	}
	atom.df = strong
	if strong == 0 {
		atom.df = weak
	}
	atom.idf = inverseFrequency(s.corpus.passages, atom.df)
}

// living counts the documents that are not dead, and of those the ones that hold
// only words that the atom begins. Where none is dead the column knows it.
func (c *column) living(dead []uint64) (all, begun int) {
	if c.held != nil {
		return livingOf(c.held, dead), 0
	}
	if dead == nil {
		return len(c.docs), c.begun
	}
	for k, d := range c.docs {
		if dead[d>>6]&(1<<(d&63)) != 0 {
			continue
		}
		all++
		if c.levels[k] == byBeginning {
			begun++
		}
	}
	return all, begun
}

// livingOf counts those bits of held that are not set in dead, which may be nil.
func livingOf(held, dead []uint64) (n int) {
	for w, has := range held {
		if dead != nil {
			has &^= dead[w]
		}
		n += bits.OnesCount64(has)
	}
	return n
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
		if w.whole >= 0 && w.Whole == "" {
			t.score(p, w.whole, norms, scored)
		}
		t.hold(w, i)
		if w.whole >= 0 {
			t.holdWhole(p, i, norms, scored)
		}
	}
}

// holdDates lets passages of the time that a query names hold the words that name
// it, when the query has no others.
func (t *tally) holdDates(s *search) {
	named := s.namedTimes(s.zone)
	for d := range t.found {
		if named.hold(t.seg.Doc(uint32(d)).At) {
			t.count(s.required&^(t.found[d]|t.near[d]), 1)
			t.found[d] |= s.required
		}
	}
}

// saidThen tells whether any passage is of a time that the query names.
func (s *search) saidThen(ctx context.Context) bool {
	named := s.namedTimes(s.zone)
	for i := range s.tallies {
		seg := s.tallies[i].seg
		for d := range uint32(seg.Len()) {
			if named.hold(seg.Doc(d).At) && !seg.Dead(d) {
				return true
			}
		}
		if ctx.Err() != nil {
			return false
		}
	}
	return false
}

// count adds n to how many passages hold each of words.
func (t *tally) count(words uint32, n int) {
	for ; words != 0; words &= words - 1 {
		t.held[bits.TrailingZeros32(words)] += n
	}
}

func (t *tally) score(p *plan, a int, norms []float32, scored []bool) {
	if scored[a] {
		return
	}
	scored[a] = true
	c, idf := t.columns[a], float32(p.atoms[a].idf)
	tfs, levels := c.tf[:len(c.docs)], c.levels[:len(c.docs)]
	for k, d := range c.docs {
		t.scores[d] += gain(idf, tfs[k], norms[d], levels[k])
	}
}

// gain is what an atom adds to the score of a document that has it so often and so well.
// The conversion rounds it: without, arm64 multiplies and adds in one step, and a score
// would differ by machine.
func gain(idf, tf, norm float32, l level) float32 {
	return float32(idf * tf * (termSaturation + 1) / (tf + norm) * levelBonus[l&(levelSlots-1)])
}

// hold marks and counts the documents that hold word w, the i-th, or all its parts.
func (t *tally) hold(w *planWord, i int) {
	bit := uint32(1) << i
	mark := func(d uint16, l level) {
		if l > byMistake {
			t.found[d] |= bit
		} else {
			t.near[d] |= bit
		}
	}
	if len(w.atoms) > 1 {
		t.held[i] = t.holdParts(w, mark)
	} else if c := t.columns[w.atoms[0]]; c.close {
		t.held[i] = len(c.docs)
		for k, d := range c.docs {
			mark(d, c.levels[k])
		}
	} else {
		t.held[i] = len(c.docs)
		for _, d := range c.docs {
			t.found[d] |= bit
		}
	}
}

// holdWhole marks and counts the documents that hold the whole of word i. That of words
// which hyphens join scores, for the first of them, only where that does not stand:
// "rev_list" is about "rev-list" no more than "rev-list" is, and to score it by both took
// one first hit in a hundred from questions about commits of git.
func (t *tally) holdWhole(p *plan, i int, norms []float32, scored []bool) {
	w, bit := &p.words[i], uint32(1)<<i
	c, idf := t.columns[w.whole], float32(p.atoms[w.whole].idf)
	scores := !scored[w.whole] && !p.atomSearched(w.whole)
	scored[w.whole] = scored[w.whole] || scores
	for k, d := range c.docs {
		if (t.found[d]|t.near[d])&bit == 0 {
			t.held[i]++
			if scores {
				t.scores[d] += gain(idf, c.tf[k], norms[d], c.levels[k])
			}
		}
		t.found[d] |= bit
		t.near[d] &^= bit
	}
}

// holdParts walks the rarest part's documents and looks the others up. It returns
// how many hold all parts.
func (t *tally) holdParts(w *planWord, mark func(uint16, level)) int {
	rarest := t.columns[w.atoms[0]]
	for _, a := range w.atoms {
		if c := t.columns[a]; len(c.docs) < len(rarest.docs) {
			rarest = c
		}
	}
	next := make([]int, len(w.atoms))
	held := 0
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
		held++
	}
	return held
}

// bury clears dead documents and takes them out of the counts.
func (t *tally) bury() {
	for w, dead := range t.seg.DeadBits() {
		for ; dead != 0; dead &= dead - 1 {
			d := w*64 + bits.TrailingZeros64(dead)
			t.count(t.found[d]|t.near[d], -1)
			t.scores[d], t.found[d], t.near[d] = 0, 0, 0
		}
	}
}

// sumSessions scores each session as one document.
func (s *search) sumSessions() {
	s.sessions = room(&s.lent.sessions, s.corpus.snap.Sessions())
	clear(s.sessions)
	for a := range s.atoms {
		if !s.atomSearched(a) {
			continue
		}
		f := s.sessionFrequencies(a)
		idf := float32(inverseFrequency(s.corpus.talks, len(f.ords)))
		for k, ord := range f.ords {
			tf := f.tf[k]
			s.sessions[ord] += idf * tf * (termSaturation + 1) / (tf + s.corpus.sessionNorms[ord])
		}
	}
}

// sessionFrequencies adds up atom a by session, or gives what was added up at an
// earlier keystroke.
func (s *search) sessionFrequencies(a int) *frequencies {
	key := s.atoms[a].key(0)
	if known := s.corpus.sums.get(key); known != nil {
		return known
	}
	tf := make([]float32, s.corpus.snap.Sessions())
	var touched []uint32
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
	f := &frequencies{ords: touched, tf: make([]float32, len(touched))}
	for k, ord := range touched {
		f.tf[k] = tf[ord]
	}
	s.corpus.sums.put(key, f, 8*len(f.ords)+128)
	return f
}

// atomSearched tells whether an atom takes part in every score: all but the words that
// hyphens join as one (holdWhole).
func (p *plan) atomSearched(a int) bool {
	for i := range p.words {
		w := &p.words[i]
		if p.searched(i) && (w.whole == a && w.Whole == "" || slices.Contains(w.atoms, a)) {
			return true
		}
	}
	return false
}
