package recall

import (
	"cmp"
	"slices"

	"yore/sessions"
)

// perSession is how many hits of one session the default view shows, so that one
// long session does not crowd out the one that has the answer (the constant of
// cctop's recall).
const perSession = 2

// A passage right beside a better one becomes part of its hit when it does nearly
// as well or holds the same words. A weaker neighbour with words of its own keeps
// its place, so that what only it says is not hidden behind the better one.
const (
	mergeShare = .8
	mergeSpan  = 3 // passages of a hit at most: an excerpt shows half of them
)

// group is one hit in the making: a passage, or neighbours.
type group struct {
	best    candidate
	members []candidate // by number
}

func (g *group) from() int { return g.members[0].number }
func (g *group) to() int   { return g.members[len(g.members)-1].number }

// joins tells whether c stands right beside the group and is fit to be part of it.
func (g *group) joins(c candidate) bool {
	return c.ord == g.best.ord && len(g.members) < mergeSpan &&
		(c.number == g.from()-1 || c.number == g.to()+1) &&
		(c.score >= mergeShare*g.best.score || c.found == g.best.found && c.words == g.best.words)
}

// collect makes at most limit groups of ranked candidates: neighbours merged (R8),
// then, unless all are wanted, the cap a session. The better of two neighbours leads; a group's score is
// its best member's, so merging raises none.
func (s *search) collect(ranked []candidate, limit int, all bool) []group {
	var groups []group
	bySession := map[uint32][]int{}
	for _, c := range ranked {
		if k := slices.IndexFunc(bySession[c.ord], func(i int) bool { return groups[i].joins(c) && s.mergeable(groups[i], c) }); k >= 0 {
			g := &groups[bySession[c.ord][k]]
			g.members = append(g.members, c)
			slices.SortFunc(g.members, func(a, b candidate) int { return cmp.Compare(a.number, b.number) })
			continue
		}
		if !all && len(bySession[c.ord]) == perSession || len(groups) == limit {
			continue
		}
		bySession[c.ord] = append(bySession[c.ord], len(groups))
		groups = append(groups, group{best: c, members: []candidate{c}})
	}
	return groups
}

// mergeable keeps a summary and what it sums up apart, and passages that differ in
// who else repeats them.
func (s *search) mergeable(g group, c candidate) bool {
	return slices.Equal(g.best.alsoIn, c.alsoIn) && s.summary(g.best) == s.summary(c)
}

// summary tells whether a passage is a compaction summary throughout.
func (s *search) summary(c candidate) bool {
	spans := s.corpus.segs[c.seg].Passage(c.doc).Spans
	return len(spans) > 0 && !slices.ContainsFunc(spans, func(s sessions.Span) bool { return s.Kind != sessions.Summary })
}

// stitch joins neighbouring passages to one text with the spans of all. Where a
// split turn's parts overlap, the text stands once.
func stitch(passages []sessions.Passage) sessions.Passage {
	out := passages[0]
	out.Spans = slices.Clone(out.Spans)
	for _, p := range passages[1:] {
		for k, span := range p.Spans {
			text, gap := p.Text[span.From:span.To], sessions.TurnGap
			if last := out.Spans[len(out.Spans)-1]; k == 0 && continues(last, span) {
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
