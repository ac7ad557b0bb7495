package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pair is two texts that belong together; Asked is the shorter as a rule.
type Pair struct {
	Asked, Found string
}

// Stats say what was read.
type Stats struct {
	Files, Broken, Pairs int
}

const (
	// longestFound is the length in bytes to which the second text of a pair is
	// cut: about that of the passages that are searched.
	longestFound = 1_200

	// longestAsked is the same of the first, longer than nearly every sentence.
	longestAsked = 300

	// leastFound is the length in bytes below which a text says too little, and
	// leastGloss that of a gloss, which wastes no word.
	leastFound, leastGloss = 40, 15
)

// emitter hands pairs on and counts them.
type emitter struct {
	yield func(Pair)
	least int // bytes of the second text of a pair
	stats Stats
}

func (e *emitter) pair(asked, found string) {
	asked, found = cut(asked, longestAsked), cut(found, longestFound)
	if asked == "" || len(found) < e.least || asked == found {
		return
	}
	e.stats.Pairs++
	e.yield(Pair{asked, found})
}

// cut shortens s to at most n bytes, at a rune boundary.
func cut(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

const (
	windowSentences = 5  // a window is a sentence and its four neighbours
	leastSentence   = 30 // bytes; shorter ones are labels and fragments
)

// windows pairs one sentence of each run of a few with the others of its run. Which
// one it is moves on from run to run.
func (e *emitter) windows(text string) {
	all := sentences(text)
	for n := 0; len(all) >= 3; n++ {
		run := all[:min(windowSentences, len(all))]
		all = all[len(run):]
		chosen := n % len(run)
		if len(run[chosen]) < leastSentence {
			continue
		}
		rest := append(append([]string(nil), run[:chosen]...), run[chosen+1:]...)
		e.pair(run[chosen], strings.Join(rest, " "))
	}
}

// sentences cuts text after a full stop, question or exclamation mark that a blank
// and no small letter follows.
func sentences(text string) []string {
	var all []string
	start := 0
	for i := 0; i+2 < len(text); i++ {
		switch text[i] {
		case '.', '!', '?':
			next, _ := utf8.DecodeRuneInString(text[i+2:])
			if text[i+1] == ' ' && !unicode.IsLower(next) {
				all = append(all, text[start:i+1])
				start = i + 2
			}
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// split parts a text into its first sentence and the rest.
func split(text string) (first, rest string) {
	all := sentences(text)
	if len(all) == 0 {
		return "", ""
	}
	return all[0], strings.TrimSpace(text[len(all[0]):])
}
