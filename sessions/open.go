package sessions

import (
	"errors"
	"io/fs"
	"os"

	"yore/sessions/watch"
)

// errNotPlain is why a pipe, a socket, a device or a folder is not read.
var errNotPlain = errors.New("is no plain file")

// errNotPipe is why a file, a folder or a device is not waited for as a pipe is.
var errNotPipe = errors.New("is no pipe")

// OpenPipe opens a pipe in the file system for reading, and waits for nobody to write
// into it: until somebody does, it reads as ended.
func OpenPipe(path string) (*os.File, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode()&fs.ModeNamedPipe == 0 {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotPipe}
	}
	if err != nil {
		_ = file.Close() // nothing was read from it
		return nil, err
	}
	return file, nil
}

// OpenFile opens a plain file for reading. Anything else by that name is an
// error, and is not waited for: opening a pipe that nobody writes would last for
// ever, and what a listing saw as a file can be something else by now.
func OpenFile(path string) (*os.File, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	// What the kernel makes up says that it is empty: nothing else need be asked.
	if err == nil && (!info.Mode().IsRegular() || info.Size() == 0 && watch.KernelMade(path)) {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotPlain}
	}
	if err != nil {
		_ = file.Close() // nothing was read from it
		return nil, err
	}
	return file, nil
}
