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
	hung   bool // no passage but what hangs on one

	found, near uint32 // words held
	words       bool   // passes the word rule
	closeOnly   bool   // only by close spellings
	topic       bool   // passes the topic floors
	rankTopic   int
	partly      bool // holds some of the words, but not enough: fills up
	leading     bool // among the first by words

	replyUnknown bool // features.reply is not measured yet
	features     features
	score        float64
	alsoIn       []string
}

// features are the parts of a score, as in the recipe that measured best.
type features struct {
	words      float64 // BM25
	neighbours float64 // idf of the words that it lacks and the passages before and after hold
	session    float64 // BM25 of the session as one document
	proximity  float64
	phrase     float64
	literal    float64 // the query stands there as typed: 0 or 1
	identifier float64 // share of its identifiers that stand there as typed
	topic      float64 // cosine of the vectors
	date       float64 // fit to the times that the query names
	reply      float64 // 1 for a reply, when a decision is asked for
}

// weights are what each feature is worth. Those of features up to topic are of the
// feature divided by its largest value over the candidates.
type weights struct {
	words, neighbours, session, proximity, phrase, topic float64
	literal, identifier, date, reply                     float64
}

// recipe is the weights that measured best on conversations with known answers. The
// plateau is flat: a tenth on any of them moves little. One vector a passage takes
// what a vector of the passage and those of its parts had, and without date words
// in the index a date weighs more. What each is worth: RANKING.md.
var recipe = weights{
	words: .60, neighbours: .10, session: .20, proximity: .20, phrase: .20, topic: .40,
	literal: .30, identifier: .20, date: .70, reply: .15,
}

// sideShare is what a sub-agent's passage keeps of its score: it ranks behind the
// same text in its parent.
const sideShare = .97

const (
	firstByWords   = 200 // candidates by BM25; they alone get the costly features
	firstBySession = 20  // sessions whose matches compete beside them (spares)
)

// gather makes the candidates that are measured by all features: the first by words,
// what the topic found and what fills up.
func (r *ranking) gather(topical, fill []candidate) []candidate {
	s := r.s
	r.rest = make([][]uint64, len(r.matches.bits))
	for i, bits := range r.matches.bits {
		t := &s.tallies[i]
		t.rest = append(t.rest[:0], bits...)
		r.rest[i] = t.rest
	}
	places := map[[2]uint32]int{} // of the topical ones
	mayBe := uint64(0)            // bit doc%64 of each: rules most others out at once
	for i, t := range topical {
		places[[2]uint32{uint32(t.seg), t.doc}] = i
		mayBe |= 1 << (t.doc & 63)
	}
	first := room(&s.lent.candidates, len(r.leading)+len(topical)+len(fill)+sureOfOrder)[:0]
	taken := make([]bool, len(topical))
	add := func(m match, leads bool) {
		if !take(r.rest[m.seg], m.doc) {
			return
		}
		c := s.matched(m)
		c.leading = leads
		if mayBe&(1<<(m.doc&63)) != 0 {
			if k, ok := places[[2]uint32{m.seg, m.doc}]; ok {
				c.topic, c.rankTopic, taken[k] = true, topical[k].rankTopic, true
			}
		}
		first = append(first, c)
	}
	for _, m := range r.leading {
		add(m, true)
	}
	for i, t := range topical {
		add(match{s.tallies[t.seg].scores[t.doc], uint32(t.seg), t.doc}, false)
		if !taken[i] {
			first = append(first, t)
		}
	}
	for _, c := range fill {
		if _, ok := places[[2]uint32{uint32(c.seg), c.doc}]; !ok {
			first = append(first, c)
		}
	}
	return first
}

// placed is a match with its place among equals, which is asked once of each where a
// hundred thousand are to be sorted.
type placed struct {
	match
	order uint64
}

func (s *search) orderOf(m match) uint64 {
	return s.corpus.order(int(m.seg), m.doc)
}

// compareSessions puts the session that scores better as a whole first.
func (s *search) compareSessions(a, b uint32) int {
	return cmp.Or(cmp.Compare(s.sessions[b], s.sessions[a]), cmp.Compare(s.corpus.ranks[a], s.corpus.ranks[b]))
}

// rank fills in the features of candidates and spares, fuses them and sorts.
func (r *ranking) rank(ctx context.Context, first []candidate) error {
	s := r.s
	if err := s.measureOrder(ctx, first); err != nil {
		return err
	}
	if err := s.measureTopic(ctx, first); err != nil {
		return err
	}
	for i := range first {
		s.measureRest(&first[i])
	}
	most, err := r.gatherSpares(ctx)
	if err != nil {
		return err
	}
	r.largest = s.worth.fuse(first, most)
	if err := r.scoreSpares(ctx, r.largest); err != nil {
		return err
	}
	r.sorted = r.promote(first, sureOfOrder)
	sortByScore(r.sorted)
	return s.settle(ctx, r.sorted, r.largest, sureOfOrder)
}

