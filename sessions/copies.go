package sessions

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What claims know of transcripts that tell of the same sessions.

// numberOf is which of the names of a session with a reader's id this one is: 0 for the
// id itself.
func numberOf(name, id string) int {
	number, twin := strings.CutPrefix(name, printableID(id)+"~")
	if !twin {
		return 0
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n - 1
}

// enter keeps t in mind for a name that it was given. The caller holds mu.
func (c *claims) enter(t *transcript, id, name string) {
	if key := (Key{t.at.Root.Harness, printableID(id)}); name != key.ID {
		c.join(t, key)
	}
}

// join has t found beside the one that has the key. The caller holds mu.
func (c *claims) join(t *transcript, key Key) {
	if slices.Contains(c.twins[key], t) {
		return
	}
	if c.twins == nil {
		c.twins = make(map[Key][]*transcript)
	}
	c.twins[key] = append(c.twins[key], t)
}

// drop takes a name from t. The caller holds mu.
func (c *claims) drop(t *transcript, id, name string) {
	key := Key{t.at.Root.Harness, printableID(id)}
	if all := slices.DeleteFunc(c.twins[key], func(o *transcript) bool { return o == t }); len(all) > 0 {
		c.twins[key] = all
	} else {
		delete(c.twins, key)
	}
	if own := (Key{key.Harness, name}); c.owner[own] == t {
		delete(c.owner, own)
		delete(c.copied, own)
		delete(c.said, own)
	}
}

// contested tells whether another transcript may tell of one of t's sessions.
func (c *claims) contested(t *transcript) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, name := range t.names {
		if key := (Key{t.at.Root.Harness, printableID(id)}); name != key.ID || len(c.twins[key]) > 0 {
			return true
		}
	}
	return false
}

// rivals are the transcripts that tell of the same sessions as t, by the reader's ids,
// but for those that are gone.
func (c *claims) rivals(t *transcript) map[string][]rival {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string][]rival)
	for id := range t.names {
		key := Key{t.at.Root.Harness, printableID(id)}
		others := c.twins[key]
		if first := c.owner[key]; first != nil {
			others = append([]*transcript{first}, others...)
		}
		for _, o := range others {
			if name := o.names[id]; o != t && !o.released && name != "" {
				all[id] = append(all[id], rival{t: o, name: name})
			}
		}
	}
	return all
}

// ids are the reader's ids of t's sessions.
func (c *claims) ids(t *transcript) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(t.names))
}

// doubt notes that t is to be compared with the others.
func (c *claims) doubt(t *transcript, surely bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.doubted, t.surely = true, t.surely || surely
}

// disquiet has the others compared with t again when it was read next, whatever comes
// of that.
func (c *claims) disquiet(t *transcript) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.restless = true
}

// calm tells whether that was asked, once.
func (c *claims) calm(t *transcript) (restless bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	restless, t.restless = t.restless, false
	return restless
}

// isDoubted tells whether it is.
func (c *claims) isDoubted(t *transcript) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return t.doubted
}

// doubted tells whether it is, and surely, once.
func (c *claims) doubted(t *transcript) (doubted, surely bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	doubted, surely = t.doubted, t.surely
	t.doubted, t.surely = false, false
	return doubted, surely
}

// copyOf is the name of the session that stands for the one with this key.
func (c *claims) copyOf(key Key) (stands string, copied bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stands, copied = c.copied[key]
	return stands, copied
}

// copies are t's names that are of copies, with the names of what stands for them.
func (c *claims) copies(t *transcript) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	copies := make(map[string]string)
	for _, name := range t.names {
		if stands, copied := c.copied[Key{t.at.Root.Harness, name}]; copied {
			copies[name] = stands
		}
	}
	return copies
}

