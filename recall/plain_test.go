package recall

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// The ranking written down plainly: every passage looked at for every word, every
// list sorted whole, nothing kept from one question to the next. The one that is
// used has to give the same, number by number.

// plainSearch is one question, answered that way.
type plainSearch struct {
	*search
	rows    []plainRow // by segment
	counted int
	in      map[uint32]bool // sessions
	ranked  []candidate
	ranks   map[float64]int
	topical []candidate
}

// plainRow is what the documents of a segment hold of a query.
type plainRow struct {
	seg    *index.Segment
	tf     [][]float32 // by atom and document
	levels [][]level
	scores []float32
	found  []uint32
	near   []uint32
}

func plainAsk(e *Engine, q Query) *plainSearch {
	s, _, err := e.newSearch(context.Background(), q)
	if err != nil {
		panic(err)
	}
	c := newCorpus(e.edition().index.Snapshot())
	s.corpus = c
	p := &plainSearch{search: s, in: map[uint32]bool{}}
	if len(p.words) == 0 {
		return p
	}
	p.fill()
	p.sumWords()
	p.sessions = make([]float32, c.snap.Sessions())
	p.sumSessions()
	var matches []candidate
	unfiltered := 0 // matches, if there were no filter
	for i, r := range p.rows {
		for d := range r.found {
			ok, _ := p.plan.matches(r.found[d], r.near[d])
			if ok {
				unfiltered++
			}
			if ok && p.passes(i, uint32(d)) {
				matches = append(matches, p.at(i, uint32(d)))
			}
		}
	}
	p.counted = len(matches)
	answered := len(matches) > 0 || p.wellKnown && unfiltered == len(matches)
	p.aims = make([]*aim, len(c.segs))
	p.embedQuery(e.models)
	p.nearest()
	var partly []candidate
	if n := len(matches); !q.All && answered && n < fillTo && !p.common && !p.oneRow && !p.asserted {
		partly = p.partly(matches)
	}
	p.rankAll(matches, partly)
	return p
}

// partly are the first by words of those that hold some of the words.
func (p *plainSearch) partly(matches []candidate) (fill []candidate) {
	p.loose = true
	defer func() { p.loose = false }()
	in := maps.Clone(p.in)
	for i, r := range p.rows {
		for d := range r.found {
			if ok, _ := p.plan.matches(r.found[d], r.near[d]); ok && p.passes(i, uint32(d)) {
				fill = append(fill, p.at(i, uint32(d)))
			}
		}
	}
	p.in = in
	without := func(list []candidate) {
		fill = slices.DeleteFunc(fill, func(c candidate) bool {
			return slices.ContainsFunc(list, func(other candidate) bool { return other.seg == c.seg && other.doc == c.doc })
		})
	}
	without(matches)
	sortByWords(fill)
	fill = fill[:min(len(fill), firstByWords)]
	without(p.topical)
	for i := range fill {
		fill[i].words, fill[i].closeOnly = false, false
		fill[i].partly, fill[i].leading = true, true
	}
	return fill
}

func sortByWords(cs []candidate) {
	slices.SortFunc(cs, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.features.words, a.features.words), cmp.Compare(a.order, b.order))
	})
}

// passes applies the filters to a match.
func (p *plainSearch) passes(seg int, doc uint32) bool {
	r := &p.rows[seg]
	ord := r.seg.Doc(doc).Session
	if !p.filter.sessions[ord] {
		return false
	}
	if p.filter.turnwise() {
		passage := r.seg.Passage(doc)
		whole, some := p.filter.passage(passage.Spans)
		if !some {
			return false
		}
		if !whole {
			r.found[doc], r.near[doc] = p.heldInTurns(passage)
			if ok, _ := p.plan.matches(r.found[doc], r.near[doc]); !ok {
				return false
			}
		}
	}
	p.in[ord] = true
	return true
}

