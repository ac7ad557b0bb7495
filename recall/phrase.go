package recall

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"yore/recall/index"
	"yore/recall/words"
	"yore/sessions"
)

// phrase is text that is to stand somewhere word for word: its words in order, side
// by side, by the rule that cuts passages, so that case, accents and punctuation do
// not count. With forms, other forms of a word will do, too.
type phrase struct {
	chain
	forms bool
	grams bool         // has a link of a script without spaces
	ids   []*phraseIDs // by segment, made when first needed

	buf []uint32 // of look: a sequence

	at, next []verdict // of look: by term of a sequence, whether the links so far end there
}

// chain is a text as a row of words. An identifier is both one word and its parts:
// the parts stand in links, the whole of them in wholes, by the first of the parts.
type chain struct {
	links  []link
	wholes map[int][]whole
}

type link struct {
	term, stem string
	gram       bool // of a script without spaces
	lone       bool // one character of such a script
	glued      bool // shares a character with the link before
}

type whole struct {
	term  string
	links int // how many it covers
}

// chainOf cuts a text.
func chainOf(text string) chain {
	var c chain
	end, parts := 0, 0
	var row hyphened
	words.Scan(text, func(t words.Token) {
		if t.Kind == words.Whole {
			c.name(len(c.links)-parts, whole{string(t.Term), parts})
			parts = 0
			return
		}
		if t.Kind == words.Part {
			parts++
		} else {
			parts = 0
		}
		row.add(&c, text, t)
		gram := t.Kind == words.Gram
		c.links = append(c.links, link{term: string(t.Term), gram: gram, lone: gram && words.Lone(text[t.From:t.To]), glued: gram && len(c.links) > 0 && t.From < end})
		end = t.To
	})
	row.end(&c)
	return c
}

// name notes an identifier whose parts begin with a link.
func (c *chain) name(first int, w whole) {
	if c.wholes == nil {
		c.wholes = map[int][]whole{}
	}
	c.wholes[first] = append(c.wholes[first], w)
}

// hyphened are the plain words at the end of a chain that hyphens join, or the last one
// alone: "dry-run" stands where dryrun does.
type hyphened []words.Word

// add takes the next token, before its link is made.
func (h *hyphened) add(c *chain, text string, t words.Token) {
	w := words.Word{Term: string(t.Term), From: t.From, To: t.To}
	plain := t.Kind == words.Plain
	if n := len(*h); n > 0 && (!plain || !words.Joins(text, (*h)[n-1], w)) {
		h.end(c)
	}
	if plain {
		*h = append(*h, w)
	}
}

// end names what is joined.
func (h *hyphened) end(c *chain) {
	if n := len(*h); n > 1 {
		c.name(len(c.links)-n, whole{words.Together(*h), n})
	}
	*h = (*h)[:0]
}

// newPhrase reads a phrase; ok is false when it has no word.
func newPhrase(text string, forms bool, segments int) (p *phrase, ok bool) {
	p = &phrase{chain: chainOf(text), forms: forms, ids: make([]*phraseIDs, segments), buf: make([]uint32, 2*sessions.PassageChars)}
	for i := range p.links {
		p.links[i].stem = words.Stem(p.links[i].term)
		p.grams = p.grams || p.links[i].gram
	}
	return p, len(p.links) > 0
}

// in tells whether the phrase stands in a text.
func (p *phrase) in(text string) bool {
	f := finder{phrase: p}
	words.Scan(text, f.token)
	return len(f.places) > 0
}

// places are where the phrase stands in a text, in bytes.
func (p *phrase) places(text string) [][2]int {
	f := finder{phrase: p, all: true}
	words.Scan(text, f.token)
	return f.places
}

// finder is one search for a phrase. It reads the text once: row i says, for each k,
// where the links up to k begin that end at the i-th link of the text, from 1; 0: none do.
type finder struct {
	*phrase
	all    bool  // not only the first place
	rows   []int // len(links) for each link of the text
	end    int   // of the token before
	parts  int   // of the identifier at hand
	places [][2]int
}

