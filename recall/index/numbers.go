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

// encodeNumbers gives the numbers of the slice to which p points as bytes, in runs that
// emit must not keep or change: at once, where they lie in memory as in a file.
func encodeNumbers(p any, emit func([]byte)) {
	switch p := p.(type) {
	case *[]uint8:
		emit(*p)
	case *[]int8:
		emit(memory(*p))
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

func encode[T element](s []T, emit func([]byte), put func([]byte, T) []byte) {
	if inOrder {
		emit(memory(s))
		return
	}
	b := make([]byte, 0, min(chunkBytes, 8*len(s)))
	for _, v := range s {
		if b = put(b, v); len(b) > chunkBytes-8 {
			emit(b)
			b = b[:0]
		}
	}
	emit(b)
}

// readNumbers makes the slice to which p points of so many bytes, which read puts where
// they belong: at once, since what lies in the file is what lies in memory, on all but a
// few machines.
func readNumbers(p any, bytes int64, read func(b []byte)) {
	switch p := p.(type) {
	case *[]uint8:
		*p = readAll[uint8](bytes, read)
	case *[]int8:
		*p = readAll[int8](bytes, read)
	case *[]uint16:
		*p = readAll[uint16](bytes, read)
	case *[]uint32:
		*p = readAll[uint32](bytes, read)
	case *[]uint64:
		*p = readAll[uint64](bytes, read)
	case *[]int64:
		*p = readAll[int64](bytes, read)
	}
}

func readAll[T element](bytes int64, read func(b []byte)) []T {
	if bytes == 0 {
		return nil
	}
	var s []T
	s = make([]T, bytes/numberSize(&s))
	b := memory(s)
	read(b)
	decodeInto(s, b)
	return s
}

// memory is the bytes in which numbers lie.
func memory[T element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), int64(len(s))*numberSize(&s))
}

// inOrder tells whether this machine has the lowest byte of a number first.
var inOrder = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// element is a number that a section of a file can have.
type element interface {
	uint8 | int8 | uint16 | uint32 | uint64 | int64
}

// decodeInto fills to with as many bytes as it takes. They may lie where to does.
func decodeInto[T element](to []T, b []byte) {
	size := numberSize(&to)
	if inOrder || size == 1 {
		if place := memory(to); len(place) > 0 && &place[0] != &b[0] {
			copy(place, b)
		}
		return
	}
	switch size {
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
