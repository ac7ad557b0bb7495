package words

import (
	"strings"
	"unicode"
)

// Query is what somebody typed, as words.
type Query struct {
	Words []Word // distinct, in order of first occurrence

	// Literals are the pieces typed as one that are more than a plain word:
	// identifiers, paths, file:line, versions, words joined by a hyphen. Folded,
	// edge punctuation dropped, distinct; meant for a substring test.
	Literals []string
}

// Word is one distinct word of a query.
type Word struct {
	Text string // as typed, edge punctuation dropped
	Term string // folded; of an identifier or a run of characters: the whole of it
	Stem string // of Term

	// Parts are the terms that all have to be found where Term itself is not: the
	// parts of an identifier, the bigrams of a run of three or more characters of a
	// script without spaces. nil for a plain word.
	Parts []string

	// Whole is the term of this and the plain words to which hyphens join it as one word:
	// who types dry-run means what others write dryrun. It is empty for all others.
	Whole string

	From, To   int  // bytes of the query
	Filler     bool // a common word (Filler); stays set when the query has no other
	Identifier bool // has parts: getUserName, utf8, foo_bar
	Last       bool // ends the query without anything behind it: may still be typed
}

// Parse cuts a query into its distinct words by the rule of Scan.
func Parse(query string) Query {
	p := parser{query: query, seen: map[string]int{}}
	Scan(query, p.token)
	p.endGrams()
	p.endRow()
	p.endLiteral()
	return p.out
}

// parser collects the tokens of one query.
type parser struct {
	query string
	out   Query
	seen  map[string]int // term to index in out.Words
	parts []string       // of the identifier at hand
	grams Word           // the run of bigrams at hand; no Parts when there is none
	row   []Word         // the words at hand that hyphens join

	// The piece at hand that may become a literal.
	litFrom, litTo, litRuns int
	litIdentifier           bool
}

func (p *parser) token(t Token) {
	term := string(t.Term)
	if t.Kind == Gram {
		p.gram(term, t.From, t.To)
		return
	}
	p.endGrams()
	switch t.Kind {
	case Part:
		p.parts = append(p.parts, term)
	case Whole:
		p.add(Word{Term: term, Parts: p.parts, From: t.From, To: t.To, Identifier: true})
		p.parts = nil
	default:
		p.add(Word{Term: term, From: t.From, To: t.To})
	}
}

// gram joins the overlapping bigrams of one run.
func (p *parser) gram(term string, from, to int) {
	g := &p.grams
	if len(g.Parts) > 0 && from < g.To {
		g.Parts = append(g.Parts, term)
		g.To = to
		return
	}
	p.endGrams()
	p.grams = Word{Parts: []string{term}, From: from, To: to}
}

// endGrams adds the run of bigrams at hand.
func (p *parser) endGrams() {
	w := p.grams
	if len(w.Parts) == 0 {
		return
	}
	p.grams = Word{}
	if len(w.Parts) == 1 {
		w.Term, w.Parts = w.Parts[0], nil
	} else {
		folded, _ := Fold(p.query[w.From:w.To])
		w.Term = string(folded)
	}
	p.add(w)
}

// add takes a word unless an equal one came before (R6).
func (p *parser) add(w Word) {
	p.extendLiteral(w)
	p.extendRow(w)
	last := w.To == len(p.query)
	if i, ok := p.seen[w.Term]; ok {
		p.out.Words[i].Last = p.out.Words[i].Last || last
		return
	}
	w.Text = p.query[w.From:w.To]
	w.Stem = Stem(w.Term)
	w.Filler = Filler(w.Term)
	w.Last = last
	p.seen[w.Term] = len(p.out.Words)
	p.out.Words = append(p.out.Words, w)
}

// extendRow joins w to the words at hand when a hyphen alone stands between.
func (p *parser) extendRow(w Word) {
	if n := len(p.row); n == 0 || n == maxParts || !Joins(p.query, p.row[n-1], w) {
		p.endRow()
	}
	p.row = append(p.row, w)
}

// endRow tells the words at hand, if they are several, what they are as one. An identifier
// of the same term that came before has its parts already.
func (p *parser) endRow() {
	whole := Together(p.row)
	for _, w := range p.row {
		if known := &p.out.Words[p.seen[w.Term]]; len(p.row) > 1 && known.Whole == "" && known.Parts == nil {
			known.Whole = whole
		}
	}
	p.row = p.row[:0]
}

// Joins tells whether a hyphen alone stands in text between two plain words, the second
// of which comes right after the first, and joins them. Numbers it does not: 2026-05-01
// is three words.
func Joins(text string, first, second Word) bool {
	if first.Parts != nil || second.Parts != nil || first.To > second.From {
		return false
	}
	switch text[first.To:second.From] {
	case "-", "\u2010", "\u2011": // typographers' hyphens, the second of which breaks no line
		return lettered(first.Term) || lettered(second.Term)
	}
	return false
}

func lettered(term string) bool { return strings.ContainsFunc(term, unicode.IsLetter) }

// Together is the term of words that are written as one.
func Together(row []Word) string {
	var term []byte
	for _, w := range row {
		term = append(term, w.Term...)
	}
	return string(cut(term, MaxTerm))
}

// extendLiteral joins w to the piece at hand when only joiners stand between them.
func (p *parser) extendLiteral(w Word) {
	if p.litRuns > 0 && !joined(p.query[p.litTo:w.From]) {
		p.endLiteral()
	}
	if p.litRuns == 0 {
		p.litFrom = w.From
	}
	p.litRuns++
	p.litTo = w.To
	p.litIdentifier = p.litIdentifier || w.Identifier
}

func (p *parser) endLiteral() {
	if p.litRuns > 1 || p.litIdentifier {
		folded, _ := Fold(p.query[p.litFrom:p.litTo])
		literal := string(folded)
		known := false
		for _, l := range p.out.Literals {
			known = known || l == literal
		}
		if !known {
			p.out.Literals = append(p.out.Literals, literal)
		}
	}
	p.litRuns, p.litIdentifier = 0, false
}

// joined says whether between, the text between two words, makes them one piece.
func joined(between string) bool {
	const longest = 3 // "../", "://"
	return len(between) <= longest && strings.Trim(between, `./-:\@#_`) == ""
}
