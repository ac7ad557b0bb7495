package codex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// unpack opens the content of a compressed rollout.
func unpack(file *os.File) (io.ReadCloser, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return store.Unpack(file, info.Size())
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
	case errors.Is(err, store.ErrTooLong):
		r.to.Skip("compressed file unpacks to too much", r.file.Path)
	case err != nil:
		r.to.Skip("damaged compressed file", r.file.Path)
	}
	r.end()
	return nil
}
