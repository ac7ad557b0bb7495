package recall

import (
	"slices"

	"yore/recall/query"
	"yore/sessions"
)

// grouping makes the hits of an answer out of ranked candidates, a stretch of them at a
// time. What a stretch has made stands: later ones add hits and change none, so that
// an answer begins alike however much of it is asked for, and a cursor goes on where
// the page before ended.
type grouping struct {
	s        *search
	unfolded bool
	uncapped bool

	groups []group
	shown  map[kin]int             // groups of each
	each   map[uint32]int          // groups of each session
	apart  bool                    // sub-agents are what is asked for: each counts for itself
	held   bool                    // the cap left something of sub-agents out
	owners map[uint64]int          // folded passages by their order: how many were there before
	hung   map[address][]candidate // of earlier stretches, whose calls are not known yet
	calls  map[call]struct{}       // of earlier stretches, where another hangs beside
}

// kin is what the cap counts: a session, or all sub-agents of one, of which hundreds may
// say about the same and would push the sessions of people out of sight.
type kin struct {
	ord    uint32
	parent sessions.Key
}

func (g *grouping) kin(c *candidate) kin {
	if c.side && !g.apart {
		if b, ok := g.s.corpus.snap.Brief(c.ord); ok && b.Parent != "" {
			return kin{parent: sessions.Key{Harness: b.Harness, ID: b.Parent}}
		}
	}
	return kin{ord: c.ord}
}

// full tells whether the cap leaves a candidate out. That is said of sub-agents of which
// more would be shown, had the others of their session nothing.
func (g *grouping) full(c *candidate) bool {
	of := g.kin(c)
	if g.uncapped || g.shown[of] < perSession {
		return false
	}
	g.held = g.held || of.parent != sessions.Key{} && g.each[c.ord] < perSession
	return true
}

func (s *search) grouping(q Query) *grouping {
	return &grouping{
		s: s, unfolded: q.All, uncapped: q.All || q.Uncapped,
		apart: slices.ContainsFunc(s.filters, func(f query.Filter) bool { return f.Name == query.Agents && f.Value == query.Only && !f.Not }),
		shown: map[kin]int{}, each: map[uint32]int{}, hung: map[address][]candidate{}, calls: map[call]struct{}{},
	}
}

// add makes hits of the next candidates: copies folded, neighbours merged (R8) and,
// unless it is lifted, the cap (perSession). A group's score is its best member's, so
// merging raises none.
func (g *grouping) add(stretch []candidate) {
	stretch = slices.DeleteFunc(g.own(stretch), func(c candidate) bool { return g.full(&c) })
	if !g.unfolded {
		stretch = g.fold(stretch)
	}
	stretch = g.withoutShownCalls(stretch)
	made := slices.DeleteFunc(g.s.mergeNeighbours(stretch), func(of group) bool {
		if g.full(of.best) {
			return true
		}
		g.shown[g.kin(of.best)]++
		g.each[of.best.ord]++
		return false
	})
	if g.groups == nil {
		g.groups = made // that of the first stretch, mostly the only one, is not copied
	} else {
		g.groups = append(g.groups, made...)
	}
	for _, c := range stretch {
		if at := (address{c.ord, c.number}); c.hung {
			g.hung[at] = append(g.hung[at], c)
		}
	}
}

// own is a copy of a stretch that groups may keep hold of until the search is released.
func (g *grouping) own(stretch []candidate) []candidate {
	w := g.s.lent
	from := len(w.grouped)
	w.grouped = append(w.grouped, stretch...)
	return slices.Clip(w.grouped[from:])
}

// fold replaces every copy by its owner's passage; of several that lead to one passage
// the best stays. It is done in place.
func (g *grouping) fold(stretch []candidate) []candidate {
	if g.owners == nil {
		g.owners = make(map[uint64]int, len(stretch))
	}
	earlier, kept := len(g.owners), stretch[:0]
	for _, c := range stretch {
		owner := g.s.owner(c)
		at, known := g.owners[owner.order]
		switch {
		case !known:
			g.owners[owner.order] = len(g.owners)
			kept = append(kept, owner)
		case at >= earlier:
			of := &kept[at-earlier]
			of.alsoIn = union(of.alsoIn, owner.alsoIn)
		}
	}
	return kept
}

// withoutShownCalls leaves out what belongs to a tool call that an earlier stretch has
// made a hit of: the call and what came of it are two texts of one. To tell the call its
// text is unpacked, so that none is told but where both hang on one passage.
func (g *grouping) withoutShownCalls(stretch []candidate) []candidate {
	if len(g.hung) == 0 {
		return stretch
	}
	return slices.DeleteFunc(slices.Clone(stretch), func(c candidate) bool {
		at := address{c.ord, c.number}
		earlier, beside := g.hung[at]
		if !c.hung || !beside {
			return false
		}
		for i := range earlier {
			g.calls[g.s.callOf(&earlier[i])] = struct{}{}
		}
		g.hung[at] = nil // known from now on
		_, shown := g.calls[g.s.callOf(&c)]
		return shown
	})
}
