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

// Whole is the same of a file that its harness may just be writing: as long as read tells
// that it is not whole, it is what was there when it was. Of a file that never was, it is
// what there is, and seen is false.
func (c *Cache[T]) Whole(path string, read func(path string) (value T, whole bool)) (value T, seen bool) {
	value, err := c.Try(path, func(path string) (T, error) {
		value, whole := read(path)
		if !whole {
			return value, ErrUnfinished
		}
		return value, nil
	})
	if err == nil {
		return value, true
	}
	if last, known := c.last(path); known {
		return last, true
	}
	return value, false
}

// Sidecar is what read makes of the JSON document in a small file beside transcripts, while
// that is not whole of the last one that was; the zero value when there is none.
func (c *Cache[T]) Sidecar(path string, read func(doc string) T) T {
	value, _ := c.Whole(path, func(path string) (value T, whole bool) {
		doc := Sidecar(path)
		if doc != "" {
			value = read(doc)
		}
		return value, doc != ""
	})
	return value
}

// last is what is kept of a file, whatever is there now.
func (c *Cache[T]) last(path string) (value T, known bool) {
	e := c.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.value, e.known
}

// Try is the same of a reading that may fail, or be broken off: what it gives then
// is told with its error, and not kept.
func (c *Cache[T]) Try(path string, read func(path string) (T, error)) (T, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		var none T
		c.forget(path)
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

// forget drops what is kept of a file that is gone.
func (c *Cache[T]) forget(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, path)
	c.asked = slices.DeleteFunc(c.asked, func(other string) bool { return other == path })
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
