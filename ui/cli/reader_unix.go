//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readerEvery is how often it is looked whether anybody still reads what is written.
const readerEvery = 500 * time.Millisecond

// whileRead is a context that ends with ctx, and with the cause EPIPE when out leads
// to a pipe that nobody reads any more: otherwise one that has nothing to write would
// not hear of it.
func whileRead(ctx context.Context, out io.Writer) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if file, ok := out.(*os.File); ok && isConnection(file) {
		go func() {
			if unread(ctx, int32(file.Fd())) {
				cancel(syscall.EPIPE)
			}
		}()
	}
	return ctx, func() { cancel(nil) }
}

func isConnection(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// unread waits until nobody reads fd any more; false when ctx ends before.
func unread(ctx context.Context, fd int32) bool {
	tick := time.NewTicker(readerEvery)
	defer tick.Stop()
	for {
		// Asked for nothing, poll tells only of the other end.
		fds := []unix.PollFd{{Fd: fd}}
		if n, _ := unix.Poll(fds, 0); n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
