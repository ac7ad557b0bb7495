package highlight

import "strings"

// yaml scans keys and their values, line by line.
type yaml struct {
	general
	text int // how far what has the lines that follow for its value is indented, or noText
}

const noText = -1

func (p *yaml) scan() { p.lines(p.entry) }

func (p *yaml) entry(end int) {
	start := p.at
	p.at = p.blanksEnd(p.at)
	indent := p.at - start
	if p.at >= end || p.code[p.at] == '\r' {
		return
	}
	if p.text >= 0 && indent > p.text {
		p.mark(p.at, end, String)
		return
	}
	p.text = noText
	for p.byteAt(p.at) == '-' && isBlank(p.byteAt(p.at+1)) && p.at < end {
		indent = p.at - start
		p.at = p.blanksEnd(p.at + 1)
	}
	key := p.at - start
	for p.at < end {
		p.scalar(end)
	}
	if mark := p.blockMark(p.code[start:end]); mark == ':' {
		p.text = key
	} else if mark == '-' {
		p.text = indent
	}
}

// blockMark is what stands before the sign by which the lines behind a line are a text: the
// colon of a key, or the dash of an item; 0 where there is none. The line ends with "|" or
// ">", and perhaps with signs of how the text's ends are kept.
func (p *yaml) blockMark(line string) byte {
	line = strings.TrimRight(line, " \t\r0123456789+-")
	if !strings.HasSuffix(line, "|") && !strings.HasSuffix(line, ">") {
		return 0
	}
	line = line[:len(line)-1]
	if !strings.HasSuffix(line, ": ") && !strings.HasSuffix(line, "- ") {
		return 0
	}
	return line[len(line)-2]
}

// scalar takes a key or a value of a line that ends at an offset.
func (p *yaml) scalar(end int) {
	c := p.code[p.at]
	switch {
	case isBlank(c) || strings.IndexByte("{}[],\r", c) >= 0:
		p.at++
		return
	case c == '#' && (p.at == 0 || isBlank(p.code[p.at-1]) || p.code[p.at-1] == '\n'):
		p.take(end, Comment)
		return
	case p.opens[c]:
		start, count := p.at, len(p.spans)
		if p.quoted(); p.at > start {
			if p.isColon(p.at) && len(p.spans) > count {
				p.spans[count].Kind = Tag
			}
			return
		}
	}
	p.plain(end)
}

// isColon tells whether a key ends at an offset.
func (p *yaml) isColon(at int) bool {
	c := p.byteAt(at + 1)
	return p.byteAt(at) == ':' && (c == 0 || c == '\n' || c == '\r' || isBlank(c))
}

// plain takes a key or a value that stands without quotes.
func (p *yaml) plain(end int) {
	stop := p.at
	for stop < end && !p.isColon(stop) && strings.IndexByte("{}[],", p.code[stop]) < 0 && (p.code[stop] != '#' || !isBlank(p.byteAt(stop-1))) {
		stop++
	}
	if p.isColon(stop) && stop < end {
		p.take(stop, Tag)
		p.at = min(stop+1, end)
		return
	}
	p.looked += stop - p.at
	word := strings.TrimRight(p.code[p.at:stop], " \t\r")
	last := p.at + len(word)
	digits := p.at
	if c := p.code[p.at]; c == '-' || c == '+' {
		digits++
	}
	switch {
	case p.keyword(word):
		p.take(last, Keyword)
	case isDigit(p.byteAt(digits)) && p.numberEnd(digits, 0) == last:
		p.take(last, Number)
	}
	p.at = max(stop, p.at, last)
}
