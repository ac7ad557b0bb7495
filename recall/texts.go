package recall

import (
	"sync"

	"yore/sessions"
)

// textMemory keeps the passages that a question has read: it looks at one for a
// literal hit, at its kind, for copies and at last for its excerpt.
type textMemory struct {
	mu    sync.Mutex
	known map[[2]uint32]sessions.Passage // by segment and document
}

// passage reads a candidate's text. It must not be changed.
func (s *search) passage(seg int, doc uint32) sessions.Passage {
	key := [2]uint32{uint32(seg), doc}
	m := s.texts
	m.mu.Lock()
	p, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return p
	}
	p = textOf(s.corpus.segs[seg], doc)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = make(map[[2]uint32]sessions.Passage, firstByWords)
	}
	m.known[key] = p
	return p
}
