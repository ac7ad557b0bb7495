package words

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// unspaced says whether r belongs to a script that writes words without spaces
// between them, or (Hangul) glues particles to them.
func unspaced(r rune) bool {
	switch {
	case r < 0xe01, r >= 0x1200 && r < 0x1780:
		return false
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		return true
	case r == 'ー', r == 'ｰ': // they lengthen a kana; Unicode files them under no script
		return true
	}
	return unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// grams emits the pairs of neighbouring characters of the run that begins at byte
// from, or its only character, and returns the run's end.
func (s *scanner) grams(from int) int {
	s.buf = s.buf[:0]
	var before struct{ from, to, bytes int } // the character before
	count := 0
	i := from
	for i < len(s.text) && s.text[i] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(s.text[i:]); !unspaced(r) {
			break
		}
		at, lo := i, len(s.buf)
		i = clusterEnd(s.text, i)
		s.buf = s.folder.append(s.buf, s.text[at:i])
		s.buf = s.buf[:lo+len(cut(s.buf[lo:], MaxTerm/2))]
		if len(s.buf) == lo {
			continue
		}
		if count++; count > 1 {
			s.emit(Token{Term: s.buf, From: before.from, To: i, Kind: Gram})
			s.buf = append(s.buf[:0], s.buf[before.bytes:]...)
		}
		before.from, before.to, before.bytes = at, i, len(s.buf)
	}
	if count == 1 {
		s.emit(Token{Term: s.buf, From: before.from, To: before.to, Kind: Gram})
	}
	return i
}

// LeastUnspaced stands before all terms of scripts without spaces, in the order of bytes.
const LeastUnspaced = "\u0e01"

// Lone says whether text is one character of a script without spaces, with its marks. In a
// text Scan gives it in pairs, unless it stands alone.
func Lone(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unspaced(r) && clusterEnd(text, 0) == len(text)
}

// emoji says whether r begins an emoji. The blocks are those of Unicode's
// pictographic characters; box drawing, arrows and mathematics are no words.
func emoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r >= 0x2b05 && r <= 0x2b55 ||
		r >= 0x23e9 && r <= 0x23fa || r == 0x231a || r == 0x231b
}

// symbol emits the emoji that begins at byte from: its grapheme cluster without
// presentation selectors and skin tones, so that every shade of a hand is found
// by the hand.
func (s *scanner) symbol(from int) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s.text[from:], -1)
	s.buf = s.buf[:0]
	for i, r := range cluster {
		if unicode.IsMark(r) || i > 0 && r >= 0x1f3fb && r <= 0x1f3ff || r == utf8.RuneError {
			continue
		}
		s.buf = utf8.AppendRune(s.buf, r)
	}
	s.emit(Token{Term: cut(s.buf, MaxTerm), From: from, To: from + len(cluster), Kind: Symbol})
	return from + len(cluster)
}
