package watch

import "github.com/fsnotify/fsnotify"

// File tells when one file is written to or loses its name. What happens to others
// in its directory is not even heard of, however much that is. What takes its place
// is not told either: who follows a name looks for that from time to time, and
// where the system tells nothing.
type File struct {
	path   string
	system *fsnotify.Watcher // nil when the system gives none
}

// NewFile watches the file at path, from the first Renew until it is closed.
func NewFile(path string) *File {
	f := &File{path: path}
	// Without notifications there are only looks from time to time.
	if f.system, _ = fsnotify.NewWatcher(); f.system != nil {
		go f.ignoreErrors()
	}
	return f
}

// ignoreErrors takes what goes wrong until the file is closed: the system waits for
// somebody to take it, and tells nothing meanwhile.
func (f *File) ignoreErrors() {
	for range f.system.Errors {
	}
}

// Renew watches the file that has the name now. It fails where that cannot be watched now,
// but not where the system watches nothing.
func (f *File) Renew() error {
	if f.system == nil {
		return nil
	}
	_ = f.system.Remove(f.path) // it mostly went with the file
	return f.system.Add(f.path)
}

// Changed tells that something happened to the file.
func (f *File) Changed() <-chan fsnotify.Event {
	if f.system == nil {
		return nil
	}
	return f.system.Events
}

// Lost tells whether the file lost its name, after which nothing is told of it before it
// is renewed, also when it has its name again.
func Lost(e fsnotify.Event) bool { return e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove) }

// Close ends watching.
func (f *File) Close() {
	if f.system != nil {
		_ = f.system.Close() // nothing is written through it
	}
}
