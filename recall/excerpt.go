package recall

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	ellipsis = "…"
	fence    = "```"

	// cutRoom is what the ellipses at the two cuts take.
	cutRoom = 2

	// fenceRoom is what a fence opened and one closed at the cuts take (E5).
	fenceRoom = 2 * (len(fence) + 2)

	// snapRunes is how far a cut moves to find a line's, a sentence's or a word's
	// end: a cut in the middle of a sentence is better than a short excerpt.
	snapRunes = 120

	// leadShare is the part of the room left over that stands before the match.
	// What explains a match mostly follows it.
	leadShare = 3
)

// excerpt is the part of a text that shows why it matches.
type excerpt struct {
	text    string
	matches [][2]int // bytes of text
	line    int      // byte offset of the line that matches best
}

// excerptOf cuts text to limit characters around its best match: the window that
// covers the most of the query's weight in distinct words, and of those the one
// where they stand closest together (E3). weight is of a set of words.
func excerptOf(text string, marks []wordMark, limit int, weight func(uint32) float64) excerpt {
	from, to := 0, len(text)
	if utf8.RuneCountInString(text) > limit {
		from, to = window(text, marks, limit, weight)
	}
	inside := marksWithin(marks, from, to)
	e := excerpt{text: text[from:to]}
	e.line = bestLine(e.text, inside, from, weight)
	head, tail := "", ""
	if from > 0 {
		head = ellipsis
		if fenced(text[:from]) {
			head += "\n" + fence + "\n"
		}
	}
	if fenced(head + e.text) {
		tail = fence
		if !strings.HasSuffix(e.text, "\n") {
			tail = "\n" + fence
		}
	}
	if to < len(text) {
		tail += ellipsis
	} else {
		tail = "" // the text itself leaves its fence open
	}
	e.text = head + e.text + tail
	if e.line > 0 || strings.Contains(head, fence) {
		e.line += len(head)
	}
	shift := len(head) - from
	e.matches = ranges(inside, shift, len(e.text))
	return e
}

// marksWithin are the marks of a part of the text. One that is longer than the part can
// be is cut, so that what matched is marked nevertheless.
func marksWithin(marks []wordMark, from, to int) []wordMark {
	var inside []wordMark
	for _, m := range marks {
		if m.from >= from && m.to <= to {
			inside = append(inside, m)
		}
	}
	for _, m := range marks {
		if len(inside) == 0 && m.from >= from && m.from < to {
			m.to = to
			return []wordMark{m}
		}
	}
	return inside
}

// window chooses the bytes of the excerpt.
func window(text string, marks []wordMark, limit int, weight func(uint32) float64) (from, to int) {
	starts := startPool.Get().(*[]int)
	defer startPool.Put(starts)
	*starts = runeStarts(text, (*starts)[:0])
	at := *starts
	limit -= cutRoom
	first, last := 0, 0
	if core, ok := densest(marks, at, limit, weight); ok {
		first, last = core[0], core[1]
	}
	if strings.Contains(text, fence) {
		limit -= fenceRoom
	}
	room := limit - (last - first)
	begin := max(0, first-room/leadShare)
	end := min(len(at)-1, begin+limit)
	begin = max(0, end-limit) // E4: near the end the window slides back
	begin = snapStart(text, at, begin, min(first, begin+snapRunes))
	end = snapEnd(text, at, end, max(last, end-snapRunes))
	return at[begin], at[end]
}

// startPool keeps what a window is chosen with, which takes eight times the text.
var startPool = sync.Pool{New: func() any { return new([]int) }}

// runeStarts are the byte offsets of a text's characters, and its length, put behind at.
func runeStarts(text string, at []int) []int {
	at = slices.Grow(at, len(text)+1)
	for i := range text {
		at = append(at, i)
	}
	return append(at, len(text))
}

