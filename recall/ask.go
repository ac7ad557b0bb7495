package recall

import (
	"context"
	"slices"
	"time"

	"yore/recall/index"
	"yore/recall/topic"
)

// search is one Ask under way.
type search struct {
	*plan
	corpus *corpus
	filter *filter
	zone   *time.Location

	tallies  []tally
	sessions []float32       // BM25 of whole sessions, by ordinal
	vector   []int8          // of the query; nil when the topic takes no part
	floor    float64         // least cosine of a topic match
	ranks    map[float64]int // of the shown passages in the words tier, by BM25
	terms    map[string][]atomLevel
	starts   *[256]bool
	texts    *textMemory
	held     map[uint64]*holders // texts of turns that were looked up, by their keys
}

// Ask answers from what is indexed at this moment. It is safe for concurrent use
// and returns ctx's error soon after ctx ends. An empty query is no error: it has
// no hits and a note.
func (e *Engine) Ask(ctx context.Context, q Query) (Answer, error) {
	began := time.Now()
	complete := e.library.Progress().Complete // asked before the corpus is taken, which then holds it all
	c := e.corpus()
	s := &search{plan: newPlan(q, e.now()), corpus: c, filter: newFilter(q, c), zone: e.cfg.Zone, texts: &textMemory{}}
	a := Answer{Query: q.Text, Complete: complete}
	offset, err := readCursor(q)
	if err != nil {
		return a, err
	}
	if len(s.words) == 0 {
		a.Notes = append(s.notes(), e.archive.notes()...)
		a.Took = time.Since(began)
		return a, ctx.Err()
	}
	defer s.release()
	if err := s.tallyWords(ctx, e.columns); err != nil {
		return a, err
	}
	matches, err := s.matchWords(ctx)
	if err != nil {
		return a, err
	}
	a.PassagesMatched, a.SessionsMatched = matches.count, len(matches.sessions)
	s.embedQuery(topic.Embedded())
	topical, err := s.byTopic(ctx)
	if err != nil {
		return a, err
	}
	a.Topical, a.TopicMatched = s.vector != nil, len(topical)

	ranked, err := s.rankAll(ctx, matches, topical)
	if err != nil {
		return a, err
	}
	if err := s.page(ctx, e, q, offset, ranked, &a); err != nil {
		return a, err
	}
	a.Words, a.Notes = s.queryWords(), append(s.notes(), e.archive.notes()...)
	if ranked.total == 0 {
		if note := s.filter.note(); note != "" {
			a.Notes = append(a.Notes, note)
		}
	}
	a.Took = time.Since(began)
	return a, nil
}

// passTime applies the word rule to those turns of a passage whose time passes.
func (s *search) passTime(t *tally, doc uint32) bool {
	p := t.seg.Passage(doc)
	whole, some := s.filter.turns(p)
	if whole {
		return true
	}
	if some {
		t.found[doc], t.near[doc] = s.heldInTurns(p)
		if ok, _ := s.matches(t.found[doc], t.near[doc]); ok {
			return true
		}
	}
	s.filter.dropTime(p)
	return false
}

// matched is a match as a candidate.
func (s *search) matched(m match) candidate {
	c := s.candidate(int(m.seg), m.doc)
	c.words = true
	_, c.closeOnly = s.matches(c.found, c.near)
	return c
}

// candidate describes a passage.
func (s *search) candidate(seg int, doc uint32) candidate {
	row := s.corpus.segs[seg].Doc(doc)
	c := candidate{seg: seg, doc: doc, ord: row.Session, number: int(row.Number), order: s.corpus.order(row.Session, row.Number)}
	c.features.words = float64(s.tallies[seg].scores[doc])
	c.found, c.near = s.tallies[seg].found[doc], s.tallies[seg].near[doc]
	if entry := s.corpus.snap.Session(row.Session); entry != nil {
		c.side, c.at = entry.Subagent, entry.LastActive
	}
	if row.At != 0 {
		c.at = time.Unix(row.At, 0)
	}
	return c
}

// candidateAt describes the passage that a snapshot's Ref names.
func (s *search) candidateAt(r index.Ref) (candidate, bool) {
	seg := slices.Index(s.corpus.segs, r.Seg)
	if seg < 0 {
		return candidate{}, false
	}
	return s.candidate(seg, r.Doc), true
}

