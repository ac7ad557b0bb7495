package recall

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"yore/recall/query"
	"yore/recall/words"
)

// piece is where the text of a term stands in the plan's text.
type piece struct {
	query.Term
	from, to int
}

// alternatives are words of which one is enough (OR): each element is a set of words
// that are one alternative. Together they count as one word, the first of all.
type alternatives struct {
	any  []uint32
	all  uint32
	rep  uint32 // the bit that stands for all
	word int    // its number
}

// readPieces joins the terms that are looked for to the text that is searched.
func (p *plan) readPieces() {
	var b strings.Builder
	for _, t := range p.asked {
		if t.Not || t.Kind == query.Pattern {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		from := b.Len()
		b.WriteString(t.Text)
		p.pieces = append(p.pieces, piece{t, from, b.Len()})
	}
	p.text = b.String()
}

// shortened is the beginning of a text that is too long, up to a blank if it has one:
// part of a word, of a filter or of what is to be left out would be something else.
func shortened(text string) (beginning string, cut bool) {
	if len(text) <= maxQueryBytes {
		return text, false
	}
	text = text[:maxQueryBytes]
	if blank := strings.LastIndexFunc(text, unicode.IsSpace); strings.TrimSpace(text[:max(blank, 0)]) != "" {
		return text[:blank], true
	}
	return strings.ToValidUTF8(text, ""), true
}

// bounded is terms without what is beyond the first maxConditions of those that are
// more than words to be found, which all stay. Alternatives of which some fit are those
// that do; where none does, the words beside them go too: alone they would keep out what the
// others let in.
func bounded(terms []query.Term) []query.Term {
	var kept []query.Term
	left := maxConditions
	for i := 0; i < len(terms); {
		end := i + 1
		for end < len(terms) && terms[end].Or {
			end++
		}
		group, full := terms[i:end], left == 0
		i = end
		if full && slices.ContainsFunc(group, isCondition) {
			continue
		}
		for _, t := range group {
			if isCondition(t) {
				if left == 0 {
					continue
				}
				left--
			}
			kept = append(kept, t)
		}
	}
	return kept
}

// isCondition tells whether a term is more than a word to be found.
func isCondition(t query.Term) bool { return t.Kind != query.Word || t.Not }

// unquote takes the phrases that are looked for as plain words. Of one beside which nothing
// else is a condition it is known that it stands nowhere; others may stand where the rest of
// the query does not fit.
func (p *plan) unquote() {
	var phrases []string
	others := 0
	for i, t := range p.asked {
		switch {
		case t.Kind == query.Phrase && !t.Not:
			phrases = append(phrases, t.Brief())
			p.asked[i].Kind = query.Word
		case isCondition(t):
			others++
		}
	}
	const instead = ", so its words were searched like the others."
	if len(phrases) == 1 && others == 0 {
		p.typed = append(p.typed, phrases[0]+" stands nowhere word for word"+instead)
		return
	}
	p.typed = append(p.typed, "No passage that fits the rest of the query has "+listed(phrases, " and ")+" word for word"+instead)
}

// A question may name a title in quotes. With so many words beside, it is a question
// without them, too.
const wordsBesideTitle = 3

// titled tells whether the query is a question that has phrases as titles in it.
func (p *plan) titled() bool {
	beside := p.required
	for _, at := range p.pieces {
		if at.Kind == query.Phrase {
			beside &^= p.maskOf(at.Term)
		}
	}
	return bits.OnesCount32(beside) >= wordsBesideTitle
}

// quoted tells whether a stretch of the text lies in a phrase.
func (p *plan) quoted(from, to int) bool {
	return slices.ContainsFunc(p.pieces, func(at piece) bool { return at.Kind == query.Phrase && at.from <= from && to <= at.to })
}

// takeQuotesAsTyped makes words of phrases needed, however common they are, and
// takes them for no slip of another word (W7, W8).
func (p *plan) takeQuotesAsTyped() {
	for _, at := range p.pieces {
		if at.Kind != query.Phrase {
			continue
		}
		for mask := p.maskOf(at.Term); mask != 0; mask &= mask - 1 {
			w := &p.words[bits.TrailingZeros32(mask)]
			w.Filler = false
			for _, a := range w.atoms {
				p.atoms[a].mistakes, p.atoms[a].open = 0, false
			}
		}
	}
}

// maskOf are the words of a term that is looked for.
func (p *plan) maskOf(t query.Term) (mask uint32) {
	if t.Not || t.Kind == query.Pattern {
		return 0
	}
	for _, w := range words.Parse(t.Text).Words {
		if i, ok := p.byTerm[w.Term]; ok {
			mask |= 1 << i
		}
	}
	return mask
}

// joinAlternatives makes one word of those that OR joins.
func (p *plan) joinAlternatives() {
	for i := 0; i < len(p.asked); {
		end := i + 1
		for end < len(p.asked) && p.asked[end].Or {
			end++
		}
		var g alternatives
		for _, t := range p.asked[i:end] {
			if mask := p.maskOf(t) & p.searchable(); mask != 0 {
				g.any, g.all = append(g.any, mask), g.all|mask
			}
		}
		if len(g.any) > 1 {
			g.word = bits.TrailingZeros32(g.all)
			g.rep = 1 << g.word
			if p.required&g.all != 0 {
				p.required = p.required&^g.all | g.rep
			}
			p.groups = append(p.groups, g)
		}
		i = end
	}
}

// searchable are the words that take part.
func (p *plan) searchable() (mask uint32) {
	for i := range p.words {
		if p.searched(i) {
			mask |= 1 << i
		}
	}
	return mask
}

// joined counts the alternatives that found holds as one word.
func (p *plan) joined(found uint32) uint32 {
	for _, g := range p.groups {
		held := slices.ContainsFunc(g.any, func(mask uint32) bool { return found&mask == mask })
		found &^= g.all
		if held {
			found |= g.rep
		}
	}
	return found
}

// occurs is how many passages hold word i, or, where it stands for others, the
// alternative that most do: which one was typed first makes no difference. Near tells
// whether that is a close spelling.
func (p *plan) occurs(i int) (found int, near bool) {
	for _, g := range p.groups {
		if g.word != i {
			continue
		}
		for _, mask := range g.any {
			least, slips := math.MaxInt, false
			for ; mask != 0; mask &= mask - 1 {
				w := &p.words[bits.TrailingZeros32(mask)]
				least, slips = min(least, w.found), slips || p.slipped(w)
			}
			if least > found {
				found, near = least, slips
			}
		}
		return found, near
	}
	return p.words[i].found, p.slipped(&p.words[i])
}

// slipped tells whether of a word a close spelling alone occurs.
func (p *plan) slipped(w *planWord) bool {
	return len(w.atoms) == 1 && len(p.atoms[w.atoms[0]].near) > 0
}
