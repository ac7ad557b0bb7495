package index

import (
	"encoding/binary"
	"unsafe"
)

// What a file holds are slices of numbers, the lowest byte of each first,
// whatever the machine.

// numberSize is how many bytes an element of the slice to which p points takes.
func numberSize(p any) int64 {
	switch p.(type) {
	case *[]uint8, *[]int8:
		return 1
	case *[]uint16:
		return 2
	case *[]uint32:
		return 4
	}
	return 8
}

// encodeNumbers gives the numbers of the slice to which p points as bytes, in
// runs of about chunkBytes that emit must not keep.
func encodeNumbers(p any, emit func([]byte)) {
	switch p := p.(type) {
	case *[]uint8:
		emit(*p)
	case *[]int8:
		encode(*p, emit, func(b []byte, v int8) []byte { return append(b, byte(v)) })
	case *[]uint16:
		encode(*p, emit, binary.LittleEndian.AppendUint16)
	case *[]uint32:
		encode(*p, emit, binary.LittleEndian.AppendUint32)
	case *[]uint64:
		encode(*p, emit, binary.LittleEndian.AppendUint64)
	case *[]int64:
		encode(*p, emit, func(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) })
	}
}

const chunkBytes = 64 << 10

func encode[T any](s []T, emit func([]byte), put func([]byte, T) []byte) {
	b := make([]byte, 0, min(chunkBytes, 8*len(s)))
	for _, v := range s {
		if b = put(b, v); len(b) > chunkBytes-8 {
			emit(b)
			b = b[:0]
		}
	}
	emit(b)
}

// decodeNumbers makes the slice to which p points of bytes, which next gives in
// runs of whole elements until it gives none.
func decodeNumbers(p any, bytes int64, next func() []byte) {
	switch p := p.(type) {
	case *[]uint8:
		*p = make([]uint8, 0, bytes)
		for b := next(); len(b) > 0; b = next() {
			*p = append(*p, b...)
		}
	case *[]int8:
		*p = decode(bytes, 1, next, func(b []byte) int8 { return int8(b[0]) })
	case *[]uint16:
		*p = decode(bytes, 2, next, binary.LittleEndian.Uint16)
	case *[]uint32:
		*p = decode(bytes, 4, next, binary.LittleEndian.Uint32)
	case *[]uint64:
		*p = decode(bytes, 8, next, binary.LittleEndian.Uint64)
	case *[]int64:
		*p = decode(bytes, 8, next, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) })
	}
}

func decode[T any](bytes, size int64, next func() []byte, get func([]byte) T) []T {
	if bytes == 0 {
		return nil
	}
	s := make([]T, 0, bytes/size)
	for b := next(); len(b) > 0; b = next() {
		for ; len(b) > 0; b = b[size:] {
			s = append(s, get(b))
		}
	}
	return s
}

// element is a number that a section of a file can have.
type element interface {
	uint8 | int8 | uint16 | uint32 | uint64 | int64
}

// decodeInto fills to with as many bytes as it takes.
func decodeInto[T element](to []T, b []byte) {
	switch numberSize(&to) {
	case 1: // such a number is its byte
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(to))), len(to)), b)
	case 2:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint16(b[2*i:]))
		}
	case 4:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
		}
	default:
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}