// setCopies notes which of t's names are of copies.
func (c *claims) setCopies(t *transcript, copies map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.copied == nil {
		c.copied = make(map[Key]string)
	}
	for _, name := range t.names {
		key := Key{t.at.Root.Harness, name}
		if stands, copied := copies[name]; c.owner[key] == t && copied {
			is := Key{key.Harness, stands}
			before, was := c.copied[key]
			switch {
			case c.copied[is] != name:
			case was && before != stands:
				c.copied[is] = before // or each would be said to be a copy of the other
			default:
				delete(c.copied, is)
			}
			c.copied[key] = stands
		} else if c.owner[key] == t {
			delete(c.copied, key)
		}
	}
}

// succeed gives t the name of one that gives way to it: a copy of t, one that tells
// nothing, or one that is gone and stood for t until now (was), or any that is gone where
// nothing was told of t's yet (fresh), as take does.
func (c *claims) succeed(t *transcript, id, was string, fresh bool) (name string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, shown := t.names[id], printableID(id)
	for number := range numberOf(own, id) {
		key := Key{t.at.Root.Harness, numbered(shown, number)}
		o := c.owner[key]
		free := o == nil && was == key.ID
		if o != nil {
			to, yields := o.yields[key.ID]
			free = o.released && (was == key.ID || was == "" && fresh) || o.yielding && yields && (to == own || to == "")
		}
		if !free {
			continue
		}
		c.drop(t, id, own)
		if o != nil {
			c.losers = append(c.losers, o)
			c.join(o, Key{key.Harness, shown}) // until it has another name
		}
		delete(c.copied, key)
		c.owner[key], t.names[id] = t, key.ID
		if c.enter(t, id, key.ID); len(t.names) == 1 {
			t.twin = number
		}
		c.rename(id, Key{key.Harness, own}, key.ID)
		return key.ID, true
	}
	return "", false
}

// rename has the copies of a session say what its name is now. The caller holds mu.
func (c *claims) rename(id string, before Key, now string) {
	for _, o := range c.twins[Key{before.Harness, printableID(id)}] {
		if key := (Key{before.Harness, o.names[id]}); c.copied[key] == before.ID {
			c.copied[key] = now
			c.losers = append(c.losers, o)
		}
	}
}

// yield notes which names others are to take from t, all of whose Updates were applied,
// and gives those who are to.
func (c *claims) yield(t *transcript) (heirs []*transcript) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.yields, t.yielding = nil, true
	for id, name := range t.names {
		key := Key{t.at.Root.Harness, name}
		twins := c.twins[Key{key.Harness, printableID(id)}]
		if len(twins) == 0 || c.owner[key] != t {
			continue
		}
		b := t.sessions[id]
		c.hear(key, b)
		stands, copied := c.copied[key]
		switch {
		case copied && numberOf(stands, id) > numberOf(name, id):
		case b == nil || !b.live && !b.forgotten && !b.hidden && b.passages() == 0:
			stands = ""
		default:
			continue
		}
		if t.yields == nil {
			t.yields = make(map[string]string)
		}
		t.yields[name] = stands
		for _, o := range twins {
			own := o.names[id]
			if _, copied := c.copied[Key{key.Harness, own}]; !copied && numberOf(own, id) > numberOf(name, id) {
				heirs = append(heirs, o)
			}
		}
	}
	return heirs
}

// yielded tells whether what stands for a copy is going to take its name: what is gone, or
// a copy of what is, takes none.
func (c *claims) yielded(b *builder) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	stands := b.key
	for range len(c.copied) + 1 { // what is known of them may go round in a circle
		next, copied := c.copied[stands]
		if !copied {
			break
		}
		stands.ID = next
	}
	o := c.owner[stands]
	return (o == nil || !o.released) && numberOf(stands.ID, b.id) > numberOf(b.key.ID, b.id)
}

// stillCopies tells whether t tells nothing but what the same others do that did before.
func (c *claims) stillCopies(t *transcript, before map[string]string) bool {
	return len(before) > 0 && c.onlyCopies(t) && maps.Equal(before, c.copies(t))
}

// onlyCopies tells whether t tells nothing but what others do.
func (c *claims) onlyCopies(t *transcript) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range t.names {
		if _, copied := c.copied[Key{t.at.Root.Harness, name}]; !copied {
			return false
		}
	}
	return len(t.names) > 0
}
