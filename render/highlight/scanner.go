package highlight

import (
	"strings"
	"unicode/utf8"
)

// scanner goes over code once, from at to its end, and collects the spans.
type scanner struct {
	code   string
	at     int
	spans  []Span
	looked int // bytes that were searched or marked, so that a test can hold them to the code's length
}

// scan goes over all of the code by the rules of one language.
func (s *scanner) scan(row *entry) {
	p := general{scanner: s, grammar: row.grammar(), first: true}
	switch row.family {
	case diffs:
		s.lines((&diff{scanner: s}).line)
	case shells:
		if _, prompted := prompt(strings.TrimLeft(s.code, " \t\n")); prompted {
			s.lines(s.consoleLine)
			return
		}
		(&shell{general: p, command: true}).scan()
	case consoles:
		s.lines(s.consoleLine)
	case makefiles:
		s.lines(p.makeLine)
	case markup:
		p.markup()
	case stylesheets:
		(&stylesheet{general: p, begin: true}).scan()
	case yamls:
		(&yaml{general: p, text: noText}).scan()
	case prose:
		s.lines((&markdown{scanner: s}).line)
	default:
		p.scan()
	}
}

// part goes over some of the code by the rules of another language.
func (s *scanner) part(start, end int, language string) {
	sub := &scanner{code: s.code[start:end]}
	sub.scan(known()[language])
	s.adopt(sub, start)
}

// adopt takes over what was found in a part of the code that begins at an offset.
func (s *scanner) adopt(sub *scanner, start int) {
	for _, span := range sub.spans {
		s.spans = append(s.spans, Span{span.Start + start, span.End + start, span.Kind})
	}
	s.looked += sub.looked
}

// mark notes what stands between two offsets, line by line.
func (s *scanner) mark(start, end int, kind Kind) {
	if kind == Plain {
		return
	}
	for start < end {
		stop := end
		next := strings.IndexByte(s.code[start:end], '\n')
		if next >= 0 {
			stop = start + next
		}
		s.looked += stop - start
		if start < stop {
			s.spans = append(s.spans, Span{start, stop, kind})
		}
		start = stop + 1
	}
}

// take marks what stands from at to end and goes on behind it.
func (s *scanner) take(end int, kind Kind) {
	s.mark(s.at, end, kind)
	s.at = end
}

// find is where a text begins, at from or later, or -1.
func (s *scanner) find(text string, from int) int {
	i := strings.Index(s.code[from:], text)
	if i < 0 {
		s.looked += len(s.code) - from
		return -1
	}
	s.looked += i + len(text)
	return from + i
}

// lineEnd is where the line of an offset ends: at its newline or the code's end.
func (s *scanner) lineEnd(from int) int {
	if i := s.find("\n", from); i >= 0 {
		return i
	}
	return len(s.code)
}

// has tells whether a text stands at an offset.
func (s *scanner) has(text string, at int) bool {
	return at <= len(s.code) && strings.HasPrefix(s.code[at:], text)
}

// byteAt is the byte at an offset, or 0 outside of the code.
func (s *scanner) byteAt(at int) byte {
	if at < 0 || at >= len(s.code) {
		return 0
	}
	return s.code[at]
}

// next is the offset behind the character at an offset, or the code's end.
func (s *scanner) next(at int) int {
	if at >= len(s.code) {
		return len(s.code)
	}
	_, size := utf8.DecodeRuneInString(s.code[at:])
	return at + size
}

// blanksEnd is the first offset from at where neither a space nor a tab stands.
func (s *scanner) blanksEnd(at int) int {
	for at < len(s.code) && isBlank(s.code[at]) {
		at++
	}
	return at
}

// lines goes over the code line by line, with a rule that is given each line's end.
func (s *scanner) lines(rule func(end int)) {
	for s.at < len(s.code) {
		end := s.lineEnd(s.at)
		rule(end)
		s.at = end + 1
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord tells whether a byte belongs to a name in every language. All that is not ASCII
// does, so that no span begins or ends within a character.
func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c >= utf8.RuneSelf }

// numberEnd is the offset behind the number that begins at an offset: with its base, its
// exponent, its unit, and what is put between its digits.
func (s *scanner) numberEnd(at int, separator byte) int {
	hexadecimal := s.has("0x", at) || s.has("0X", at)
	i := at
	for ; i < len(s.code); i++ {
		c, next := s.code[i], s.byteAt(i+1)
		switch {
		case c < utf8.RuneSelf && isWord(c):
		case c == '.' && isDigit(next):
		case (c == '+' || c == '-') && !hexadecimal && s.code[i-1]|0x20 == 'e' && isDigit(next):
		case c == separator && separator != 0 && isWord(next) && next < utf8.RuneSelf:
		default:
			return i
		}
	}
	return i
}
