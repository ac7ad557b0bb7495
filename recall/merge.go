package recall

import (
	"cmp"
	"slices"

	"yore/sessions"
)

// perSession is how many hits of one session the default view shows, and of all
// sub-agents of one, so that one long session, or one that had hundreds of helpers, does
// not crowd out the one that has the answer (the constant of cctop's recall).
const perSession = 2

// mergeSpan is how many passages a hit has at most: about what a digest of the usual
// size holds.
const mergeSpan = 12

// group is one hit in the making: a passage, or neighbours.
type group struct {
	best    *candidate
	members []candidate // by number
}

func (g *group) from() int { return g.members[0].number }
func (g *group) to() int   { return g.members[len(g.members)-1].number }

// joins tells whether another group of the same session stands right beside this
// better one and is fit to be part of it: it holds the same words. One with words of
// its own, or without some of them, says something else, which one excerpt would not
// show; to merge those too, when they do nearly as well, hid two answers in a
// hundred.
func (g *group) joins(other group) bool {
	return len(g.members)+len(other.members) <= mergeSpan &&
		(other.to() == g.from()-1 || other.from() == g.to()+1) &&
		other.best.found == g.best.found && other.best.words == g.best.words
}

// take makes another group part of this one.
func (g *group) take(other group) {
	g.members = append(g.members, other.members...)
	slices.SortFunc(g.members, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.order, b.order))
	})
}

// call is a tool call or a thought as a locator names it: what was called and what came
// of it are two texts of one.
type call struct {
	at       address
	index    int
	thinking bool
}

// callsOf gives those candidates that hang on a passage on which others hang, too.
func (s *search) callsOf(ranked []candidate) map[*candidate]call {
	beside := make(map[address]int)
	for _, c := range ranked {
		if c.hung {
			beside[address{c.ord, c.number}]++
		}
	}
	calls := make(map[*candidate]call)
	for i := range ranked {
		c := &ranked[i]
		if at := (address{c.ord, c.number}); c.hung && beside[at] > 1 {
			calls[c] = s.callOf(c)
		}
	}
	return calls
}

// callOf is the call to which something that hangs on a passage belongs. That is kept,
// since its whole text is unpacked for it.
func (s *search) callOf(c *candidate) call {
	key := [2]uint32{uint32(c.seg), c.doc}
	of, told := s.calls[key]
	if !told {
		h := s.corpus.segs[c.seg].Hung(c.doc)
		of = call{address{c.ord, c.number}, h.Index, h.Kind == sessions.Thinking}
		s.calls[key] = of
	}
	return of
}

// mergeNeighbours goes through the candidates from the best on. One that joins a
// better group may close the gap between two of them, which then are one. A tool call
// and its output are one, too. The groups keep hold of ranked.
func (s *search) mergeNeighbours(ranked []candidate) []group {
	groups := make([]group, 0, len(ranked))
	fit := func(into int, other group) bool {
		return groups[into].joins(other) && s.mergeable(*groups[into].best, *other.best)
	}
	at := make(map[address]int, len(ranked)) // the group that begins or ends with a passage
	calls, of := s.callsOf(ranked), make(map[call]int)
	for i, c := range ranked {
		alone := group{best: &ranked[i], members: ranked[i : i+1 : i+1]}
		if c.hung { // it has no neighbours
			key, named := calls[&ranked[i]]
			if into, there := of[key]; named && there {
				groups[into].take(alone)
				continue
			}
			if named {
				of[key] = len(groups)
			}
			groups = append(groups, alone)
			continue
		}
		var beside []int // at most two, the better one first
		for _, number := range [...]int{c.number - 1, c.number + 1} {
			if g, ok := at[address{c.ord, number}]; ok {
				beside = append(beside, g)
			}
		}
		slices.Sort(beside)
		k := slices.IndexFunc(beside, func(i int) bool { return fit(i, alone) })
		if k < 0 {
			at[address{c.ord, c.number}] = len(groups)
			groups = append(groups, alone)
			continue
		}
		into := beside[k]
		groups[into].take(alone)
		if k+1 < len(beside) && fit(into, groups[beside[k+1]]) {
			groups[into].take(groups[beside[k+1]])
			groups[beside[k+1]].members = nil
		}
		at[address{c.ord, groups[into].from()}] = into
		at[address{c.ord, groups[into].to()}] = into
	}
	return slices.DeleteFunc(groups, func(g group) bool { return g.members == nil })
}

// mergeable keeps a summary and what it sums up apart, and passages that differ in
// who else repeats them.
func (s *search) mergeable(a, b candidate) bool {
	return slices.Equal(a.alsoIn, b.alsoIn) && s.summary(a) == s.summary(b)
}

// summary tells whether a passage is a compaction summary throughout.
func (s *search) summary(c candidate) bool {
	kinds, ok := s.corpus.segs[c.seg].Kinds(c.doc)
	if !ok {
		spans := s.passage(c.seg, c.doc).Spans
		return len(spans) > 0 && !slices.ContainsFunc(spans, func(s sessions.Span) bool { return s.Kind != sessions.Summary })
	}
	some := false
	for kind := range kinds {
		if kind != sessions.Summary {
			return false
		}
		some = true
	}
	return some
}

// stitch joins neighbouring passages to one text with the spans of all. Where a
// split turn's parts overlap, the text stands once. A passage that cannot be read has
// no spans.
func stitch(passages []sessions.Passage) sessions.Passage {
	out := passages[0]
	out.Spans = slices.Clone(out.Spans)
	for _, p := range passages[1:] {
		for k, span := range p.Spans {
			text, gap := p.Text[span.From:span.To], sessions.TurnGap
			if n := len(out.Spans); k == 0 && n > 0 && continues(out.Spans[n-1], span) {
				last := out.Spans[n-1]
				known := min(last.Offset+last.To-last.From-span.Offset, len(text))
				text, gap = text[known:], ""
				span.Offset += known
			}
			span.From = len(out.Text) + len(gap)
			out.Text += gap + text
			span.To = len(out.Text)
			out.Spans = append(out.Spans, span)
		}
	}
	return out
}

// continues tells whether next begins within the part of a turn that last is, or
// right at its end.
func continues(last, next sessions.Span) bool {
	end := last.Offset + last.To - last.From
	return last.ID == next.ID && last.ID != "" && next.Offset > last.Offset && next.Offset <= end
}
