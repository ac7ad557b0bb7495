package ui

import (
	"bytes"
	"unicode/utf8"
)

// tearing is what bytes from a terminal may end in the midst of.
type tearing uint8

const (
	entire tearing = iota // nothing
	keyed                 // a sequence, unless it is a key: esc, or one with alt
	torn                  // a sequence or a character
)

const escape = '\x1b'

// tornEnd is the end of b that is only a part of something.
func tornEnd(b []byte) ([]byte, tearing) {
	for len(b) > 0 {
		n, kind := 1, entire
		switch {
		case b[0] == escape:
			n, kind = sequence(b)
		case b[0] >= utf8.RuneSelf:
			if !utf8.FullRune(b) {
				return b, torn
			}
			_, n = utf8.DecodeRune(b)
		}
		if kind != entire {
			return b, kind
		}
		b = b[n:]
	}
	return nil, entire
}

// sequence is how many bytes the one takes with which b begins, and whether it ends
// in b. A string of commands that anything else interrupts ends there.
func sequence(b []byte) (int, tearing) {
	if len(b) == 1 {
		return 1, keyed
	}
	switch b[1] {
	case '[':
		return control(b)
	case ']', 'P':
		return str(b)
	case escape: // the key esc before a sequence
		return 1, entire
	}
	return 2, entire
}

// control is a control sequence: parameters, and a letter.
func control(b []byte) (int, tearing) {
	for i, c := range b[2:] {
		if c < ' ' || c > '?' {
			return 2 + i, entire // its letter counts by itself
		}
	}
	if len(b) == 2 {
		return 2, keyed // alt+[
	}
	return len(b), torn
}

// answerBegins is with what the strings begin that terminals answer with: numbers, and
// in names and versions these signs.
const answerBegins = "0123456789>!+$|"

// str is a string in which a terminal answers: all up to BEL or ESC \. What begins like
// none is a key with alt.
func str(b []byte) (int, tearing) {
	if len(b) == 2 {
		return 2, keyed
	}
	if bytes.IndexByte([]byte(answerBegins), b[2]) < 0 {
		return 2, entire
	}
	end := bytes.IndexAny(b[2:], "\a\x1b\x18\x1a\r")
	switch {
	case end < 0:
		return len(b), torn
	case b[2+end] != escape:
		return 3 + end, entire
	case 3+end == len(b):
		return len(b), torn // ESC, and its \ is to come
	}
	return 2 + end, entire // ESC \ counts by itself
}