// measureOrder fills in proximity, phrase and literal hits, segment by segment.
func (s *search) measureOrder(ctx context.Context, cs []candidate) error {
	bySegment := s.bySegment(cs, func(c *candidate) bool { return c.leading || c.topic })
	weights, typed := s.slotWeights(), s.typedWords()
	return s.perSegment(ctx, func(seg int) {
		if len(bySegment[seg]) == 0 {
			return
		}
		o, asTyped := newWordOrder(s, weights), newTypedRows(typed, s.corpus.segs[seg])
		row := slotRows.Get().(*slotRow)
		defer slotRows.Put(row)
		row.fill(s, &s.tallies[seg])
		for _, i := range bySegment[seg] {
			if ctx.Err() != nil {
				break
			}
			f := &cs[i].features
			sequence := row.sequence(s.corpus.segs[seg], cs[i].doc)
			f.proximity, f.phrase = o.measure(sequence, row)
			if s.mayBeLiteral(cs[i].found) {
				switch asTyped.judge(sequence) {
				case stands:
					f.literal = 1
				case unsaid:
					f.literal, f.identifier = s.literalHits(s.passage(seg, cs[i].doc).Text)
				}
			}
		}
		row.clear()
	})
}

// bySegment are the places in cs of some candidates, by segment, and then in the order
// of documents: what is read for one may serve the next.
func (s *search) bySegment(cs []candidate, wanted func(*candidate) bool) [][]int {
	bySegment := make([][]int, len(s.tallies))
	for i := range cs {
		if wanted(&cs[i]) {
			bySegment[cs[i].seg] = append(bySegment[cs[i].seg], i)
		}
	}
	for _, places := range bySegment {
		slices.SortFunc(places, func(a, b int) int { return cmp.Compare(cs[a].doc, cs[b].doc) })
	}
	return bySegment
}

func (s *search) measureRest(c *candidate) {
	c.features.neighbours = s.weight(s.heldBeside(c) &^ c.found)
	c.features.session = float64(s.sessions[c.ord])
	if len(s.dates) > 0 {
		c.features.date = s.timely(c.at.In(s.zone))
	}
	c.replyUnknown = s.decision
}

// heldBeside are the words that the passages before and after a candidate hold: a
// passage may end between a question and its answer.
func (s *search) heldBeside(c *candidate) (found uint32) {
	owners, rows := s.corpus.owners[c.seg], s.tallies[c.seg].found
	for _, d := range [...]int{int(c.doc) - 1, int(c.doc) + 1} {
		if d >= 0 && d < len(owners) && owners[d] == c.ord {
			found |= rows[d]
		}
	}
	return found
}

// fuse computes the scores and returns the largest features; most are those of other
// candidates.
func (w *weights) fuse(cs []candidate, most features) features {
	for _, c := range cs {
		most.words = larger(most.words, c.features.words)
		most.neighbours = larger(most.neighbours, c.features.neighbours)
		most.session = larger(most.session, c.features.session)
		most.proximity = larger(most.proximity, c.features.proximity)
		most.phrase = larger(most.phrase, c.features.phrase)
		most.topic = larger(most.topic, c.features.topic)
	}
	for i := range cs {
		cs[i].score = w.fused(&cs[i], most)
	}
	return most
}

// fused is the score, most being the largest features of all candidates.
func (w *weights) fused(c *candidate, most features) float64 {
	f := c.features
	score := w.words*share(f.words, most.words) +
		w.topic*share(f.topic, most.topic) +
		w.proximity*share(f.proximity, most.proximity) +
		w.phrase*share(f.phrase, most.phrase) +
		w.session*share(f.session, most.session) +
		w.neighbours*share(f.neighbours, most.neighbours) +
		w.literal*f.literal + w.identifier*f.identifier + w.date*f.date + w.reply*f.reply
	if c.partly {
		score *= partlyShare
	}
	if c.side {
		score *= sideShare
	}
	return score
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

// sortByScore puts the best first. What is sorted are small keys: a candidate has
// thirty words, and moving thousands of them about took longer than comparing.
func sortByScore(cs []candidate) {
	type key struct {
		score float64
		order uint64
		from  int
	}
	keys := make([]key, len(cs))
	for i := range cs {
		keys[i] = key{cs[i].score, cs[i].order, i}
	}
	slices.SortFunc(keys, func(a, b key) int { return compareScores(a.score, b.score, a.order, b.order) })
	for start := range keys { // each goes straight to its place, one circle after the other
		if keys[start].from == start {
			continue
		}
		held, at := cs[start], start
		for keys[at].from != start {
			next := keys[at].from
			cs[at], keys[at].from = cs[next], at
			at = next
		}
		cs[at], keys[at].from = held, at
	}
}

// compareScore is a total order: what is no number last, then the better score,
// then the identity. Recency decides between equals only (R2, R3).
func compareScore(a, b candidate) int {
	return compareScores(a.score, b.score, a.order, b.order)
}

func compareScores(a, b float64, orderA, orderB uint64) int {
	if x, y := math.IsNaN(a), math.IsNaN(b); x || y {
		switch {
		case x && !y:
			return 1
		case y && !x:
			return -1
		}
		return cmp.Compare(orderA, orderB)
	}
	return cmp.Or(cmp.Compare(b, a), cmp.Compare(orderA, orderB))
}
