package recall

import (
	"regexp"
	"slices"
	"strings"

	"yore/recall/query"
	"yore/sessions"
)

// condition is what the turns of a passage have to hold, or must not: one of its
// alternatives.
type condition struct {
	not     bool
	any     []alternative
	label   string // as a note names it
	dropped int
}

// alternative is one way to fulfil a condition.
type alternative struct {
	words   uint32 // that the passage holds as well
	phrase  *phrase
	pattern *regexp.Regexp
	steps   int // of pattern
}

// conditions are what the query's terms ask for beyond its words: phrases, patterns
// and what is left out.
func (p *plan) conditions(segments int) []*condition {
	var out []*condition
	for i := 0; i < len(p.asked); {
		end := i + 1
		for end < len(p.asked) && p.asked[end].Or {
			end++
		}
		if c := p.condition(p.asked[i:end], segments); c != nil {
			out = append(out, c)
		}
		i = end
	}
	return out
}

// condition is that of one term with its alternatives; nil for words that are
// merely looked for.
func (p *plan) condition(terms []query.Term, segments int) *condition {
	c := &condition{not: terms[0].Not}
	exact := c.not
	var labels []string
	for _, t := range terms {
		a := alternative{words: p.maskOf(t), pattern: literalPattern(t), steps: max(t.Steps, len(t.Text))}
		if a.pattern == nil && (t.Kind == query.Phrase || c.not) {
			if ph, ok := newPhrase(t.Text, t.Kind == query.Word, segments); ok {
				a.phrase = ph
			}
		}
		exact = exact || t.Kind != query.Word
		labels = append(labels, t.Brief())
		if a.words != 0 || a.phrase != nil || a.pattern != nil {
			c.any = append(c.any, a)
		}
	}
	if !exact || len(c.any) == 0 {
		return nil
	}
	c.label = listed(labels, " OR ")
	if c.not {
		c.any[0].words = 0
		c.label = "-" + c.label
	}
	return c
}

// literalPattern is a pattern, or one that finds a phrase without any word ("=>")
// as it is; nil for any other term.
func literalPattern(t query.Term) *regexp.Regexp {
	if t.Kind == query.Phrase && len(chainOf(t.Text).links) == 0 {
		return regexp.MustCompile(regexp.QuoteMeta(strings.ToValidUTF8(t.Text, "\uFFFD")))
	}
	return t.Pattern
}

// mayHold tells from the words that a passage holds whether it can fulfil the
// positive conditions.
func (s *search) mayHold(held uint32) bool {
	for _, c := range s.conditions {
		if !c.not && !slices.ContainsFunc(c.any, func(a alternative) bool { return held&a.words == a.words }) {
			return false
		}
	}
	return true
}

// fulfils tells whether a passage fulfils all conditions, and which one it does not.
func (s *search) fulfils(seg int, doc, held uint32) (failed *condition, ok bool) {
	if len(s.conditions) == 0 {
		return nil, true
	}
	var text sessions.Passage
	for _, c := range s.conditions {
		if slices.ContainsFunc(c.any, func(a alternative) bool { return s.holds(&a, seg, doc, held, &text) }) == c.not {
			return c, false
		}
	}
	return nil, true
}

// holds tells whether a passage fulfils an alternative in turns that pass. text is
// its text, read when first needed.
func (s *search) holds(a *alternative, seg int, doc, held uint32, text *sessions.Passage) bool {
	if held&a.words != a.words {
		return false
	}
	if a.phrase == nil && a.pattern == nil {
		return true
	}
	if a.phrase != nil {
		switch v := a.phrase.look(s.corpus.segs[seg], seg, doc); {
		case v == no:
			return false
		case v == yes && !s.filter.turnwise():
			return true
		}
	}
	if text.Spans == nil {
		*text = textOf(s.corpus.segs[seg], doc)
	}
	return slices.ContainsFunc(text.Spans, func(span sessions.Span) bool {
		said := text.Text[span.From:span.To]
		return s.filter.turn(span) && (a.phrase == nil || a.phrase.in(said)) && (a.pattern == nil || a.pattern.MatchString(said))
	})
}

// inPhrases puts the places of phrases for the marks of words that are asked for in
// phrases alone: elsewhere, or in another form, they match nothing that was asked.
func (s *search) inPhrases(p sessions.Passage, marks []wordMark) []wordMark {
	if !s.asserted {
		return marks
	}
	var loose uint32
	for _, t := range s.asked {
		if t.Kind == query.Word {
			loose |= s.maskOf(t)
		}
	}
	var places []wordMark
	for _, c := range s.conditions {
		for _, a := range c.any {
			if !c.not && a.phrase != nil {
				places = append(places, phraseMarks(a.phrase, p, marks)...)
			}
		}
	}
	marks = slices.DeleteFunc(marks, func(m wordMark) bool { return m.words&loose == 0 })
	return inOrder(append(marks, places...))
}

// phraseMarks are where a phrase stands in a passage, each with the words that marks tell
// of it. None goes on from one turn to the next.
func phraseMarks(f *phrase, p sessions.Passage, marks []wordMark) []wordMark {
	var places []wordMark
	for _, span := range p.Spans {
		for _, at := range f.places(p.Text[span.From:span.To]) {
			place := wordMark{from: span.From + at[0], to: span.From + at[1]}
			for _, m := range marksWithin(marks, place.from, place.to) {
				place.words, place.exact = place.words|m.words, place.exact|m.exact
			}
			places = append(places, place)
		}
	}
	return places
}

// patternMarks are the places where the query's patterns match.
func (s *search) patternMarks(text string) []wordMark {
	var out []wordMark
	for _, c := range s.conditions {
		for _, a := range c.any {
			if c.not || a.pattern == nil {
				continue
			}
			most := markSteps / max(1, a.steps*len(text))
			for _, m := range a.pattern.FindAllStringIndex(text, min(max(1, most), maxPatternMarks)) {
				if m[0] < m[1] {
					out = append(out, wordMark{from: m[0], to: m[1], words: patternBit, exact: patternBit})
				}
			}
		}
	}
	return out
}

const (
	// maxPatternMarks is how many matches of a pattern are marked in one text.
	maxPatternMarks = 1000
	// markSteps bounds them further, in steps of the pattern times bytes of the text:
	// the search for each may go through the whole rest of it. It takes a fifth of a second at most.
	markSteps = 1 << 25
)
