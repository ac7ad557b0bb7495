package store

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
)

// Excluded makes a Source a Surveyor that is told what is excluded: where one file is told
// in place of another, what is excluded is for it as if it were not there. The zero value
// excludes nothing.
type Excluded struct {
	by atomic.Pointer[func(path string) bool]
}

// Survey notes what is excluded; it looks at nothing.
func (e *Excluded) Survey(_ context.Context, excluded func(path string) bool) { e.by.Store(&excluded) }

// Excludes tells whether a path is.
func (e *Excluded) Excludes(path string) bool {
	by := e.by.Load()
	return by != nil && (*by)(path)
}

// IsFile tells whether path is a plain file, links followed, that is not excluded.
func (e *Excluded) IsFile(path string) bool { return !e.Excludes(path) && IsFile(path) }

// Rest are those of the names in a folder that are not excluded.
func (e *Excluded) Rest(dir string, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return e.Excludes(filepath.Join(dir, name)) })
}
