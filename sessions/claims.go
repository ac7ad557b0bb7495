package sessions

import (
	"fmt"
	"maps"
	"sync"
)

// claims sees to it that two transcripts that name the same session (a copied
// file, a project folder twice) do not erase each other: the first keeps the
// id, the others get "ID~2", "ID~3" and so on.
type claims struct {
	mu    sync.Mutex
	owner map[Key]*transcript

	losers []*transcript // whose names another has taken since they were saved

	twins  map[Key][]*transcript // by the id without a number: those that have it with one
	copied map[Key]string        // sessions that are copies, with the name of what stands for them
	said   map[Key]*Session      // what was sent last of those that others tell of too, or that are gone; see hear
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
	key := Key{t.at.Root.Harness, name}
	if before := c.owner[key]; before != nil && before != t {
		c.losers = append(c.losers, before)
	}
	c.owner[key] = t
	t.names[id] = name
	c.enter(t, id, name)
	return name
}

// free tells whether t can have a name at once. That of one that is gone and whose text
// is still told is not given away before what t says is known: see succeed.
func (c *claims) free(t *transcript, name string) bool {
	key := Key{t.at.Root.Harness, name}
	owner := c.owner[key]
	return owner == nil || owner == t || owner.released && c.said[key] == nil
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
	twin := Key{t.at.Root.Harness, numbered(shown, t.twin)}
	if stands, copied := c.copied[twin]; copied && numberOf(stands, id) < t.twin {
		return stands
	}
	if c.owner[twin] != nil {
		return twin.ID
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
	for id, name := range t.names {
		if key := (Key{t.at.Root.Harness, name}); c.owner[key] == t {
			c.hear(key, t.sessions[id])
		}
	}
}

// regain takes the ids of t back. It tells whether another has one of them now, which t
// has no more then, and which are its own.
func (c *claims) regain(t *transcript) (lost bool, owned map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.released, t.yielding = false, false
	owned = make(map[string]bool, len(t.names))
	for id, name := range t.names {
		if owned[name] = c.owner[Key{t.at.Root.Harness, name}] == t; !owned[name] {
			c.drop(t, id, name)
			delete(t.names, id)
			lost = true
		}
	}
	if len(t.names) == 0 {
		t.twin = 0
	}
	return lost, owned
}

// of is what is to be kept of t's claims: its names by the reader's ids, and
// which of them are still its own.
func (c *claims) of(t *transcript) (names map[string]string, owned map[string]bool, twin int, released, doubted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	owned = make(map[string]bool, len(t.names))
	for _, name := range t.names {
		owned[name] = c.owner[Key{t.at.Root.Harness, name}] == t
	}
	return maps.Clone(t.names), owned, t.twin, t.released, t.doubted
}

// restore gives t the names back that were its own.
func (c *claims) restore(t *transcript, owned map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owner == nil {
		c.owner = make(map[Key]*transcript)
	}
	for id, name := range t.names {
		if owned[name] {
			key := Key{t.at.Root.Harness, name}
			c.owner[key] = t
			c.enter(t, id, name)
			c.hear(key, t.sessions[id])
		}
	}
}

// withdraw takes all names from t, and gives them with those of them that were its own.
func (c *claims) withdraw(t *transcript) (names map[string]string, owned map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	owned = make(map[string]bool, len(t.names))
	for id, name := range t.names {
		if owned[name] = c.owner[Key{t.at.Root.Harness, name}] == t; owned[name] {
			c.drop(t, id, name)
		}
	}
	return t.names, owned
}

// named is the name that t has for its session already.
func (c *claims) named(t *transcript, id string) (name string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, ok = t.names[id]
	return name, ok
}

// takeLosers are the transcripts that lost a name to another since the last
// call.
func (c *claims) takeLosers() []*transcript {
	c.mu.Lock()
	defer c.mu.Unlock()
	losers := c.losers
	c.losers = nil
	return losers
}

// find is the transcript whose session has this key, nil when there is none.
func (c *claims) find(key Key) *transcript {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owner[key]
}
