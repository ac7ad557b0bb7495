package store

import (
	"errors"
	"io/fs"
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
	tried attempt[T]
}

// attempt is what the last reading gave of a file that was not whole.
type attempt[T any] struct {
	stamp sessions.Stamp
	value T
	err   error // nil before there was one
}

// Get is what read makes of the file at path; the zero value when there is no
// plain file.
func (c *Cache[T]) Get(path string, read func(path string) T) T {
	value, _ := c.Try(path, func(path string) (T, error) { return read(path), nil })
	return value
}

// Whole is the same of a file that its harness may just be writing: as long as read fails,
// it is what was there when it did not. Of a file of which it always failed, it is what
// read gives all the same, and seen is false.
func (c *Cache[T]) Whole(path string, read func(path string) (T, error)) (value T, seen bool) {
	value, err := c.Try(path, read)
	if err == nil {
		return value, true
	}
	if last, known := c.last(path); known {
		return last, true
	}
	return value, false
}

// Sidecar is what read makes of the JSON document in a small file beside transcripts, while
// that is not whole of the last one that was; the zero value when there is none, for which
// seen is false where there is a file that never was whole.
func (c *Cache[T]) Sidecar(path string, read func(doc string) T) (value T, seen bool) {
	return c.Whole(path, func(path string) (value T, err error) {
		doc, err := document(path, maxSidecar)
		if err == nil {
			value = read(doc)
		}
		return value, err
	})
}

// last is what is kept of a file, whatever is there now.
func (c *Cache[T]) last(path string) (value T, known bool) {
	c.mu.Lock()
	e := c.entries[path]
	c.mu.Unlock()
	if e == nil {
		return value, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.value, e.known
}

// Try is the same of a reading that may fail, or be broken off: what it gives then is
// told with its error, and not kept. A file that is not whole, or too long, fails until it
// changes; of one that cannot be looked at, what was known is told with the error.
func (c *Cache[T]) Try(path string, read func(path string) (T, error)) (T, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.Mode().IsRegular():
		var none T
		c.forget(path)
		return none, nil // and takes no other's place
	case err != nil:
		last, _ := c.last(path)
		return last, err
	}
	e := c.entry(path)
	e.mu.Lock()
	defer e.mu.Unlock()
	stamp := sessions.StampOf(info)
	switch {
	case e.known && e.stamp.Same(stamp):
		return e.value, nil
	case e.tried.err != nil && e.tried.stamp.Same(stamp):
		return e.tried.value, e.tried.err
	}
	value, err := read(path)
	switch {
	case err == nil:
		e.stamp, e.value, e.known, e.tried = stamp, value, true, attempt[T]{}
	case errors.Is(err, ErrUnfinished), errors.Is(err, errTooLong):
		e.tried = attempt[T]{stamp, value, err}
	}
	return value, err
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
