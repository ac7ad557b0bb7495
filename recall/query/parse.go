package query

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says how a Term is to be found.
type Kind uint8

// The kinds of terms.
const (
	Word    Kind = iota // a piece of text without blanks
	Phrase              // text between quotes: word for word
	Pattern             // a regular expression between slashes
)

// Term is one thing to be found, or left out.
type Term struct {
	Kind Kind
	Text string // without quotes, slashes and minus
	Not  bool   // what holds it is left out
	Or   bool   // an alternative to the term before it

	Pattern *regexp.Regexp // of a Pattern
	Steps   int            // of its program, at most: a text takes time by them and its length
}

// Brief is the term for a note, cut: see Brief.
func (t Term) Brief() string {
	t.Text = Brief(t.Text)
	return t.String()
}

// String is the term as it is typed, the minus aside.
func (t Term) String() string {
	switch t.Kind {
	case Phrase:
		return `"` + t.Text + `"`
	case Pattern:
		return "/" + strings.ReplaceAll(t.Text, "/", `\/`) + "/"
	}
	return t.Text
}

// Query is a query's text, taken apart.
type Query struct {
	Terms   []Term
	Filters []Filter
	Notes   []string // what was typed almost as something else; whole sentences
	Open    bool     // the last term is a word with nothing behind it: it may be unfinished

	Followed []Followed // filters without quotes behind whose value further words stand
}

// Followed is a filter with the words behind its value, which may belong to it.
type Followed struct {
	Filter
	Next []string // as typed, one or two
}

// Parse takes a query apart. It accepts any bytes.
//
//	term      = ["-"] (word | '"' text '"' | "/" pattern "/")
//	filter    = ["-"] name ":" (word | '"' text '"')
//	or        = term "OR" term | filter "OR" filter
//
// A quote that is not closed, a pattern that is none and a colon behind anything
// but a filter's name are text.
func Parse(text string) Query {
	p := parse(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	p.out.Open = p.openable && !unicode.IsSpace(last)
	return p.out
}

// Places are where the filters of a query stand in its text, as byte ranges in
// order: name, value and a minus before them.
func Places(text string) [][2]int { return parse(text).places }

func parse(text string) parser {
	p := parser{rest: text, length: len(text)}
	for {
		p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
		if p.rest == "" {
			break
		}
		p.begin = p.length - len(p.rest)
		p.next()
	}
	p.dropOr()
	return p
}

// parser is one Parse under way.
type parser struct {
	rest      string
	out       Query
	or        bool // OR was read, and what follows is to be an alternative
	joinable  bool // the last thing read is a term that can have an alternative
	filtered  bool // the last thing read, an OR aside, is a filter
	openable  bool // the last thing read is a word
	narrowing bool // it is noted that OR joins no two filters that both narrow
	steps     int  // of the patterns read so far

	// unclosed are the closing quotes that do not come any more: a text of opening ones
	// is not to be searched for each.
	unclosed string

	length int // of the text
	begin  int // where what is read now begins in it
	places [][2]int
}

// next reads one term, filter or OR from rest, which begins with no blank.
func (p *parser) next() {
	if word := firstWord(p.rest); word == "OR" && (p.joinable || p.filtered) && !p.or {
		p.or, p.joinable, p.openable = true, false, false
		p.rest = p.rest[len(word):]
		return
	}
	not := false
	if excludes(p.rest) {
		not, p.rest = true, p.rest[1:]
	}
	switch {
	case p.phrase(not), p.pattern(not), p.filter(not):
		return
	}
	word := firstWord(p.rest)
	p.rest = p.rest[len(word):]
	p.misspelt(word)
	p.add(Term{Text: word, Not: not})
	p.openable = true
}

// excludes tells whether text begins with a minus that leaves out: one right before
// a word. Two are a flag, and before a digit it is a sign.
func excludes(text string) bool {
	if len(text) < 2 || text[0] != '-' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[1:])
	return r != '-' && r != '>' && !unicode.IsSpace(r) && !unicode.IsDigit(r)
}

func firstWord(text string) string {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i]
	}
	return text
}

// add takes up a term.
func (p *parser) add(t Term) {
	if t.Not || p.filtered {
		p.dropOr()
	}
	t.Or = p.or
	p.or, p.joinable, p.filtered, p.openable = false, !t.Not, false, false
	p.out.Terms = append(p.out.Terms, t)
}

// dropOr makes an OR that joins nothing a word again.
func (p *parser) dropOr() {
	if p.or {
		p.or = false
		p.out.Terms = append(p.out.Terms, Term{Text: "OR"})
	}
}

// quotes are the marks around a phrase, as typed and as word processors set them.
var quotes = map[rune]string{'"': `"`, '“': "”", '„': "“"}

