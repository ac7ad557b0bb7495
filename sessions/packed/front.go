package packed

import "encoding/binary"

// Front is a text in a list of which each is written as what it shares with the one
// before it, and the rest: of paths below one folder little is left. The zero Front is
// the beginning of a list. It holds the text that was written or read last.
type Front []byte

// Append appends s to b.
func (f *Front) Append(b []byte, s string) []byte {
	shared := 0
	for shared < len(*f) && shared < len(s) && (*f)[shared] == s[shared] {
		shared++
	}
	*f = append((*f)[:shared], s[shared:]...)
	return AppendString(binary.AppendUvarint(b, uint64(shared)), s[shared:])
}

// Read reads what Append wrote, and tells whether it is another text than the last.
func (f *Front) Read(r *Reader) (other bool) {
	shared, rest := r.Uvarint(), r.Bytes()
	if shared > uint64(len(*f)) {
		r.Fail()
		return true
	}
	other = shared < uint64(len(*f)) || len(rest) > 0
	*f = append((*f)[:shared], rest...)
	return other
}
