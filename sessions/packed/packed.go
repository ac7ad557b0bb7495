// Package packed writes numbers, strings and times as bytes and reads them
// back. Numbers are varints, strings have their length before them.
//
// In: values, or bytes that may be anything. Out: bytes, or values; never a
// panic and never more memory than the bytes that were given take.
package packed

import (
	"encoding/binary"
	"time"
)

// AppendString appends a string or bytes with their length.
func AppendString[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendBool appends one byte.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendTime appends a time to the nanosecond; its zone is not kept.
func AppendTime(b []byte, t time.Time) []byte {
	b = AppendBool(b, !t.IsZero())
	if t.IsZero() {
		return b
	}
	b = binary.AppendVarint(b, t.Unix())
	return binary.AppendUvarint(b, uint64(t.Nanosecond()))
}

// AppendStrings appends how many there are, then each.
func AppendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = AppendString(b, s)
	}
	return b
}

// Reader reads what was appended, in the same order. After a fault everything it
// reads is zero and Bad is true.
type Reader struct {
	data []byte
	text string // ends where data does; "" when each string is a copy
	bad  bool
}

// NewReader reads data, which must not change meanwhile.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// NewSharing reads data, of which all strings that are read share one copy: for
// what is used and dropped as a whole.
func NewSharing(data []byte) *Reader { return &Reader{data: data, text: string(data)} }

// Bad tells whether something was read that is not there.
func (r *Reader) Bad() bool { return r.bad }

// Rest is how many bytes were not read yet.
func (r *Reader) Rest() int { return len(r.data) }

// Fail makes the reader bad: what it read cannot be.
func (r *Reader) Fail() { r.data, r.bad = nil, true }

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.data) == 0 {
		r.Fail()
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

// Bool reads what AppendBool wrote.
func (r *Reader) Bool() bool { return r.Byte() != 0 }

// Uvarint reads what binary.AppendUvarint wrote.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

// Varint reads what binary.AppendVarint wrote.
func (r *Reader) Varint() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

// Int reads what binary.AppendVarint wrote of an int.
func (r *Reader) Int() int { return int(r.Varint()) }

// Count reads how many items follow. More than there are bytes cannot be: so a
// slice of the items may be made at once.
func (r *Reader) Count() int {
	n := r.Uvarint()
	if n > uint64(len(r.data)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Uint64 reads eight bytes, the lowest first.
func (r *Reader) Uint64() uint64 {
	if len(r.data) < 8 {
		r.Fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	return v
}

// Bytes reads what AppendString wrote, as part of the data.
func (r *Reader) Bytes() []byte {
	n := r.Count()
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// String reads what AppendString wrote.
func (r *Reader) String() string {
	b := r.Bytes()
	if r.text == "" {
		return string(b)
	}
	end := len(r.text) - len(r.data)
	return r.text[end-len(b) : end]
}

// Strings reads what AppendStrings wrote; nil when there are none.
func (r *Reader) Strings() []string {
	var list []string
	for n := r.Count(); n > 0 && !r.bad; n-- {
		list = append(list, r.String())
	}
	return list
}

// Time reads what AppendTime wrote, in UTC.
func (r *Reader) Time() time.Time {
	if !r.Bool() {
		return time.Time{}
	}
	sec, nsec := r.Varint(), r.Uvarint()
	if nsec >= uint64(time.Second) {
		r.Fail()
		return time.Time{}
	}
	return time.Unix(sec, int64(nsec)).UTC()
}
