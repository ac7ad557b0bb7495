package highlight

import "strings"

// markdown scans the source of a document.
type markdown struct {
	*scanner
	fence string // what closes the code that goes on here
}

func (p *markdown) line(end int) {
	p.at = min(p.blanksEnd(p.at), end)
	rest := p.code[p.at:end]
	switch {
	case p.fence != "":
		if strings.HasPrefix(rest, p.fence) && strings.TrimLeft(strings.TrimRight(rest, " \t\r"), p.fence[:1]) == "" {
			p.fence = ""
			p.mark(p.at, end, Comment)
			return
		}
		p.mark(p.at, end, String)
	case strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~"):
		p.fence = rest[:len(rest)-len(strings.TrimLeft(rest, rest[:1]))]
		p.mark(p.at, end, Comment)
	case isHeading(rest):
		p.mark(p.at, end, Heading)
	default:
		if size := itemSize(rest); size > 0 {
			p.take(p.at+size, Keyword)
		}
		p.inlineCode(end)
	}
}

// isHeading tells whether a line is one: one to six number signs and a blank.
func isHeading(line string) bool {
	const deepest = 6
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	return level > 0 && level <= deepest && level < len(line) && isBlank(line[level])
}

// itemSize is how many bytes the mark of a list's item takes at the begin of a line.
func itemSize(line string) int {
	const mostDigits = 9 // of the number of an item, by CommonMark
	size := 0
	for size < len(line) && size < mostDigits && isDigit(line[size]) {
		size++
	}
	marks := "-*+"
	if size > 0 {
		marks = ".)"
	}
	if size+1 >= len(line) || strings.IndexByte(marks, line[size]) < 0 || !isBlank(line[size+1]) {
		return 0
	}
	return size + 1
}

// inlineCode takes what stands between backticks.
func (p *markdown) inlineCode(end int) {
	for {
		open := strings.IndexByte(p.code[p.at:end], '`')
		if open < 0 {
			return
		}
		p.at += open
		shut := strings.IndexByte(p.code[p.at+1:end], '`')
		if shut < 0 {
			return
		}
		p.take(p.at+1+shut+1, String)
	}
}
