package clean

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The control characters that Text has to tell apart. Names and meanings are
// those of ECMA-48, section 8.3.
const (
	bel = 0x07
	can = 0x18 // ends a sequence without effect
	sub = 0x1a // the same
	esc = 0x1b
	del = 0x7f

	nel = 0x85 // next line
	dcs = 0x90
	sos = 0x98
	csi = 0x9b
	st  = 0x9c // ends a control string
	osc = 0x9d
	pm  = 0x9e
	apc = 0x9f
)

// Text makes transcript text safe for a terminal and for JSON. What it
// returns is valid UTF-8 that holds, of all control characters, only newline
// and tab.
//
// Escape sequences vanish whole, in their 7-bit and 8-bit forms, the payload
// of control strings (OSC, DCS, ...) included; a control string that is never
// ended goes up to the end of its line. Characters that change the direction
// of text vanish, as do byte order marks; whatever breaks a line (CR, CRLF,
// VT, FF, NEL, U+2028, U+2029) is one newline; bytes that are no UTF-8 are
// U+FFFD. Joiners stay, so that composed emoji and Indic words stay whole.
//
// Text(Text(s)) == Text(s), and the time is linear in len(s).
func Text(s string) string {
	if plainPrefix(s) == len(s) {
		return s
	}
	text, _ := TextAt(s, nil)
	return text
}

// Line is Text on one line: all runs of blanks and line breaks are one blank,
// none at the ends.
func Line(s string) string {
	if single(s) {
		return s
	}
	return strings.Join(strings.Fields(Text(s)), " ")
}

// single tells whether s is printable ASCII with single blanks between its words, as
// nearly all lines are: those are left as they are.
func single(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && before == ' ' {
			return false
		}
		before = s[i]
	}
	return before != ' ' || s == ""
}

// mostErrors is how many of the errors that were joined are told one by one.
const mostErrors = 3

// Error is what err says, on one line: each of those that were joined once, the first
// few of them and how many more there are.
func Error(err error) string {
	var said []string
	for line := range strings.Lines(err.Error()) {
		if line = Line(line); line != "" && !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	if more := len(said) - mostErrors; more > 0 {
		said = append(said[:mostErrors], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ")
}

// TextAt is Text that also says where byte offsets went. at has to be
// ascending; an offset inside something that vanished moves to what follows.
func TextAt(s string, at []int) (string, []int) {
	c := cleaner{src: s, at: at, moved: make([]int, 0, len(at))}
	c.out.Grow(len(s))
	for c.pos < len(s) {
		if n := plainPrefix(s[c.pos:]); n > 0 {
			c.keep(n)
			continue
		}
		c.step()
	}
	c.note(len(s) + 1)
	return c.out.String(), c.moved
}

// plainPrefix counts the leading bytes of s that are printable ASCII, newline
// or tab: what Text copies without a look.
func plainPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b >= del || b < ' ' && b != '\n' && b != '\t' {
			return i
		}
	}
	return len(s)
}

type cleaner struct {
	src   string
	pos   int
	out   strings.Builder
	at    []int // offsets of src still to be placed
	moved []int
}

// keep copies n bytes as they are.
func (c *cleaner) keep(n int) {
	end := c.pos + n
	for len(c.at) > 0 && c.at[0] < end {
		c.moved = append(c.moved, c.out.Len()+max(0, c.at[0]-c.pos))
		c.at = c.at[1:]
	}
	c.out.WriteString(c.src[c.pos:end])
	c.pos = end
}

// put writes instead of the next n bytes.
func (c *cleaner) put(instead string, n int) {
	c.note(c.pos + 1)
	c.out.WriteString(instead)
	c.pos += n
}

// note places the offsets below limit at the end of what is written.
func (c *cleaner) note(limit int) {
	for len(c.at) > 0 && c.at[0] < limit {
		c.moved = append(c.moved, c.out.Len())
		c.at = c.at[1:]
	}
}

// step deals with the next character, which is not plain ASCII.
func (c *cleaner) step() {
	rest := c.src[c.pos:]
	r, n := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && n == 1 {
		n = tornLen(rest)
		if b := rest[0]; n > 1 || b > apc || b < 0x80 {
			c.put("\ufffd", n)
			return
		}
		// A lone byte from 0x80 on is how an 8-bit terminal spells a C1 control.
		r = rune(rest[0])
	}
	switch {
	case r == esc:
		c.put("", SequenceLen(rest))
	case r == csi:
		c.put("", n+csiLen(rest[n:]))
	case r == osc || r == dcs || r == sos || r == pm || r == apc:
		c.put("", n+stringLen(rest[n:]))
	case r == '\r':
		if strings.HasPrefix(rest, "\r\n") {
			n = 2
		}
		c.put("\n", n)
	case r == '\v' || r == '\f' || r == nel || r == '\u2028' || r == '\u2029':
		c.put("\n", n)
	case r < ' ' || r >= del && r <= apc || unwelcome(r):
		c.put("", n)
	default:
		c.keep(n)
	}
}

// unwelcome tells the characters that turn the direction of text (Unicode
// Standard Annex 9, and the deprecated ones beside them) and byte order marks.
func unwelcome(r rune) bool {
	switch {
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u206f':
		return true
	}
	return r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\ufeff'
}

// tornLen is how many bytes at the front of s, which is no UTF-8, belong to one
// broken character: a first byte and what follows it as its continuation.
func tornLen(s string) int {
	want := 1
	switch b := s[0]; {
	case b >= 0xf0:
		want = 4
	case b >= 0xe0:
		want = 3
	case b >= 0xc0:
		want = 2
	}
	n := 1
	for n < want && n < len(s) && s[n]&0xc0 == 0x80 {
		n++
	}
	return n
}

// SequenceLen is the length of the escape sequence at the front of s, which
// begins with ESC.
func SequenceLen(s string) int {
	if len(s) == 1 {
		return 1
	}
	switch b := s[1]; {
	case b == '[':
		return 2 + csiLen(s[2:])
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		return 2 + stringLen(s[2:])
	case b >= 0x20 && b < del:
		n := 1
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
			n++
		}
		if n < len(s) && s[n] >= 0x30 && s[n] < del {
			n++
		}
		return n
	}
	return 1
}

// csiLen is the length of a control sequence's parameters, intermediates and
// final byte. What cannot belong to one ends it and stays as text.
func csiLen(s string) int {
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] < del {
		n++
	}
	return n
}

// stringLen is the length of a control string's payload with its terminator.
// Any other control but a line break or tab cuts it short, as in a terminal, so
// that no byte is looked at for two strings; one cut short gives up at the end
// of its line, so that a stray introducer does not cost a page.
func stringLen(s string) int {
	line := -1
	unended := func(end int) int {
		if line >= 0 {
			return line
		}
		return end
	}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == bel:
			return i + 1
		case b == can || b == sub:
			return unended(i + 1)
		case b == esc:
			if strings.HasPrefix(s[i+1:], `\`) {
				return i + 2
			}
			return unended(i)
		case b == '\n' && line < 0:
			line = i
		case b == 0xc2 && i+1 < len(s) && s[i+1] >= 0x80 && s[i+1] <= apc:
			if s[i+1] == st {
				return i + 2
			}
			return unended(i)
		case b >= 0x80:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				n = tornLen(s[i:])
				if n == 1 && b == st {
					return i + 1
				}
				if n == 1 && b <= apc {
					return unended(i)
				}
			}
			i += n - 1
		}
	}
	return unended(len(s))
}
