package recall

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/bits"
	"slices"
)

// matchSet is every passage that passes the word rule and the filters, a bit each:
// a common word has a million.
type matchSet struct {
	bits     [][]uint64 // by segment: bit doc%64 of word doc/64
	count    int
	sessions []uint32 // ordinals of those that have some
}

// each goes through the set documents of bits.
func each(words []uint64) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for w, rest := range words {
			for ; rest != 0; rest &= rest - 1 {
				if !yield(uint32(w*64 + bits.TrailingZeros64(rest))) {
					return
				}
			}
		}
	}
}

// take removes a document and tells whether it was there.
func take(words []uint64, doc uint32) bool {
	bit := uint64(1) << (doc & 63)
	was := words[doc>>6]&bit != 0
	words[doc>>6] &^= bit
	return was
}

// matchWords finds every passage that passes the word rule and the filters, and
// their sessions.
func (s *search) matchWords(ctx context.Context) (*matchSet, error) {
	m := s.newMatchSet()
	seen := make([]bool, len(s.sessions))
	if s.wordsAlone() {
		return m, s.matchRuns(ctx, m, seen)
	}
	if s.patterned() {
		_, _, err := s.look(ctx, m, 0)
		return m, err
	}
	for i := range s.tallies {
		if err := s.matchSegment(ctx, i, m, seen); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// newMatchSet is empty.
func (s *search) newMatchSet() *matchSet {
	m := &matchSet{bits: make([][]uint64, len(s.tallies))}
	for i := range m.bits {
		m.bits[i] = make([]uint64, (s.tallies[i].seg.Len()+63)/64)
	}
	return m
}

func (m *matchSet) add(seg int, doc uint32) {
	m.bits[seg][doc>>6] |= 1 << (doc & 63)
	m.count++
}

// heedEvery is after how many passages it is asked whether somebody still waits for the
// answer: each may have to be read.
const heedEvery = 64

func (s *search) matchSegment(ctx context.Context, i int, m *matchSet, seen []bool) error {
	t := &s.tallies[i]
	ords, first := t.seg.Sessions()
	for k, ord := range ords {
		from, to := int(first[k]), len(t.found)
		if k+1 < len(first) {
			to = int(first[k+1])
		}
		before := m.count
		for d := from; d < to; d++ {
			if d%heedEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if t.holds(uint32(d)) && s.accepts(i, uint32(d)) {
				m.add(i, uint32(d))
			}
		}
		if m.count > before && !seen[ord] {
			seen[ord] = true
			m.sessions = append(m.sessions, ord)
		}
	}
	return nil
}

// accepts tells whether a passage answers: by its words, then by the filters on
// sessions and turns, then by what else the query asks for. What keeps out a
// passage that passes all before it is noted.
func (s *search) accepts(seg int, doc uint32) bool {
	t := &s.tallies[seg]
	if !s.enough(t.found[doc], t.near[doc]) || !s.filter.session(s.corpus.owners[seg][doc]) {
		return false
	}
	if s.filter.turnwise() && !s.passTurns(seg, doc) {
		return false
	}
	failed, ok := s.fulfils(seg, doc, t.found[doc]|t.near[doc])
	if !ok {
		failed.dropped++
	}
	return ok
}

// enough tells whether a passage holds enough of the query's words.
func (s *search) enough(found, near uint32) bool {
	if s.scanning {
		return true
	}
	if !s.mayHold(found | near) {
		return false
	}
	if s.asserted {
		return true
	}
	return s.rule.matches(found, near)
}

// passTurns applies the word rule to those turns of a passage that pass.
func (s *search) passTurns(seg int, doc uint32) bool {
	t, r := &s.tallies[seg], s.turnsOf(seg)
	spans := r.of(doc)
	whole, some := s.filter.passage(spans)
	if whole {
		return true
	}
	if some {
		found, near, ok := r.held(doc, spans)
		if !ok {
			found, near = s.heldInTurns(textOf(t.seg, doc))
		}
		t.found[doc], t.near[doc] = found, near
		if s.enough(found, near) {
			return true
		}
	}
	s.filter.dropTurns(spans)
	return false
}

// knownRule is the word rule with its answers for sets of words that were met: a
// million passages hold a few sets.
type knownRule struct {
	*plan
	known [knownSets]uint8 // by set of the first words; 0 is not met
}

// knownSets is how many there are of the first ten words.
const knownSets = 1 << 10

const (
	ruledOut = iota + 1
	ruledIn
)

func (r *knownRule) matches(found, near uint32) bool {
	if near != 0 || found >= knownSets {
		ok, _ := r.plan.matches(found, near)
		return ok
	}
	if r.known[found] == 0 {
		r.known[found] = ruledOut
		if ok, _ := r.plan.matches(found, 0); ok {
			r.known[found] = ruledIn
		}
	}
	return r.known[found] == ruledIn
}

// leading are the first n by words of sets of matches, which are by segment, best first.
// Most of many matches score less than those found so far, and one comparison rules them
// out; the others are sorted some hundred at a time. What a sample of them scores rules
// most out before as many are found.
func (s *search) leading(sets [][]uint64, n int) []match {
	sample := leaders{s: s, want: sampleLead*n/sampleOf + sampleLeast}
	sample.from(sets, sampleBits)
	l := leaders{s: s, want: n}
	if sample.full {
		l.floor = sample.last.score
	}
	l.from(sets, ^uint64(0))
	if len(l.keys) < n && l.floor > 0 { // the sample was none of the kind of the others
		l = leaders{s: s, want: n}
		l.from(sets, ^uint64(0))
	}
	return l.list()
}

// One match of sampleOf is in the sample. It tells the score that sampleLead times as many
// reach as are wanted, so that hardly ever fewer than these do.
const (
	sampleOf    = 16
	sampleBits  = 0x0001_0001_0001_0001 // those of 64 documents
	sampleLead  = 2
	sampleLeast = 8
)

// leaders collects the first matches by words. A match is one number here, the
// better the smaller, which sorts three times as fast as by comparing matches.
type leaders struct {
	s     *search
	want  int     // how many
	floor float32 // what scores less is none
	keys  []uint64
	full  bool   // there are as many as are wanted
	last  placed // of those, once full
	ties  []placed
}

// from takes the first of sets of matches, of each word of them those in mask.
func (l *leaders) from(sets [][]uint64, mask uint64) {
	for i, set := range sets {
		scores := l.s.tallies[i].scores
		for w, rest := range set {
			for rest &= mask; rest != 0; rest &= rest - 1 {
				d := uint32(w*64 + bits.TrailingZeros64(rest))
				if score := scores[d]; score >= l.floor && (!l.full || score >= l.last.score) {
					l.add(match{score, uint32(i), d})
				}
			}
		}
	}
	l.sort()
}

func (l *leaders) add(m match) {
	if l.full && m.score == l.last.score && l.s.orderOf(m) > l.last.order {
		return
	}
	if l.keys == nil {
		l.keys = make([]uint64, 0, 2*l.want)
	}
	l.keys = append(l.keys, m.key())
	if len(l.keys) == cap(l.keys) {
		l.sort()
	}
}

// key is a match as one number, leader the match that it is of.
func (m match) key() uint64 {
	return uint64(^math.Float32bits(m.score))<<32 | uint64(m.seg)<<16 | uint64(m.doc)
}

func leader(key uint64) match {
	return match{math.Float32frombits(^uint32(key >> 32)), uint32(key>>16) & 0xffff, uint32(key) & 0xffff}
}

// sort orders what was collected and leaves the first. Scores are never negative,
// so that their bits order as they do; equal ones are put in the order of identity.
func (l *leaders) sort() {
	slices.Sort(l.keys)
	for from := 0; from < len(l.keys); {
		to := from + 1
		for to < len(l.keys) && l.keys[to]>>32 == l.keys[from]>>32 {
			to++
		}
		if to-from > 1 && from < l.want {
			l.sortTies(l.keys[from:to])
		}
		from = to
	}
	if len(l.keys) >= l.want {
		last := leader(l.keys[l.want-1])
		l.keys, l.full, l.last = l.keys[:l.want], true, placed{last, l.s.orderOf(last)}
	}
}

// sortTies puts matches that score the same in the order of identity.
func (l *leaders) sortTies(keys []uint64) {
	l.ties = l.ties[:0]
	for _, key := range keys {
		m := leader(key)
		l.ties = append(l.ties, placed{m, l.s.orderOf(m)})
	}
	slices.SortFunc(l.ties, func(a, b placed) int { return cmp.Compare(a.order, b.order) })
	for i, t := range l.ties {
		keys[i] = t.key()
	}
}

func (l *leaders) list() []match {
	list := make([]match, len(l.keys))
	for i, key := range l.keys {
		list[i] = leader(key)
	}
	return list
}

// wordRanks are the places from 1 of scores in the words tier; equal scores share
// one (R2). The leading ones are counted, all others need a pass over the matches.
func (s *search) wordRanks(m *matchSet, leading []match, scores []float64) map[float64]int {
	slices.Sort(scores)
	scores = slices.Compact(scores)
	ranks := make(map[float64]int, len(scores))
	var below []float32 // ascending
	for _, score := range scores {
		if n := len(leading); n > 0 && float32(score) >= leading[n-1].score {
			better, _ := slices.BinarySearchFunc(leading, float32(score), func(l match, score float32) int {
				if l.score > score {
					return -1
				}
				return 1
			})
			ranks[score] = better + 1
		} else {
			below = append(below, float32(score))
		}
	}
	if len(below) == 0 {
		return ranks
	}
	beats, better := s.beats(m, below), 0
	for k, score := range slices.Backward(below) {
		better += beats[k+1]
		ranks[float64(score)] = better + 1
	}
	return ranks
}

// beats are how many matches score more than k of some scores, which ascend, by k from 1.
func (s *search) beats(m *matchSet, scores []float32) []int {
	beats := make([]int, len(scores)+1)
	for i, set := range m.bits {
		row := s.tallies[i].scores
		for w, rest := range set {
			for ; rest != 0; rest &= rest - 1 {
				score, k := row[w*64+bits.TrailingZeros64(rest)], 0
				if score <= scores[0] { // most of them
					continue
				}
				for k < len(scores) && score > scores[k] {
					k++
				}
				beats[k]++
			}
		}
	}
	return beats
}

// bestSessions are the sessions with matches that score best as a whole.
func (s *search) bestSessions(m *matchSet) []uint32 {
	best := make([]uint32, 0, firstBySession+1)
	for _, ord := range m.sessions {
		if len(best) == firstBySession && s.sessions[ord] < s.sessions[best[firstBySession-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, ord, s.compareSessions)
		if at == firstBySession {
			continue
		}
		best = slices.Insert(best, at, ord)
		best = best[:min(len(best), firstBySession)]
	}
	return best
}
