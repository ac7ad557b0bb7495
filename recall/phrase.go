package recall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"yore/recall/index"
	"yore/recall/words"
)

// phrase is text that is to stand somewhere word for word: its words in order, side
// by side, by the rule that cuts passages, so that case, accents and punctuation do
// not count. With forms, other forms of a word will do, too.
type phrase struct {
	chain
	forms bool
	ids   []*phraseIDs // by segment, made when first needed
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
	words.Scan(text, func(t words.Token) {
		if t.Kind == words.Whole {
			if c.wholes == nil {
				c.wholes = map[int][]whole{}
			}
			first := len(c.links) - parts
			c.wholes[first] = append(c.wholes[first], whole{string(t.Term), parts})
			parts = 0
			return
		}
		if t.Kind == words.Part {
			parts++
		} else {
			parts = 0
		}
		gram := t.Kind == words.Gram
		c.links = append(c.links, link{term: string(t.Term), gram: gram, glued: gram && len(c.links) > 0 && t.From < end})
		end = t.To
	})
	return c
}

// newPhrase reads a phrase; ok is false when it has no word.
func newPhrase(text string, forms bool, segments int) (p *phrase, ok bool) {
	p = &phrase{chain: chainOf(text), forms: forms, ids: make([]*phraseIDs, segments)}
	for i := range p.links {
		p.links[i].stem = words.Stem(p.links[i].term)
	}
	return p, len(p.links) > 0
}

// in tells whether the phrase stands in a text.
func (p *phrase) in(text string) bool {
	c := chainOf(text)
	for i := range c.links {
		if p.at(&c, i, 0) {
			return true
		}
	}
	return false
}

// at tells whether the phrase's links from k on stand in c from i on.
func (p *phrase) at(c *chain, i, k int) bool {
	if k == len(p.links) {
		return true
	}
	if i >= len(c.links) {
		return false
	}
	if p.equal(c.links[i], p.links[k], k) && p.at(c, i+1, k+1) {
		return true
	}
	for _, w := range c.wholes[i] { // one word here, an identifier there
		if w.term == p.links[k].term && p.at(c, i+w.links, k+1) {
			return true
		}
	}
	for _, w := range p.wholes[k] {
		if w.term == c.links[i].term && p.at(c, i+1, k+w.links) {
			return true
		}
	}
	return false
}

func (p *phrase) equal(have, want link, k int) bool {
	if k > 0 && have.glued != want.glued {
		return false
	}
	switch {
	case have.term == want.term:
		return true
	case want.gram && have.gram && len(p.links) == 1 && utf8.RuneCountInString(want.term) == 1:
		return strings.HasPrefix(have.term, want.term) || strings.HasSuffix(have.term, want.term)
	}
	return p.forms && words.Stem(have.term) == want.stem
}

// phraseIDs are the ids in one segment of the terms that each link can be.
type phraseIDs struct {
	links [][]uint32
	never bool // a link occurs nowhere in the segment
}

// verdict is what the index alone can tell.
type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// look tells from the order of a document's terms whether it can hold the phrase.
func (p *phrase) look(seg *index.Segment, at int, doc uint32) verdict {
	sequence := seg.Sequence(doc)
	if sequence == nil || p.wholes != nil || p.links[0].gram {
		return maybe
	}
	if p.ids[at] == nil {
		p.ids[at] = p.lookup(seg)
	}
	ids := p.ids[at]
	if ids.never {
		return no
	}
	for i, id := range sequence {
		if slices.Contains(ids.links[0], id) && p.follow(seg, ids, sequence[i+1:], 1) {
			if len(ids.links) == 1 {
				return yes
			}
			return maybe // the end of one turn and the beginning of the next are no phrase
		}
	}
	return no
}

// follow tells whether the links from k on come next. Between two of them can stand
// the whole of the identifier that the first ends, and the parts of the one that the
// second is as a whole.
func (p *phrase) follow(seg *index.Segment, ids *phraseIDs, sequence []uint32, k int) bool {
	if k == len(p.links) {
		return true
	}
	var before, behind []byte // terms passed over: all, and all but the first
	for j, id := range sequence {
		fits := j <= 1 || string(before) == p.links[k].term || string(behind) == p.links[k].term
		if fits && slices.Contains(ids.links[k], id) && p.follow(seg, ids, sequence[j+1:], k+1) {
			return true
		}
		if len(behind) > words.MaxTerm {
			return false
		}
		before = append(before, seg.Term(id)...)
		if j > 0 {
			behind = append(behind, seg.Term(id)...)
		}
	}
	return false
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
		out.never = out.never || len(ids) == 0
	}
	return out
}
