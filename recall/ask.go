package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// search is one Ask under way.
type search struct {
	*plan
	corpus     *corpus
	filter     *filter
	conditions []*condition
	zone       *time.Location
	reader     reader
	worth      *weights

	asserted bool // a phrase is asked for: what holds it matches, whatever else it holds
	scanning bool // every text is looked at
	wordless bool // some of what is searched has no words yet
	began    time.Time
	patience time.Duration // how long texts are searched for a pattern
	looked   looked
	rule     *knownRule

	tallies  []tally
	sessions []float32       // BM25 of whole sessions, by ordinal
	aims     []*aim          // by segment: nil where the topic takes no part
	ranks    map[float64]int // of the shown passages in the words tier, by BM25
	terms    map[string][]atomLevel
	starts   *[256]bool
	texts    *textMemory
	calls    map[[2]uint32]call  // of what hangs on passages, by segment and document, as they were told
	readers  []*turnReader       // by segment, made when first needed
	lent     *workspace          // what release gives back
	marking  *marker             // of mark
	held     map[uint64]*holders // texts of turns that were looked up, by their keys
}

// Ask answers from what is indexed at this moment. It is safe for concurrent use
// and returns ctx's error soon after ctx ends. An empty query is no error: it has
// no hits and a note. The error wraps ErrFilter when a filter's value makes no
// sense, unless q is Lenient.
func (e *Engine) Ask(ctx context.Context, q Query) (Answer, error) {
	began := time.Now()
	complete := e.edition().progress().Complete // asked before the corpus is taken, which then holds it all
	a := Answer{Query: q.Text, Complete: complete}
	s, notes, err := e.newSearch(ctx, q)
	if err != nil {
		return a, err
	}
	a.Time = s.timePhrase(q.Time, e.now())
	// A cap would hide what there is to see of the one session that is asked about.
	q.Uncapped = q.Uncapped || slices.ContainsFunc(s.filters, func(f query.Filter) bool { return f.Name == query.Session && !f.Not })
	from, err := readCursor(q)
	if err != nil {
		return a, err
	}
	if len(s.words) == 0 && !s.scanning {
		a.Notes = slices.Concat(notes, s.typed, []string{s.nothingAsked()}, e.edition().archive.notes())
		a.Took = time.Since(began)
		return a, ctx.Err()
	}
	defer s.release()
	ranked, err := s.find(ctx, e, q, from.shown, &a)
	if err != nil {
		return a, err
	}
	if ranked.total == 0 && s.asserted && s.titled() && s.looked.of == 0 && emptied(s.filter.drops()) == "" {
		q.unquoted = true
		return e.Ask(ctx, q)
	}
	if err := s.page(ctx, e, q, from, ranked, &a); err != nil {
		return a, err
	}
	if e.healed(s.corpus.snap) {
		if !q.Lenient {
			e.awaitHealed(ctx)
		}
		return e.Ask(ctx, q)
	}
	if e.edition().index.Lacks() {
		a.Complete = false
		notes = append(notes, "Some of what is kept cannot be read any more and is missing here: the next start reads it again.")
	}
	if s.looked.of > 0 {
		a.AtLeast, a.Complete = true, false
	}
	a.Complete = a.Complete && !s.wordless
	a.Words, a.Notes = s.queryWords(), slices.Concat(notes, s.notes(), s.outcome(ranked, &a), e.edition().archive.notes())
	a.Took = time.Since(began)
	return a, nil
}

