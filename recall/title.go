package recall

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"yore/recall/words"
)

// bytesIn is some of the 256 bytes.
type bytesIn [4]uint64

func (s *bytesIn) has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }
func (s *bytesIn) add(b byte)      { s[b/64] |= 1 << (b % 64) }

// titleWords are the words that a title is to have, in any form. A question that nothing
// answers asks for them in the title of every session.
type titleWords struct {
	stems  []string
	starts [][]byte // by stem: the bytes with which its terms can begin
	wanted bytesIn  // all of these
	marks  uint64   // marksOf the stems
}

// newTitleWords are the words of a value; nil where it has none.
func newTitleWords(value string) *titleWords {
	w := &titleWords{stems: stems(value)}
	if len(w.stems) == 0 {
		return nil
	}
	for _, stem := range w.stems {
		starts := words.StemStarts(stem)
		w.starts = append(w.starts, starts)
		for _, b := range starts {
			w.wanted.add(b)
		}
	}
	w.marks = marksOf(w.stems)
	return w
}

// in tells whether a title has them all.
func (w *titleWords) in(title string) bool {
	begun := beginnings(title)
	return w.mayBegin(&begun) && w.among(title)
}

// mayBegin tells whether each can be one of the terms that begin with some bytes.
func (w *titleWords) mayBegin(begun *bytesIn) bool {
	for _, any := range w.starts {
		if !slices.ContainsFunc(any, begun.has) {
			return false
		}
	}
	return true
}

func (w *titleWords) among(title string) bool {
	var has []string
	words.Scan(title, func(t words.Token) {
		if w.wanted.has(t.Term[0]) {
			has = append(has, words.Stem(string(t.Term)))
		}
	})
	return !slices.ContainsFunc(w.stems, func(s string) bool { return !slices.Contains(has, s) })
}

// beginnings are the bytes with which a term of a text can begin, and some more: cutting
// it into its terms takes ten times as long. Where folding may make others it is all bytes.
func beginnings(text string) (begun bytesIn) {
	text = strings.TrimSuffix(text, "…") // as what was cut ends
	inside := uint64(0)                  // 1 behind a small letter: with another, no term begins
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			return anyByte
		}
		c := small[b]
		begun[c.folded/64] |= (1 &^ (c.letter & inside)) << (c.folded % 64)
		inside = c.letter
	}
	return begun
}

var anyByte = bytesIn{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}

// small is what a byte is folded to, and 1 where it is a small letter: a branch for each
// byte of a title would go another way each time.
var small = func() (t [utf8.RuneSelf]struct {
	folded byte
	letter uint64
}) {
	for b := range byte(utf8.RuneSelf) {
		t[b].folded = b
		switch {
		case 'A' <= b && b <= 'Z':
			t[b].folded = b + 'a' - 'A'
		case 'a' <= b && b <= 'z':
			t[b].letter = 1
		}
	}
	return t
}()

// stems are the stems of a text's words.
func stems(text string) []string {
	var out []string
	words.Scan(text, func(t words.Token) { out = append(out, words.Stem(string(t.Term))) })
	return out
}
