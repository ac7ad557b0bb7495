package sessions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"yore/sessions/clean"
	"yore/sessions/lazy"
)

const (
	// titleChars is how many characters a title made of a prompt has at most.
	titleChars = 120
	// givenTitleChars is the same for one that the harness or its user gave:
	// more than any list shows, less than a page pasted as a name.
	givenTitleChars = 500
	// titleReach is how many bytes of a prompt are looked at, which may be one
	// line of megabytes.
	titleReach = 8 << 10
)

// clipTitle cuts a title that was given to givenTitleChars characters.
func clipTitle(title string) string {
	if len(title) <= givenTitleChars {
		return title
	}
	runes := 0
	for at := range title {
		if runes++; runes == givenTitleChars {
			if _, size := utf8.DecodeRuneInString(title[at:]); at+size < len(title) {
				return title[:at] + "…"
			}
		}
	}
	return title
}

// titleOf is the first line that a prompt shows, as a title: blanks squeezed,
// cut at a word.
func titleOf(prompt string) string {
	from, to := textWithin(prompt)
	shown := strings.TrimLeftFunc(clean.Text(prompt[from:min(to, from+titleReach)]), isBlank)
	line, _, _ := strings.Cut(shown, "\n")
	runes := beginning(line, titleChars+1)
	title := string(runes)
	if len(runes) <= titleChars {
		return title
	}
	cut, next := string(runes[:titleChars-1]), runes[titleChars-1]
	// A word that fills half of the title is cut rather than left out.
	if at := strings.LastIndexByte(cut, ' '); next != ' ' && at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// beginning is the first n characters of a line with its blanks squeezed.
func beginning(line string, n int) []rune {
	var runes []rune
	for word := range strings.FieldsFuncSeq(line, isBlank) {
		if len(runes) > 0 {
			runes = append(runes, ' ')
		}
		for _, r := range word {
			runes = append(runes, r)
			if len(runes) >= n {
				return runes
			}
		}
	}
	return runes
}

// command matches a prompt that only calls a command of the harness.
var command = lazy.Regexp(`^[/!][\pL\pN:_-]+(\s|$)`)

// greetings are words of which a greeting consists. Openers begin it.
var (
	openers = wordSet("hi hello hey hiya howdy yo sup greetings good hallo hola salut bonjour test ping")
	fillers = wordSet("there again all everyone everybody team you claude codex agent morning afternoon evening day")
)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// saysLittle tells whether a prompt is a greeting or a command alone, which
// names a session only when nothing else was said in it.
func saysLittle(title string) bool {
	if command().MatchString(title) {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	for i, word := range words {
		if !openers[word] && (i == 0 || !fillers[word]) {
			return false
		}
	}
	return true
}
