package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/watch"
)

// Listing walks a root and sends the transcripts in it. Folders and files
// behind symbolic links count, each real folder once.
type Listing struct {
	ctx  context.Context
	root sessions.Root
	send func(sessions.Transcript)
	real string          // the root's real path
	seen map[string]bool // folders, by their real paths
	errs []error
}

// NewListing begins to list a root.
func NewListing(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) *Listing {
	real, _ := filepath.EvalSymlinks(root.Path) // "" where there is none: nothing is listed then
	return &Listing{ctx: ctx, root: root, send: send, real: real, seen: map[string]bool{}}
}

// Err is what could not be listed; nil when all could.
func (l *Listing) Err() error { return errors.Join(append(l.errs, l.ctx.Err())...) }

// Folder is what lies in a folder, by name: the folders, real ones before
// links, and everything else. One that is absent, or was listed before, is
// empty.
func (l *Listing) Folder(dir string) (folders, files []string) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || l.seen[real] || l.ctx.Err() != nil {
		l.failed(err)
		return nil, nil
	}
	l.seen[real] = true
	entries, err := os.ReadDir(dir)
	l.failed(err) // what could be read of it comes with the error
	var links []string
	for _, e := range entries {
		switch {
		case e.IsDir():
			folders = append(folders, e.Name())
		case e.Type()&fs.ModeSymlink != 0 && IsDir(filepath.Join(dir, e.Name())):
			if to, err := filepath.EvalSymlinks(filepath.Join(dir, e.Name())); err == nil && watch.Follows(l.real, to) {
				links = append(links, e.Name())
			}
		default:
			files = append(files, e.Name())
		}
	}
	return append(folders, links...), files
}

// Send sends the transcript at a path, with its stamp; id and side are what its
// name tells. What is no plain file is passed over.
func (l *Listing) Send(path, id string, side bool) {
	info, err := os.Stat(path)
	if err != nil {
		l.failed(err)
		return
	}
	if info.Mode().IsRegular() {
		l.send(sessions.Transcript{Root: l.root, Path: path, ID: id, Stamp: sessions.StampOf(info), Side: side})
	}
}

// failed notes an error. That something is gone meanwhile is none.
func (l *Listing) failed(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
}

// IsDir tells whether path is a folder, links followed.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsFile tells whether path is a plain file, links followed.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
