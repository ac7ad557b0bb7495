package highlight

import (
	"strings"
	"sync"
)

// family is the scanner of a language.
type family uint8

const (
	table family = iota // the general one, which goes by the rest of the row
	diffs
	shells
	consoles // lines of a shell behind prompts, and what was answered
	makefiles
	markup
	stylesheets
	yamls
	prose
)

// language is a row of the tables: by what code of it is told apart. Lists are words
// with blanks between them.
type language struct {
	names    string // as a fence calls it, the usual name first
	family   family
	keywords string // with types and constants that the language brings along
	fold     bool   // keywords are such in any case
	leading  bool   // keywords are such only as the first word of a line

	line     string // what opens a comment that runs to the end of its line
	first    string // the same, where it is the first of its line
	spaced   bool   // what is in line opens a comment only at a line's begin or behind a blank
	except   string // what opens no comment though it begins like one
	block    string // what opens a comment and what closes it, by turns
	nested   bool   // comments stand in comments
	sections string // the same as block, where it is the first of its line, without a blank

	quotes  []quote
	raw     rawForm
	heredoc string // what opens a text that runs to a line of its own
	regexp  bool   // slashes may stand around an expression

	calls     callForm
	letters   string // what words may hold besides letters, digits and _
	inner     string // the same, not as their first
	sigils    string // what makes the word behind it a name
	skip      byte   // takes away what the character behind it means
	separator byte   // what may stand between a number's digits besides _
	keyed     byte   // what stands behind a key, before its value
	headings  bool   // a line in brackets is one
	commands  bool   // a word behind a backslash is a keyword
	directive bool   // a word behind a # that is the first of its line is a keyword
}

// quote is a way of writing strings.
type quote struct {
	open, close string // close is open where it is left out
	escape      byte   // takes away what the character behind it means, or 0
	reach       reach
	name        bool   // it stands around a name, not a string
	apart       bool   // none opens behind a letter, as in text between elements
	hole        string // what opens an expression in it
}

// reach is how far a string goes.
type reach uint8

const (
	oneLine  reach = iota // to its line's end at most
	ifClosed              // over lines; where nothing closes it, to its line's end
	toTheEnd              // over lines; where nothing closes it, to the end of the code
	oneRune               // one character, or none: elsewhere the mark means something else
)

// callForm is how a language shows that something is called.
type callForm uint8

const (
	noCalls           callForm = iota
	beforeParenthesis          // name(
	orBang                     // name( and name!(
	behindParenthesis          // (name
	withHyphen                 // Verb-Noun
)

// rawForm is a form of strings or comments whose end depends on how they begin.
type rawForm uint8

const (
	noRaw       rawForm = iota
	hashes              // r#"…"#, with as many # at both ends
	delimited           // R"mark(…)mark"
	longBracket         // [==[…]==], and --[==[…]==] for comments
)

// grammar is a row as the scanner needs it.
type grammar struct {
	*language
	words          map[string]struct{}
	longest        int // bytes of the longest keyword
	line, first    []string
	block, section [][2]string
	word, opens    [256]bool // bytes that belong to words; bytes with which a comment or a string can begin
}

// entry is a language that is known by some name; its grammar is made when code of it is
// first seen.
type entry struct {
	family  family
	grammar func() *grammar
}

// known are the languages by their names.
var known = sync.OnceValue(func() map[string]*entry {
	byName := map[string]*entry{}
	for _, rows := range [...][]language{curly, scripted, functional, queried, configured} {
		for i := range rows {
			row := &rows[i]
			e := &entry{family: row.family, grammar: sync.OnceValue(func() *grammar { return newGrammar(row) })}
			for name := range strings.FieldsSeq(row.names) {
				byName[name] = e
			}
		}
	}
	return byName
})

func newGrammar(row *language) *grammar {
	g := &grammar{
		language: row, words: map[string]struct{}{},
		line: strings.Fields(row.line), first: strings.Fields(row.first), block: pairs(row.block), section: pairs(row.sections),
	}
	for word := range strings.FieldsSeq(row.keywords) {
		g.words[word] = struct{}{}
		g.longest = max(g.longest, len(word))
	}
	for c := range 256 {
		g.word[c] = isWord(byte(c)) || strings.IndexByte(row.letters+row.inner, byte(c)) >= 0
	}
	for _, marks := range [][]string{g.line, g.first} {
		for _, mark := range marks {
			g.opens[mark[0]] = true
		}
	}
	for _, marks := range [][][2]string{g.block, g.section} {
		for _, mark := range marks {
			g.opens[mark[0][0]] = true
		}
	}
	for _, q := range row.quotes {
		g.opens[q.open[0]] = true
	}
	return g
}

// pairs are the words of a list two by two.
func pairs(list string) (all [][2]string) {
	words := strings.Fields(list)
	for i := 0; i+1 < len(words); i += 2 {
		all = append(all, [2]string{words[i], words[i+1]})
	}
	return all
}

// keyword tells whether a word is one.
func (g *grammar) keyword(word string) bool {
	if len(word) > g.longest {
		return false
	}
	if g.fold {
		word = strings.ToLower(word)
	}
	_, is := g.words[word]
	return is
}
