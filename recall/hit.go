package recall

import (
	"slices"

	"yore/sessions"
)

// hit makes what the caller sees of a group. most is the answer's best score.
func (s *search) hit(e *Engine, g group, most float64) Hit {
	entry := s.corpus.snap.Session(g.best.ord)
	h := Hit{
		Session:  entry.Session,
		Short:    e.Short(entry.Key),
		Passage:  g.best.number,
		Span:     [2]int{g.from(), g.to()},
		Matched:  badge(*g.best),
		Score:    g.best.score,
		Strength: min(1, share(g.best.score, most)),
		Subagent: entry.Subagent,
		Gone:     entry.Gone,
		Close:    g.best.closeOnly,
		Partly:   g.best.partly,
	}
	slices.Sort(g.best.alsoIn)
	h.AlsoIn = g.best.alsoIn
	var marks []wordMark
	for _, c := range g.members {
		var m Member
		m, marks = s.member(c)
		h.Members = append(h.Members, m)
		h.RankWords, h.RankTopic = bestRank(h.RankWords, m.RankWords), bestRank(h.RankTopic, m.RankTopic)
		h.Close = h.Close && c.closeOnly
		if b := badge(c); b != h.Matched {
			h.Matched = Both // found in both ways, if by different members (C5)
		}
	}
	h.Ref = s.ref(e.shortener().whole(entry.Key), *g.best)
	if len(h.Members) == 1 {
		s.describe(&h, h.Members[0].Passage, marks)
		return h
	}
	texts := make([]sessions.Passage, len(h.Members))
	for i, m := range h.Members {
		texts[i] = m.Passage
	}
	whole := stitch(texts)
	s.describe(&h, whole, s.marksOf(whole))
	return h
}

// ref is the locator of what was found.
func (s *search) ref(session string, c candidate) string {
	seg := s.corpus.segs[c.seg]
	if !c.hung {
		return ref(session, s.passage(c.seg, c.doc))
	}
	h := seg.Hung(c.doc)
	l := Locator{Session: session, Passage: h.Passage, Hung: 't', Index: h.Index}
	if h.Kind == sessions.Thinking {
		l.Hung = 'h'
	}
	return l.String()
}

// badge says which rules a passage passes.
func badge(c candidate) Badge {
	switch {
	case c.words && c.topic:
		return Both
	case c.topic:
		return Topic
	}
	return Words
}

func bestRank(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// member is one passage of a hit, with its marks.
func (s *search) member(c candidate) (m Member, marks []wordMark) {
	p := s.passage(c.seg, c.doc)
	marks = s.marksOf(p)
	m = Member{Passage: p, Matches: ranges(marks, 0, len(p.Text)), RankTopic: c.rankTopic, Score: c.score}
	if c.words {
		m.RankWords = s.ranks[c.features.words]
	}
	return m, marks
}

// marksOf are the places of a text that match, in turns that pass.
func (s *search) marksOf(p sessions.Passage) []wordMark {
	marks := s.inPhrases(p, s.mark(p.Text).marked())
	if patterns := s.patternMarks(p.Text); len(patterns) > 0 {
		marks = inOrder(append(marks, patterns...))
	}
	if !s.filter.turnwise() {
		return marks
	}
	return slices.DeleteFunc(marks, func(m wordMark) bool {
		return !slices.ContainsFunc(p.Spans, func(span sessions.Span) bool {
			return m.from >= span.From && m.to <= span.To && s.filter.turn(span)
		})
	})
}

// describe fills in the excerpt and what is known of the turn that matches best.
// p is the text of the hit, all its members together, with its marks.
func (s *search) describe(h *Hit, p sessions.Passage, marks []wordMark) {
	cut := excerptOf(p.Text, marks, sessions.PassageChars, s.weight)
	h.Text, h.Matches, h.Line = cut.text, cut.matches, cut.line
	if best, ok := s.bestTurn(p, marks); ok {
		h.Role, h.Kind, h.At = best.Role, best.Kind, best.At
	}
	h.Undone = undone(p, marks)
}

// bestTurn is the turn whose matches weigh most. Without any it is the longest
// one; asked for a decision, a reply wins a tie.
func (s *search) bestTurn(p sessions.Passage, marks []wordMark) (best sessions.Span, ok bool) {
	bestWeight := -1.0
	for _, span := range p.Spans {
		var held uint32
		for _, m := range marksWithin(marks, span.From, span.To) {
			held |= m.words
		}
		w := s.weight(held)
		if len(marks) == 0 {
			w = float64(span.To - span.From)
		}
		if !s.filter.turn(span) {
			w = 0
		}
		if w > bestWeight || w == bestWeight && s.decision && span.Kind == sessions.Reply && best.Kind != sessions.Reply {
			best, bestWeight, ok = span, w, true
		}
	}
	return best, ok
}

// undone tells whether every turn that matches is abandoned; without a match,
// every turn.
func undone(p sessions.Passage, marks []wordMark) bool {
	some := false
	for _, span := range p.Spans {
		if len(marks) > 0 && len(marksWithin(marks, span.From, span.To)) == 0 {
			continue
		}
		if !span.Undone {
			return false
		}
		some = true
	}
	return some
}
