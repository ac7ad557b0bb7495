package index

import (
	"container/list"
	"sync"
)

// cacheBytes bounds the unpacked blocks that are kept. A keystroke looks at
// the texts of a few hundred passages, each in a block of about 20 kB, and the
// next keystroke at nearly the same ones.
const cacheBytes = 16 << 20

// blockCache keeps the blocks that were unpacked last.
type blockCache struct {
	mu    sync.Mutex
	items map[blockKey]*list.Element
	order list.List // of block; newest first
	size  int
}

type blockKey struct {
	segment uint64
	block   int
}

type block struct {
	blockKey
	raw []byte
}

func newBlockCache() *blockCache { return &blockCache{items: make(map[blockKey]*list.Element)} }

// get unpacks a block of t unless it is kept.
func (c *blockCache) get(segment uint64, number int, t *texts) []byte {
	key := blockKey{segment, number}
	c.mu.Lock()
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(block).raw
	}
	c.mu.Unlock()

	raw := t.unpack(number, nil)
	if len(raw) > cacheBytes/4 {
		return raw
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[key]; ok { // unpacked by another goroutine meanwhile
		return raw
	}
	c.items[key] = c.order.PushFront(block{key, raw})
	c.size += len(raw)
	for c.size > cacheBytes {
		e := c.order.Back()
		old := c.order.Remove(e).(block)
		delete(c.items, old.blockKey)
		c.size -= len(old.raw)
	}
	return raw
}
