package claude

import (
	"cmp"
	"io/fs"
	"os"
	"slices"

	"yore/sessions"
)

// directory is one that is being listed. What its files are like is asked from
// there, which spares the system to find the way to each: where there are a hundred
// thousand, that was half of what asking takes.
type directory struct {
	path string
	file *os.File
}

// openDirectory opens a directory and reads what lies in it, by name. What could be read
// comes with the error. One that is not nil is to be closed.
func openDirectory(path string) (*directory, []fs.DirEntry, error) {
	f, err := sessions.Open(path)
	if err != nil {
		return nil, nil, err
	}
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return &directory{path, f}, entries, err
}

// close closes it.
func (d *directory) close() { _ = d.file.Close() } // it was only read
