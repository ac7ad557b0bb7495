package recall

import (
	"slices"
	"strings"
	"unicode/utf8"

	"yore/recall/words"
)

// bytesIn is some of the 256 bytes.
type bytesIn [4]uint64

func (s *bytesIn) has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }
func (s *bytesIn) add(b byte)      { s[b/64] |= 1 << (b % 64) }

// titleTest tells whether a title has all words of a value, in any form; nil where the
// value has no word. A question that nothing answers asks it of every session.
func titleTest(value string) func(title string) bool {
	want := stems(value)
	if len(want) == 0 {
		return nil
	}
	starts := make([][]byte, len(want))
	var wanted bytesIn
	for i, stem := range want {
		starts[i] = words.StemStarts(stem)
		for _, b := range starts[i] {
			wanted.add(b)
		}
	}
	return func(title string) bool {
		if begun, ok := beginnings(title); ok {
			for _, any := range starts {
				if !slices.ContainsFunc(any, begun.has) {
					return false
				}
			}
		}
		var has []string
		words.Scan(title, func(t words.Token) {
			if wanted.has(t.Term[0]) {
				has = append(has, words.Stem(string(t.Term)))
			}
		})
		return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(has, w) })
	}
}

// beginnings are the bytes with which a term of a text can begin, and some more: cutting
// it into its terms takes ten times as long. ok is false where folding may make others.
func beginnings(text string) (begun bytesIn, ok bool) {
	text = strings.TrimSuffix(text, "…") // as what was cut ends
	inside := uint64(0)                  // 1 behind a small letter: with another, no term begins
	for i := range len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			return begun, false
		}
		c := small[b]
		begun[c.folded/64] |= (1 &^ (c.letter & inside)) << (c.folded % 64)
		inside = c.letter
	}
	return begun, true
}

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
