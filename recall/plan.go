package recall

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"yore/recall/query"
	"yore/recall/words"
)

// Bounds of the work that one query can ask for. A question typed by a person
// stays far below all of them.
const (
	maxQueryBytes = 16 << 10
	maxWords      = 31 // of a query; one bit each in a uint32, and patternBit
	maxAtoms      = 64
	maxLiterals   = 8
	maxConditions = 64 // phrases, patterns and what is left out: each may have to be looked for in every text
)

// patternBit stands in a set of words for a match of a pattern.
const patternBit = 1 << maxWords

// firstUnspaced is where the scripts written without spaces begin (CJK radicals):
// one of their characters is searched as the beginning of a pair.
const firstUnspaced = 0x2e80

// plan is a query as it is searched: what the text alone says, before any
// passage is looked at, and then (measure) what each word weighs in the corpus.
type plan struct {
	text     string // the words and phrases that are looked for
	asked    []query.Term
	filters  []query.Filter
	typed    []string // notes on how the query was read
	followed []query.Followed
	pieces   []piece
	groups   []alternatives
	byTerm   map[string]int // the words by the terms that stand for them
	atoms    []atom
	words    []planWord
	required uint32 // bit i: words[i] counts for the word rule
	common   bool   // nothing but common words: all of them are needed
	oneRow   bool   // nothing but words that hyphens join: all of them are needed
	cut      bool   // words beyond the bounds were left out
	bounded  bool   // conditions beyond maxConditions were

	slots    []string // distinct stems of the query, those of atoms first
	phrase   []int    // the query's tokens in order, as slots
	literal  string   // the folded query, for a literal hit
	literals []string // folded identifiers, paths and the like in it

	named     []dateWish // the times in the text
	dates     []dateWish // those of them that count
	dated     bool       // asks for a date alone: what was said then matches
	decision  bool       // asks what was decided: prefers replies
	needed    int        // how many required words a match holds at least
	loose     bool       // any of the required words is enough (fillUp)
	strange   bool       // too much of the query occurs nowhere: nothing matches
	missing   float64    // worth of the query that would have to occur not to be strange
	wellKnown bool       // a whole question, most of which occurs: what holds some of it may answer

	lastMask   uint32 // weight's memory
	lastWeight float64
}

// atom is one term that is looked up by itself: a word, or a part of one.
type atom struct {
	term, stem string
	open       bool // still being typed: what it begins counts in full
	lone       bool // one character of a script without spaces: it stands in pairs, at either end
	begins     bool // what it begins counts at a lower grade
	mistakes   int  // how many a close spelling of it may have
	unscored   bool // no word that takes part has it: where it stands is asked, and how rare it is
	near       []nearTerm
	df         int
	idf        float64
}

// planWord is a distinct word of the query.
type planWord struct {
	words.Word
	atoms    []int // the parts, all of which are needed; one for a plain word
	whole    int   // the atom of an identifier, or of words that hyphens join, as one; else -1
	optional bool  // scored when found, never required: words of dates, framing words
	found    int   // passages that hold it
	idf      float64
}

func newPlan(q Query, now time.Time) *plan {
	text, cut := shortened(q.Text)
	parsed := query.Parse(text)
	terms := bounded(parsed.Terms)
	p := &plan{
		asked: terms, filters: slices.Concat(q.Filters, parsed.Filters), typed: slices.Concat(parsed.Notes, unquotedTimes(parsed, now)),
		byTerm: map[string]int{}, cut: cut,
	}
	p.followed = parsed.Followed
	if p.bounded = len(terms) < len(parsed.Terms); p.bounded {
		p.typed = append(p.typed, fmt.Sprintf("Only the first %d phrases, patterns and words to be left out were heeded.", maxConditions))
	}
	if q.unquoted {
		p.unquote()
	}
	p.readPieces()
	found := words.Parse(p.text)
	p.literals = found.Literals[:min(len(found.Literals), maxLiterals)]
	folded, _ := words.Fold(strings.TrimSpace(p.text))
	p.literal = string(folded)
	p.named = slices.DeleteFunc(dateWishes(p.text, now), func(d dateWish) bool { return p.quoted(d.from, d.to) })
	if q.Time != TimeIgnored {
		p.dates = p.named
	}

	slots := map[string]int{}
	for _, w := range found.Words {
		if len(p.words) == maxWords {
			p.cut = true
			break
		}
		p.addWord(w, q.Typing && parsed.Open && w.Last, slots)
	}
	p.takeQuotesAsTyped()
	p.chooseRequired()
	p.joinAlternatives()
	p.readPhrase(slots)
	p.noteUnscored()
	return p
}

