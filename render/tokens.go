package render

import (
	"unicode"
	"unicode/utf8"
)

// Estimator names how Tokens counts: by the shape of the text's pieces, fitted
// to o200k_base.
const Estimator = "o200k-estimate"

// Tokens estimates how many tokens of the o200k_base vocabulary s takes. On
// mixed text it is within a tenth of the true number.
//
// It cuts s into the pieces that o200k_base encodes one by one (a word with the
// blank or sign before it, up to three digits, a run of signs, a run of blanks)
// and charges each what pieces of its kind and length cost on average in
// English prose, code, JSON, logs, and a little text of other scripts. It
// allocates nothing and looks at every byte once.
func Tokens(s string) int {
	if s == "" {
		return 0
	}
	return charged(cost(s))
}

// charged is what a cost comes to in tokens: of any text at least one.
func charged(cost int) int { return max(1, (cost+whole/2)/whole) }

// cost is what s costs. Of two texts it is the sum of theirs where the first ends in a
// word and the second begins with a line break.
func cost(s string) int {
	c := counter{src: s}
	for c.pos < len(s) {
		c.piece()
	}
	return c.cost
}

// The costs are in hundredths of a token.
const (
	whole = 100

	hanCost    = 77 // a character
	kanaCost   = 73
	hangulCost = 70
	letterCost = 45 // of any other script without capitals: Arabic, Devanagari, Thai
	casedCost  = 35 // Greek, Cyrillic, Armenian
	accentCost = 45 // a Latin letter outside ASCII, beside its word's length
	symbolCost = 45 // a sign outside ASCII after the first of its run
	emojiCost  = 175
)

type class uint8

const (
	signs class = iota // the zero value: whatever is no letter, digit or blank
	lower
	upper
	digit
	blank
	newline
	other // a letter outside ASCII
)

var asciiClass = func() (t [utf8.RuneSelf]class) {
	for b := range t {
		switch {
		case b >= 'a' && b <= 'z':
			t[b] = lower
		case b >= 'A' && b <= 'Z':
			t[b] = upper
		case b >= '0' && b <= '9':
			t[b] = digit
		case b == '\n' || b == '\r':
			t[b] = newline
		case b == ' ' || b == '\t' || b == '\v' || b == '\f':
			t[b] = blank
		}
	}
	return t
}()

// lead is what stands before a word in the same piece.
type lead uint8

const (
	leadNone lead = iota
	leadBlank
	leadSign
)

type counter struct {
	src  string
	pos  int
	cost int
	lead lead
}

// class tells what the character at byte i is, and its length.
func (c *counter) class(i int) (class, rune, int) {
	if b := c.src[i]; b < utf8.RuneSelf {
		return asciiClass[b], rune(b), 1
	}
	return wide(c.src[i:])
}

// wide is class for a character outside ASCII.
func wide(s string) (class, rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return other, r, n
	case unicode.IsNumber(r):
		return digit, r, n
	case unicode.IsSpace(r):
		return blank, r, n
	}
	return signs, r, n
}

// piece charges the next piece.
func (c *counter) piece() {
	kind, _, _ := c.class(c.pos)
	switch kind {
	case blank, newline:
		c.blanks()
		return // keeps lead for what follows
	case digit:
		c.digits()
	case lower, upper, other:
		c.word()
	default:
		c.signs()
		return
	}
	c.lead = leadNone
}

// blanks charges a run of blanks: one for all up to its last line break, one
// for the indentation behind that, whose last blank belongs to what follows.
func (c *counter) blanks() {
	broken, run := false, 0
	for c.pos < len(c.src) {
		kind, _, n := c.class(c.pos)
		if kind != newline && kind != blank {
			break
		}
		run++
		if kind == newline {
			broken, run = true, 0
		}
		c.pos += n
	}
	if broken {
		c.cost += whole
	}
	c.lead = leadNone
	if run == 0 {
		return
	}
	if run > 1 || c.pos == len(c.src) {
		c.cost += whole
	}
	if c.pos == len(c.src) {
		return
	}
	if kind, _, _ := c.class(c.pos); kind == digit {
		c.cost += whole // digits take no blank into their piece
		return
	}
	c.lead = leadBlank
}