func (f *finder) token(t words.Token) {
	switch {
	case len(f.places) > 0 && !f.all:
		return
	case t.Kind == words.Whole: // it ends where its last part does
		f.match(t, f.parts, true)
		f.parts = 0
		return
	case t.Kind == words.Part:
		f.parts++
	default:
		f.parts = 0
	}
	f.rows = append(f.rows, make([]int, len(f.links))...)
	f.match(t, 1, false)
	f.end = t.To
}

// match notes which links end with a token that covers so many links of the text.
func (f *finder) match(t words.Token, covers int, isWhole bool) {
	n := len(f.links)
	last := len(f.rows)/n - 1
	row := f.rows[last*n:]
	begun := func(k int) int { // where the links begin that link k follows
		switch {
		case k == 0:
			return t.From + 1
		case last >= covers:
			return f.rows[(last-covers)*n+k-1]
		}
		return 0
	}
	gram := t.Kind == words.Gram
	glued := gram && last > 0 && t.From < f.end
	for k := range f.links {
		switch {
		case isWhole && row[k] == 0 && (string(t.Term) == f.links[k].term || f.forms && words.Stem(string(t.Term)) == f.links[k].stem),
			!isWhole && f.equal(t.Term, gram, glued, k):
			row[k] = begun(k)
		}
	}
	for k, list := range f.wholes {
		for _, w := range list { // one word here, an identifier in the phrase
			if at := begun(k); at > 0 && !isWhole && string(t.Term) == w.term {
				row[k+w.links-1] = at
			}
		}
	}
	if begins := row[n-1] - 1; begins >= 0 && (!isWhole || len(f.places) == 0 || f.places[len(f.places)-1][1] != t.To) {
		f.places = append(f.places, [2]int{begins, t.To})
	}
}

func (p *phrase) equal(term []byte, gram, glued bool, k int) bool {
	want := p.links[k]
	if k > 0 && glued != want.glued {
		return false
	}
	switch {
	case string(term) == want.term:
		return true
	case want.lone && gram && len(p.links) == 1:
		return bytes.HasPrefix(term, []byte(want.term)) || bytes.HasSuffix(term, []byte(want.term))
	}
	return p.forms && words.Stem(string(term)) == want.stem
}

// phraseIDs are the ids in one segment of the terms that each link can be.
type phraseIDs struct {
	links [][]uint32
	any   [][]uint32 // one of each has to occur: of a link, or of an identifier that it is a part of
	never bool       // none of some link's occurs in the segment
	named []uint32   // of the identifiers of the phrase that occur there as one word
}

// verdict is what the index alone can tell.
type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// look tells from the order of a document's terms whether it can hold the phrase.
func (p *phrase) look(seg *index.Segment, number int, doc uint32) verdict {
	if seg.Terms() == 0 {
		return maybe // its words are not cut yet, or lost: only the text tells
	}
	if p.ids[number] == nil {
		p.ids[number] = p.lookup(seg)
	}
	ids := p.ids[number]
	if ids.never {
		return no
	}
	sequence := seg.Sequence(doc, p.buf)
	switch {
	case sequence == nil:
		return maybe
	case p.grams || slices.ContainsFunc(ids.named, func(id uint32) bool { return slices.Contains(sequence, id) }):
		if ids.lackedBy(sequence) {
			return no
		}
		return maybe
	}
	best := p.begin(ids.links[0], sequence)
	for k := 1; k < len(p.links) && best != no; k++ {
		best = p.follow(seg, ids.links[k], sequence)
	}
	if best == yes && len(ids.links) > 1 && len(seg.TurnKeys(doc)) > 1 {
		return maybe // the end of one turn and the beginning of the next are no phrase
	}
	return best
}