// addWord makes atoms of a word. Words of one stem are one word (R6).
func (p *plan) addWord(w words.Word, open bool, slots map[string]int) {
	word := planWord{Word: w, whole: -1}
	if w.Parts == nil {
		at, ok := p.atom(w.Term, open, true, slots)
		if !ok {
			return
		}
		if k := slices.IndexFunc(p.words, func(known planWord) bool { return len(known.atoms) == 1 && known.atoms[0] == at }); k >= 0 {
			p.byTerm[w.Term] = k
			p.joinRow(&p.words[k], w.Whole, open, slots)
			return
		}
		p.atoms[at].lone = words.Lone(w.Text)
		p.atoms[at].begins = p.atoms[at].begins || p.atoms[at].lone
		word.atoms = []int{at}
		p.joinRow(&word, w.Whole, open, slots)
		p.byTerm[w.Term] = len(p.words)
		p.words = append(p.words, word)
		return
	}
	for i, part := range w.Parts {
		if at, ok := p.atom(part, open && i == len(w.Parts)-1, false, slots); ok {
			word.atoms = append(word.atoms, at)
		}
	}
	if w.Identifier && len(w.Term) < shortestIdentifierWithMistakes {
		for _, at := range word.atoms {
			p.atoms[at].mistakes = 0
		}
	}
	if at, ok := p.atom(w.Term, open, true, slots); ok {
		word.whole = at
		p.atoms[at].mistakes = 0 // its parts stand for it
	}
	if len(word.atoms) > 0 {
		p.byTerm[w.Term] = len(p.words)
		p.words = append(p.words, word)
	}
}

// atom finds or makes the atom of a term. alone says that the term is no part of
// an identifier: what a part begins is another word.
func (p *plan) atom(term string, open, alone bool, slots map[string]int) (int, bool) {
	stem := words.Stem(term)
	first, _ := utf8.DecodeRuneInString(term)
	letters := utf8.RuneCountInString(term)
	numbered := strings.ContainsAny(term, "0123456789")
	begins := alone && !numbered && (letters >= shortestBeginning || letters == 1 && first >= firstUnspaced)
	if at, ok := slots[stem]; ok {
		p.atoms[at].open = p.atoms[at].open || open
		p.atoms[at].begins = p.atoms[at].begins || begins
		return at, true
	}
	if len(p.atoms) == maxAtoms {
		p.cut = true
		return 0, false
	}
	a := atom{term: term, stem: stem, open: open, begins: begins}
	if !numbered {
		a.mistakes = allowedMistakes(letters)
	}
	slots[stem] = len(p.atoms)
	p.atoms = append(p.atoms, a)
	p.slots = append(p.slots, stem)
	return len(p.atoms) - 1, true
}

// decisionWords are the stems of words by which people ask for a decision;
// framingWords name, in such a question, who decided: they are its frame, not
// its subject, and so not required.
var (
	decisionWords = stemSet("decide decision choose choice conclude conclusion agree settle")
	framingWords  = stemSet("agent agents assistant model")
)

// stemSet stems when the set is first asked for, which most starts never do.
func stemSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			set[words.Stem(w)] = true
		}
		return set
	})
}

