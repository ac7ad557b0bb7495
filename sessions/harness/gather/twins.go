package gather

import "sync"

// Twins settles which of several stores tells a session that is in more than
// one. The answer stays while that store has the session: a session does not
// change its place because a better store gets it too.
type Twins struct {
	mu    sync.Mutex
	store map[string]string // by the session's id
}

// Holder is the store that tells the session, of those that have it now, best
// first.
func (t *Twins) Holder(id string, stores ...string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range stores {
		if s == t.store[id] {
			return s
		}
	}
	if len(stores) == 0 {
		return ""
	}
	if t.store == nil {
		t.store = map[string]string{}
	}
	t.store[id] = stores[0]
	return stores[0]
}
