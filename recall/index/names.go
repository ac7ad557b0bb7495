package index

import (
	"sync"

	"yore/sessions"
)

// names gives every session an ordinal, for as long as the index lives.
type names struct {
	mu   sync.RWMutex
	ords map[sessions.Key]uint32
	next uint32
}

func (n *names) find(key sessions.Key) (uint32, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	ord, ok := n.ords[key]
	return ord, ok
}

// ord is the session's ordinal, a new one the first time.
func (n *names) ord(key sessions.Key) uint32 {
	if ord, ok := n.find(key); ok {
		return ord
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if ord, ok := n.ords[key]; ok {
		return ord
	}
	if n.ords == nil {
		n.ords = make(map[sessions.Key]uint32)
	}
	ord := n.next
	n.ords[key] = ord
	n.next++
	return ord
}
