package recall

import "sync"

// keeper remembers what was worked out, up to about a number of bytes. It has two
// generations: when the young one has half of the bytes it becomes the old one, and
// what is used again moves over. So a full keeper never forgets what is in use.
type keeper[K comparable, V any] struct {
	mu         sync.Mutex
	limit      int
	young, old map[K]kept[V]
	bytes      int // of the young
}

type kept[V any] struct {
	value V
	bytes int
}

// get gives V's zero value when nothing is known.
func (k *keeper[K, V]) get(key K) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.young[key]
	if !ok {
		if v, ok = k.old[key]; ok {
			k.add(key, v)
		}
	}
	return v.value
}

// bound sets how many bytes there may be.
func (k *keeper[K, V]) bound(limit int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.limit = limit
}

// put keeps v, which takes so many bytes, in the place of what was kept for the key.
func (k *keeper[K, V]) put(key K, v V, bytes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(key, kept[V]{v, bytes})
}

func (k *keeper[K, V]) add(key K, v kept[V]) {
	k.bytes -= k.young[key].bytes
	if k.young == nil || k.bytes+v.bytes > k.limit/2 {
		delete(k.young, key)
		k.young, k.old, k.bytes = map[K]kept[V]{}, k.young, 0
	}
	k.young[key] = v
	k.bytes += v.bytes
}
