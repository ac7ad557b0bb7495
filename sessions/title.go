package sessions

import (
	"regexp"
	"strings"
	"unicode"
)

// titleChars is how many characters a title made of a prompt has at most.
const titleChars = 120

// titleOf is the first line of a prompt as a title: blanks squeezed, cut at a
// word.
func titleOf(prompt string) string {
	from, to := textWithin(prompt)
	line, _, _ := strings.Cut(prompt[from:to], "\n")
	title := strings.Join(strings.FieldsFunc(line, func(r rune) bool {
		return isBlank(r) || unicode.IsControl(r)
	}), " ")
	runes := []rune(title)
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

// command matches a prompt that only calls a command of the harness.
var command = regexp.MustCompile(`^[/!][\pL\pN:_-]+(\s|$)`)

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
	if command.MatchString(title) {
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