// chooseRequired decides which words count for the word rule. Common words,
// words of a date and the frame of a question count only where nothing else is
// left (W2).
func (p *plan) chooseRequired() {
	framed := false
	for i := range p.words {
		w := &p.words[i]
		p.decision = p.decision || decisionWords()[w.Stem]
		framed = framed || framingWords()[w.Stem] || w.Term == "we"
		for _, d := range p.dates {
			w.optional = w.optional || w.From >= d.from && w.To <= d.to
		}
	}
	p.decision = p.decision && framed
	p.setAside()
	require := func(counts func(planWord) bool) bool {
		for i, w := range p.words {
			if counts(w) {
				p.required |= 1 << i
			}
		}
		return p.required != 0
	}
	if require(func(w planWord) bool {
		return !w.Filler && !w.optional && (!p.decision || !framingWords()[w.Stem])
	}) || require(func(w planWord) bool { return !w.Filler && !w.optional }) {
		p.oneRow = p.isRow(p.required)
		return
	}
	p.dated = len(p.dates) > 0
	if !require(func(w planWord) bool { return !w.Filler }) {
		p.common = require(func(planWord) bool { return true })
	}
}

// setAside takes out of play what frames a question: a kind or type of which it is
// asked ("what kind of cache") is a common word there. A part of a time has no close
// spelling: it is understood, whether or not it was ever said.
func (p *plan) setAside() {
	for i := range p.words {
		w := &p.words[i]
		if w.optional {
			for _, a := range w.atoms {
				p.atoms[a].mistakes = 0
			}
		}
		if p.quoted(w.From, w.To) {
			continue
		}
		switch w.Term {
		case "kind", "kinds", "type", "types", "sort", "sorts":
			before, after := p.beside(w.Word)
			w.Filler = w.Filler || (before == "what" || before == "which") && after == "of"
		case "according":
			_, after := p.beside(w.Word)
			w.Filler = w.Filler || after == "to"
		}
	}
}

// beside are what stands in the query right before and after a word, in lower case,
// though it be there a second time; "" where there is nothing.
func (p *plan) beside(w words.Word) (before, after string) {
	parts := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	if all := parts(p.text[:w.From]); len(all) > 0 {
		before = all[len(all)-1]
	}
	if all := parts(p.text[w.To:]); len(all) > 0 {
		after = all[0]
	}
	return before, after
}

// subject is what the query is about, for the topic: its text without words of
// time and without the frame of a question for a decision, where others are left.
func (p *plan) subject() string {
	text, others := []byte(p.text), false
	for _, w := range p.words {
		switch {
		case w.optional || p.decision && framingWords()[w.Stem]:
			for i := w.From; i < w.To; i++ {
				text[i] = ' '
			}
		case !w.Filler:
			others = true
		}
	}
	if !others {
		return p.text
	}
	return string(text)
}

// within tells whether a time is one that the query names.
func (p *plan) within(t time.Time) bool {
	for _, d := range p.dates {
		if d.holds(t) {
			return true
		}
	}
	return false
}

// searched tells whether word i takes part: a common word only beside nothing
// but common ones.
func (p *plan) searched(i int) bool { return !p.words[i].Filler || p.common }

// noteUnscored finds the atoms that only common words have which take no part.
func (p *plan) noteUnscored() {
	for a := range p.atoms {
		at := &p.atoms[a]
		at.unscored = !at.open && !at.lone
	}
	for i := range p.words {
		if !p.searched(i) {
			continue
		}
		for _, a := range p.words[i].atoms {
			p.atoms[a].unscored = false
		}
		if whole := p.words[i].whole; whole >= 0 {
			p.atoms[whole].unscored = false
		}
	}
}

// readPhrase notes the query's tokens in order, common words included.
func (p *plan) readPhrase(slots map[string]int) {
	words.Scan(p.text, func(t words.Token) {
		if len(p.phrase) == maxAtoms {
			return
		}
		stem := words.Stem(string(t.Term))
		at, ok := slots[stem]
		if !ok {
			at = len(p.slots)
			slots[stem] = at
			p.slots = append(p.slots, stem)
		}
		p.phrase = append(p.phrase, at)
	})
}
