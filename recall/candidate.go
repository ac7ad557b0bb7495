package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
)

// match is one passage that passes the word rule, small enough to have many.
type match struct {
	score    float32 // BM25
	seg, doc uint32
}

// candidate is one passage that competes for a place in the answer.
type candidate struct {
	seg    int // in corpus.segs
	doc    uint32
	ord    uint32 // its session
	number int
	order  uint64 // identity
	at     time.Time
	side   bool // its session is a sub-agent

	found, near uint32 // words held
	words       bool   // passes the word rule
	closeOnly   bool   // only by close spellings
	topic       bool   // passes the topic floors
	rankTopic   int
	leading     bool // among the first by words
	features    features
	score       float64
	alsoIn      []string
}

// features are the parts of a score, as in the recipe that measured best.
type features struct {
	words      float64 // BM25
	neighbours float64 // BM25 of the passages before and after
	session    float64 // BM25 of the session as one document
	proximity  float64
	phrase     float64
	literal    float64 // the query stands there as typed: 0 or 1
	identifier float64 // share of its identifiers that stand there as typed
	topic      float64 // cosine of the vectors
	date       float64 // fit to the dates that the query names
	reply      float64 // 1 for a reply, when a decision is asked for
}

// The weights of the features. Each of those in the first group is divided by its
// largest value over the candidates; the plateau is flat, a tenth on any of them
// moves little. Measured on conversations with known answers: one vector a
// passage takes both topic shares, and without date words in the index a date
// weighs .7.
const (
	weightWords      = .60
	weightTopic      = .40
	weightProximity  = .20
	weightPhrase     = .20
	weightSession    = .20
	weightNeighbours = .10

	weightLiteral    = .30
	weightIdentifier = .20
	weightDate       = .70
	weightReply      = .05

	// sideShare is what a sub-agent's passage keeps of its score: it ranks behind
	// the same text in its parent.
	sideShare = .97
)

const (
	firstByWords   = 200 // candidates by BM25; they alone get the costly features
	firstBySession = 20  // sessions whose matches are all candidates
)

// chosen tells which matches are candidates for the beginning of the answer: the
// first by words, those of the best sessions, and what the topic found too.
type chosen struct {
	s        *search
	last     match  // of the first by words
	sessions []bool // the best, by ordinal
	topical  map[[2]uint32]int
	mayBe    uint64 // bit doc%64 of every topical one: rules most out at once
}

func (s *search) choose(matches []match, topical []candidate) chosen {
	c := chosen{s: s, last: s.lastLeading(matches), sessions: s.bestSessions(matches), topical: map[[2]uint32]int{}}
	for i, t := range topical {
		c.topical[[2]uint32{uint32(t.seg), t.doc}] = i
		c.mayBe |= 1 << (t.doc & 63)
	}
	return c
}

// of tells whether m is chosen, whether as one of the first by words, and its
// place in the topic's list, -1 when it has none.
func (c *chosen) of(m match) (is, leads bool, topic int) {
	topic = -1
	if c.mayBe&(1<<(m.doc&63)) != 0 {
		if k, ok := c.topical[[2]uint32{m.seg, m.doc}]; ok {
			topic = k
		}
	}
	leads = c.s.compareMatches(m, c.last) <= 0
	return leads || topic >= 0 || c.sessions[c.s.corpus.owners[m.seg][m.doc]], leads, topic
}

// gather makes the candidates for the beginning of the answer.
func (c *chosen) gather(matches []match, topical []candidate) []candidate {
	var first []candidate
	taken := make([]bool, len(topical))
	for _, m := range matches {
		is, leads, topic := c.of(m)
		if !is {
			continue
		}
		found := c.s.matched(m)
		found.leading = leads
		if topic >= 0 {
			found.topic, found.rankTopic, taken[topic] = true, topical[topic].rankTopic, true
		}
		first = append(first, found)
	}
	for i, t := range topical {
		if !taken[i] {
			first = append(first, t)
		}
	}
	return first
}

// compareMatches is the order of the words tier alone, a total one.
func (s *search) compareMatches(a, b match) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Compare(s.orderOf(a), s.orderOf(b))
}

func (s *search) orderOf(m match) uint64 {
	doc := s.corpus.segs[m.seg].Doc(m.doc)
	return s.corpus.order(doc.Session, doc.Number)
}

// lastLeading is the last of the first matches by words: every match that does not
// come after it is one of them.
func (s *search) lastLeading(matches []match) match {
	if len(matches) == 0 {
		return match{}
	}
	first := make([]match, 0, 2*firstByWords)
	full := false
	for _, m := range matches {
		if full && s.compareMatches(m, first[firstByWords-1]) > 0 {
			continue // first[:firstByWords] are better already
		}
		if first = append(first, m); len(first) == cap(first) {
			slices.SortFunc(first, s.compareMatches)
			first, full = first[:firstByWords], true
		}
	}
	slices.SortFunc(first, s.compareMatches)
	return first[min(len(first), firstByWords)-1]
}

