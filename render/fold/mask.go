package fold

import "strings"

// hexLeast is the shortest run of hexadecimal digits, one of 0 to 9 among them, that
// is taken for a number rather than a word: git shortens hashes to seven, and words
// such as "facade" have no digit.
const hexLeast = 6

// Mask writes every number of a line as "#": decimal ones with their units, times,
// durations, hexadecimal ones and UUIDs. Two lines that differ only in those have the
// same mask.
func Mask(line string) string {
	if !strings.ContainsAny(line, "0123456789") && uuidAt(line) < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for len(line) > 0 {
		n := wordLen(line)
		switch {
		case n == 0:
			b.WriteByte(line[0])
			line = line[1:]
			continue
		case isUUID(line):
			n = uuidLen
			b.WriteByte('#')
		case digit(line[0]):
			// "1.5s", "1,204" and "10.0.0.1" are one number.
			for n+1 < len(line) && (line[n] == '.' || line[n] == ',') && digit(line[n+1]) {
				n += 1 + wordLen(line[n+1:])
			}
			b.WriteByte('#')
		case isHex(line[:n]):
			b.WriteByte('#')
		default:
			maskDigits(&b, line[:n])
		}
		line = line[n:]
	}
	return b.String()
}

// maskDigits writes a word with the numbers in it as "#": "worker3".
func maskDigits(b *strings.Builder, word string) {
	for i := 0; i < len(word); i++ {
		switch {
		case !digit(word[i]):
			b.WriteByte(word[i])
		case !digit(word[i-1]): // a word begins with a letter
			b.WriteByte('#')
		}
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// wordLen is how many bytes at the front are digits and letters of ASCII, or the
// micro sign of a unit.
func wordLen(s string) int {
	n := 0
	for n < len(s) {
		switch {
		case digit(s[n]) || letter(s[n]):
			n++
		case strings.HasPrefix(s[n:], "µs") || strings.HasPrefix(s[n:], "μs"):
			n += len("µs")
		default:
			return n
		}
	}
	return n
}

func hexDigit(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isHex(word string) bool {
	if len(word) < hexLeast {
		return false
	}
	digits := false
	for i := range len(word) {
		if !hexDigit(word[i]) {
			return false
		}
		digits = digits || digit(word[i])
	}
	return digits
}

// uuidLen is the length of a UUID, which RFC 9562 writes as groups of 8, 4, 4, 4 and
// 12 hexadecimal digits.
const uuidLen = 36

func isUUID(s string) bool {
	if len(s) < uuidLen || len(s) > uuidLen && (digit(s[uuidLen]) || letter(s[uuidLen])) {
		return false
	}
	for i := range uuidLen {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !hexDigit(s[i]) {
			return false
		}
	}
	return true
}

// uuidAt is where a UUID without any decimal digit could stand, -1 for nowhere.
func uuidAt(s string) int {
	for i := 0; i+uuidLen <= len(s); i++ {
		if s[i+8] == '-' && isUUID(s[i:]) {
			return i
		}
	}
	return -1
}

// wrong are the beginnings of words by which a line looks like an error.
var wrong = []string{"error", "panic", "fatal", "fail", "exception", "traceback"}

// LooksWrong tells whether a line looks like an error: such lines are never folded.
func LooksWrong(line string) bool {
	lower := strings.ToLower(line)
	if len(lower) != len(line) {
		line = lower // letters whose cases differ in length: "TypeError" is not seen there
	}
	for _, w := range wrong {
		for at := 0; ; {
			i := strings.Index(lower[at:], w)
			if i < 0 {
				break
			}
			at += i
			if at == 0 || begins(line[at-1], line[at]) {
				return true
			}
			at += len(w)
		}
	}
	return false
}

// begins tells whether a word begins between two bytes, as in "an error", "E_ERROR"
// or "TypeError".
func begins(before, c byte) bool {
	if !letter(before) && !digit(before) {
		return true
	}
	return before >= 'a' && c < 'a' || digit(before)
}

// Stamp is the first time of day of a line, "" when there is none.
func Stamp(line string) string {
	for i := 0; i+5 <= len(line); i++ {
		if i > 0 && digit(line[i-1]) || !clock(line[i:]) {
			continue
		}
		n := len("15:04")
		if len(line) >= i+8 && line[i+5] == ':' && digit(line[i+6]) && digit(line[i+7]) {
			n = len("15:04:05")
		}
		return line[i : i+n]
	}
	return ""
}

func clock(s string) bool {
	return digit(s[0]) && digit(s[1]) && s[2] == ':' && digit(s[3]) && digit(s[4]) && (len(s) == 5 || !digit(s[5]))
}
