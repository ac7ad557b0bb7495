package highlight

import (
	"slices"
	"strings"
)

// general scans by a row of the tables.
type general struct {
	*scanner
	*grammar
	first    bool           // nothing but blanks stood in the line so far
	unclosed [16]bool       // quotes that nothing closes any more, by their place in the row
	pending  []string       // marks of the texts that begin with the next line
	ends     map[string]int // where each line that can close such a text stands last
	noSlash  int            // no slash closes an expression before this offset
	holes    []hole         // the expressions in strings that go on here, the innermost last
}

func (p *general) scan() {
	for p.at < len(p.code) {
		c := p.code[p.at]
		switch {
		case c == '\n':
			p.at++
			p.first = true
			p.endHoles()
			p.bodies()
			continue
		case isBlank(c) || c == '\r':
			p.at++
			continue
		case p.inHole(c):
		case p.opens[c] && (p.comment() || p.quoted()):
		case p.raw != noRaw && p.rawText(c):
		case p.other(c):
		case isDigit(c):
			p.take(p.numberEnd(p.at, p.separator), Number)
		case isWord(c) || p.letters != "" && strings.IndexByte(p.letters, c) >= 0:
			p.name()
		default:
			p.at++
		}
		p.first = false
	}
}

// comment takes a comment that begins here.
func (p *general) comment() bool {
	switch {
	case p.first && slices.ContainsFunc(p.grammar.first, p.leads):
	case p.first && p.inSection():
	default:
		for _, mark := range p.block {
			if p.has(mark[0], p.at) {
				p.take(p.blockEnd(mark[0], mark[1], p.nested), Comment)
				return true
			}
		}
		if !slices.ContainsFunc(p.line, p.comments) {
			return false
		}
	}
	p.take(p.lineEnd(p.at), Comment)
	return true
}

// inSection takes a comment of whole lines that begins here, without the rest of its last.
func (p *general) inSection() bool {
	if p.at > 0 && p.code[p.at-1] != '\n' {
		return false
	}
	for _, mark := range p.section {
		if p.has(mark[0], p.at) {
			p.take(p.blockEnd(mark[0], "\n"+mark[1], false), Comment)
			return true
		}
	}
	return false
}

// comments tells whether a mark that stands here opens a comment.
func (p *general) comments(mark string) bool {
	if !p.has(mark, p.at) || p.except != "" && p.has(p.except, p.at) {
		return false
	}
	return !p.spaced || p.first || isBlank(p.byteAt(p.at-1))
}

// leads tells whether a mark stands here, in any case and not as the begin of a word.
func (p *general) leads(mark string) bool {
	end := p.at + len(mark)
	if end > len(p.code) || !strings.EqualFold(p.code[p.at:end], mark) {
		return false
	}
	return !isLetter(mark[len(mark)-1]) || !isWord(p.byteAt(end))
}

// blockEnd is where the comment that opens here ends.
func (p *general) blockEnd(open, shut string, nested bool) int {
	at, depth := p.at+len(open), 1
	for {
		end := p.find(shut, at)
		if end < 0 {
			return len(p.code)
		}
		if nested {
			p.looked += end - at
			depth += strings.Count(p.code[at:end], open)
		}
		at = end + len(shut)
		if depth--; depth == 0 {
			return at
		}
	}
}

// quoted takes a string that begins here.
func (p *general) quoted() bool {
	for i := range p.quotes {
		q := &p.quotes[i]
		if !p.has(q.open, p.at) || q.apart && isWord(p.byteAt(p.at-1)) {
			continue
		}
		end, open := p.stringEnd(q, i, p.at+len(q.open))
		if end < 0 {
			continue
		}
		kind := String
		switch {
		case open:
			p.holes = append(p.holes, hole{quote: i})
		case q.name:
			kind = Plain
		case p.isKey(end):
			kind = Tag
		}
		p.take(end, kind)
		return true
	}
	return false
}

// longestRune is the most bytes that are written for one character: '\u{10FFFF}'.
const longestRune = len(`\u{10FFFF}`)

// runeEnd is where the quoted character ends that begins here, or -1 where it is none.
func (p *general) runeEnd(q *quote) int {
	at := p.at + len(q.open)
	switch c := p.byteAt(at); {
	case c == '\n' || c == 0 || p.has(q.open, at):
		return -1
	case c != q.escape:
		if at = p.next(at); p.has(q.open, at) {
			return at + len(q.open)
		}
		return -1
	}
	for i := p.next(at + 1); i < len(p.code) && i <= at+longestRune && p.code[i] != '\n'; i++ {
		if p.has(q.open, i) {
			return i + len(q.open)
		}
	}
	return -1
}