// newSearch reads the query and takes the corpus that it is about.
func (e *Engine) newSearch(ctx context.Context, q Query) (*search, []string, error) {
	s := &search{plan: newPlan(q, e.now()), zone: e.cfg.Zone, reader: e.reader(), worth: e.worth, texts: &textMemory{}, calls: map[[2]uint32]call{}, patience: cmp.Or(q.Patience, scanPatience)}
	where := scopeOf(s.filters)
	if where.hung() && !textsTell(s.plan.conditions(0), s.required) {
		if err := e.readTools(ctx, !q.Lenient); err != nil {
			return nil, nil, err
		}
	}
	s.began = time.Now() // not before: patience is for texts, not for words to be read
	s.corpus = e.corpus(where)
	s.aims = make([]*aim, len(s.corpus.segs))
	var notes []string
	var bad []error
	s.filter, bad = newFilter(ctx, q, s.filters, s.corpus, e.reader())
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	for _, err := range bad {
		if !q.Lenient {
			return nil, nil, err
		}
		notes = append(notes, "Ignored: "+err.Error()+".")
	}
	if q.Time == TimeRequired && len(s.dates) > 0 {
		s.filter.turns = append(s.filter.turns, narrowing[sessions.Span]{label: "“" + s.timePhrase(q.Time, e.now()).Text + "”", pass: func(span sessions.Span) bool {
			return !span.At.IsZero() && s.within(span.At.In(s.zone))
		}})
		for _, d := range s.dates {
			s.filter.addEdges(d.window)
		}
	}
	s.conditions = s.plan.conditions(len(s.corpus.segs))
	for _, c := range s.conditions {
		s.asserted = s.asserted || !c.not && slices.ContainsFunc(c.any, func(a alternative) bool { return a.phrase != nil })
	}
	s.scanning, s.rule = scans(s.conditions, s.required), &knownRule{plan: s.plan}
	if note := where.note(s.corpus.snap); note != "" && !textsTell(s.conditions, s.required) {
		s.wordless, notes = true, append(notes, note)
	}
	return s, notes, nil
}

// find finds and ranks everything that answers, and counts it.
func (s *search) find(ctx context.Context, e *Engine, q Query, offset int, a *Answer) (*ranking, error) {
	if err := s.tallyWords(ctx, s.corpus.columns); err != nil {
		return nil, err
	}
	if s.scanning {
		limit := 0
		if q.Typing {
			limit = offset + pageLimit(q) + scanReserve
		}
		matches, stopped, err := s.scan(ctx, limit)
		if err != nil {
			return nil, err
		}
		a.PassagesMatched, a.SessionsMatched, a.AtLeast = matches.count, len(matches.sessions), stopped
		return s.newest(matches, nil), nil
	}
	matches, err := s.matchWords(ctx)
	if err != nil {
		return nil, err
	}
	a.PassagesMatched, a.SessionsMatched = matches.count, len(matches.sessions)
	s.embedQuery(e.models)
	topical, err := s.byTopic(ctx)
	if err != nil {
		return nil, err
	}
	a.Topical, a.TopicMatched = s.aimed(), len(topical)
	if q.Sort == Newest {
		return s.newest(matches, topical), ctx.Err()
	}
	var fill []candidate
	if !q.All {
		if fill, err = s.fillUp(ctx, matches); err != nil {
			return nil, err
		}
	}
	return s.rankAll(ctx, matches, topical, fill)
}

// matched is a match as a candidate.
func (s *search) matched(m match) candidate {
	return s.byWords(s.candidate(int(m.seg), m.doc))
}

// byWords marks a candidate as found by its words.
func (s *search) byWords(c candidate) candidate {
	c.words = true
	_, c.closeOnly = s.matches(c.found, c.near)
	c.closeOnly = c.closeOnly && !s.asserted
	return c
}

// candidate describes a passage.
func (s *search) candidate(seg int, doc uint32) candidate {
	row := s.corpus.segs[seg].Doc(doc)
	c := candidate{seg: seg, doc: doc, ord: row.Session, number: int(row.Number), order: s.corpus.order(seg, doc), hung: s.corpus.segs[seg].Scope() == index.Tools}
	c.features.words = float64(s.tallies[seg].scores[doc])
	c.found, c.near = s.tallies[seg].found[doc], s.tallies[seg].near[doc]
	if b, ok := s.corpus.snap.Brief(row.Session); ok {
		c.side = b.Subagent
	}
	c.at = s.saidAt(row)
	return c
}

