package recall

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// The sessions that score best as a whole bring all their matches: up to ten thousand,
// of which the beginning of an answer holds some hundred. Only these become candidates
// at once. Of the others it is kept what tells that they stand behind, and they follow
// when somebody pages so far. With common words that is a third of a keystroke less.

// spareRun is the matches of one session in one segment that are not candidates
// otherwise.
type spareRun struct {
	seg      int
	ord      uint32
	from, to uint32 // its documents
	room     int    // how many of them are matches
	list     []spare
}

// spare is a match with those of its features that are its own, and its score without
// what a reply adds.
type spare struct {
	doc                     uint32
	words                   float32
	neighbours, topic, date float64
	score                   float64
}

// spareRuns are those of the sessions that score best as a whole.
func (r *ranking) spareRuns() (runs []spareRun) {
	for _, ord := range r.s.bestSessions(r.matches) {
		for i, seg := range r.s.corpus.segs {
			if from, to := seg.Run(ord); from < to {
				runs = append(runs, spareRun{seg: i, ord: ord, from: from, to: to})
			}
		}
	}
	return runs
}

// gatherSpares takes what is left of the best sessions' matches and measures it. It
// returns the largest features.
func (r *ranking) gatherSpares(ctx context.Context) (most features, err error) {
	r.spares = r.spareRuns()
	n := 0
	for i := range r.spares {
		run := &r.spares[i]
		run.room = run.countIn(r.rest[run.seg])
		n += run.room
	}
	free := room(&r.s.lent.spares, n)
	bySegment := make([][]*spareRun, len(r.s.tallies))
	for i := range r.spares {
		run := &r.spares[i]
		run.list, free = free[:0:run.room], free[run.room:]
		bySegment[run.seg] = append(bySegment[run.seg], run)
	}
	err = r.s.perSegment(ctx, func(seg int) {
		own := r.s.aside()
		var docs []uint32
		for _, run := range bySegment[seg] {
			own.measureRun(run, r.rest[seg])
			docs = docs[:0]
			for k := range run.list {
				docs = append(docs, run.list[k].doc)
			}
			own.cosines(ctx, seg, docs, func(k int, cosine float64) { run.list[k].topic = cosine })
		}
	})
	for i := range r.spares {
		run := &r.spares[i]
		if len(run.list) > 0 {
			most.session = larger(most.session, float64(r.s.sessions[run.ord]))
		}
		for k := range run.list {
			m := &run.list[k]
			most.words = max(most.words, float64(m.words))
			most.neighbours, most.topic = max(most.neighbours, m.neighbours), max(most.topic, m.topic)
		}
	}
	return most, err
}

// countIn counts a run's documents in a set.
func (r *spareRun) countIn(set []uint64) (n int) {
	from, to := int(r.from), int(r.to)
	for w := from / 64; w*64 < to; w++ {
		n += bits.OnesCount64(set[w] & docsInWord(w, from, to))
	}
	return n
}

// measureRun moves a run's matches from rest to its list.
func (s *search) measureRun(run *spareRun, rest []uint64) {
	t := &s.tallies[run.seg]
	from, to := int(run.from), int(run.to)
	for w := from / 64; w*64 < to; w++ {
		in := docsInWord(w, from, to)
		for set := rest[w] & in; set != 0; set &= set - 1 {
			d := uint32(w*64 + bits.TrailingZeros64(set))
			beside := uint32(0)
			if d > run.from {
				beside = t.found[d-1]
			}
			if d+1 < run.to {
				beside |= t.found[d+1]
			}
			m := spare{doc: d, words: t.scores[d], neighbours: s.weight(beside &^ t.found[d])}
			if len(s.dates) > 0 {
				m.date = s.timely(s.saidAt(t.seg.Doc(d)).In(s.zone))
			}
			run.list = append(run.list, m)
		}
		rest[w] &^= in
	}
}

// scoreSpares fuses the features, most being the largest of all candidates.
func (r *ranking) scoreSpares(ctx context.Context, most features) error {
	return split(ctx, len(r.spares), r.s.corpus.passages > inlinePassages, func(i int) {
		run := &r.spares[i]
		c := r.spareIn(run)
		for k := range run.list {
			m := &run.list[k]
			m.features(&c.features)
			m.score = r.s.worth.fused(&c, most)
		}
	})
}

// features are a spare's own.
func (m *spare) features(f *features) {
	f.words, f.neighbours, f.topic, f.date = float64(m.words), m.neighbours, m.topic, m.date
}

// spareIn is what all candidates of a run have in common.
func (r *ranking) spareIn(run *spareRun) (c candidate) {
	if b, ok := r.s.corpus.snap.Brief(run.ord); ok {
		c.side = b.Subagent
	}
	c.features.session = float64(r.s.sessions[run.ord])
	return c
}

// promote adds to candidates the spares that can be among the first n, whatever they
// hold of replies.
func (r *ranking) promote(first []candidate, n int) []candidate {
	least := r.leastOf(first, n)
	if r.s.decision {
		least -= r.s.worth.reply
	}
	return r.promoteFrom(first, least)
}

// promoteFrom adds those that score so much at least.
func (r *ranking) promoteFrom(first []candidate, least float64) []candidate {
	for i := range r.spares {
		run := &r.spares[i]
		run.list = slices.DeleteFunc(run.list, func(m spare) bool {
			if m.score < least {
				return false
			}
			c := r.s.matched(match{m.words, uint32(run.seg), m.doc})
			m.features(&c.features)
			c.features.session = float64(r.s.sessions[run.ord])
			c.replyUnknown, c.score = r.s.decision, m.score
			first = append(first, c)
			return true
		})
	}
	return first
}

// leastOf is the n-th best score of candidates and spares; less than any when there are
// not as many.
func (r *ranking) leastOf(first []candidate, n int) float64 {
	best := make([]float64, 0, 2*n)
	least := math.Inf(-1)
	add := func(score float64) {
		if score < least {
			return
		}
		if best = append(best, score); len(best) == cap(best) {
			slices.Sort(best)
			copy(best, best[n:])
			best, least = best[:n], best[0]
		}
	}
	for i := range first {
		add(first[i].score)
	}
	for i := range r.spares {
		for k := range r.spares[i].list {
			add(r.spares[i].list[k].score)
		}
	}
	if len(best) < n {
		return math.Inf(-1)
	}
	slices.Sort(best)
	return best[len(best)-n]
}
