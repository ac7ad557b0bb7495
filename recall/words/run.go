package words

import (
	"unicode"
	"unicode/utf8"
)

// part is one part of a run: a range of the text and of the folded bytes.
type part struct{ from, to, lo, hi int }

// run is the state of cutting one run into parts.
type run struct {
	parts   []part
	from    int   // where the part at hand begins in the text
	lo      int   // and in the folded bytes
	runes   int   // of the part at hand
	prev    uint8 // class of the rune before; underscore before the first
	upFrom  int   // where the last upper-case rune stands in the text
	upLo    int   // and in the folded bytes
	dropped bool  // the part at hand is longer than MaxTerm
}

// scanRun cuts the run of letters, digits and '_' that begins at byte from, emits
// its tokens and returns its end.
func (s *scanner) scanRun(from int) int {
	s.buf = s.buf[:0]
	s.run = run{parts: s.run.parts[:0], from: from, prev: underscore}
	i := from
	for i < len(s.text) {
		c, end := s.next(i)
		if c == separator {
			if s.inner(i) {
				_, size := utf8.DecodeRuneInString(s.text[i:])
				i += size
				continue
			}
			break
		}
		s.add(c, i, end)
		i = end
	}
	s.close(i)
	return s.emitRun(i)
}

// next gives the class and the end of the character at byte i: separator when no
// word goes on there.
func (s *scanner) next(i int) (c uint8, end int) {
	if b := s.text[i]; b < utf8.RuneSelf {
		c = class[b]
		if i+1 == len(s.text) || s.text[i+1] < utf8.RuneSelf {
			if c == dot {
				c = separator
			}
			return c, i + 1
		}
		if c == dot || c == separator {
			return separator, i + 1
		}
		return c, clusterEnd(s.text, i)
	}
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if unspaced(r) || !wordRune(r) {
		return separator, i + size
	}
	switch {
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		c = upper
	case unicode.IsLower(r):
		c = lower
	case unicode.IsDigit(r):
		c = digit
	default:
		c = caseless
	}
	return c, clusterEnd(s.text, i)
}

// inner says whether an apostrophe stands at byte i between two letters of one
// word. The prefixes of string literals (b'..', f'..', r'..', u'..') are no words.
func (s *scanner) inner(i int) bool {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if !apostrophe(r) || s.run.prev == underscore || s.run.prev == digit {
		return false
	}
	if len(s.run.parts) == 0 && len(s.buf) == 1 {
		switch s.buf[0] {
		case 'b', 'f', 'r', 'u':
			return false
		}
	}
	next, _ := utf8.DecodeRuneInString(s.text[i+size:])
	return unicode.IsLetter(next) && !unspaced(next) && !apostrophe(next)
}

// add takes the character of class c in text[i:end] into the run.
func (s *scanner) add(c uint8, i, end int) {
	r := &s.run
	switch {
	case c == underscore:
		s.close(i)
		r.from = end
		r.prev = underscore
		return
	case r.prev == underscore:
	case (c == digit) != (r.prev == digit), c == upper && r.prev != upper:
		s.close(i)
	case c == lower && r.prev == upper && r.runes > 1 && !s.plural(i, end):
		s.closeBeforeUpper()
	}
	if c == upper {
		r.upFrom, r.upLo = i, len(s.buf)
	}
	r.prev = c
	r.runes++
	if r.dropped {
		return
	}
	before := len(s.buf)
	s.buf = s.folder.append(s.buf, s.text[i:end])
	if len(s.buf)-r.lo > MaxTerm {
		s.buf = s.buf[:before]
		r.dropped = true
	}
}

// plural says whether the lower-case s at byte i ends an acronym, as in URLs.
func (s *scanner) plural(i, end int) bool {
	if s.text[i:end] != "s" { // with a mark it is another letter, however written
		return false
	}
	if end == len(s.text) {
		return true
	}
	c, _ := s.next(end)
	return c != lower && c != caseless
}

// close ends the part at hand before byte at of the text.
func (s *scanner) close(at int) {
	r := &s.run
	if len(s.buf) > r.lo && len(r.parts) < maxParts {
		r.parts = append(r.parts, part{r.from, at, r.lo, len(s.buf)})
	} else {
		s.buf = s.buf[:r.lo]
	}
	r.from, r.lo, r.runes, r.dropped = at, len(s.buf), 0, false
}

// closeBeforeUpper ends the part at hand before its last character, an upper-case
// one that begins the next part: HTTP|Server.
func (s *scanner) closeBeforeUpper() {
	r := &s.run
	if r.dropped || len(r.parts) >= maxParts {
		return
	}
	if r.upLo > r.lo {
		r.parts = append(r.parts, part{r.from, r.upFrom, r.lo, r.upLo})
	}
	r.from, r.lo, r.runes = r.upFrom, r.upLo, 1
}

// emitRun emits the tokens of a run that ends at byte end, and returns the end of
// the last token.
func (s *scanner) emitRun(end int) int {
	parts := s.run.parts
	switch len(parts) {
	case 0:
		return end
	case 1:
		p := parts[0]
		p.to += s.operatorName(p)
		s.emit(Token{Term: s.buf[p.lo:len(s.buf)], From: p.from, To: p.to, Kind: Plain})
		return max(end, p.to)
	}
	whole := Token{Term: cut(s.buf, MaxTerm), From: parts[0].from, To: parts[len(parts)-1].to, Kind: Whole}
	if len(parts) > 2 && hash(s.text[whole.From:whole.To]) {
		whole.Kind = Plain
		s.emit(whole)
		return end
	}
	for _, p := range parts {
		s.emit(Token{Term: s.buf[p.lo:p.hi], From: p.from, To: p.to, Kind: Part})
	}
	s.emit(whole)
	return end
}

// hash says whether s looks like a hash or an id in hexadecimal. Its parts would be
// single digits that stand in every other hash as well. Git shortens to seven.
func hash(s string) bool {
	const shortest = 7
	for i := range len(s) {
		if c := s[i] | 0x20; class[s[i]] != digit && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) >= shortest
}

// operatorName appends the operator to a one-letter name that has one (c++, c#)
// and returns its length.
func (s *scanner) operatorName(p part) int {
	if p.hi-p.lo != 1 || p.to-p.from != 1 || class[s.text[p.from]] > upper {
		return 0
	}
	rest := s.text[p.to:]
	n := 0
	switch {
	case len(rest) >= 2 && rest[:2] == "++" && (len(rest) == 2 || rest[2] != '+'):
		n = 2
	case len(rest) >= 1 && rest[0] == '#' && (len(rest) == 1 || rest[1] != '#'):
		n = 1
	default:
		return 0
	}
	if end := p.to + n; end < len(s.text) {
		if c, _ := s.next(end); c == lower || c == upper || c == underscore || c == caseless || c == digit && n == 1 {
			return 0
		}
	}
	s.buf = append(s.buf, rest[:n]...)
	return n
}

// cut gives the longest beginning of b that has at most limit bytes and whole runes.
func cut(b []byte, limit int) []byte {
	if len(b) <= limit {
		return b
	}
	for limit > 0 && !utf8.RuneStart(b[limit]) {
		limit--
	}
	return b[:limit]
}
