package codex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// Bounds of what a compressed rollout may ask for. Codex compresses with a
// window of a few megabytes. Rollouts of gigabytes are mostly repeated history,
// which a large window could shrink to about a hundredth.
const (
	maxWindow   = 32 << 20
	leastUnpack = 16 << 20
	maxRatio    = 256
	mostUnpack  = 16 << 30
)

// errTooLong ends the reading of a compressed rollout that unpacks to more than
// is believed.
var errTooLong = errors.New("unpacks to too much")

// unpack opens the content of a compressed rollout. It gives no more than the
// file's size justifies.
func unpack(file *os.File) (io.ReadCloser, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	// One goroutine: many rollouts are read at the same time already.
	decoder, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	size := min(info.Size(), mostUnpack/maxRatio)
	return &unpacked{src: decoder, left: min(leastUnpack+maxRatio*size, mostUnpack)}, nil
}

type unpacked struct {
	src  *zstd.Decoder
	left int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, errTooLong
	}
	n, err := u.src.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

func (u *unpacked) Close() error {
	u.src.Close()
	return nil
}

// readPacked reads a compressed rollout. What precedes damage is kept.
func (r *rollout) readPacked() error {
	file, err := sessions.OpenFile(r.file.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	content, err := unpack(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.file.Path, err)
	}
	defer content.Close()
	lines := jsonl.NewReader(content, 0, jsonl.Options{Starts: starts})
	err = r.read(lines, math.MaxInt64)
	r.damaged(lines)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errTooLong):
		r.to.Skip("compressed file unpacks to too much", r.file.Path)
	case err != nil:
		r.to.Skip("damaged compressed file", r.file.Path)
	}
	r.end()
	return nil
}
