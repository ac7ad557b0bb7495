package codex

import (
	"io"
	"os"

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
	if err := store.Packed(r.ctx, r.file, starts, r.to, r.line); err != nil {
		return err
	}
	r.end()
	return nil
}
