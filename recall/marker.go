package recall

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"yore/recall/words"
)

// mark is one place of a text that matches an atom of the query.
type mark struct {
	from, to int // bytes
	atom     int
	level    level
}

// atomLevel is one atom that a term matches.
type atomLevel struct {
	atom  int
	level level
}

// marker finds the query's words in a text, by the rule by which the columns are
// made: what is found is what is marked (E1).
type marker struct {
	plan   *plan
	starts *[256]bool             // the first bytes of terms that can match
	known  map[string][]atomLevel // what each term met so far matches
	levels []level                // by atom: the best seen in this text
	marks  []mark
}

// marker makes one whose memory of terms is shared by all texts of a search.
func (s *search) marker() *marker {
	if s.terms == nil {
		s.terms = map[string][]atomLevel{}
		s.starts = s.plan.starts()
	}
	return &marker{plan: s.plan, starts: s.starts, known: s.terms, levels: make([]level, len(s.atoms))}
}

// starts are the first bytes of the terms that match an atom. Most terms of a text
// begin in another way and need not be looked up: marking takes two fifths less
// time.
func (p *plan) starts() *[256]bool {
	var starts [256]bool
	for i := range p.atoms {
		a := &p.atoms[i]
		starts[a.term[0]] = true
		for _, b := range words.StemStarts(a.stem) {
			starts[b] = true
		}
		for _, n := range a.near {
			starts[n.term[0]] = true
		}
		for b := int(words.LeastUnspaced[0]); a.lone && b < len(starts); b++ {
			starts[b] = true
		}
	}
	return &starts
}

// mark marks a text. What it gives is good until the next text is marked.
func (s *search) mark(text string) *marker {
	if s.marking == nil {
		s.marking = s.marker()
	}
	m := s.marking
	clear(m.levels)
	m.marks = m.marks[:0]
	words.Scan(text, m.token)
	return m
}

func (m *marker) token(t words.Token) {
	if !m.starts[t.Term[0]] {
		return
	}
	hits, ok := m.known[string(t.Term)]
	if !ok {
		hits = m.plan.matching(string(t.Term))
		m.known[string(t.Term)] = hits
	}
	for _, h := range hits {
		m.levels[h.atom] = max(m.levels[h.atom], h.level)
		m.marks = append(m.marks, mark{t.From, t.To, h.atom, h.level})
	}
}

// matching is what a term of a text matches.
func (p *plan) matching(term string) []atomLevel {
	var hits []atomLevel
	stem := words.Stem(term)
	for i := range p.atoms {
		if l := p.atoms[i].matches(term, stem); l != absent {
			hits = append(hits, atomLevel{i, l})
		}
	}
	return hits
}

func (a *atom) matches(term, stem string) level {
	switch {
	case term == a.term:
		return exactly
	case stem == a.stem:
		return byStem
	case (a.open || a.begins) && strings.HasPrefix(term, a.term), a.lone && strings.HasSuffix(term, a.term):
		return byBeginning
	}
	for _, n := range a.near {
		if n.term == term {
			return byMistake
		}
	}
	return absent
}

// held is the words that the text holds, and of those the ones that it holds in
// a close spelling only.
func (m *marker) held() (found, near uint32) {
	for i := range m.plan.words {
		w := &m.plan.words[i]
		if !m.plan.searched(i) {
			continue
		}
		worst := exactly
		for _, a := range w.atoms {
			worst = min(worst, m.levels[a])
		}
		if w.whole >= 0 {
			worst = max(worst, m.levels[w.whole])
		}
		switch {
		case worst > byMistake:
			found |= 1 << i
		case worst == byMistake:
			near |= 1 << i
		}
	}
	return found, near
}

// marked drops the marks of words that the text does not hold: a lone part of an
// identifier, a common word. It leaves, for each mark, the words it stands for.
func (m *marker) marked() []wordMark {
	found, near := m.held()
	stands := make([]uint32, len(m.plan.atoms))
	for held := found | near; held != 0; held &= held - 1 {
		i := bits.TrailingZeros32(held)
		w := &m.plan.words[i]
		if w.whole >= 0 && m.levels[w.whole] != absent {
			stands[w.whole] |= 1 << i
			if w.Whole == "" {
				continue // lone parts elsewhere say nothing more
			}
		}
		for _, a := range w.atoms {
			stands[a] |= 1 << i
		}
	}
	var out []wordMark
	for _, k := range m.marks {
		if stands[k.atom] != 0 {
			m := wordMark{from: k.from, to: k.to, words: stands[k.atom]}
			if k.level == exactly {
				m.exact = m.words
			}
			out = append(out, m)
		}
	}
	return inOrder(out)
}

// inOrder sorts marks: by where they begin, the longest first.
func inOrder(marks []wordMark) []wordMark {
	slices.SortFunc(marks, func(a, b wordMark) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	return marks
}

// wordMark is a place of a text that matches words of the query.
type wordMark struct {
	from, to int
	words    uint32
	exact    uint32 // those of words that stand there as they are asked for
}

// ranges joins marks that overlap or touch.
func ranges(marks []wordMark, shift, limit int) [][2]int {
	var out [][2]int
	for _, m := range marks {
		if n := len(out); n > 0 && m.from+shift <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], m.to+shift)
			continue
		}
		out = append(out, [2]int{m.from + shift, m.to + shift})
	}
	for len(out) > 0 && out[len(out)-1][1] > limit {
		out = out[:len(out)-1]
	}
	return out
}
