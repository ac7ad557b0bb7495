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

// SyncDir forces the names in a directory to disk, where its file system can: some that
// are mounted over a network, or made by a program, cannot, and nothing is to be done.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return unlessUnable(f.Sync())
}

// unlessUnable is an error of forcing a directory to disk; nil for one that says that
// its file system has no such thing.
func unlessUnable(err error) error {
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
