package store

import (
	"os"
	"sync"

	"yore/sessions"
)

// Cache keeps what was read from small files, or out of transcripts, until they
// change. Many transcripts ask for the same one. The zero Cache is empty.
type Cache[T any] struct {
	mu      sync.Mutex
	entries map[string]*cached[T]
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
	c.mu.Lock()
	e := c.entries[path]
	if e == nil {
		if c.entries == nil {
			c.entries = map[string]*cached[T]{}
		}
		e = &cached[T]{}
		c.entries[path] = e
	}
	c.mu.Unlock()

	e.mu.Lock()
	defer e.mu.Unlock()
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		var none T
		return none
	}
	if stamp := sessions.StampOf(info); !e.known || !e.stamp.Same(stamp) {
		e.stamp, e.value, e.known = stamp, read(path), true
	}
	return e.value
}
