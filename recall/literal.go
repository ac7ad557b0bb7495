package recall

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"yore/recall/words"
)

// A passage that holds the query as typed ranks before others, and only its text tells
// that. Texts are packed, and to unpack those of all candidates took a fifth of a key:
// the order of its terms rules most of them out.

// literalHits tells whether the whole query stands in a text as typed, and the
// share of its identifiers, paths and the like that do.
func (s *search) literalHits(text string) (whole, identifiers float64) {
	buffer := foldPool.Get().(*[]byte)
	defer foldPool.Put(buffer)
	*buffer = words.AppendFolded((*buffer)[:0], text)
	holds := func(literal string) bool { return bytes.Contains(*buffer, []byte(literal)) }
	if holds(s.literal) {
		whole = 1
	}
	for _, l := range s.literals {
		if holds(l) {
			identifiers++
		}
	}
	return whole, identifiers / float64(max(len(s.literals), 1))
}

var foldPool = sync.Pool{New: func() any { return new([]byte) }}

// mayBeLiteral rules out, without reading it, a text that cannot hold the query
// or one of its identifiers as typed.
func (s *search) mayBeLiteral(found uint32) bool {
	if len(s.literals) > 0 && found != 0 {
		return true
	}
	all := true
	for i := range s.words {
		held := found&(1<<i) != 0
		all = all && (held || !s.searched(i))
	}
	return all
}

// typedRow is a query of plain words. One alone stands in each passage that has a term
// which it begins, if every text spells that as it is. Of several the order in a
// passage tells whether that can hold them as typed. They stand there one after the
// other: those between the first and the last as they are, the first as the end of a
// word, the last as the beginning of one. A word may be spelled as an identifier
// (fooBar), which has its parts before itself.
type typedRow struct {
	terms    termList
	first    string
	between  []uint32 // ids
	from, to uint32   // ids of what the last one begins
	never    bool     // one between is no term
	alone    bool     // it is one word, first and last
	stubs    []uint32 // ids of terms that are a beginning of the last one
}

// termList is a segment's.
type termList interface {
	Term(id uint32) []byte
	Verbatim(id uint32) bool
	Lookup(term string) (id uint32, ok bool)
	Prefix(p string) (lo, hi uint32)
}

const (
	// rowWords is how many words of a query are compared, the first ones.
	rowWords = 8

	// longTerm is how long a term is at least, in bytes, that may be the beginning of
	// a longer word: words.Scan leaves off what goes beyond words.MaxTerm, and beyond
	// as many parts of an identifier, of a letter at least each.
	longTerm = words.MaxTerm / 2
)

