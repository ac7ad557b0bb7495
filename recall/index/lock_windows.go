package index

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the file for this process alone, without waiting. The system
// gives it back when the process ends, however it ends.
func lockFile(f *os.File) (taken bool, err error) {
	const whole = ^uint32(0)
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, whole, whole, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// SyncDir does nothing: Windows has no way to force names to disk.
func SyncDir(string) error { return nil }
