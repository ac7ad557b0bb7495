package jsonl

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is what a JSON string says. raw is the string as it is written, quotes
// included; anything else gives "". The result is valid UTF-8 and shares no
// memory with raw: halves of surrogate pairs and runs of bad bytes become
// U+FFFD.
func Text(raw string) string {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	at := strings.IndexByte(raw, '\\')
	if at < 0 {
		if utf8.ValidString(raw) {
			return strings.Clone(raw)
		}
		return strings.ToValidUTF8(raw, "\uFFFD")
	}
	var b strings.Builder
	b.Grow(len(raw))
	for at >= 0 {
		b.WriteString(raw[:at])
		raw = raw[at+unescape(&b, raw[at:]):]
		at = strings.IndexByte(raw, '\\')
	}
	b.WriteString(raw)
	if s := b.String(); !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return b.String()
}

// escapes says what the letter behind a backslash stands for.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// unescape writes the character that the escape at the start of s stands for
// and returns how many bytes it took. What is no escape is kept as it is.
func unescape(b *strings.Builder, s string) int {
	if len(s) > 1 && escapes[s[1]] != 0 {
		b.WriteByte(escapes[s[1]])
		return 2
	}
	r, ok := hex4(s)
	if !ok {
		b.WriteByte(s[0])
		return 1
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hex4(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				b.WriteRune(pair)
				return 12
			}
		}
		r = utf8.RuneError
	}
	b.WriteRune(r)
	return 6
}

// hex4 reads \uXXXX at the start of s.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		d := unhex(s[i])
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// unhex is the value of a hexadecimal digit, -1 of anything else.
func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