// stringEnd is where the string ends that goes on at an offset, of the quote in the row's
// place i, or -1 where none begins; or where an expression opens in it.
func (p *general) stringEnd(q *quote, i, at int) (end int, open bool) {
	if q.reach == oneRune {
		return p.runeEnd(q), false
	}
	shut := q.close
	if shut == "" {
		shut = q.open
	}
	line := -1
	for at < len(p.code) {
		switch c := p.code[at]; {
		case q.hole != "" && c == q.hole[0] && p.has(q.hole, at):
			p.looked += at - p.at
			return at + len(q.hole), true
		case q.escape != 0 && c == q.escape && p.byteAt(at+1) != '\n':
			at = p.next(at + 1)
			continue
		case c == '\n' && (q.reach == oneLine || p.unclosed[i]):
			p.looked += at - p.at
			return at, false
		case c == shut[0] && p.has(shut, at):
			p.looked += at - p.at
			return at + len(shut), false
		case c == '\n' && line < 0:
			line = at
		}
		at++
	}
	p.looked += len(p.code) - p.at
	if q.reach != ifClosed || line < 0 {
		return len(p.code), false
	}
	p.unclosed[i] = true
	return line, false
}

// other takes what only some languages have: names behind a sigil, characters behind a
// mark, directives, expressions between slashes, texts that run to a line of their own.
func (p *general) other(c byte) bool {
	switch {
	case c == '.' && isWord(p.byteAt(p.at+1)) && p.byteAt(p.at-1) != '.' && !isDigit(p.byteAt(p.at+1)):
		p.at++
		p.called(p.wordEnd(p.at))
	case p.skip != 0 && c == p.skip && !isWord(p.byteAt(p.at+1)) && p.byteAt(p.at+1) != '\n':
		p.at = p.next(p.at + 1)
	case p.sigils != "" && strings.IndexByte(p.sigils, c) >= 0 && isWord(p.byteAt(p.at+1)):
		p.at = p.wordEnd(p.at + 1)
	case p.commands && c == '\\' && isLetter(p.byteAt(p.at+1)):
		p.take(p.lettersEnd(p.at+1), Keyword)
	case p.headings && c == '[' && p.first && p.inBrackets():
	case p.directive && c == '#' && p.first:
		p.take(p.wordEnd(p.blanksEnd(p.at+1)), Keyword)
	case p.heredoc != "" && c == p.heredoc[0] && p.has(p.heredoc, p.at):
		p.openHeredoc()
	case p.regexp && c == '/':
		p.slashed()
	default:
		return false
	}
	return true
}

// inBrackets takes the name of a section, which stands alone in its line.
func (p *general) inBrackets() bool {
	if p.at > 0 && p.code[p.at-1] != '\n' {
		return false
	}
	end := p.lineEnd(p.at)
	name, _, _ := strings.Cut(p.code[p.at:end], "#")
	name = strings.TrimRight(name, " \t\r")
	if !strings.HasSuffix(name, "]") {
		return false
	}
	p.take(p.at+len(name), Heading)
	return true
}

// lettersEnd is the offset behind the letters at an offset.
func (p *general) lettersEnd(at int) int {
	for isLetter(p.byteAt(at)) {
		at++
	}
	return at
}

// wordEnd is the offset behind the word at an offset.
func (p *general) wordEnd(at int) int {
	for at < len(p.code) && p.word[p.code[at]] {
		at++
	}
	return at
}

// name takes a word.
func (p *general) name() {
	end := p.wordEnd(p.at + 1)
	switch {
	case p.isKey(end):
		p.take(end, Tag)
	case (!p.leading || p.first) && !p.ofPointer() && p.keyword(p.code[p.at:end]):
		p.take(end, Keyword)
	default:
		p.called(end)
	}
}

// ofPointer tells whether the word that begins here names a member, as in p->delete().
func (p *general) ofPointer() bool { return p.byteAt(p.at-1) == '>' && p.byteAt(p.at-2) == '-' }

// isKey tells whether what ends at an offset has a value behind it.
func (p *general) isKey(end int) bool {
	if p.keyed == 0 {
		return false
	}
	at := p.blanksEnd(end)
	p.looked += at - end
	return p.byteAt(at) == p.keyed && p.byteAt(at+1) != '='
}

// called takes a word that ends at an offset: as a function where it is called.
func (p *general) called(end int) {
	kind := Plain
	switch p.calls {
	case beforeParenthesis, orBang:
		after := end
		if p.calls == orBang && p.byteAt(end) == '!' {
			after++
		}
		if b := p.byteAt(after); b == '(' || after > end && (b == '[' || b == '{') {
			kind, end = Function, after
		}
	case behindParenthesis:
		if p.byteAt(p.at-1) == '(' {
			kind = Function
		}
	case withHyphen:
		if strings.IndexByte(p.code[p.at:end], '-') > 0 || p.byteAt(end) == '(' {
			kind = Function
		}
	}
	p.take(end, kind)
}
