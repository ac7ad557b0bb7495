package sessions

import (
	"path/filepath"
	"sync"
)

// Bounds of what is hashed: paths come from transcripts, which may be written by anybody.
const (
	longestPath = 4096 // bytes, as many as Linux takes
	deepestPath = 64   // folders above a directory, more than anybody works in
)

// hashed finds directories of which a harness tells only the hash, among those that
// sessions name and those above them. Equal hashes stand for equal directories: nothing
// is guessed.
type hashed struct {
	by map[string]Hasher // by harness; never changed

	mu      sync.Mutex
	named   map[string]bool  // directories that were hashed
	dirs    map[hash]string  // those, by their hashes
	waiting map[hash][]Key   // sessions in directories that nobody named yet
	found   []Key            // those whose directory was named since
	waits   map[Key]struct{} // all that wait
}

// hash is that of a directory as a harness makes it.
type hash struct{ harness, of string }

func newHashed(sources []Source) *hashed {
	h := &hashed{
		by: make(map[string]Hasher), named: make(map[string]bool), dirs: make(map[hash]string),
		waiting: make(map[hash][]Key), waits: make(map[Key]struct{}),
	}
	for _, s := range sources {
		if by, is := s.(Hasher); is {
			h.by[s.Name()] = by
		}
	}
	return h
}

// name takes in a directory and those above it.
func (h *hashed) name(dir string) {
	if len(h.by) == 0 || dir == "" || len(dir) > longestPath {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	dir = filepath.Clean(dir)
	for depth := 0; depth <= deepestPath && dir != "." && !h.named[dir]; depth++ {
		h.named[dir] = true
		for harness, by := range h.by {
			key := hash{harness, by.Hash(dir)}
			h.dirs[key] = dir
			for _, session := range h.waiting[key] {
				delete(h.waits, session)
				h.found = append(h.found, session)
			}
			delete(h.waiting, key)
		}
		dir = filepath.Dir(dir)
	}
}

// directory is the one of a session whose transcript tells none, by where that lies; ""
// as long as it is not known. Then the session is told by take when it is.
func (h *hashed) directory(session Key, path string) string {
	by := h.by[session.Harness]
	if by == nil {
		return ""
	}
	key := hash{session.Harness, by.Hashed(path)}
	if key.of == "" {
		return ""
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	dir, known := h.dirs[key]
	if _, waits := h.waits[session]; !known && !waits {
		h.waits[session] = struct{}{}
		h.waiting[key] = append(h.waiting[key], session)
	}
	return dir
}

// take are the sessions whose directory was named since it was asked last.
func (h *hashed) take() []Key {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.found
	h.found = nil
	return found
}

// nameless notes of a session that is known from an earlier run whether its directory
// is still to be found.
func (h *hashed) nameless(session Key, dir, path string) {
	if dir == "" && h.directory(session, path) != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.found = append(h.found, session)
	}
}

// placeNamed has the sessions told whose directory was named since, and tells whether
// there are any. Where they are awaited, not everything is loaded before.
func (l *Library) placeNamed(awaited bool) bool {
	found := l.hashed.take()
	if len(found) == 0 {
		return false
	}
	if awaited {
		l.outstanding.Add(1)
		defer l.arrived()
	}
	for _, session := range found {
		l.awake(session, func(t *transcript) bool {
			if !l.queue.push(t, nil) {
				return false
			}
			l.press(t, awaited)
			return true
		})
	}
	return true
}
