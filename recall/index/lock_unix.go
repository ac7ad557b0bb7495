//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package index

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the file for this process alone, without waiting. The system
// gives it back when the process ends, however it ends.
func lockFile(f *os.File) (taken bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// SyncDir forces the names in a directory to disk.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return f.Sync()
}
