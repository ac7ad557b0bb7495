package cli

import (
	"context"
	"io"
)

// copyBytes is how much of a stream is read at once.
const copyBytes = 256 << 10

// stream reads ahead, so that an interruption is not kept waiting by a read that
// waits itself.
type stream struct {
	ctx    context.Context
	chunks chan []byte
	free   chan []byte
	now    []byte // of chunk, what was not taken yet
	chunk  []byte
	err    error // why chunks was closed
}

// interruptible reads r until ctx ends; then it returns ctx's error.
func interruptible(ctx context.Context, r io.Reader) *stream {
	s := &stream{ctx: ctx, chunks: make(chan []byte), free: make(chan []byte, 2)}
	for range cap(s.free) {
		s.free <- make([]byte, copyBytes)
	}
	go s.fill(r)
	return s
}

func (s *stream) fill(r io.Reader) {
	defer close(s.chunks)
	for {
		var buf []byte
		select {
		case buf = <-s.free:
		case <-s.ctx.Done():
			return
		}
		n, err := r.Read(buf[:cap(buf)])
		select {
		case s.chunks <- buf[:n]:
		case <-s.ctx.Done():
			return
		}
		if err != nil {
			s.err = err
			return
		}
	}
}

// next is what came since the last call, valid until the next one.
func (s *stream) next() ([]byte, error) {
	if s.chunk != nil {
		s.free <- s.chunk
		s.chunk = nil
	}
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	select {
	case chunk, ok := <-s.chunks:
		if !ok && s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		if !ok {
			return nil, s.err
		}
		s.chunk = chunk
		return chunk, nil
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	}
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.now) == 0 {
		chunk, err := s.next()
		if err != nil {
			return 0, err
		}
		s.now = chunk
	}
	n := copy(p, s.now)
	s.now = s.now[n:]
	return n, nil
}

// stoppable writes to w until ctx ends.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}
