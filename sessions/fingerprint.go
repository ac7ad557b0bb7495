package sessions

import (
	"io"

	"github.com/cespare/xxhash/v2"
)

// What of a file is remembered, to tell one that grew from one that was
// written anew: the headBytes at its beginning and the tailBytes before the
// mark. A truncated file that grew again differs in one of them.
const (
	headBytes = 4 << 10
	tailBytes = 64
)

// fingerprint is the hash of a file's content around its two ends, as far as
// it was read.
type fingerprint struct {
	offset     int64
	head, tail uint64
	taken      bool // false: the file says nothing comparable, as when it is compressed
}

func takeFingerprint(path string, offset int64) fingerprint {
	f, err := OpenFile(path)
	if err != nil {
		return fingerprint{}
	}
	defer func() { _ = f.Close() }() // it was only read
	head, ok := hashAt(f, 0, min(offset, headBytes))
	if !ok {
		return fingerprint{}
	}
	tail, ok := hashAt(f, max(0, offset-tailBytes), min(offset, tailBytes))
	return fingerprint{offset: offset, head: head, tail: tail, taken: ok}
}

// holds tells whether the file still begins with what was read.
func (p fingerprint) holds(path string) bool {
	return p.taken && takeFingerprint(path, p.offset) == p
}

func hashAt(r io.ReaderAt, offset, length int64) (uint64, bool) {
	buffer := make([]byte, length)
	if n, _ := r.ReadAt(buffer, offset); n < len(buffer) {
		return 0, false
	}
	return xxhash.Sum64(buffer), true
}