// fill looks every atom up.
func (p *plainSearch) fill() {
	for _, seg := range p.corpus.segs {
		p.rows = append(p.rows, plainRow{
			seg: seg, tf: make([][]float32, len(p.atoms)), levels: make([][]level, len(p.atoms)),
			scores: make([]float32, seg.Len()), found: make([]uint32, seg.Len()), near: make([]uint32, seg.Len()),
		})
	}
	for a := range p.atoms {
		p.lookUp(a)
	}
	for a := range p.atoms {
		if p.atoms[a].df == 0 && p.atoms[a].mistakes > 0 && p.atomSearched(a) && !p.spelt(a) {
			p.atoms[a].near = plainSpellings(p.corpus.segs, p.atoms[a])
			p.lookUp(a)
		}
	}
}

func (p *plainSearch) lookUp(a int) {
	strong, weak := 0, 0
	for i := range p.rows {
		r := &p.rows[i]
		r.tf[a], r.levels[a] = plainColumn(r.seg, &p.atoms[a])
		for d, l := range r.levels[a] {
			switch {
			case l == absent || r.seg.Dead(uint32(d)):
			case l == byBeginning && !p.atoms[a].open:
				weak++
			default:
				strong++
			}
		}
	}
	p.atoms[a].df = strong
	if strong == 0 {
		p.atoms[a].df = weak
	}
	p.atoms[a].idf = inverseFrequency(p.corpus.passages, p.atoms[a].df)
}

// plainColumn looks at every term of a segment.
func plainColumn(seg *index.Segment, a *atom) (tf []float32, levels []level) {
	tf, levels = make([]float32, seg.Len()), make([]level, seg.Len())
	add := func(id uint32, share float32, l level) {
		docs, tfs := seg.Postings(id)
		for k, d := range docs {
			tf[d] += share * float32(tfs[k])
			levels[d] = max(levels[d], l)
		}
	}
	stems := seg.Stems(a.stem)
	for id := range uint32(seg.Terms()) {
		term := string(seg.Term(id))
		switch {
		case slices.Contains(stems, id):
		case a.open && strings.HasPrefix(term, a.term):
			add(id, 1, byBeginning)
		case a.begins && strings.HasPrefix(term, a.term), a.lone && strings.HasSuffix(term, a.term):
			add(id, float32(len(a.term))/float32(len(term)), byBeginning)
		}
	}
	for _, id := range stems {
		if string(seg.Term(id)) == a.term {
			add(id, 1, exactly)
		} else {
			add(id, stemShare, byStem)
		}
	}
	for _, n := range a.near {
		if id, ok := seg.Lookup(n.term); ok {
			add(id, []float32{oneMistakeShare, moreMistakesShare}[min(n.mistakes, 2)-1], byMistake)
		}
	}
	return tf, levels
}

// sumWords scores every passage and notes the words that it holds.
func (p *plainSearch) sumWords() {
	for i := range p.rows {
		r := &p.rows[i]
		for d := range r.scores {
			if !r.seg.Dead(uint32(d)) {
				p.sumPassage(r, d, p.corpus.norms[i][d])
			}
		}
	}
	p.measure(p.corpus.passages)
	if p.strange && slices.ContainsFunc(p.corpus.newest(), func(m match) bool {
		at := p.corpus.segs[m.seg].Doc(m.doc).At
		return at != 0 && p.within(time.Unix(at, 0).In(p.zone))
	}) {
		p.knowTime()
	}
}