// begin notes in p.at where the first link stands in a sequence of terms.
func (p *phrase) begin(ids, sequence []uint32) (best verdict) {
	p.at = append(p.at[:0], make([]verdict, len(sequence))...)
	for i, id := range sequence {
		if slices.Contains(ids, id) {
			p.at[i], best = yes, yes
		}
	}
	return best
}

// follow goes on from where the links so far end, p.at, to where the next one does, and
// tells the best of it. Between two links can stand the whole of the identifier that
// the first ends, and the parts of the one that the second is as a whole. It is sure
// where nothing stands between, and the second is not the whole of what the first ends.
func (p *phrase) follow(seg *index.Segment, ids, sequence []uint32) (best verdict) {
	p.next = append(p.next[:0], make([]verdict, len(sequence))...)
	for i, id := range sequence {
		if !slices.Contains(ids, id) {
			continue
		}
		switch {
		case i > 0 && p.at[i-1] != no && !endedBy(seg.Term(id), seg.Term(sequence[i-1])):
			p.next[i] = p.at[i-1]
		case p.near(seg, sequence, i):
			p.next[i] = maybe
		}
		best = max(best, p.next[i])
	}
	p.at, p.next = p.next, p.at
	return best
}

// endedBy tells whether a term may be the whole of an identifier with such a last part.
// What is cut shows no longer how it ends.
func endedBy(term, part []byte) bool {
	return bytes.HasSuffix(term, part) || len(term) > words.MaxTerm-utf8.UTFMax
}

// near tells whether the link before ends so near before the i-th term that this may
// follow it.
func (p *phrase) near(seg *index.Segment, sequence []uint32, i int) bool {
	for from := i - 1; from >= max(0, i-longestIdentifier); from-- {
		if p.at[from] == no {
			continue
		}
		between := sequence[from+1 : i]
		if len(between) == 0 || spelt(seg, between, sequence[i]) {
			return true
		}
		if endedBy(seg.Term(between[0]), seg.Term(sequence[from])) && (len(between) == 1 || spelt(seg, between[1:], sequence[i])) {
			return true
		}
	}
	return false
}

// longestIdentifier is how many parts of an identifier are looked past: as many as
// words.Scan gives, and the whole before it.
const longestIdentifier = 34

// spelt tells whether terms, one after the other, are the whole that a term is.
func spelt(seg *index.Segment, ids []uint32, whole uint32) bool {
	rest := seg.Term(whole)
	if len(rest) > words.MaxTerm-utf8.UTFMax {
		return true // it may be cut
	}
	for _, id := range ids {
		var begins bool
		if rest, begins = bytes.CutPrefix(rest, seg.Term(id)); !begins {
			return false
		}
	}
	return len(rest) == 0
}

func (p *phrase) lookup(seg *index.Segment) *phraseIDs {
	out := &phraseIDs{}
	for _, l := range p.links {
		var ids []uint32
		if p.forms {
			ids = seg.Stems(l.stem)
		} else if id, ok := seg.Lookup(l.term); ok {
			ids = []uint32{id}
		}
		out.links = append(out.links, ids)
	}
	if len(p.links) == 1 && p.links[0].lone {
		return out // it stands in pairs, which are not looked up
	}
	out.any = slices.Clone(out.links)
	for first, list := range p.wholes {
		for _, w := range list {
			id, ok := seg.Lookup(w.term)
			if !ok {
				continue
			}
			out.named = append(out.named, id)
			for k := first; k < first+w.links; k++ {
				out.any[k] = append(slices.Clip(out.any[k]), id)
			}
		}
	}
	out.never = slices.ContainsFunc(out.any, func(ids []uint32) bool { return len(ids) == 0 })
	return out
}

// lackedBy tells whether a sequence of terms has none of what some link can be.
func (ids *phraseIDs) lackedBy(sequence []uint32) bool {
	return slices.ContainsFunc(ids.any, func(some []uint32) bool {
		return !slices.ContainsFunc(sequence, func(id uint32) bool { return slices.Contains(some, id) })
	})
}
