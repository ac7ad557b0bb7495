package store

import (
	"os"
	"slices"
	"sync"

	"yore/sessions"
)

// Cache keeps what was read from small files, or out of transcripts, until they
// change. Many transcripts ask for the same one. The zero Cache is empty.
type Cache[T any] struct {
	// Most is how many files are remembered, those that were asked for last; 0 for
	// all. It bounds what is large.
	Most int

	mu      sync.Mutex
	entries map[string]*cached[T]
	asked   []string // their paths, the latest last, where Most bounds them
}

type cached[T any] struct {
	mu    sync.Mutex
	stamp sessions.Stamp
	value T
	known bool
}

// Get is what read makes of the file at path; the zero value when there is no
// plain file.
func (c *Cache[T]) Get(path string, read func(path string) T) T {
	value, _ := c.Try(path, func(path string) (T, error) { return read(path), nil })
	return value
}

// Try is the same of a reading that may fail, or be broken off: what it gives then
// is told with its error, and not kept.
func (c *Cache[T]) Try(path string, read func(path string) (T, error)) (T, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		var none T
		return none, nil // and takes no other's place
	}
	e := c.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	stamp := sessions.StampOf(info)
	if e.known && e.stamp.Same(stamp) {
		return e.value, nil
	}
	value, err := read(path)
	if err != nil {
		return value, err
	}
	e.stamp, e.value, e.known = stamp, value, true
	return value, nil
}

// entry is what is kept of a file.
func (c *Cache[T]) entry(path string) *cached[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Most > 0 {
		c.asked = append(slices.DeleteFunc(c.asked, func(other string) bool { return other == path }), path)
		if len(c.asked) > c.Most {
			delete(c.entries, c.asked[0])
			c.asked = c.asked[1:]
		}
	}
	e := c.entries[path]
	if e == nil {
		if c.entries == nil {
			c.entries = map[string]*cached[T]{}
		}
		e = &cached[T]{}
		c.entries[path] = e
	}
	return e
}