// quoted cuts text that begins with a quoted piece; false when it does not, or when
// the quote is never closed.
func (p *parser) quoted(text string) (inside, rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	closing, ok := quotes[r]
	if !ok || strings.Contains(p.unclosed, closing) {
		return "", text, false
	}
	if inside, rest, ok = strings.Cut(text[n:], closing); !ok {
		p.unclosed += closing
	}
	return inside, rest, ok
}

func (p *parser) phrase(not bool) bool {
	inside, rest, ok := p.quoted(p.rest)
	if !ok {
		return false
	}
	p.rest = rest
	if strings.TrimSpace(inside) != "" {
		p.add(Term{Kind: Phrase, Text: inside, Not: not})
	}
	return true
}

// pattern reads /pattern/ where a blank or the end follows the second slash: the
// parts of a path are none.
func (p *parser) pattern(not bool) bool {
	if len(p.rest) < 3 || p.rest[0] != '/' || p.rest[1] == '/' || unicode.IsSpace(rune(p.rest[1])) {
		return false
	}
	end := 1
	for end < len(p.rest) && p.rest[end] != '/' {
		if p.rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.rest) {
		return false
	}
	if after, _ := utf8.DecodeRuneInString(p.rest[end+1:]); end+1 < len(p.rest) && !unicode.IsSpace(after) {
		return false
	}
	source := strings.ReplaceAll(p.rest[1:end], `\/`, `/`)
	p.rest = p.rest[end+1:]
	re, steps, err := p.compile(source)
	if err != nil {
		p.out.Notes = append(p.out.Notes, fmt.Sprintf("/%s/ %v, so it is searched as text.", Brief(source), err))
		p.add(Term{Text: source, Not: not})
		return true
	}
	p.add(Term{Kind: Pattern, Text: source, Not: not, Pattern: re, Steps: steps})
	return true
}

// filter reads name:value of a known name.
func (p *parser) filter(not bool) bool {
	name, _, ok := strings.Cut(firstWord(p.rest), ":")
	spec, known := SpecOf(strings.ToLower(name))
	if !ok || !known {
		return false
	}
	after := p.rest[len(name)+1:]
	value, rest, quoted := p.quoted(after)
	if !quoted {
		value = firstWord(after)
		rest = after[len(value):]
	}
	switch {
	case value == "" && not:
		return false
	case value == "":
		p.out.Notes = append(p.out.Notes, fmt.Sprintf("%s: has no value, so it is searched as text; try %s:%s.", spec.Name, spec.Name, spec.Example))
		return false
	case strings.HasPrefix(value, ":"), strings.HasPrefix(value, "//"):
		return false // title::Title, session://
	}
	p.rest = rest
	f := Filter{Name: spec.Name, Value: value, Not: not}
	if p.or && p.filtered {
		p.either(f, spec)
	}
	p.dropOr()
	p.joinable, p.filtered, p.openable = false, true, false
	p.places = append(p.places, [2]int{p.begin, p.length - len(rest)})
	p.out.Filters = append(p.out.Filters, f)
	if next := firstWords(rest, 2); !quoted && len(next) > 0 {
		p.out.Followed = append(p.out.Followed, Followed{f, next})
	}
	return true
}

// firstWords are the first words of text, n at most.
func firstWords(text string, n int) []string {
	var out []string
	for len(out) < n {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		word := firstWord(text)
		if word == "" {
			break
		}
		out, text = append(out, word), text[len(word):]
	}
	return out
}

// either takes the OR between the last filter and f, which is no word to be searched.
// Several values of one filter are alternatives without it; any other filters all have
// to pass, which is noted once.
func (p *parser) either(f Filter, spec Spec) {
	p.or = false
	last := p.out.Filters[len(p.out.Filters)-1]
	if p.narrowing || spec.Several && last.Name == f.Name && !last.Not && !f.Not {
		return
	}
	p.narrowing = true
	p.out.Notes = append(p.out.Notes, fmt.Sprintf(`Filters are joined by "and": the OR between %s and %s does nothing.`, last.Brief(), f.Brief()))
}

// misspelt notes a word that looks like a filter whose name has a slip.
func (p *parser) misspelt(word string) {
	name, rest, ok := strings.Cut(word, ":")
	if !ok || rest == "" || rest[0] == ':' || rest[0] == '/' || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return
	}
	if _, known := SpecOf(strings.ToLower(name)); known {
		return
	}
	if filter := nearest(strings.ToLower(name), rest); filter != "" {
		p.out.Notes = append(p.out.Notes, fmt.Sprintf("There is no filter %s, so it is searched as text; did you mean %s:%s?", Quoted(name+":"), filter, Brief(rest)))
	}
}
