package render

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"yore/recall"
	"yore/sessions"
)

// group is one part of one session that a digest shows: a hit, or hits whose
// passages overlap or follow one another. Its evidence is theirs combined.
type group struct {
	recall.Hit         // of the best hit, with the evidence of all
	index      int     // of the best hit in the answer
	joined     []int   // of the others, ascending
	passages   int     // how many passages it holds
	pieces     []piece // the text, turn by turn, fit for a terminal
	rank       int     // from 1, in the digest
}

// unit is what takes part in merging: a hit's passage, or a hit that came
// without passages.
type unit struct {
	hit      int
	from, to int // passages, inclusive
	member   recall.Member
}

// merge joins the hits of each session that overlap or touch: by session key
// (C4), in transcript order, so that the result depends on neither the order of
// the hits nor on how often it is done (C2, C3). The groups come best first.
func merge(hits []recall.Hit) []*group {
	bySession := map[sessions.Key][]unit{}
	var groups []*group
	for i, h := range hits {
		switch units := unitsOf(i, h); {
		case len(units) == 0:
		case !h.Kind.Conversation(): // hangs on a passage, and is no part of it
			groups = append(groups, newGroup(hits, units))
		default:
			bySession[h.Session.Key] = append(bySession[h.Session.Key], units...)
		}
	}
	for _, units := range bySession {
		slices.SortFunc(units, func(a, b unit) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.hit, b.hit))
		})
		var run []unit
		end := 0
		for _, u := range units {
			if len(run) > 0 && u.from > end+1 {
				groups = append(groups, newGroup(hits, run))
				run = nil
			}
			if len(run) == 0 {
				end = u.to
			}
			run, end = append(run, u), max(end, u.to)
		}
		if len(run) > 0 {
			groups = append(groups, newGroup(hits, run))
		}
	}
	slices.SortFunc(groups, byRank)
	for i, g := range groups {
		g.rank = i + 1
	}
	return groups
}

// byRank is a total order (C13): what a judge said; the score, a missing one
// last; then the newer session; then key and place.
func byRank(a, b *group) int {
	return cmp.Or(
		cmp.Compare(b.Grade.Standing(), a.Grade.Standing()),
		compareScores(a.Score, b.Score),
		b.Session.LastActive.Compare(a.Session.LastActive),
		strings.Compare(a.Session.Harness, b.Session.Harness),
		strings.Compare(a.Session.ID, b.Session.ID),
		cmp.Compare(a.Span[0], b.Span[0]),
		strings.Compare(a.Ref, b.Ref),
		cmp.Compare(a.index, b.index),
	)
}

// compareScores puts the higher score first and NaN last.
func compareScores(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	}
	return cmp.Compare(b, a)
}

// unitsOf splits a hit into its passages; blank ones are dropped (C14).
func unitsOf(index int, h recall.Hit) []unit {
	whole := sessions.Span{Kind: h.Kind, Role: h.Role, At: h.At}
	var units []unit
	for _, m := range h.Members {
		if strings.TrimSpace(m.Text) == "" {
			continue
		}
		m.Spans = normalSpans(m.Passage, whole)
		units = append(units, unit{index, m.Number, m.Number, m})
	}
	if len(units) > 0 || strings.TrimSpace(h.Text) == "" {
		return units
	}
	from, to := min(h.Span[0], h.Span[1]), max(h.Span[0], h.Span[1])
	if h.Passage < from || h.Passage > to {
		from, to = h.Passage, h.Passage
	}
	m := recall.Member{
		Passage: sessions.Passage{Number: from, Text: h.Text}, Matches: h.Matches,
		RankWords: h.RankWords, RankTopic: h.RankTopic, Score: h.Score,
	}
	m.Spans = normalSpans(m.Passage, whole)
	return []unit{{index, from, to, m}}
}

// normalSpans are a passage's spans within its text, in order; the whole text
// when it has none.
func normalSpans(p sessions.Passage, whole sessions.Span) []sessions.Span {
	var spans []sessions.Span
	end := 0
	for _, s := range p.Spans {
		s.From, s.To = max(s.From, end), min(s.To, len(p.Text))
		if s.From < s.To {
			spans = append(spans, s)
			end = s.To
		}
	}
	if spans == nil {
		whole.To = len(p.Text)
		return []sessions.Span{whole}
	}
	return spans
}

func newGroup(hits []recall.Hit, run []unit) *group {
	indices := make([]int, 0, len(run))
	for _, u := range run {
		indices = append(indices, u.hit)
	}
	slices.SortFunc(indices, func(a, b int) int {
		return cmp.Or(compareScores(hits[a].Score, hits[b].Score), cmp.Compare(hits[a].Passage, hits[b].Passage), cmp.Compare(a, b))
	})
	indices = slices.Compact(indices)
	g := &group{Hit: hits[indices[0]], index: indices[0], joined: indices[1:]}
	g.AlsoIn = slices.Clone(g.AlsoIn)
	for _, i := range g.joined {
		g.add(hits[i])
	}
	slices.Sort(g.joined)
	g.Members = uniqueMembers(run)
	g.Span = [2]int{run[0].from, run[0].to}
	for _, u := range run {
		g.Span = [2]int{min(g.Span[0], u.from), max(g.Span[1], u.to)}
	}
	g.passages = len(g.Members)
	g.pieces = stitch(g.Members)
	return g
}

// add combines the evidence of another hit (C5). The score stays the best one:
// a sum would grow by merging alone.
func (g *group) add(h recall.Hit) {
	if g.Matched != h.Matched && h.Matched != "" {
		if g.Matched == "" {
			g.Matched = h.Matched
		} else {
			g.Matched = recall.Both
		}
	}
	g.RankWords = bestRank(g.RankWords, h.RankWords)
	g.RankTopic = bestRank(g.RankTopic, h.RankTopic)
	g.Strength = max(g.Strength, h.Strength)
	for _, id := range h.AlsoIn {
		if !slices.Contains(g.AlsoIn, id) {
			g.AlsoIn = append(g.AlsoIn, id)
		}
	}
	slices.Sort(g.AlsoIn)
	g.Undone = g.Undone && h.Undone
	g.Close = g.Close && h.Close
	g.Grade = betterGrade(g.Grade, h.Grade)
}

// betterGrade is the one of higher standing; of equal ones the one that was said.
func betterGrade(a, b recall.Grade) recall.Grade {
	if cmp.Or(cmp.Compare(a.Standing(), b.Standing()), cmp.Compare(a, b)) < 0 {
		return b
	}
	return a
}

// bestRank is the smaller of two ranks, 0 being none.
func bestRank(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// uniqueMembers are the passages of a run by number, each once: when hits
// disagree about a passage's text, the longer one stands.
func uniqueMembers(run []unit) []recall.Member {
	var members []recall.Member
	for _, u := range run {
		at, found := slices.BinarySearchFunc(members, u.member, func(a, b recall.Member) int { return cmp.Compare(a.Number, b.Number) })
		if !found {
			members = slices.Insert(members, at, u.member)
			continue
		}
		m, other := &members[at], u.member
		if cmp.Or(cmp.Compare(len(m.Text), len(other.Text)), cmp.Compare(m.Text, other.Text)) < 0 {
			*m, other = other, *m
		}
		if m.Text == other.Text {
			m.Matches = normalMatches(slices.Concat(m.Matches, other.Matches), len(m.Text))
		}
		m.RankWords = bestRank(m.RankWords, other.RankWords)
		m.RankTopic = bestRank(m.RankTopic, other.RankTopic)
		if compareScores(other.Score, m.Score) < 0 {
			m.Score = other.Score
		}
	}
	return members
}
