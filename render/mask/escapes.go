package mask

import (
	"cmp"
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

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
// no quote would be one. Of its lines it has those with an escape and the ones beside
// them: what stands in others is as it was.
type escaped struct {
	plain string
	marks []escapeMark
}

// escapeMark is where an escape stands in the text, and what it stands for in the plain
// one; or where lines are left out.
type escapeMark struct {
	from, to, plainFrom, plainTo int
	left                         bool
}

// leftOut stands for lines that are left out: no credential goes across it.
const leftOut = "\x00\n"

// unescaper is an escaped in the making.
type unescaper struct {
	text    string
	b       strings.Builder
	marks   []escapeMark
	done    int // up to where the text is taken, or left out
	line    int // where the last line with an escape ends
	reached int // where the one behind it ends
}

// unescaped reads a text's escapes; ok is false for a text without any.
func unescaped(text string) (e escaped, ok bool) {
	u := unescaper{text: text}
	for at := range u.candidates() {
		if at < u.done {
			continue // it is part of the escape before
		}
		n, means := escapeIn(text[at:])
		if n == 0 {
			continue
		}
		u.reach(at)
		u.take(at, at+n, means, false)
		u.through(at + n)
	}
	if len(u.marks) == 0 {
		return e, false
	}
	u.b.WriteString(text[u.done:u.reached])
	return escaped{u.b.String(), u.marks}, true
}

// candidates are the places of the signs with which escapes begin, in order.
func (u *unescaper) candidates() iter.Seq[int] {
	return func(yield func(int) bool) {
		present := slices.DeleteFunc([]string{`\`, "&", "%", "^"}, func(sign string) bool { return !strings.Contains(u.text, sign) })
		signs := strings.Join(present, "")
		for at := 0; signs != ""; at++ {
			n := strings.IndexAny(u.text[at:], signs)
			if n < 0 {
				return
			}
			if at += n; !yield(at) {
				return
			}
		}
	}
}

// take takes the text up to a place, and something else for what stands there.
func (u *unescaper) take(from, to int, means string, left bool) {
	u.b.WriteString(u.text[u.done:from])
	plain := u.b.Len()
	u.b.WriteString(means)
	u.marks = append(u.marks, escapeMark{from, to, plain, u.b.Len(), left})
	u.done = to
}

// reach leaves out the lines before an escape that are not beside one.
func (u *unescaper) reach(escape int) {
	if escape < u.reached {
		return
	}
	line := strings.LastIndexByte(u.text[:escape], '\n') + 1
	beside := strings.LastIndexByte(u.text[:max(0, line-1)], '\n') + 1
	if beside > u.reached {
		means := leftOut
		if u.reached == 0 {
			means = ""
		}
		u.take(u.reached, beside, means, true)
	}
}

// through notes that an escape ends at a place.
func (u *unescaper) through(end int) {
	if end <= u.line {
		return
	}
	u.line = u.behind(end)
	u.reached = u.behind(u.line)
}

// behind is where the line ends in which a place stands.
func (u *unescaper) behind(at int) int {
	if n := strings.IndexByte(u.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(u.text)
}

// simple are the letters of escapes that stand for blanks and other signs that end a word.
const simple = "nrtvfab"

// escapeIn is the escape that s begins with, of a string in a program or in JSON, of HTML,
// of an address or of a terminal: how many bytes it has, 0 where it is none, and what it
// stands for. A terminal's sequence stands for nothing.
func escapeIn(s string) (n int, means string) {
	switch {
	case len(s) < 2:
		return 0, ""
	case s[0] == '&':
		return entity(s)
	case s[0] == '%':
		return percent(s)
	case s[0] == '^':
		if s[1] != '[' {
			return 0, ""
		}
		if sequence := caret().FindString(s[:min(len(s), mostControl)]); sequence != "" {
			return len(sequence), ""
		}
		return 0, ""
	case strings.IndexByte(`"'\/`, s[1]) >= 0:
		return 2, s[1:2]
	case s[1] == 'n':
		return 2, "\n"
	case strings.IndexByte(simple, s[1]) >= 0:
		return 2, " "
	case strings.IndexByte("uUx0123eE", s[1]) < 0:
		return 0, ""
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
	return n, printed(code)
}

// printed is a sign, or a blank in the place of one that cannot be seen, and of those
// blanks that no expression takes for one.
func printed(code rune) string {
	if unicode.IsControl(code) && !unicode.IsSpace(code) || code >= utf8.RuneSelf && unicode.IsSpace(code) {
		code = ' '
	}
	return string(code)
}

// mostEntity is how long an entity is at most that stands for a sign of a program's text.
const mostEntity = len("&#00000034;")

// entity is one of HTML that s begins with.
func entity(s string) (n int, means string) {
	if s[1] != '#' && (s[1] < 'a' || s[1] > 'z') {
		return 0, ""
	}
	n = strings.IndexByte(s[:min(len(s), mostEntity)], ';') + 1
	if n == 0 || s[1] != '#' && !slices.Contains(entities, s[1:n-1]) {
		return 0, ""
	}
	code, size := utf8.DecodeRuneInString(html.UnescapeString(s[:n]))
	if size == n {
		return 0, ""
	}
	return n, printed(code)
}

// entities are those that have names of what stands around a name and its value.
var entities = []string{"quot", "apos", "amp", "lt", "gt", "nbsp"}

// percent is a sign that an address cannot have, or the end of a line, by its number, that
// s begins with. In small letters it would be how a number is to be printed; what an
// address can have stands there for itself.
func percent(s string) (n int, means string) {
	if len(s) < 3 || s[2] >= 'a' {
		return 0, ""
	}
	code, err := strconv.ParseUint(s[1:3], 16, 8)
	if err != nil || code != '\n' && code != '\r' && code < ' ' || code >= unicode.MaxASCII || nameByte(byte(code)) {
		return 0, ""
	}
	return 3, string(rune(code))
}

// mostControl is how long a terminal's sequence is at most.
const mostControl = 64

var (
	// control is what stands behind ESC in one: of the colour, of the cursor and the like,
	// of the set of letters, and what keeps and restores the cursor.
	control = lazy.Regexp(`\A(?:\[[0-?]*[ -/]*[@-Z^-~]|[()][0-9A-B]|[78])`)
	// caret is one with ESC as it is written by programs that show what cannot be seen.
	caret = lazy.Regexp(`\A\^\[\[[0-9;?]*[A-Za-z]`)
)

// coded is the sign whose number an escape gives that s begins with, or ESC by its own
// letter, and how many bytes that has; 0 where it is no such one.
func coded(s string) (n int, code rune) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	switch s[1] {
	case 'e', 'E':
		return 2, '\x1b'
	case 'x':
		return numbered(s, 2, 2, 2, 16)
	case 'U':
		return numbered(s, 2, 8, 8, 16)
	case 'u':
		if !strings.HasPrefix(s[2:], "{") {
			return numbered(s, 2, 4, 4, 16)
		}
		if n, code = numbered(s, 3, 1, 6, 16); strings.HasPrefix(s[n:], "}") {
			return n + 1, code
		}
	case '0':
		return numbered(s, 1, 1, 3, 8)
	case '1', '2', '3':
		return numbered(s, 1, 3, 3, 8)
	}
	return 0, 0
}

// numbered is the sign whose number stands in s from a place on, of so many digits at least
// and at most, and where it ends; 0 where there are too few.
func numbered(s string, from, least, most, base int) (end int, code rune) {
	value := uint64(0)
	for end = from; end < min(len(s), from+most); end++ {
		digit := strings.IndexByte("0123456789abcdef", s[end]|0x20)
		if digit < 0 || digit >= base || s[end] < '0' {
			break
		}
		value = value*uint64(base) + uint64(digit)
	}
	switch {
	case end-from < least:
		return 0, 0
	case value > unicode.MaxRune:
		return end, unicode.ReplacementChar
	}
	return end, rune(value)
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
		case n > 0 && !e.marks[n-1].left && r.from < e.marks[n-1].to:
			r.from = min(e.marks[n-1].to, r.to)
		case r.from > 0 && text[r.from-1] == '\\' && strings.IndexByte("nrt", text[r.from]) >= 0:
			r.from++
		}
	}
}
