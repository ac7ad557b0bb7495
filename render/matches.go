package render

import (
	"slices"
	"unicode/utf8"
)

// CleanMatches is Clean for a text with marked byte ranges; the ranges come back
// as ranges of the cleaned text, in order, none empty, none overlapping.
func CleanMatches(text string, matches [][2]int) (string, [][2]int) {
	matches = normalMatches(matches, len(text))
	at := make([]int, 0, 2*len(matches))
	for _, m := range matches {
		at = append(at, m[0], m[1])
	}
	cleaned, moved := CleanAt(text, at)
	kept := matches[:0]
	for i := 0; i < len(moved); i += 2 {
		if moved[i] < moved[i+1] {
			kept = append(kept, [2]int{moved[i], moved[i+1]})
		}
	}
	return cleaned, kept
}

// normalMatches copies matches sorted, joined where they overlap, and within
// length; what is turned round or empty is left out.
func normalMatches(matches [][2]int, length int) [][2]int {
	sorted := make([][2]int, 0, len(matches))
	for _, m := range matches {
		m = [2]int{max(m[0], 0), min(m[1], length)}
		if m[0] < m[1] {
			sorted = append(sorted, m)
		}
	}
	slices.SortFunc(sorted, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	joined := sorted[:0]
	for _, m := range sorted {
		if n := len(joined); n > 0 && m[0] < joined[n-1][1] {
			joined[n-1][1] = max(joined[n-1][1], m[1])
		} else {
			joined = append(joined, m)
		}
	}
	return joined
}

// codePoints turns byte ranges of text into ranges of code points.
func codePoints(text string, matches [][2]int) [][2]int {
	counted := make([][2]int, 0, len(matches))
	at, points := 0, 0
	count := func(to int) int {
		points += utf8.RuneCountInString(text[at:to])
		at = to
		return points
	}
	for _, m := range matches {
		from := count(m[0])
		counted = append(counted, [2]int{from, count(m[1])})
	}
	return counted
}