func (p *plainSearch) sumPassage(r *plainRow, d int, norm float32) {
	var scored [maxAtoms]bool
	score := func(a int) {
		if tf := r.tf[a][d]; tf > 0 && !scored[a] {
			gain := float32(p.atoms[a].idf) * tf * (termSaturation + 1) / (tf + norm)
			if r.levels[a][d] == exactly {
				gain *= exactBonus
			}
			r.scores[d] += gain
		}
		scored[a] = true
	}
	for w := range p.words {
		if !p.searched(w) {
			continue
		}
		worst := exactly
		for _, a := range p.words[w].atoms {
			score(a)
			worst = min(worst, r.levels[a][d])
		}
		if whole := p.words[w].whole; whole >= 0 {
			if p.words[w].Whole == "" || worst == absent && !p.atomSearched(whole) {
				score(whole)
			}
			scored[whole] = scored[whole] || !p.atomSearched(whole)
			worst = max(worst, r.levels[whole][d])
		}
		switch {
		case worst > byMistake:
			r.found[d] |= 1 << w
		case worst == byMistake:
			r.near[d] |= 1 << w
		}
	}
	if at := r.seg.Doc(uint32(d)).At; p.dated && at != 0 && p.within(time.Unix(at, 0).In(p.zone)) {
		r.found[d] |= p.required
	}
	for held := r.found[d] | r.near[d]; held != 0; held &= held - 1 {
		p.words[bits.TrailingZeros32(held)].found++
	}
}

func (p *plainSearch) sumSessions() {
	for a := range p.atoms {
		if !p.atomSearched(a) {
			continue
		}
		tf := map[uint32]float32{}
		for i, r := range p.rows {
			for d, owner := range p.corpus.owners[i] {
				if r.levels[a][d] != absent && !r.seg.Dead(uint32(d)) {
					tf[owner] += r.tf[a][d]
				}
			}
		}
		idf := float32(inverseFrequency(p.corpus.talks, len(tf)))
		for ord, f := range tf {
			p.sessions[ord] += idf * f * (termSaturation + 1) / (f + p.corpus.sessionNorms[ord])
		}
	}
}

// nearest measures every vector.
func (p *plainSearch) nearest() {
	if !p.aimed() {
		return
	}
	var all []candidate
	var n, sum, squares float64
	for i, seg := range p.corpus.segs {
		for d := range uint32(seg.Len()) {
			v := seg.Vector(d, nil)
			aim := p.aims[i]
			if seg.Dead(d) || v == nil || aim == nil {
				continue
			}
			dot := aim.cosine(v) * cosineScale
			n, sum, squares = n+1, sum+math.Round(dot), squares+math.Round(dot)*math.Round(dot)
			c := p.at(i, d)
			if c.features.topic = aim.cosine(v); c.features.topic >= aim.floor && p.filter.sessions[c.ord] && p.anyTurn(c) {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.features.topic, a.features.topic), cmp.Compare(a.order, b.order))
	})
	mean := sum / max(n, 1)
	least := (mean + clearDeviations*math.Sqrt(max(squares/max(n, 1)-mean*mean, 0))) / cosineScale
	for k, c := range all[:min(len(all), nearestByTopic)] {
		if c.features.topic > least {
			c.topic, c.rankTopic = true, k+1
			if k > 0 && all[k-1].features.topic == c.features.topic {
				c.rankTopic = p.topical[k-1].rankTopic
			}
			p.topical = append(p.topical, c)
		}
	}
}

func (p *plainSearch) anyTurn(c candidate) bool {
	if !p.filter.turnwise() {
		return true
	}
	_, some := p.filter.passage(p.rows[c.seg].seg.Passage(c.doc).Spans)
	return some
}

// at describes a passage.
func (p *plainSearch) at(seg int, doc uint32) candidate {
	r := &p.rows[seg]
	row := r.seg.Doc(doc)
	c := candidate{seg: seg, doc: doc, ord: row.Session, number: int(row.Number), order: p.corpus.order(seg, doc)}
	c.features.words = float64(r.scores[doc])
	c.found, c.near = r.found[doc], r.near[doc]
	c.words, c.closeOnly = p.plan.matches(c.found, c.near)
	entry := p.corpus.snap.Session(row.Session)
	c.side, c.at = entry.Subagent, entry.LastActive
	if row.At != 0 {
		c.at = time.Unix(row.At, 0)
	}
	return c
}

