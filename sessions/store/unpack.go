package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/jsonl"
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

// Packed reads the records of a transcript of JSON lines that is compressed with zstd,
// as Lines does those of another. What precedes damage is kept, and the damage counted
// as skipped. The error is that of the file or of ctx.
func Packed(ctx context.Context, t sessions.Transcript, starts []string, to sessions.Sink, each func(jsonl.Record)) error {
	file, err := sessions.OpenFile(t.Path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("read %s: %w", t.Path, err)
	}
	return PackedOf(ctx, file, info.Size(), t, starts, to, each)
}

// PackedOf is Packed for what is compressed to so many bytes and open already.
func PackedOf(ctx context.Context, packed io.Reader, size int64, t sessions.Transcript, starts []string, to sessions.Sink, each func(jsonl.Record)) error {
	content, err := Unpack(packed, size)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.Path, err)
	}
	defer func() { _ = content.Close() }() // only read
	_, err = LinesOf(ctx, content, t, 0, starts, to, func(rec jsonl.Record) bool { each(rec); return true })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrTooLong):
		to.Skip("compressed file unpacks to too much", t.Path)
	case err != nil:
		to.Skip("damaged compressed file", t.Path)
	}
	return nil
}