// ranking is everything that was found, best first. Only its beginning is ranked by
// all features; the rest of the matches follow in the order of the words tier, and
// are put in that order when somebody pages so far.
type ranking struct {
	s       *search
	sorted  []candidate
	matches *matchSet
	leading []match
	rest    [][]uint64 // matches that are not in the beginning, by segment
	total   int        // candidates there are, the sorted ones included
	largest features   // of the beginning
}

// rankAll ranks everything that was found.
func (s *search) rankAll(ctx context.Context, matches *matchSet, topical []candidate) (*ranking, error) {
	r := &ranking{s: s, matches: matches, leading: s.leading(matches), total: matches.count}
	first := r.gather(topical)
	var err error
	if r.largest, err = s.rank(ctx, first); err != nil {
		return nil, err
	}
	s.lowerSummaries(first)
	r.sorted = first
	for i := range first {
		if !first[i].words {
			r.total++
		}
	}
	return r, nil
}

// first is the best n candidates, or all there are. Up to firstLook of them are in
// order from the start.
func (r *ranking) first(ctx context.Context, n int) ([]candidate, error) {
	if n > firstLook {
		if err := r.s.settle(ctx, r.sorted, r.largest, len(r.sorted)); err != nil {
			return nil, err
		}
	}
	if n > len(r.sorted) && len(r.sorted) < r.total {
		r.addRest()
	}
	return r.sorted[:min(n, len(r.sorted))], nil
}

// addRest puts the other matches behind the beginning, in the order of the words tier.
func (r *ranking) addRest() {
	least, most := 0.0, 0.0
	for _, c := range r.sorted {
		least, most = c.score, max(most, c.features.words)
	}
	var rest []match
	for i, bits := range r.rest {
		for d := range each(bits) {
			rest = append(rest, match{r.s.tallies[i].scores[d], uint32(i), d})
		}
	}
	slices.SortFunc(rest, r.s.compareMatches)
	for _, m := range rest {
		c := r.s.matched(m)
		c.score = least * share(c.features.words, most)
		r.sorted = append(r.sorted, c)
	}
}

// maxLimit bounds one page; a cursor goes on from there.
const maxLimit = 1 << 20

// A compaction summary repeats what was said: the words themselves rank before it.
// Only as many as an answer can show are looked at.
const (
	summaryShare = .8
	summaryLook  = 64
)

func (s *search) lowerSummaries(ranked []candidate) {
	top := ranked[:min(len(ranked), summaryLook)]
	lowered := false
	for i := range top {
		if s.summary(top[i]) {
			top[i].score *= summaryShare
			lowered = true
		}
	}
	if lowered {
		sortByScore(ranked)
	}
}

// firstLook is how many ranked passages are folded and merged at first; more
// only when they do not fill the page.
const firstLook = 256

// groups makes at least want hits of the ranked passages, if there are as many.
func (s *search) groups(ctx context.Context, ranked *ranking, want int, all bool) ([]group, error) {
	for look := max(firstLook, want); ; look *= 4 {
		top, err := ranked.first(ctx, look)
		if err != nil {
			return nil, err
		}
		if !all {
			top = s.fold(top)
		}
		groups := s.collect(top, all)
		if len(groups) >= want || look >= ranked.total {
			return groups, nil
		}
	}
}

// page makes the hits of one page and the cursor behind it.
func (s *search) page(ctx context.Context, e *Engine, q Query, offset int, ranked *ranking, a *Answer) error {
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, maxLimit)
	groups, err := s.groups(ctx, ranked, offset+limit+1, q.All)
	if err != nil || len(groups) == 0 {
		return err
	}
	most := groups[0].best.score
	end := min(len(groups), offset+limit)
	shown := groups[min(offset, end):end]
	var scores []float64
	for _, g := range shown {
		for _, c := range g.members {
			scores = append(scores, c.features.words)
		}
	}
	s.ranks = s.wordRanks(ranked.matches, ranked.leading, scores)
	a.Hits = make([]Hit, len(shown))
	err = split(ctx, searchers, len(shown) > 1, func(part int) {
		own := s.aside()
		for i := part; i < len(shown) && ctx.Err() == nil; i += searchers {
			a.Hits[i] = own.hit(e, shown[i], most)
		}
	})
	if err != nil {
		a.Hits = nil
		return err
	}
	if end < len(groups) {
		a.Cursor = writeCursor(q, end)
	}
	return nil
}
