package store

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
)

// Folder is a directory that is being listed. What its files are like is asked from
// there, which spares the system to find the way to each: where there are a hundred
// thousand, that was half of what asking takes.
type Folder struct {
	path string
	file *os.File
}

// OpenFolder opens a directory and reads what lies in it, by name. What could be read
// comes with the error. A Folder that is not nil is to be closed.
func OpenFolder(path string) (*Folder, []fs.DirEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return &Folder{path, f}, entries, err
}

// Close closes it.
func (f *Folder) Close() { _ = f.file.Close() } // it was only read
