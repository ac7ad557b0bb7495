package jsonl

import (
	"iter"
	"math/bits"
	"strings"
)

// maxDepth is how deep values may nest. Transcripts nest about ten deep; the
// bound keeps hostile nesting from costing memory or stack. A library
// validator that recurses ends the process on a megabyte of brackets.
const maxDepth = 1024

// Valid tells whether s is one JSON value, with nothing but blanks around it and
// nested no deeper than any transcript nests.
func Valid(s string) bool {
	end, ok := value(s, 0)
	return ok && blanks(s, end) == len(s)
}

// nesting is the arrays and objects that are open, outermost first.
type nesting struct {
	objects [maxDepth / 64]uint64 // one bit a level: set in an object
	depth   int
}

// open enters an array or object; false when it would be too deep.
func (n *nesting) open(bracket byte) bool {
	if n.depth == maxDepth {
		return false
	}
	word, bit := &n.objects[n.depth/64], uint64(1)<<(n.depth%64)
	*word &^= bit
	if bracket == '{' {
		*word |= bit
	}
	n.depth++
	return true
}

// inObject tells whether the innermost one is an object.
func (n *nesting) inObject() bool {
	d := n.depth - 1
	return n.objects[d/64]>>(d%64)&1 == 1
}

// value finds the end of the JSON value that begins at s[i], blanks before it
// allowed. When there is none, ok is false and end is where the text stops
// being JSON. Bytes above 0x7F are not looked at: bad UTF-8 is no damage.
func value(s string, i int) (end int, ok bool) {
	var n nesting
	for {
		var complete bool
		if i, complete, ok = n.begin(s, i); !ok {
			return i, false
		}
		if !complete {
			continue
		}
		if i, ok = n.end(s, i); !ok || n.depth == 0 {
			return i, ok
		}
	}
}

// begin passes a value that has no values in it, or goes into one that has.
func (n *nesting) begin(s string, i int) (end int, complete, ok bool) {
	i = blanks(s, i)
	if i >= len(s) {
		return i, false, false
	}
	switch c := s[i]; c {
	case '{', '[':
		if !n.open(c) {
			return i, false, false
		}
		i = blanks(s, i+1)
		if i < len(s) && s[i] == c+2 { // ASCII: '}' and ']' stand two behind
			n.depth--
			return i + 1, true, true
		}
		if c == '{' {
			i, ok = key(s, i)
			return i, false, ok
		}
		return i, false, true
	case '"':
		i, ok = stringEnd(s, i+1)
	case 't', 'f', 'n':
		i, ok = literal(s, i)
	default:
		i, ok = number(s, i)
	}
	return i, true, ok
}

// end passes what follows a value: brackets that close, up to the last or to
// where another value must follow.
func (n *nesting) end(s string, i int) (int, bool) {
	for n.depth > 0 {
		i = blanks(s, i)
		if i >= len(s) {
			return i, false
		}
		object := n.inObject()
		switch {
		case s[i] == ',' && object:
			return key(s, i+1)
		case s[i] == ',':
			return i + 1, true
		case object && s[i] != '}', !object && s[i] != ']':
			return i, false
		}
		n.depth--
		i++
	}
	return i, true
}

// key passes an object's key and its colon.
func key(s string, i int) (int, bool) {
	i = blanks(s, i)
	if i >= len(s) || s[i] != '"' {
		return i, false
	}
	i, ok := stringEnd(s, i+1)
	if !ok {
		return i, false
	}
	i = blanks(s, i)
	if i >= len(s) || s[i] != ':' {
		return i, false
	}
	return i + 1, true
}

// blanks passes what JSON allows between tokens.
func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// stringEnd finds the end of the string whose opening quote stands before
// s[i]. It looks at eight bytes at a time until one of them matters.
func stringEnd(s string, i int) (int, bool) {
	for {
		for i+8 <= len(s) {
			if m := special(load(s[i : i+8])); m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		if i >= len(s) {
			return i, false
		}
		switch c := s[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			end, ok := escape(s, i)
			if !ok {
				return end, false
			}
			i = end
		case c < ' ':
			return i, false
		default:
			i++
		}
	}
}

// load is the eight bytes of s as a little-endian word.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// special marks (in the top bit of a byte) the quotes, backslashes and control
// characters of eight bytes. Only the lowest mark is exact, which is the one
// that is used. The arithmetic is the classic test for a zero byte in a word,
// as in Hacker's Delight, section 6-1.
func special(w uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & tops
}

// escape passes the escape sequence that begins at s[i].
func escape(s string, i int) (int, bool) {
	if i+1 >= len(s) {
		return len(s), false
	}
	switch s[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, true
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(s) || unhex(s[j]) < 0 {
				return j, false
			}
		}
		return i + 6, true
	}
	return i + 1, false
}

// literal passes true, false or null.
func literal(s string, i int) (int, bool) {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(s)-i >= len(word) && s[i:i+len(word)] == word {
			return i + len(word), true
		}
	}
	return i, false
}

// number passes a number as RFC 8259 section 6 writes it.
func number(s string, i int) (int, bool) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	from := i
	if i = digits(s, i); i == from {
		return i, false
	}
	if s[from] == '0' && i > from+1 {
		return from + 1, false
	}
	if i < len(s) && s[i] == '.' {
		from = i + 1
		if i = digits(s, from); i == from {
			return i, false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		from = i
		if i = digits(s, i); i == from {
			return i, false
		}
	}
	return i, true
}

// digits passes decimal digits.
func digits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// Fields goes through the fields of an object, in order: each key without its
// quotes (escapes stay), each value as it is written. object must be valid
// JSON, such as a Record or a value out of it; of anything else there are no
// fields.
func Fields(object string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		i := blanks(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i++; ; {
			i = separators(object, i)
			if i >= len(object) || object[i] != '"' {
				return
			}
			name := i + 1
			i = skip(object, i)
			end := i - 1
			i = separators(object, i)
			from := i
			i = skip(object, i)
			if from >= i || end < name || !yield(object[name:end], object[from:i]) {
				return
			}
		}
	}
}

// Elements goes through the values of an array, in order, each as it is
// written. array must be valid JSON; anything else has no elements.
func Elements(array string) iter.Seq[string] {
	return func(yield func(value string) bool) {
		i := blanks(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i++; ; {
			i = separators(array, i)
			from := i
			i = skip(array, i)
			if from >= i || !yield(array[from:i]) {
				return
			}
		}
	}
}

// separators passes blanks, commas and colons of valid JSON.
func separators(s string, i int) int {
	for i < len(s) && (s[i] <= ' ' || s[i] == ',' || s[i] == ':') {
		i++
	}
	return i
}

// skip passes one value of valid JSON; at a closing bracket it stays.
func skip(s string, i int) int {
	for depth := 0; i < len(s); {
		switch c := s[i]; c {
		case '"':
			i = quoteEnd(s, i+1)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			i++ // whatever it is: text that is no JSON must not stop the walk
			for i < len(s) && s[i] > ' ' && s[i] != ',' && s[i] != ':' && s[i] != '}' && s[i] != ']' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// quoteEnd is stringEnd for valid JSON, where only the closing quote has to be
// found: one that an even number of backslashes precedes.
func quoteEnd(s string, i int) int {
	for from := i; ; {
		at := strings.IndexByte(s[i:], '"')
		if at < 0 {
			return len(s)
		}
		i += at
		slashes := i
		for slashes > from && s[slashes-1] == '\\' {
			slashes--
		}
		if (i-slashes)%2 == 0 {
			return i + 1
		}
		i++
		from = i
	}
}