// saidAt is when a passage was said: when its session was active last, where that is not
// known.
func (s *search) saidAt(row index.Doc) time.Time {
	if row.At != 0 {
		return time.Unix(row.At, 0)
	}
	if b, ok := s.corpus.snap.Brief(row.Session); ok {
		return b.At()
	}
	return time.Time{}
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
	spares  []spareRun // what of the best sessions is not in it yet
	matches *matchSet
	leading []match
	rest    [][]uint64 // matches that are neither in the beginning nor spares, by segment
	total   int        // candidates there are, the sorted ones included
	largest features   // of the beginning
	held    bool       // the cap left something of sub-agents out
	behind  *behind    // nil: none of rest is in sorted

	queue []timed // what is left, when time alone is the order
}

// rankAll ranks everything that was found.
func (s *search) rankAll(ctx context.Context, matches *matchSet, topical, fill []candidate) (*ranking, error) {
	r := &ranking{s: s, matches: matches, leading: s.leading(matches.bits, firstByWords), total: matches.count}
	if err := r.rank(ctx, r.gather(topical, fill)); err != nil {
		return nil, err
	}
	s.lowerSummaries(r.sorted)
	r.sorted = dropSurplus(r.sorted, matches.count)
	for i := range r.sorted {
		if !r.sorted[i].words {
			r.total++
		}
	}
	return r, nil
}

// first is the best n candidates, or all there are. Up to firstLook of them are in
// order from the start.
func (r *ranking) first(ctx context.Context, n int) ([]candidate, error) {
	if len(r.queue) > 0 {
		r.dequeue(n)
		return r.sorted[:min(n, len(r.sorted))], nil
	}
	if n > firstLook && r.behind == nil {
		r.sorted = r.promoteFrom(r.sorted, math.Inf(-1))
		sortByScore(r.sorted)
		if err := r.s.settle(ctx, r.sorted, r.largest, len(r.sorted)); err != nil {
			return nil, err
		}
	}
	if n > len(r.sorted) && len(r.sorted) < r.total {
		r.addRest(min(n, r.total) - len(r.sorted))
	}
	return r.sorted[:min(n, len(r.sorted))], nil
}

// behind is what the matches that stand behind the beginning take their scores from.
type behind struct {
	least float64 // score of the beginning
	most  float64 // BM25 of it
}

// addRest puts the next n of the other matches behind the beginning, in the order of the
// words tier. There may be ten thousand where the next some hundred fill the page.
func (r *ranking) addRest(n int) {
	if r.behind == nil {
		r.behind = &behind{}
		for _, c := range r.sorted {
			r.behind.least, r.behind.most = c.score, max(r.behind.most, c.features.words)
		}
	}
	r.sorted = slices.Grow(r.sorted, n)
	for _, m := range r.s.leading(r.rest, n) {
		take(r.rest[m.seg], m.doc)
		c := r.s.matched(m)
		c.score = r.behind.least * share(c.features.words, r.behind.most)
		r.sorted = append(r.sorted, c)
	}
}

// pageLimit is how many hits are wanted.
func pageLimit(q Query) int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return min(q.Limit, maxLimit)
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

// firstLook is how many ranked passages are made hits of at first; more, four times as
// many in all each time, only when they do not fill the page.
const firstLook = 256

// groups makes at least want hits of the ranked passages, if there are as many.
func (s *search) groups(ctx context.Context, ranked *ranking, want int, q Query) ([]group, error) {
	made, from := s.grouping(q), 0
	for look := firstLook; ; look *= 4 {
		top, err := ranked.first(ctx, look)
		if err != nil {
			return nil, err
		}
		made.add(top[from:])
		if from = len(top); len(made.groups) >= want || look >= ranked.total {
			ranked.held = made.held
			return made.groups, nil
		}
	}
}

// page makes the hits of one page and the cursor behind it.
func (s *search) page(ctx context.Context, e *Engine, q Query, from cursor, ranked *ranking, a *Answer) error {
	limit := pageLimit(q)
	groups, err := s.groups(ctx, ranked, from.shown+limit+1, q)
	if err != nil || len(groups) == 0 {
		return err
	}
	most := groups[0].best.score
	groups = s.unshown(groups, from)
	shown := groups[:min(len(groups), limit)]
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
	if len(shown) < len(groups) {
		a.Cursor = writeCursor(q, from.behind(s, shown))
	}
	return nil
}