func (c *counter) digits() {
	count := 0
	for c.pos < len(c.src) {
		kind, _, n := c.class(c.pos)
		if kind != digit {
			break
		}
		count++
		c.pos += n
	}
	c.cost += (count + 2) / 3 * whole
}

// word charges letters up to where a small one is followed by a capital.
func (c *counter) word() {
	length, capitals, extra, afterLower := 0, 0, 0, false
	for c.pos < len(c.src) {
		if b := c.src[c.pos]; 'a' <= b && b <= 'z' { // as nearly all are
			afterLower = true
			length++
			c.pos++
			continue
		}
		kind, r, n := c.class(c.pos)
		if kind == upper && afterLower || kind != upper && kind != other {
			break
		}
		if kind == other {
			alone, cost := letterPrice(r)
			extra += cost
			if alone {
				length-- // priced by the character, not by the word's length
			}
		}
		if kind == upper {
			capitals++
		}
		afterLower = false
		length++
		c.pos += n
	}
	c.cost += extra
	if length > 0 {
		c.cost += wordCost(length, capitals, c.lead)
	}
}

// wordCost is the price of a word of ASCII letters. Short words after a blank
// are nearly always one token; after a sign, or in capitals, they often split.
func wordCost(length, capitals int, before lead) int {
	cost := whole
	switch before {
	case leadBlank:
		cost += 2*max(0, length-4) + 8*max(0, length-7)
	case leadSign:
		cost += 8 * (length - 1)
	default:
		cost += 8 * max(0, length-5)
	}
	if capitals >= 3 && capitals == length {
		cost += 30 + 10*max(0, length-4)
	}
	return cost + 15*max(0, length-14)
}

// letterPrice is what a letter outside ASCII costs, and whether it is priced
// apart from the word in which it stands.
func letterPrice(r rune) (alone bool, cost int) {
	switch {
	case r < 0x250: // Latin
		return false, accentCost
	case r < 0x590 && unicode.IsLetter(r): // Greek, Cyrillic, Armenian
		return true, casedCost
	case r >= 0x3040 && r <= 0x30ff:
		return true, kanaCost
	case r >= 0xac00 && r <= 0xd7a3:
		return true, hangulCost
	case unicode.Is(unicode.Han, r):
		return true, hanCost
	}
	return true, letterCost
}

// signs charges a run of signs with the line breaks behind it. A single sign
// right before a word belongs to the word's piece.
func (c *counter) signs() {
	spaced := c.lead == leadBlank
	count, same, first, extra := 0, true, rune(0), 0
	for c.pos < len(c.src) {
		kind, r, n := c.class(c.pos)
		if kind != signs {
			break
		}
		if count == 0 {
			first = r
		}
		same = same && r == first
		switch {
		case r >= 0x1f000:
			extra += emojiCost
		case r >= utf8.RuneSelf:
			extra += symbolCost
		}
		count++
		c.pos += n
	}
	c.lead = leadNone
	if count == 1 && extra == 0 && !spaced && c.pos < len(c.src) {
		if kind, _, _ := c.class(c.pos); kind == lower || kind == upper {
			c.lead = leadSign
			return
		}
	}
	for c.pos < len(c.src) && asciiNewline(c.src[c.pos]) {
		c.pos++
	}
	switch {
	case extra > 0:
		c.cost += max(whole, extra+whole-symbolCost)
	case same:
		c.cost += whole + 6*max(0, count-3)
	default:
		c.cost += whole + 40*max(0, count-3)
	}
}

func asciiNewline(b byte) bool { return b == '\n' || b == '\r' }
