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
	// packed has the names of packed entries, which are entered when one is asked for that
	// is no other's: of a hundred thousand hardly one ever is. Nil when they are there.
	packed *directory
}

func (n *names) find(key sessions.Key) (uint32, bool) {
	n.mu.RLock()
	ord, ok := n.ords[key]
	whole := n.packed == nil
	n.mu.RUnlock()
	if ok || whole {
		return ord, ok
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.enterPacked()
	ord, ok = n.ords[key]
	return ord, ok
}

// enterPacked enters those that are packed. The caller holds mu.
func (n *names) enterPacked() {
	if n.packed == nil {
		return
	}
	for at, p := range n.packed.pages {
		for i := range uint32(chunk) {
			if p != nil && p.packed.has(i) {
				n.ords[p.side.brief(i).Key] = uint32(at)*chunk + i
			}
		}
	}
	n.packed = nil
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
