package render

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// excerpt keeps about limit bytes of the pieces: the window with the most
// distinct matching words (C6), or, without any match, the best passage's
// beginning. Cuts fall on lines, else words, else graphemes, and show as "…".
func excerpt(pieces []piece, best, limit int) []piece {
	total := 0
	for _, p := range pieces {
		total += len(p.text)
	}
	if total <= limit {
		return pieces
	}
	from := max(min(windowStart(pieces, best, limit), total-limit), 0)
	to := from + limit

	var kept []piece
	at := 0
	for _, p := range pieces {
		start, end := max(from-at, 0), min(to-at, len(p.text))
		at += len(p.text)
		if start >= end {
			continue
		}
		start, end = snapForward(p.text, start), snapBack(p.text, end)
		if start >= end {
			continue
		}
		kept = append(kept, p.slice(start, end))
	}
	if len(kept) > 0 {
		kept[0].gap = false
	}
	return kept
}

// slice is the part [start, end) of a piece with its cuts marked.
func (p piece) slice(start, end int) piece {
	head, tail := "", ""
	if start > 0 {
		head = ellipsis
	}
	if end < len(p.text) {
		tail = ellipsis
	}
	var matches [][2]int
	for _, m := range p.matches {
		if m[0] >= start && m[1] <= end {
			matches = append(matches, [2]int{m[0] - start + len(head), m[1] - start + len(head)})
		}
	}
	p.text = head + strings.TrimRight(p.text[start:end], " \n") + tail
	p.matches = matches
	return p
}

// windowStart is where, in the pieces' joined text, the best window of limit
// bytes begins: a fifth of it stands before the first match.
func windowStart(pieces []piece, best, limit int) int {
	type found struct {
		word string
		at   int
	}
	var all []found
	at, fallback := 0, -1
	for _, p := range pieces {
		if fallback < 0 && p.passage >= best {
			fallback = at
		}
		for _, m := range p.matches {
			all = append(all, found{strings.ToLower(p.text[m[0]:m[1]]), at + m[0]})
		}
		at += len(p.text)
	}
	if len(all) == 0 {
		return max(fallback, 0)
	}
	// Two ends move over the matches; counts holds the words between them.
	counts := map[string]int{}
	start, bestWords, bestAll, end := all[0].at, 0, 0, 0
	for i, first := range all {
		for end < len(all) && all[end].at < first.at+limit*4/5 {
			counts[all[end].word]++
			end++
		}
		if words, n := len(counts), end-i; words > bestWords || words == bestWords && n > bestAll {
			start, bestWords, bestAll = first.at, words, n
		}
		if counts[first.word]--; counts[first.word] == 0 {
			delete(counts, first.word)
		}
	}
	return start - limit/5
}

// snapRange is how far a cut moves to fall between lines or words, in bytes.
const snapRange = 40

// snapForward moves a cut at the front to where a line or word begins.
func snapForward(text string, at int) int {
	if at <= 0 {
		return 0
	}
	near := text[at:runeStart(text, min(at+snapRange, len(text)))]
	if i := strings.IndexByte(near, '\n'); i >= 0 {
		return at + i + 1
	}
	if i := strings.IndexByte(near, ' '); i >= 0 {
		return at + i + 1
	}
	return graphemeStart(text, at)
}

// snapBack moves a cut at the end to where a line or word ends.
func snapBack(text string, at int) int {
	if at >= len(text) {
		return len(text)
	}
	low := runeStart(text, max(at-snapRange, 0))
	near := text[low:at]
	if i := strings.LastIndexByte(near, '\n'); i >= 0 {
		return low + i
	}
	if i := strings.LastIndexByte(near, ' '); i >= 0 {
		return low + i
	}
	return graphemeStart(text, at)
}

func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// graphemeStart is the border of a grapheme at or before at. It reads from the
// last blank on, where one begins for sure.
func graphemeStart(text string, at int) int {
	start := strings.LastIndexAny(text[:runeStart(text, at)], " \n") + 1
	state := -1
	for rest := text[start:]; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if start+len(cluster) > at {
			break
		}
		start += len(cluster)
	}
	return start
}