// rankAll chooses the candidates, fills in their features and sorts everything.
func (p *plainSearch) rankAll(matches, partly []candidate) {
	sortByWords(matches)
	p.ranks = map[float64]int{}
	for k, m := range matches {
		if _, ok := p.ranks[m.features.words]; !ok {
			p.ranks[m.features.words] = k + 1
		}
	}
	best := p.bestOf(matches)
	var first, rest []candidate
	for k, m := range matches {
		m.leading = k < firstByWords
		t := slices.IndexFunc(p.topical, func(t candidate) bool { return t.seg == m.seg && t.doc == m.doc })
		if t >= 0 {
			m.topic, m.rankTopic = true, p.topical[t].rankTopic
		}
		if m.leading || t >= 0 || slices.Contains(best, m.ord) {
			first = append(first, m)
		} else {
			rest = append(rest, m)
		}
	}
	for _, t := range p.topical {
		if !slices.ContainsFunc(matches, func(m candidate) bool { return t.seg == m.seg && t.doc == m.doc }) {
			t.words, t.closeOnly = false, false
			first = append(first, t)
		}
	}
	first = append(first, partly...)
	p.score(first)
	first = dropSurplus(first, len(matches))
	least, most := 0.0, 0.0
	for _, c := range first {
		least, most = c.score, max(most, c.features.words)
	}
	for i := range rest {
		rest[i].score = least * share(rest[i].features.words, most)
	}
	p.ranked = append(first, rest...)
}

// bestOf are the sessions of the matches that score best as a whole.
func (p *plainSearch) bestOf(matches []candidate) []uint32 {
	var ords []uint32
	for _, m := range matches {
		if !slices.Contains(ords, m.ord) {
			ords = append(ords, m.ord)
		}
	}
	slices.SortFunc(ords, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(p.sessions[b], p.sessions[a]), cmp.Compare(p.corpus.ranks[a], p.corpus.ranks[b]))
	})
	return ords[:min(len(ords), firstBySession)]
}

func (p *plainSearch) score(cs []candidate) {
	order := newPlainOrder(p)
	for i := range cs {
		p.features(&cs[i], order)
	}
	recipe.fuse(cs, features{})
	slices.SortFunc(cs, compareScore)
	for i := range cs[:min(len(cs), summaryLook)] {
		if p.summary(cs[i]) {
			cs[i].score *= summaryShare
		}
	}
	slices.SortFunc(cs, compareScore)
}

func (p *plainSearch) features(c *candidate, order *plainOrder) {
	r, f := &p.rows[c.seg], &c.features
	passage := r.seg.Passage(c.doc)
	if c.leading || c.topic {
		f.proximity, f.phrase = order.measure(r.seg, c.doc)
		if p.mayBeLiteral(c.found) { // the beginning of a query inside longer words is no literal hit
			f.literal, f.identifier = p.literalHits(passage.Text)
		}
	}
	beside := map[int]bool{}
	for _, d := range []int{int(c.doc) - 1, int(c.doc) + 1} {
		if owners := p.corpus.owners[c.seg]; d >= 0 && d < len(owners) && owners[d] == c.ord {
			for w := range p.words {
				beside[w] = beside[w] || r.found[d]&(1<<w) != 0
			}
		}
	}
	for w, q := range p.words {
		if beside[w] && r.found[c.doc]&(1<<w) == 0 {
			f.neighbours += q.idf
		}
	}
	f.session = float64(p.sessions[c.ord])
	if aim := p.aims[c.seg]; aim != nil {
		f.topic = max(0, aim.cosine(r.seg.Vector(c.doc, nil)))
	}
	f.date = p.timely(c.at.In(p.zone))
	if p.decision {
		f.reply = p.replyShare(passage)
	}
}

// replyShare is the share of what matches that stands in a reply, read from the text.
func (p *plainSearch) replyShare(passage sessions.Passage) float64 {
	best, total := 0.0, 0.0
	for _, span := range passage.Spans {
		found, near := p.mark(passage.Text[span.From:span.To]).held()
		w := p.weight((found | near) & p.required)
		total = max(total, w)
		if span.Kind == sessions.Reply {
			best = max(best, w)
		}
	}
	return share(best, total)
}
