package sessions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineScan walks the lines of a turn's text, each once but for those behind a
// cut, and knows which of them stand inside a code fence.
type lineScan struct {
	text  string
	at    int    // where the next line begins
	ends  int    // its end is searched from here on: a line can be megabytes long
	fence string // the run of ` or ~ that opened the fence around at, else ""

	// The line beginnings since the last cut at which a piece may end, and the
	// fence around each, to go back to.
	seen []lineStart
}

type lineStart struct {
	at    int
	fence string
	rank  int // how good a border it is: the classes below
}

// The classes of borders between lines, best last.
const (
	lineInFence = iota
	paragraphInFence
	lineBorder
	paragraphBorder
)

// cut is the best beginning of a line between least and limit, the last of
// its class; if limit lies in a fence, a paragraph outside it is good enough
// from near on. It is -1 when there is none. The second result tells whether a
// sentence goes on there.
func (l *lineScan) cut(near, least, limit int) (to int, broken bool) {
	l.readTo(limit)
	best := lineStart{at: -1, rank: -1}
	for _, s := range l.seen {
		from := least
		if s.rank == paragraphBorder && l.fence != "" {
			from = near
		}
		if s.at >= from && s.at <= limit && s.rank >= best.rank {
			best = s
		}
	}
	if best.at < 0 {
		return -1, false
	}
	return best.at, best.rank == lineBorder && goesOn(l.text[best.at:])
}

// rewind goes back to the last line that begins at or before at.
func (l *lineScan) rewind(at int) {
	l.ends = at
	for _, s := range slices.Backward(l.seen) {
		if s.at <= at {
			l.at, l.fence = s.at, s.fence
			l.seen = append(l.seen[:0], s)
			return
		}
	}
}

func (l *lineScan) readTo(limit int) {
	for l.ends = max(l.ends, l.at); l.ends < limit; l.ends = l.at {
		length := strings.IndexByte(l.text[l.ends:limit], '\n')
		if length < 0 {
			return
		}
		line := l.text[l.at : l.ends+length]
		l.at = l.ends + length + 1
		l.fence = fenceAfter(l.fence, line)
		l.seen = append(l.seen, lineStart{l.at, l.fence, borderRank(l.fence != "", blank(line))})
	}
}

func borderRank(fenced, paragraph bool) int {
	switch {
	case fenced && paragraph:
		return paragraphInFence
	case fenced:
		return lineInFence
	case paragraph:
		return paragraphBorder
	}
	return lineBorder
}

// fenceAfter is the fence that is open behind line when open was before it. By
// CommonMark a fence has at least three characters, and is closed by a line of
// nothing else that is at least as long.
func fenceAfter(open, line string) string {
	line = strings.TrimSpace(line)
	run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	if run == "" {
		run = line[:len(line)-len(strings.TrimLeft(line, "~"))]
	}
	switch {
	case len(run) < 3:
		return open
	case open == "":
		return run
	case strings.HasPrefix(run, open) && run == line:
		return ""
	}
	return open
}

// goesOn guesses whether rest continues a sentence: a wrapped line goes on in
// lower case, while items, headings and sentences begin otherwise.
func goesOn(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \t"))
	return unicode.IsLower(r)
}