// wordRanks are the places from 1 of scores in the words tier, in one pass over all
// matches; equal scores share one (R2).
func wordRanks(matches []match, scores []float64) map[float64]int {
	slices.Sort(scores)
	scores = slices.Compact(scores)
	beats := make([]int, len(scores)+1) // by how many of scores a match beats
	for _, m := range matches {
		k, _ := slices.BinarySearch(scores, float64(m.score))
		beats[k]++
	}
	ranks := make(map[float64]int, len(scores))
	better := 0
	for k, score := range slices.Backward(scores) {
		better += beats[k+1]
		ranks[score] = better + 1
	}
	return ranks
}

func (s *search) bestSessions(matches []match) []bool {
	seen := make([]bool, len(s.sessions))
	var ords []uint32
	for _, m := range matches {
		if ord := s.corpus.owners[m.seg][m.doc]; !seen[ord] {
			seen[ord] = true
			ords = append(ords, ord)
		}
	}
	slices.SortFunc(ords, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.sessions[b], s.sessions[a]), cmp.Compare(s.corpus.ranks[a], s.corpus.ranks[b]))
	})
	best := make([]bool, len(s.sessions))
	for _, ord := range ords[:min(len(ords), firstBySession)] {
		best[ord] = true
	}
	return best
}

// rank fills in the features, fuses them and sorts.
func (s *search) rank(ctx context.Context, cs []candidate) error {
	if err := s.measureOrder(ctx, cs); err != nil {
		return err
	}
	for i := range cs {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.measureRest(&cs[i])
	}
	fuse(cs)
	slices.SortFunc(cs, compareScore)
	return nil
}

// measureOrder fills in proximity, phrase and literal hits, segment by segment.
func (s *search) measureOrder(ctx context.Context, cs []candidate) error {
	o := newWordOrder(s)
	bySegment := make([][]int, len(s.tallies))
	for i := range cs {
		if cs[i].leading || cs[i].topic {
			bySegment[cs[i].seg] = append(bySegment[cs[i].seg], i)
		}
	}
	var row slotRow
	for seg, members := range bySegment {
		if len(members) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		row.fill(s, &s.tallies[seg])
		for _, i := range members {
			f := &cs[i].features
			f.proximity, f.phrase = o.measure(s.tallies[seg].seg.Sequence(cs[i].doc), &row)
			if s.mayBeLiteral(cs[i].found) {
				f.literal, f.identifier = s.literalHits(s.tallies[seg].seg.Passage(cs[i].doc).Text)
			}
		}
		row.clear()
	}
	return nil
}

// mayBeLiteral rules out, without reading it, a text that cannot hold the query
// or one of its identifiers as typed.
func (s *search) mayBeLiteral(found uint32) bool {
	if len(s.literals) > 0 && found != 0 {
		return true
	}
	all := true
	for i := range s.words {
		held := found&(1<<i) != 0
		all = all && (held || !s.searched(i))
	}
	return all
}

func (s *search) measureRest(c *candidate) {
	t := &s.tallies[c.seg]
	owners := s.corpus.owners[c.seg]
	if d := int(c.doc); d > 0 && owners[d-1] == c.ord {
		c.features.neighbours += float64(t.scores[d-1])
	}
	if d := int(c.doc) + 1; d < len(owners) && owners[d] == c.ord {
		c.features.neighbours += float64(t.scores[d])
	}
	c.features.session = float64(s.sessions[c.ord])
	if s.vector != nil {
		c.features.topic = max(0, s.cosine(t.seg.Vector(c.doc)))
	}
	for _, d := range s.dates {
		c.features.date = max(c.features.date, d.closeness(c.at.In(s.zone)))
	}
	if s.decision {
		c.features.reply = s.replyShare(t.seg.Passage(c.doc))
	}
}

// fuse computes the scores.
func fuse(cs []candidate) {
	var most features
	for _, c := range cs {
		most.words = larger(most.words, c.features.words)
		most.neighbours = larger(most.neighbours, c.features.neighbours)
		most.session = larger(most.session, c.features.session)
		most.proximity = larger(most.proximity, c.features.proximity)
		most.phrase = larger(most.phrase, c.features.phrase)
		most.topic = larger(most.topic, c.features.topic)
	}
	for i := range cs {
		f := cs[i].features
		score := weightWords*share(f.words, most.words) +
			weightTopic*share(f.topic, most.topic) +
			weightProximity*share(f.proximity, most.proximity) +
			weightPhrase*share(f.phrase, most.phrase) +
			weightSession*share(f.session, most.session) +
			weightNeighbours*share(f.neighbours, most.neighbours) +
			weightLiteral*f.literal + weightIdentifier*f.identifier + weightDate*f.date + weightReply*f.reply
		if cs[i].side {
			score *= sideShare
		}
		cs[i].score = score
	}
}

// larger ignores what is no number (C13).
func larger(a, b float64) float64 {
	if math.IsNaN(b) || math.IsInf(b, 0) {
		return a
	}
	return max(a, b)
}

func share(value, most float64) float64 {
	if most <= 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	return value / most
}

// compareScore is a total order: what is no number last, then the better score,
// then the identity. Recency decides between equals only (R2, R3).
func compareScore(a, b candidate) int {
	if x, y := math.IsNaN(a.score), math.IsNaN(b.score); x || y {
		switch {
		case x && !y:
			return 1
		case y && !x:
			return -1
		}
		return cmp.Compare(a.order, b.order)
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order))
}
