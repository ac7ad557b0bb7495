package mask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"yore/sessions/lazy"
)

const (
	// mostEscaped is how often a text is read that escapes stand for: JSON in JSON in a
	// command in JSON is what tools give.
	mostEscaped = 5
	// mostNested is how many bytes of that are read again for the escapes in it, so that a
	// text costs twice what it would without escapes, whatever stands in it.
	mostNested = 128 << 10
)

// escaped is a text whose escapes stand for themselves, as JSON within a text has: in
// what is written there, the letter of "\n" would belong to the first word of a line, and
// no quote would be one.
type escaped struct {
	plain string
	marks []escapeMark
}

// escapeMark is where an escape stands in the text, and what it stands for in the plain
// one.
type escapeMark struct{ from, to, plainFrom, plainTo int }

// unescaped reads a text's escapes; ok is false for a text without any.
func unescaped(text string) (e escaped, ok bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return e, false
	}
	var b strings.Builder
	done := 0
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '\\')
		if n < 0 {
			break
		}
		at += n
		n, means := escapeIn(text[at:])
		if n == 0 {
			at++
			continue
		}
		b.WriteString(text[done:at])
		plain := b.Len()
		b.WriteString(means)
		e.marks = append(e.marks, escapeMark{at, at + n, plain, b.Len()})
		at += n
		done = at
	}
	b.WriteString(text[done:])
	e.plain = b.String()
	return e, len(e.marks) > 0
}

// simple are the letters of escapes that stand for blanks and other signs that end a word.
const simple = "nrtvfab"

// escapeIn is the escape of a string in a program or in JSON that s begins with: how many
// bytes it has, 0 where it is none, and what it stands for. A terminal's sequence stands
// for nothing.
func escapeIn(s string) (n int, means string) {
	switch {
	case len(s) < 2:
		return 0, ""
	case strings.IndexByte(`"'\/`, s[1]) >= 0:
		return 2, s[1:2]
	case s[1] == 'n':
		return 2, "\n"
	case strings.IndexByte(simple, s[1]) >= 0:
		return 2, " "
	}
	n, code := coded(s)
	switch {
	case n == 0:
		return 0, ""
	case code == '\x1b':
		if sequence := control().FindString(s[n:min(len(s), n+mostControl)]); sequence != "" {
			return n + len(sequence), ""
		}
	case utf16.IsSurrogate(code):
		if more, low := coded(s[n:]); more > 0 && utf16.DecodeRune(code, low) != unicode.ReplacementChar {
			n, code = n+more, utf16.DecodeRune(code, low)
		}
	}
	if unicode.IsControl(code) && !unicode.IsSpace(code) {
		code = ' '
	}
	return n, string(code)
}

// mostControl is how long a terminal's sequence is at most.
const mostControl = 64

var (
	// control is what stands behind ESC in one: of the colour, of the cursor and the like,
	// of the set of letters, and what keeps and restores the cursor.
	control = lazy.Regexp(`\A(?:\[[0-?]*[ -/]*[@-Z^-~]|[()][0-9A-B]|[78])`)
	// byCode is a sign that its number stands for, or ESC's own letter.
	byCode = lazy.Regexp(`\A\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(0[0-7]{0,2}|[1-3][0-7]{2})|[eE])`)
)

// coded is the sign whose number an escape gives that s begins with, and how many bytes
// that has; 0 where it is no such one.
func coded(s string) (n int, code rune) {
	m := byCode().FindStringSubmatchIndex(s[:min(len(s), len(`\U00000000`))])
	if m == nil {
		return 0, 0
	}
	base, octal := 16, len(m)-2
	for g := 2; g < len(m); g += 2 {
		if m[g] < 0 {
			continue
		}
		if g == octal {
			base = 8
		}
		if value, err := strconv.ParseInt(s[m[g]:m[g+1]], base, 32); err == nil {
			return m[1], rune(value)
		}
		return m[1], unicode.ReplacementChar
	}
	return m[1], '\x1b'
}

// place is where what begins at a place of the plain text begins in the text.
func (e escaped) place(plain int) int {
	n, _ := slices.BinarySearchFunc(e.marks, plain+1, func(m escapeMark, p int) int { return cmp.Compare(m.plainTo, p) })
	if n == 0 {
		return plain
	}
	return e.marks[n-1].to + plain - e.marks[n-1].plainTo
}

// end is where what ends at a place of the plain text ends in the text.
func (e escaped) end(plain int) int {
	n, _ := slices.BinarySearchFunc(e.marks, plain, func(m escapeMark, p int) int { return cmp.Compare(m.plainFrom, p) })
	if n == 0 {
		return plain
	}
	return e.marks[n-1].to + max(0, plain-e.marks[n-1].plainTo)
}

// spare takes the letters of escapes, those that are escaped themselves as well, from
// what is found behind them in the text.
func (e escaped) spare(text string, all []replacement) {
	for i := range all {
		r := &all[i]
		n, _ := slices.BinarySearchFunc(e.marks, r.from, func(m escapeMark, p int) int { return cmp.Compare(m.from, p) })
		switch {
		case n > 0 && r.from < e.marks[n-1].to:
			r.from = min(e.marks[n-1].to, r.to)
		case r.from > 0 && text[r.from-1] == '\\' && strings.IndexByte("nrt", text[r.from]) >= 0:
			r.from++
		}
	}
}
