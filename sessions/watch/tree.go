package watch

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// tree walks directories, each once, through symbolic links too.
type tree struct {
	// enter is called before a directory is read, with its path and the path
	// that it really has. It tells whether to go in; an error ends the walk.
	enter func(path, target string) (bool, error)
	// file is called for everything that is no directory.
	file func(path string, entry fs.DirEntry)
}

type folder struct{ path, target string }

// walk goes through start and all below it. What vanishes or may not be read
// meanwhile is left out.
func (t tree) walk(ctx context.Context, start string) error {
	target, err := filepath.EvalSymlinks(start)
	if err != nil {
		return nil
	}
	seen := make(map[string]bool)
	for todo := []folder{{start, target}}; len(todo) > 0 && ctx.Err() == nil; {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[dir.target] {
			continue
		}
		seen[dir.target] = true
		if in, err := t.enter(dir.path, dir.target); err != nil {
			return err
		} else if !in {
			continue
		}
		entries, _ := os.ReadDir(dir.path)
		for _, entry := range slices.Backward(entries) { // so that the first is taken first
			if below, ok := t.step(target, dir, entry); ok {
				todo = append(todo, below)
			}
		}
	}
	return nil
}

// step is the directory that an entry is or leads to, in a walk of root.
func (t tree) step(root string, dir folder, entry fs.DirEntry) (folder, bool) {
	path := filepath.Join(dir.path, entry.Name())
	if entry.IsDir() {
		return folder{path, filepath.Join(dir.target, entry.Name())}, true
	}
	if entry.Type()&fs.ModeSymlink != 0 && isDir(path) {
		target, err := filepath.EvalSymlinks(path)
		return folder{path, target}, err == nil && Follows(root, target)
	}
	t.file(path, entry)
	return folder{}, false
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