// typedWords are the words of what has to stand in a text as typed: of the whole query
// and of each identifier and path in it. It is nil where one of them is more than words
// of plain letters and digits with what separates words between them, so that terms do
// not tell of it; one word alone they can only tell to stand.
func (s *search) typedWords() (rows [][]string) {
	for _, literal := range append([]string{s.literal}, s.literals...) {
		row := plainWords(literal)
		if row == nil || len(row) == 1 && len(s.literals) > 0 {
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// plainWords are the words of a text as typedWords wants them; nil where it is another.
// A text in which a character that folding drops stands between ".net" and letters
// ("\u00ad") is told not to hold what begins within that name, though its folded form
// does: only the bonus for a literal hit is lost.
func plainWords(text string) []string {
	if strings.ContainsFunc(text, func(r rune) bool { return !plainLetter(r) && !plainGap(r) }) {
		return nil
	}
	row := strings.FieldsFunc(text, plainGap)
	row = row[:min(len(row), rowWords)]
	unfit := func(w string) bool { return len(w) >= longTerm || w[0] == dotName[0] && strings.Contains(text, ".") }
	if len(row) == 0 || len(row) == 1 && row[0] != text || slices.ContainsFunc(row, unfit) {
		return nil
	}
	return row
}

// dotName begins, with a dot before it, the one name that has a dot (.net).
const dotName = "net"

func plainLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

// plainGap tells whether r always ends a word and is part of none, as '+' may be; but
// for a dot before dotName.
func plainGap(r rune) bool { return strings.ContainsRune(" ,;:?!/.-()[]{}<>=\"|&@$%*~^`\\", r) }

// typedRows look the words up in a segment; without any they tell nothing.
type typedRows []*typedRow

func newTypedRows(rows [][]string, terms termList) typedRows {
	all := make(typedRows, len(rows))
	for i, row := range rows {
		all[i] = newTypedRow(row, terms)
	}
	return all
}

// judge tells of all together: that all stand there, which is one word alone, or none.
func (l typedRows) judge(sequence []uint32) standing {
	for i, p := range l {
		if is := p.judge(sequence); is != standsNot || i == len(l)-1 {
			return is
		}
	}
	return unsaid
}

func newTypedRow(row []string, terms termList) *typedRow {
	last := len(row) - 1
	p := &typedRow{terms: terms, first: row[0], alone: last == 0}
	p.from, p.to = terms.Prefix(row[last])
	for n := 1; n < len(row[last]); n++ {
		if id, ok := terms.Lookup(row[last][:n]); ok {
			p.stubs = append(p.stubs, id)
		}
	}
	for _, w := range row[min(1, last):last] {
		id, ok := terms.Lookup(w)
		p.between = append(p.between, id)
		p.never = p.never || !ok
	}
	return p
}

// standing is what the terms of a text tell of whether it holds the query as typed.
type standing int

const (
	unsaid standing = iota // the text has to be read
	stands
	standsNot
)

// judge tells it of a text whose terms these are.
func (p *typedRow) judge(sequence []uint32) standing {
	switch {
	case len(sequence) == 0:
		return unsaid
	case p.alone:
		if slices.ContainsFunc(sequence, func(id uint32) bool { return id >= p.from && id < p.to && p.terms.Verbatim(id) }) {
			return stands
		}
		return unsaid // it may stand inside another word
	case p.mayStand(sequence):
		return unsaid
	}
	return standsNot
}

// mayStand tells whether a text whose terms these are can hold several words as typed.
func (p *typedRow) mayStand(sequence []uint32) bool {
	if p.never {
		return false
	}
	leads := p.leadTo
	if !slices.ContainsFunc(sequence, func(id uint32) bool { return slices.Contains(p.stubs, id) }) {
		leads = p.follow
	}
	for i := 1; i < len(sequence); i++ {
		if id := sequence[i]; id >= p.from && id < p.to && leads(sequence, i, p.between) {
			return true
		}
	}
	return false
}

// follow tells whether the i-th term may stand right behind the first word and those of
// between. Where a text has none of stubs that tells of identifiers, too: if the first part
// of one is no stub, it begins with the last word itself.
func (p *typedRow) follow(sequence []uint32, i int, between []uint32) bool {
	return p.ends(sequence, i-1, between)
}

// leadTo tells whether the i-th term may follow the first word and those of between:
// it stands right behind them, or has its parts before it, of which the last is its end.
func (p *typedRow) leadTo(sequence []uint32, i int, between []uint32) bool {
	if p.follow(sequence, i, between) {
		return true
	}
	whole := p.terms.Term(sequence[i])
	if len(whole) < longTerm && !bytes.HasSuffix(whole, p.terms.Term(sequence[i-1])) {
		return false
	}
	n := len(between)
	for at := i - 1 - leastParts; at >= max(0, i-1-longestIdentifier); at-- {
		if n > 0 && sequence[at] != between[n-1] {
			continue
		}
		if p.spell(sequence[at+1:i], whole) && p.ends(sequence, at, between) {
			return true
		}
	}
	return false
}

// leastParts is how many parts an identifier has at least.
const leastParts = 2

// ends tells whether the first word and those of between may end with a term.
func (p *typedRow) ends(sequence []uint32, at int, between []uint32) bool {
	if n := len(between); n > 0 {
		return at > 0 && sequence[at] == between[n-1] && p.leadTo(sequence, at, between[:n-1])
	}
	term := p.terms.Term(sequence[at])
	return len(term) >= longTerm || bytes.HasSuffix(term, []byte(p.first))
}

// spell tells whether parts, one after the other, are a whole, or begin with it where
// it may be cut.
func (p *typedRow) spell(parts []uint32, whole []byte) bool {
	rest := whole
	for _, part := range parts {
		term := p.terms.Term(part)
		if len(whole) >= longTerm {
			term = term[:min(len(term), len(rest))]
		}
		if !bytes.HasPrefix(rest, term) || len(rest) == 0 && len(whole) < longTerm {
			return false
		}
		rest = rest[len(term):]
	}
	return len(rest) == 0
}
