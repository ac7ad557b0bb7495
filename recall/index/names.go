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

// chunk is how many entries are copied when one changes.
const chunk = 256

// directory is the entries of all sessions by ordinal. Setting one copies its
// chunk and the list of chunks, not the whole.
type directory struct {
	chunks []*[chunk]*Entry
	size   int // one more than the largest ordinal
}

func (d *directory) at(ord uint32) *Entry {
	if int64(ord) >= int64(d.size) {
		return nil
	}
	c := d.chunks[ord/chunk]
	if c == nil { // its sessions were met, their updates are not published yet
		return nil
	}
	return c[ord%chunk]
}

// entry is one entry to be set.
type entry struct {
	ord uint32
	*Entry
}

// with is the directory with some entries set.
func (d *directory) with(changed []entry) directory {
	out := directory{size: d.size}
	for _, c := range changed {
		out.size = max(out.size, int(c.ord)+1)
	}
	out.chunks = make([]*[chunk]*Entry, (out.size+chunk-1)/chunk)
	copy(out.chunks, d.chunks)
	own := make(map[uint32]bool)
	for _, c := range changed {
		i := c.ord / chunk
		if !own[i] {
			own[i] = true
			fresh := new([chunk]*Entry)
			if old := out.chunks[i]; old != nil {
				*fresh = *old
			}
			out.chunks[i] = fresh
		}
		out.chunks[i][c.ord%chunk] = c.Entry
	}
	return out
}
