package index

import (
	"bytes"
	"container/list"
	"sync"
)

// cacheBytes bounds the records that are kept unpacked. A keystroke looks at a few
// hundred passages of about 1,300 bytes, and the next keystroke at nearly the same
// ones. Whole blocks, as they are unpacked, would fill sixteen times as much.
const cacheBytes = 6 << 20

// recordCache keeps the records that were unpacked last.
type recordCache struct {
	mu    sync.Mutex
	items map[recordPlace]*list.Element
	order list.List // of cachedRecord; newest first
	size  int

	blocks sync.Pool // of *unpackedBlock: who reads on in a segment finds the block it had
}

// unpackedBlock is the block that a buffer holds; its number is -1 when none.
type unpackedBlock struct {
	segment uint64
	number  int
	raw     []byte
}

type recordPlace struct {
	segment uint64
	doc     uint32
}

type cachedRecord struct {
	recordPlace
	raw []byte
}

func newRecordCache() *recordCache {
	return &recordCache{
		items:  make(map[recordPlace]*list.Element),
		blocks: sync.Pool{New: func() any { return &unpackedBlock{number: -1} }},
	}
}

// get unpacks a record of t unless it is kept.
func (c *recordCache) get(segment uint64, doc uint32, t *texts) []byte {
	place := recordPlace{segment, doc}
	c.mu.Lock()
	if e, ok := c.items[place]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(cachedRecord).raw
	}
	c.mu.Unlock()

	raw := c.unpack(segment, doc, t)
	if len(raw) == 0 || len(raw) > cacheBytes/4 {
		return raw
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[place]; ok { // unpacked by another goroutine meanwhile
		return raw
	}
	c.items[place] = c.order.PushFront(cachedRecord{place, raw})
	c.size += len(raw)
	for c.size > cacheBytes {
		e := c.order.Back()
		old := c.order.Remove(e).(cachedRecord)
		delete(c.items, old.recordPlace)
		c.size -= len(old.raw)
	}
	return raw
}

// unpack is a copy of a record.
func (c *recordCache) unpack(segment uint64, doc uint32, t *texts) []byte {
	b := c.blocks.Get().(*unpackedBlock)
	defer c.blocks.Put(b)
	number := t.block(doc)
	if b.segment != segment || b.number != number {
		whole := t.unpack(number, b.raw[:cap(b.raw)])
		if whole == nil { // what the buffer holds now is unknown
			b.number = -1
			return nil
		}
		b.segment, b.number, b.raw = segment, number, whole
	}
	return bytes.Clone(t.record(doc, number, b.raw))
}
