package cursor

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// field is one field of a protocol buffer's message, without a schema: a number,
// or bytes that are a text or another message.
type field struct {
	number uint64
	value  uint64 // of a number
	data   []byte // nil for a number
}

// fields reads the fields of a message up to the first byte that is no field.
// Whole tells that none such is there.
func fields(data []byte) (list []field, whole bool) {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>3 == 0 {
			return list, false
		}
		data = data[n:]
		f := field{number: tag >> 3}
		size := uint64(0)
		switch tag & 7 {
		case 0:
			value, n := binary.Uvarint(data)
			if n <= 0 {
				return list, false
			}
			f.value, size = value, uint64(n)
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			length, n := binary.Uvarint(data)
			if n <= 0 {
				return list, false
			}
			data, size = data[n:], length
		default:
			return list, false
		}
		if size > uint64(len(data)) {
			return list, false
		}
		if tag&7 == 2 {
			f.data = data[:size:size]
		}
		list = append(list, f)
		data = data[size:]
	}
	return list, true
}

// at is what stands in a message at a path of fields, each of which may be
// repeated.
func at(message []byte, path ...uint64) [][]byte {
	level := [][]byte{message}
	for _, number := range path {
		var next [][]byte
		for _, m := range level {
			list, _ := fields(m)
			for _, f := range list {
				if f.number == number && f.data != nil {
					next = append(next, f.data)
				}
			}
		}
		level = next
	}
	return level
}

// text is the first text of a message's field.
func text(message []byte, number uint64) string {
	for _, data := range at(message, number) {
		if utf8.Valid(data) {
			return string(data)
		}
	}
	return ""
}

// number is what a message's field says that is a number.
func number(message []byte, of uint64) uint64 {
	list, _ := fields(message)
	for _, f := range list {
		if f.number == of && f.data == nil {
			return f.value
		}
	}
	return 0
}

// maxNesting is how deep messages are looked for in messages of an unknown form:
// the deepest result, a tree of folders, has a level for each folder.
const maxNesting = 24

// texts adds all texts of a message of an unknown form. Bytes are a message when
// all of them are fields and one of these is no number, else a text if somebody
// could read it: a short text may be numbers too.
func texts(message []byte, nesting int, to []string) []string {
	list, _ := fields(message)
	for _, f := range list {
		inner, whole := fields(f.data)
		nested := false
		for _, i := range inner {
			nested = nested || i.data != nil
		}
		switch {
		case whole && nested && nesting < maxNesting:
			to = texts(f.data, nesting+1, to)
		case readable(f.data):
			to = append(to, string(f.data))
		}
	}
	return to
}

// readable tells whether bytes are a text that says something.
func readable(data []byte) bool {
	said := false
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' && r != '\x1b' {
			return false
		}
		said = said || !unicode.IsSpace(r)
		data = data[size:]
	}
	return said
}
