package follow

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"yore/sessions"
)

// pipeEvery is how often a pipe is looked at into which nobody writes. Nothing tells
// when somebody does.
const pipeEvery = 100 * time.Millisecond

// IsPipe tells whether path is a pipe in the file system: one with a name of its own,
// or what a shell makes of <(command).
func IsPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}

// Pipe sends what is written into the pipe at path. One with a name of its own is
// waited at until ctx ends or its name goes, whoever writes into it one after the
// other; what a shell makes of <(command) has one writer, and ends with it.
func Pipe(ctx context.Context, path string, send func(Piece) error) error {
	file, err := sessions.OpenPipe(path)
	if err != nil {
		return err
	}
	defer file.Close()
	// Where the system can wait for pipes, a read is ended by its deadline; where it
	// cannot, a read waits for nothing.
	defer context.AfterFunc(ctx, func() { _ = file.SetReadDeadline(time.Now()) })()
	f := pipeFollower{path: path, file: file, named: named(path), send: send, buf: make([]byte, readBytes)}
	for {
		if ended, err := f.read(ctx); ended || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pipeEvery):
		}
	}
}

// named tells whether others can open the pipe by its name: that of a command's end
// leads to something that has none.
func named(path string) bool {
	_, err := filepath.EvalSymlinks(path)
	full, absErr := filepath.Abs(path)
	return err == nil && absErr == nil && !strings.HasPrefix(full, "/dev/fd/")
}

type pipeFollower struct {
	path  string
	file  *os.File
	named bool
	wrote bool // somebody did, and has not ended yet
	send  func(Piece) error
	buf   []byte
}

// read sends what there is until nobody writes any more, and tells whether nobody
// will again.
func (f *pipeFollower) read(ctx context.Context) (ended bool, err error) {
	for {
		n, err := f.file.Read(f.buf)
		if n > 0 {
			f.wrote = true
			if err := f.send(Piece{Data: f.buf[:n]}); err != nil {
				return false, err
			}
		}
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, io.EOF):
			return f.done()
		case errors.Is(err, syscall.EAGAIN):
			return false, nil // somebody has it open and writes nothing now
		case err != nil:
			return false, err
		}
	}
}

// done is for when nobody has the pipe open for writing.
func (f *pipeFollower) done() (ended bool, err error) {
	switch {
	case !f.named: // who wrote had it open from the beginning
		return true, nil
	case f.wrote:
		f.wrote = false
		return false, f.send(Piece{Note: Done})
	}
	return !IsPipe(f.path), nil
}
