package sessions

import (
	"fmt"
	"sync"
)

// claims sees to it that two transcripts that name the same session (a copied
// file, a project folder twice) do not erase each other: the first keeps the
// id, the others get "ID~2", "ID~3" and so on.
type claims struct {
	mu    sync.Mutex
	owner map[Key]*transcript
}

// take is the id under which t's session id is known: the id itself where that
// can be printed. All sessions of one
// transcript get the same number where they can, so that they still name each
// other.
func (c *claims) take(t *transcript, id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, ok := t.names[id]; ok {
		return name
	}
	shown, number := printableID(id), t.twin
	for ; !c.free(t, numbered(shown, number)); number++ {
	}
	if len(t.names) == 0 {
		t.twin = number
	}
	name := numbered(shown, number)
	if c.owner == nil {
		c.owner = make(map[Key]*transcript)
	}
	if t.names == nil {
		t.names = make(map[string]string)
	}
	c.owner[Key{t.at.Root.Harness, name}] = t
	t.names[id] = name
	return name
}

func (c *claims) free(t *transcript, name string) bool {
	owner := c.owner[Key{t.at.Root.Harness, name}]
	return owner == nil || owner == t || owner.released
}

func numbered(id string, twin int) string {
	if twin == 0 {
		return id
	}
	return fmt.Sprintf("%s~%d", id, twin+1)
}

// name is the id under which a session that t mentions is known. In a copied
// folder that is the copy beside t, not the original.
func (c *claims) name(t *transcript, id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, ok := t.names[id]; ok {
		return name
	}
	shown := printableID(id)
	if twin := numbered(shown, t.twin); c.owner[Key{t.at.Root.Harness, twin}] != nil {
		return twin
	}
	return shown
}

// owns tells whether t's is the session with this key.
func (c *claims) owns(t *transcript, key Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owner[key] == t
}

// release lets others have the ids of t, whose transcript is gone and whose
// last Update was applied.
func (c *claims) release(t *transcript) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.released = true
}

// regain takes the ids of t back. It is false when another has one of them
// now; then t has none any more.
func (c *claims) regain(t *transcript) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.released = false
	for _, name := range t.names {
		if c.owner[Key{t.at.Root.Harness, name}] != t {
			t.names, t.twin = nil, 0
			return false
		}
	}
	return true
}

// find is the transcript whose session has this key, nil when there is none.
func (c *claims) find(key Key) *transcript {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owner[key]
}
