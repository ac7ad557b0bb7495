package mask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"yore/sessions/lazy"
)

// mostEscaped is how often a text is read that escapes stand for: JSON in JSON in a
// command is what tools give.
const mostEscaped = 3

// escape is a sign of a string in a program or in JSON, the colour with it that it may
// begin.
var escape = lazy.Regexp(`\\(?:["'\\/nrtbf]|(?:u001[bB]|x1[bB]|033|e)\[[0-9;]*[A-Za-z]|u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})?)`)

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
	at := 0
	for _, m := range escape().FindAllStringIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		mark := escapeMark{from: m[0], to: m[1], plainFrom: b.Len()}
		b.WriteString(meant(text[m[0]:m[1]]))
		mark.plainTo = b.Len()
		e.marks = append(e.marks, mark)
		at = m[1]
	}
	b.WriteString(text[at:])
	e.plain = b.String()
	return e, len(e.marks) > 0
}

// simple are the letters of escapes that stand for blanks; all others stand for
// themselves.
var simple = strings.NewReplacer("n", "\n", "r", "\r", "t", "\t", "b", " ", "f", "\f")

// meant is what an escape stands for, "" for a colour.
func meant(e string) string {
	switch {
	case strings.IndexByte(e, '[') > 0:
		return ""
	case e[1] != 'u':
		return simple.Replace(e[1:])
	}
	var units []uint16
	for _, hex := range strings.Split(e, `\u`)[1:] {
		unit, err := strconv.ParseUint(hex, 16, 16)
		if err != nil {
			unit = utf8.RuneError
		}
		units = append(units, uint16(unit))
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, string(utf16.Decode(units)))
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
