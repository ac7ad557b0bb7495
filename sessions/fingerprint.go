package sessions

import (
	"bytes"
	"context"
	"io"
	"os"

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

// beginsWith tells whether a file has all size bytes of another one at its beginning.
func beginsWith(ctx context.Context, path, other string, size int64) bool {
	var files [2]*os.File
	for i, p := range []string{path, other} {
		f, err := OpenFile(p)
		if err != nil {
			return false
		}
		defer func() { _ = f.Close() }() // it was only read
		files[i] = f
	}
	a, b := make([]byte, compareBytes), make([]byte, compareBytes)
	for at := int64(0); at < size; at += compareBytes {
		n := min(size-at, compareBytes)
		if m, _ := files[0].ReadAt(a[:n], at); int64(m) < n || ctx.Err() != nil {
			return false
		}
		if m, _ := files[1].ReadAt(b[:n], at); int64(m) < n || !bytes.Equal(a[:n], b[:n]) {
			return false
		}
	}
	return true
}

// compareBytes is how much of two files is compared at once.
const compareBytes = 64 << 10

func hashAt(r io.ReaderAt, offset, length int64) (uint64, bool) {
	buffer := make([]byte, length)
	if n, _ := r.ReadAt(buffer, offset); n < len(buffer) {
		return 0, false
	}
	return xxhash.Sum64(buffer), true
}
