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

// questionChars is what is sent of a question at most: a pasted message is one, a pasted
// log is none.
const questionChars = 1000

// longestChar is how many bytes a character may take: a family of four takes 25, and a
// letter under a thousand accents is no letter any more.
const longestChar = 64

// opening is the beginning of a question that is sent, cut between characters.
func opening(question string) string {
	var b strings.Builder
	g := uniseg.NewGraphemes(strings.ToValidUTF8(question, "\uFFFD"))
	for range questionChars {
		if !g.Next() {
			break
		}
		b.WriteString(clipped(g.Str()))
	}
	return b.String()
}

// clipped is a character that is not longer than one may be.
func clipped(char string) string {
	if len(char) > longestChar {
		return strings.ToValidUTF8(char[:longestChar], "")
	}
	return char
}

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
		char = clipped(visible(char))
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
