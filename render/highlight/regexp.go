package highlight

import (
	"slices"
	"strings"
)

// expressionNext are the keywords that an expression may stand behind.
const expressionNext = " return typeof case in of delete void throw new else do yield await instanceof if unless when while until and or not "

// slashed goes over an expression between slashes, which holds quotes and marks of
// comments that are none. A slash behind a value divides.
func (p *general) slashed() {
	divides := p.behindValue()
	p.at++
	if divides || p.at < p.noSlash {
		return
	}
	class := false
	for at := p.at; ; at++ {
		switch p.byteAt(at) {
		case '\\':
			at++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			p.looked += at - p.at
			p.at = at + 1
			return
		case '\n', 0:
			p.looked += at - p.at
			p.noSlash = at
			return
		}
	}
}

// behindValue tells whether what stands before is a value.
func (p *general) behindValue() bool {
	const farthest = 4 // blanks that are gone over
	before := p.at - 1
	for before >= 0 && isBlank(p.code[before]) && p.at-before < farthest {
		before--
	}
	c := p.byteAt(before)
	switch {
	case before < 0:
		return false
	case c == '>':
		return p.byteAt(before-1) != '='
	case !isLetter(c):
		return !slices.Contains([]byte("\n(,=:[!&|?{};~"), c)
	}
	begin := before
	for begin > 0 && before-begin < p.longest && isWord(p.code[begin-1]) {
		begin--
	}
	return !strings.Contains(expressionNext, " "+p.code[begin:before+1]+" ") || p.byteAt(begin-1) == '.'
}
