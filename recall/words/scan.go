package words

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// Scan cuts text into its tokens and hands them to emit, in order. The same rule
// cuts passages, queries and excerpts:
//
//   - A run of letters, digits and '_' is a word. Apostrophes inside it are
//     removed (don't is dont); all other punctuation separates and is gone.
//   - A run is cut at '_', at case borders (fooBar, HTTPServer) and between
//     letters and digits. With more than one part it gives every part as Part
//     and then itself, without '_', as Whole. Hashes in hexadecimal stay whole.
//   - Scripts without spaces give every pair of neighbouring characters as Gram,
//     or their only character, also where they touch other letters.
//   - Emoji give Symbols. Names like c++, c# and .net stay whole.
//
// The order of emission is the position of a token. Invalid bytes separate.
func Scan(text string, emit func(Token)) {
	s := scanners.Get().(*scanner)
	s.text, s.emit = text, emit
	s.scan()
	s.text, s.emit = "", nil
	scanners.Put(s)
}

// classes of ASCII bytes.
const (
	separator uint8 = iota
	lower
	upper
	digit
	underscore
	dot
	foreign // first byte of anything beyond ASCII
	caseless
)

var class = func() (t [256]uint8) {
	for b := range t {
		switch {
		case b >= 'a' && b <= 'z':
			t[b] = lower
		case b >= 'A' && b <= 'Z':
			t[b] = upper
		case b >= '0' && b <= '9':
			t[b] = digit
		case b == '_':
			t[b] = underscore
		case b == '.':
			t[b] = dot
		case b >= utf8.RuneSelf:
			t[b] = foreign
		}
	}
	return t
}()

var scanners = sync.Pool{New: func() any { return &scanner{buf: make([]byte, 0, 4*MaxTerm)} }}

// scanner is one Scan under way.
type scanner struct {
	folder
	text string
	emit func(Token)
	buf  []byte // folded bytes of the run at hand
	run  run
}

func (s *scanner) scan() {
	text := s.text
	for i := 0; i < len(text); {
		switch class[text[i]] {
		case separator:
			i++
		case lower:
			i = s.plain(i)
		case dot:
			i = s.dotName(i)
		case foreign:
			i = s.foreign(i)
		default:
			i = s.scanRun(i)
		}
	}
}

// plain takes the commonest case, a word of lower-case ASCII letters only, and
// leaves every other to scanRun.
func (s *scanner) plain(from int) int {
	text := s.text
	i := from + 1
	for i < len(text) && class[text[i]] == lower {
		i++
	}
	if i < len(text) && (class[text[i]] > lower && class[text[i]] != dot || text[i] == '\'') || i == from+1 {
		return s.scanRun(from)
	}
	s.buf = append(s.buf[:0], text[from:min(i, from+MaxTerm)]...)
	s.emit(Token{Term: s.buf, From: from, To: i, Kind: Plain})
	return i
}

// dotName keeps .net whole where it is a name of its own; any other dot separates.
func (s *scanner) dotName(i int) int {
	const name = ".net"
	end := i + len(name)
	if end > len(s.text) || s.text[i+1]|0x20 != 'n' || s.text[i+2]|0x20 != 'e' || s.text[i+3]|0x20 != 't' {
		return i + 1
	}
	if s.wordAt(end) || s.wordBefore(i) {
		return i + 1
	}
	s.buf = append(s.buf[:0], name...)
	s.emit(Token{Term: s.buf, From: i, To: end, Kind: Plain})
	return end
}

// foreign takes what begins with a rune beyond ASCII.
func (s *scanner) foreign(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case unspaced(r):
		return s.grams(i)
	case emoji(r):
		return s.symbol(i)
	case wordRune(r):
		return s.scanRun(i)
	}
	return i + size
}

// wordAt says whether a word goes on at byte i.
func (s *scanner) wordAt(i int) bool {
	if i >= len(s.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return r == '_' || wordRune(r) || unicode.IsMark(r)
}

// wordBefore says whether a word ends right before byte i.
func (s *scanner) wordBefore(i int) bool {
	r, size := utf8.DecodeLastRuneInString(s.text[:i])
	return size > 0 && (r == '_' || wordRune(r) || unicode.IsMark(r))
}

// wordRune says whether r can stand in a word, '_' aside.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return class[r] == lower || class[r] == upper || class[r] == digit
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !apostrophe(r)
}
