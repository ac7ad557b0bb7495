package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TermPlaces are where line n holds terms, which are in lower case, as words of their
// own: bytes of the line without colours in lower case. A phrase may go on from one line
// to the next.
func (d Doc) TermPlaces(n int, terms []string) [][2]int {
	return termPlaces(d.plainAt(n-1), d.plainAt(n), d.plainAt(n+1), terms)
}

// termsAt counts the different terms that line n holds.
func (d Doc) termsAt(n int, terms []string) int {
	before, line, after := d.plainAt(n-1), d.plainAt(n), d.plainAt(n+1)
	count := 0
	for i := range terms {
		if len(termPlaces(before, line, after, terms[i:i+1])) > 0 {
			count++
		}
	}
	return count
}

// plainAt is line n as it is searched, nothing where there is none.
func (d Doc) plainAt(n int) string {
	if n < 0 || n >= len(d.Lines) {
		return ""
	}
	return plainLine(d.Lines[n])
}

func termPlaces(before, line, after string, terms []string) [][2]int {
	text, begins := before+"\n"+line+"\n"+after, len(before)+1
	var out [][2]int
	for _, term := range terms {
		for _, at := range placesOf(text, strings.Fields(term)) {
			from, to := max(at[0]-begins, 0), min(at[1]-begins, len(line))
			if from >= to {
				continue
			}
			to -= to - from - len(strings.TrimRightFunc(line[from:to], between))
			from += to - from - len(strings.TrimLeftFunc(line[from:to], between))
			if from < to {
				out = append(out, [2]int{from, to})
			}
		}
	}
	return out
}

// placesOf are where a text holds the pieces of a term, one behind the other. Markdown is
// set by the time it is read here: its marks do not count between pieces.
func placesOf(text string, pieces []string) [][2]int {
	if len(pieces) > 1 {
		trimmed := pieces[:0]
		for _, p := range pieces {
			if p = strings.TrimFunc(p, between); p != "" {
				trimmed = append(trimmed, p)
			}
		}
		pieces = trimmed
	}
	if len(pieces) == 0 {
		return nil
	}
	var out [][2]int
	for at := 0; ; {
		i := strings.Index(text[at:], pieces[0])
		if i < 0 {
			return out
		}
		from := at + i
		at = from + len(pieces[0])
		to := at
		for _, piece := range pieces[1:] {
			rest := strings.TrimLeftFunc(text[to:], between)
			if len(rest) == len(text)-to || !strings.HasPrefix(rest, piece) {
				to = -1
				break
			}
			to = len(text) - len(rest) + len(piece)
		}
		if to > 0 && alone(text, from, to) {
			out = append(out, [2]int{from, to})
			at = to
		}
	}
}

// between tells what may stand between two words of a phrase in a text that is set: a
// blank, a line's end, the edge of a quotation, the marks of markdown that is not set.
func between(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("│*_~`", r) }

// alone tells whether no word goes on before or behind a place. Scripts that write
// without blanks have no such words; there any place counts.
func alone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !alphabetic(before) && !alphabetic(after)
}

// alphabetic tells letters and digits of scripts that put blanks between words.
func alphabetic(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}