// densest finds the run of marks within limit characters that covers most weight;
// of those the one with most of it in the very words of the query, then the
// shortest, then the first. The result is in characters.
func densest(marks []wordMark, at []int, limit int, weight func(uint32) float64) (core [2]int, ok bool) {
	if len(marks) == 0 {
		return core, false
	}
	spans := inRunes(marks, at)
	var best, bestExact float64
	for i, s := range spans {
		var held, exact uint32
		to := s.from
		for _, next := range spans[i:] {
			if next.to-s.from > limit {
				break
			}
			if held != 0 && held|next.words == held && exact|next.exact == exact {
				continue
			}
			held, exact, to = held|next.words, exact|next.exact, max(to, next.to)
			w, x := weight(held), weight(exact)
			order := cmp.Or(cmp.Compare(w, best), cmp.Compare(x, bestExact), cmp.Compare(core[1]-core[0], to-s.from))
			if !ok || order > 0 {
				best, bestExact, core, ok = w, x, [2]int{s.from, to}, true
			}
		}
	}
	if !ok { // a mark longer than the limit
		return [2]int{spans[0].from, spans[0].from}, true
	}
	return core, true
}

// inRunes gives marks, which are in order, in characters instead of bytes.
func inRunes(marks []wordMark, at []int) []wordMark {
	out := slices.Clone(marks)
	k := 0
	for i, m := range marks {
		for at[k] < m.from {
			k++
		}
		end := k
		for at[end] < m.to {
			end++
		}
		out[i].from, out[i].to = k, end
	}
	return out
}

// snapStart moves the start of a window forward, not beyond latest, to the best
// place to begin: a line, else a sentence, else a word, else a whole character.
func snapStart(text string, at []int, begin, latest int) int {
	if begin == 0 {
		return 0
	}
	best, bestRank := begin, 0
	for i := begin; i <= latest; i++ {
		if rank := borderRank(text, at, i); rank > bestRank {
			best, bestRank = i, rank
		}
	}
	if bestRank == 0 {
		return graphemeStart(text, at, begin, latest)
	}
	return best
}

// snapEnd moves the end of a window back, not before earliest, likewise.
func snapEnd(text string, at []int, end, earliest int) int {
	if end == len(at)-1 {
		return end
	}
	best, bestRank := end, 0
	for i := end; i >= max(earliest, 1); i-- {
		if rank := borderRank(text, at, i); rank > bestRank {
			best, bestRank = i, rank
		}
	}
	if bestRank == 0 {
		return graphemeStart(text, at, max(earliest, end-maxCluster), end)
	}
	return best
}

// borderRank says what begins at character i: 3 a line, 2 a sentence, 1 a word,
// 0 nothing.
func borderRank(text string, at []int, i int) int {
	if i == 0 || i >= len(at)-1 {
		return 3
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at[i]])
	if before == '\n' {
		return 3
	}
	here, _ := utf8.DecodeRuneInString(text[at[i]:])
	if !unicode.IsSpace(before) || unicode.IsSpace(here) {
		return 0
	}
	if i >= 2 {
		if mark, _ := utf8.DecodeLastRuneInString(text[:at[i-1]]); strings.ContainsRune(".!?:。！？", mark) {
			return 2
		}
	}
	return 1
}

// maxCluster is how many characters (runes) a visible character is looked for in:
// emoji families and letters with many marks stay below it.
const maxCluster = 32

// graphemeStart is the last place not beyond latest, and at best begin, at which
// a visible character begins.
func graphemeStart(text string, at []int, begin, latest int) int {
	back := max(0, begin-maxCluster)
	place := back
	state, rest := -1, text[at[back]:]
	for i := back; i <= latest && rest != ""; {
		if i >= begin {
			return i
		}
		place = i
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		i += utf8.RuneCountInString(cluster)
	}
	return max(place, 0)
}

// bestLine is the byte offset in text of the line whose matches weigh most.
func bestLine(text string, marks []wordMark, shift int, weight func(uint32) float64) int {
	best, bestWeight, start, k := 0, 0.0, 0, 0
	for start < len(text) {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		var held uint32
		for ; k < len(marks) && marks[k].from-shift <= end; k++ {
			held |= marks[k].words
		}
		if held != 0 {
			if w := weight(held); w > bestWeight || bits.OnesCount32(held) > 0 && bestWeight == 0 {
				best, bestWeight = start, w
			}
		}
		start = end + 1
	}
	return best
}

// fenced tells whether a text leaves a code fence open.
func fenced(text string) bool {
	open := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), fence) {
			open = !open
		}
	}
	return open
}
