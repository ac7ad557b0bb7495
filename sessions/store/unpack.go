package store

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Bounds of what compressed transcripts may ask for. Harnesses compress with a
// window of a few megabytes. Transcripts of gigabytes are mostly repeated history,
// which a large window could shrink to about a hundredth.
const (
	maxWindow   = 32 << 20
	leastUnpack = 16 << 20
	maxRatio    = 256
	mostUnpack  = 16 << 30
)

// ErrTooLong ends the reading of what unpacks to more than is believed.
var ErrTooLong = errors.New("unpacks to too much")

// Unpack opens what was compressed with zstd to so many bytes. It gives no more
// than those justify.
func Unpack(packed io.Reader, size int64) (io.ReadCloser, error) {
	// One goroutine: many transcripts are read at the same time already.
	decoder, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return &unpacked{src: decoder, left: min(leastUnpack+maxRatio*min(size, mostUnpack/maxRatio), mostUnpack)}, nil
}

type unpacked struct {
	src  *zstd.Decoder
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, ErrTooLong
	}
	n, err := u.src.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

func (u *unpacked) Close() error {
	u.src.Close()
	return nil
}
