package render

import (
	"strings"

	"yore/sessions/lazy"
)

// What markdown may hold to be rendered as such. The time that goldmark and glamour take
// grows with the square of the delimiters and of the links in one paragraph and of the lines
// of a list, and with the square of the depth of each line in quotes; a row of a table takes
// as many cells as its head has, be there one in it. People stay far below.
const (
	maxNesting    = 16
	maxDelimiters = 8000
	maxLinks      = 4000
	maxItems      = 8000 // each as many as it is deep, a line in quotes half the square of that
	maxCells      = 20_000
)

// tame tells whether markdown can be rendered in good time.
func tame(markdown string) bool {
	var a account
	for line := range strings.SplitSeq(markdown, "\n") {
		if !a.line(line) {
			return false
		}
	}
	return true
}

// account counts what takes time: in the paragraph that it has come to, but for the lines
// of lists and quotes, which go on behind a blank line.
type account struct {
	delimiters, links, columns, cells int
	items                             int
	quoted                            int // what a line counts that goes on in a quote without its mark
}

// line counts a line, and is false where there is too much of something by now.
func (a *account) line(line string) bool {
	if strings.Trim(line, " >") == "" {
		a.columns, a.cells, a.quoted = 0, 0, 0
	}
	depth, quote := nesting(line + " ") // an item without text may end behind its mark
	switch {
	case quote:
		a.quoted = (depth*depth + 1) / 2
		a.items += a.quoted
	case a.quoted > 0:
		a.items += a.quoted
	default:
		a.items += depth
	}
	if strings.Trim(line, " -*") == "" { // blank, or a rule
		a.delimiters, a.links = 0, 0
		return a.items <= maxItems
	}
	if makesTable(line) {
		a.columns = max(a.columns, strings.Count(line, "|")+1)
	}
	a.cells += a.columns
	a.delimiters += strings.Count(line, "*") + strings.Count(line, "_") + strings.Count(line, "~")
	a.links += strings.Count(line, "](")
	return depth <= maxNesting && a.delimiters <= maxDelimiters && a.links <= maxLinks && a.items <= maxItems && a.cells <= maxCells
}

// makesTable tells whether a line may be the one that makes the line above a table's head.
func makesTable(line string) bool { return strings.Contains(line, "|") && delimits(line) }

// delimits tells whether a line has nothing but what stands between a table's head and its
// rows.
func delimits(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, "|-: >") == ""
}

var containerMark = lazy.Regexp(`^ *(?:>|[-*+] |[0-9]{1,9}[.)] )`)

// nesting is about how many quotes and lists the front of a line stands in, and whether a
// quote is among them.
func nesting(line string) (depth int, quote bool) {
	for rest := line; depth <= maxNesting; depth++ {
		mark := containerMark().FindString(rest)
		if mark == "" {
			break
		}
		if depth == 0 {
			depth = (len(mark) - len(strings.TrimLeft(mark, " "))) / 2
		}
		quote = quote || strings.HasSuffix(mark, ">")
		rest = rest[len(mark):]
	}
	return depth, quote
}
