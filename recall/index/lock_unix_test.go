//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package index

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A file system that cannot force names to disk stops no forgetting; a disk that fails does.
func TestADirectoryThatCannotBeForcedToDisk(t *testing.T) {
	for err, tells := range map[error]bool{unix.EINVAL: false, unix.ENOTSUP: false, unix.ENOSYS: false, unix.EIO: true, unix.ENOSPC: true} {
		if got := unlessUnable(&os.PathError{Op: "sync", Path: "data", Err: err}); (got != nil) != tells {
			t.Errorf("%v is told: %v", err, got)
		}
	}
}
