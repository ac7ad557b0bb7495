//go:build !unix && !windows

package sessions

import "os"

// Open opens a file or a folder for reading.
func Open(path string) (*os.File, error) { return os.Open(path) }
