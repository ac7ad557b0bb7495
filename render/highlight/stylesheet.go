package highlight

import "strings"

// stylesheet scans rules: selectors, and in their blocks properties with values.
type stylesheet struct {
	general
	depth int  // blocks that are open
	begin bool // a statement begins here
	value bool // the value of a property goes on here
}

func (p *stylesheet) scan() {
	for p.at < len(p.code) {
		c := p.code[p.at]
		switch {
		case c == '\n' || isBlank(c) || c == '\r':
			p.first = p.first || c == '\n'
			p.at++
			continue
		case p.opens[c] && (p.comment() || p.quoted()):
		case strings.IndexByte("{};", c) >= 0:
			p.punctuation(c)
		case (c == '@' || c == '!') && isLetter(p.byteAt(p.at+1)):
			p.take(p.wordEnd(p.at+1), Keyword)
			p.begin = false
		case c == '#' && p.value && isWord(p.byteAt(p.at+1)):
			p.take(p.wordEnd(p.at+1), Number)
		case isDigit(c):
			p.take(p.numberEnd(p.at, 0), Number)
		case isWord(c) || c == '-' && p.word[p.byteAt(p.at+1)] && !isDigit(p.byteAt(p.at+1)):
			p.named()
		default:
			p.at++
		}
		p.first = false
	}
}

func (p *stylesheet) punctuation(c byte) {
	switch c {
	case '{':
		p.depth++
	case '}':
		p.depth = max(p.depth-1, 0)
	}
	p.begin, p.value = true, false
	p.at++
}

// named takes the name of a property, or a word of a selector or a value.
func (p *stylesheet) named() {
	end := p.wordEnd(p.at + 1)
	begin := p.begin
	p.begin = false
	switch {
	case begin && p.depth > 0 && p.isProperty(end):
		p.value = true
		p.take(end, Tag)
	case p.byteAt(end) == '(':
		p.take(end, Function)
	default:
		p.at = end
	}
}

// isProperty tells whether the statement whose first word ends here gives something a
// value; "a:hover {" does not.
func (p *stylesheet) isProperty(end int) bool {
	if p.byteAt(p.blanksEnd(end)) != ':' {
		return false
	}
	stop := strings.IndexAny(p.code[end:], ";{}\n")
	if stop < 0 {
		stop = len(p.code) - end
	}
	p.looked += stop
	return p.byteAt(end+stop) != '{'
}
