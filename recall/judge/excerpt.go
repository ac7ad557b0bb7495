package judge

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"yore/recall"
	"yore/sessions/clean"
)

// What is sent of a hit at most, in characters as readers count them: its match
// and what stands around it.
const (
	excerptChars = 320
	leadChars    = excerptChars / 4 // of these, before the match
)

// excerpt is the part of a hit around its best match as one line, cut between
// characters. What does not show is left out: it could only tell the model what
// the reader of the digest does not see.
func excerpt(h recall.Hit) string {
	text, ats := clean.TextAt(h.Text, []int{min(max(matchStart(h), 0), len(h.Text))})
	var chars []string
	middle, pos, blank := 0, 0, true
	for g := uniseg.NewGraphemes(text); g.Next(); {
		char := g.Str()
		if pos <= ats[0] {
			middle = len(chars)
		}
		pos += len(char)
		char = visible(char)
		if strings.TrimSpace(char) == "" {
			if !blank {
				chars = append(chars, " ")
			}
			blank = true
			continue
		}
		chars, blank = append(chars, char), false
	}
	from := max(0, min(middle-leadChars, len(chars)-excerptChars))
	to := min(len(chars), from+excerptChars)
	text = strings.TrimSpace(strings.Join(chars[from:to], ""))
	if from > 0 {
		text = "… " + text
	}
	if to < len(chars) {
		text += " …"
	}
	return text
}

// matchStart is the first match in the line that matches best, in bytes.
func matchStart(h recall.Hit) int {
	for _, m := range h.Matches {
		if m[0] >= h.Line {
			return m[0]
		}
	}
	return h.Line
}

// visible drops what does not show from a character. Joiners stay: they make one
// character of several.
func visible(char string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Co) && !unicode.Is(unicode.Join_Control, r) {
			return -1
		}
		return r
	}, char)
}
