package sessions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Where a long turn may be cut, in characters from the beginning of a piece.
const (
	// pieceLeast keeps pieces at least half full: better a worse border than a
	// passage that says little.
	pieceLeast = PassageChars / 2
	// pieceNear is how far back a paragraph border may lie that saves a code
	// fence from being cut.
	pieceNear = PassageChars / 3
	// overlapMost is how much of a sentence that is cut the next piece repeats.
	overlapMost = 100
	// lookAhead is how many bytes behind the limit are shown to the segmenter,
	// so that it does not take the limit for the end of the text.
	lookAhead = 64
)

// piece is a byte range of a turn's text.
type piece struct{ from, to int }

// split cuts a turn's text into pieces of at most PassageChars characters: at
// the last paragraph, else line, else sentence, else word, else grapheme
// border. Together the pieces cover the text; one that begins inside a
// sentence repeats the end of the piece before it.
func split(text string) []piece {
	var pieces []piece
	lines := lineScan{text: text}
	for start := 0; ; {
		marks := measure(text[start:])
		if marks.limit == len(text)-start {
			return append(pieces, piece{start, len(text)})
		}
		to, broken := lines.cut(start+marks.near, start+marks.least, start+marks.limit)
		if to < 0 {
			to, broken = cutInLine(text, start, start+marks.least, start+marks.limit)
		}
		pieces = append(pieces, piece{start, to})
		lines.rewind(to)
		next := to
		if broken {
			next = repeatFrom(text, to)
		}
		if next <= start {
			next = to
		}
		start = next
	}
}

// offsets are bytes after pieceNear, pieceLeast and PassageChars characters.
type offsets struct{ near, least, limit int }

func measure(s string) offsets {
	var o offsets
	runes := 0
	for at := range s {
		switch runes {
		case pieceNear:
			o.near = at
		case pieceLeast:
			o.least = at
		case PassageChars:
			o.limit = at
			return o
		}
		runes++
	}
	o.limit = len(s)
	return o
}

// cutInLine finds the border when there is no line's end to cut at. It tells
// whether the border lies inside a sentence.
func cutInLine(text string, start, least, limit int) (to int, broken bool) {
	// Segmenting is slow; behind a blank it can begin anew.
	start += strings.LastIndexByte(text[start:least], ' ') + 1
	rest := text[start:min(len(text), limit+lookAhead)]
	state, at := -1, start
	sentence, word, soft, cluster := -1, -1, -1, -1
	for rest != "" {
		var unit string
		var borders int
		unit, rest, borders, state = uniseg.StepString(rest, state)
		if at += len(unit); at > limit {
			break
		}
		cluster = at
		if at < least {
			continue
		}
		if borders&uniseg.MaskSentence != 0 {
			sentence = at
		}
		if borders&uniseg.MaskLine == uniseg.LineCanBreak {
			if soft = at; blank(unit) {
				word = at
			}
		}
	}
	switch {
	case sentence >= 0:
		return sentence, false
	case word >= 0:
		return word, true
	case soft >= 0:
		return soft, true
	case cluster >= 0:
		return cluster, true
	}
	// One cluster longer than a passage is no character that anybody reads.
	return limit, true
}

// repeatFrom is the first beginning of a word in the last overlapMost
// characters before to, or to where there is none.
func repeatFrom(text string, to int) int {
	from := to
	for runes := 0; runes < overlapMost && from > 0; runes++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for at := from; at < to; {
		unit, _, _, _ := uniseg.FirstGraphemeClusterInString(text[at:to], -1)
		next := at + len(unit)
		if blank(unit) && next < to && !startsBlank(text[next:to]) {
			return next
		}
		at = next
	}
	return to
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isBlank(r) }) < 0
}

func startsBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isBlank(r)
}

// isBlank holds for white space and for the byte order mark, which is as
// invisible.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }
