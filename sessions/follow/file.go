package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"yore/sessions"
	"yore/sessions/watch"
)

// pollEvery is how often the file is looked at where no change is told: one that
// takes its place, network file systems.
const pollEvery = 500 * time.Millisecond

// gatherTime is the least time between two looks: what is written meanwhile is read
// together, sooner than anybody notices.
const gatherTime = 20 * time.Millisecond

// readBytes is how much is read at once; traceBytes how many of the last bytes
// are compared before more are read, to see a file that was cut and written anew.
const (
	readBytes  = 256 << 10
	traceBytes = 64
)

// Note says what happened to the file.
type Note string

// The notes.
const (
	Rotated   Note = "rotated"    // another file has its name
	Truncated Note = "truncated"  // it was cut, and is read from its beginning
	Gone      Note = "gone"       // no file has its name; it is waited for
	Back      Note = "back again" // a file has its name again
	Done      Note = "closed"     // who wrote into the pipe is done; the next one is waited for
)

// Piece is something that came.
type Piece struct {
	Data   []byte      // valid until send returns
	From   io.ReaderAt // where Data can be read again; nil for a pipe
	Offset int64       // of Data in it
	Note   Note        // instead of Data
}

// All is the Options.Back of a file that is read from its beginning.
const All = -1

// Options say from where a file is read, and how long.
type Options struct {
	Back int64 // bytes before its end, from the next line on; All for all of it
	Stop bool  // at its end, and follow nothing
}

// File reads the file at path and then what is added to it, and sends it, until
// ctx ends or send fails. It fails when there is no plain file at the beginning.
func File(ctx context.Context, path string, o Options, send func(Piece) error) error {
	f := &follower{path: path, send: send, buf: make([]byte, readBytes)}
	if err := f.open(); err != nil {
		return err
	}
	if err := f.begin(o.Back); err != nil {
		return err
	}
	if o.Stop {
		return f.drain(ctx)
	}
	f.news, f.lost = watch.NewFile(path), true
	defer f.news.Close()
	f.renew()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if err := f.look(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-f.news.Changed():
			f.lost = f.lost || watch.Lost(e)
		case <-tick.C:
		}
		if err := f.gather(ctx); err != nil {
			return err
		}
	}
}

// gather waits after a look so long that not every line of many is one.
func (f *follower) gather(ctx context.Context) error {
	wait := time.Until(f.looked.Add(gatherTime))
	if wait <= 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

type follower struct {
	news   *watch.File
	looked time.Time // when, the last time
	path   string
	send   func(Piece) error
	buf    []byte
	file   *os.File // rows that are shown can refer to it: it is closed with the last of them
	at     int64    // what is read up to
	trace  []byte   // the bytes before at
	gone   bool
	lost   bool // what happens to the file is not told any more
}

func (f *follower) open() error {
	file, err := sessions.OpenFile(f.path)
	if err != nil {
		return err
	}
	f.file, f.at, f.trace = file, 0, nil
	return nil
}

// begin goes to the first line of the last so many bytes, or into the middle of the
// one line that they are a part of.
func (f *follower) begin(back int64) error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if back == All || info.Size() <= back {
		return nil
	}
	f.at = info.Size() - back
	// From the byte before, so that a line that begins just there is kept.
	for at := f.at - 1; ; {
		n, err := f.file.ReadAt(f.buf, at)
		if i := bytes.IndexByte(f.buf[:n], '\n'); i >= 0 {
			if line := at + int64(i) + 1; line < info.Size() {
				f.at = line
			}
			return nil
		}
		if at += int64(n); errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// look reads what is new, of the file that is open and of one in its place.
func (f *follower) look(ctx context.Context) error {
	f.looked = time.Now()
	if err := f.cut(); err != nil {
		return err
	}
	if err := f.drain(ctx); err != nil {
		return err
	}
	now, err := os.Stat(f.path)
	switch {
	case err != nil:
		if f.gone {
			return nil
		}
		// What was written to it after the last look, before it went.
		if err := f.drain(ctx); err != nil {
			return err
		}
		f.gone = true
		return f.send(Piece{Note: Gone})
	case f.same(now):
		return f.back()
	}
	// What was written to the old one after its last look comes before.
	if err := f.drain(ctx); err != nil {
		return err
	}
	before := f.file
	if f.open() != nil {
		f.file = before // it is gone again, or something else than a file
		return nil
	}
	note := Rotated
	if f.gone {
		note = Back
	}
	f.gone, f.lost = false, true
	f.renew()
	if err := f.send(Piece{Note: note}); err != nil {
		return err
	}
	return f.drain(ctx)
}

func (f *follower) same(now os.FileInfo) bool {
	open, err := f.file.Stat()
	return err == nil && os.SameFile(open, now)
}

// renew has the changes of the file that has the name told again, where that can be.
func (f *follower) renew() {
	if f.lost && f.news != nil {
		f.lost = f.news.Renew() != nil
	}
}

// back says that the file has its name again. It may have been away between two looks,
// or while nothing was told of it.
func (f *follower) back() error {
	f.lost = f.lost || f.gone
	f.renew()
	if !f.gone {
		return nil
	}
	f.gone = false
	return f.send(Piece{Note: Back})
}

// cut begins anew with a file that was cut, also when it has grown again since.
func (f *follower) cut() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() >= f.at {
		before := make([]byte, len(f.trace))
		n, _ := f.file.ReadAt(before, f.at-int64(len(before)))
		if bytes.Equal(before[:n], f.trace) {
			return nil
		}
	}
	f.at, f.trace = 0, nil
	return f.send(Piece{Note: Truncated})
}

// drain sends what stands between the last place and the end.
func (f *follower) drain(ctx context.Context) error {
	for ctx.Err() == nil {
		n, err := f.file.ReadAt(f.buf, f.at)
		if n > 0 {
			piece := Piece{Data: f.buf[:n], From: f.file, Offset: f.at}
			if err := f.send(piece); err != nil {
				return err
			}
			f.at += int64(n)
			f.trace = append(f.trace[:0], f.buf[max(0, n-traceBytes):n]...)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
