package sessions

import "time"

// What stands for copies may be deleted, or may not be read any more, before they tell
// what it did. Its text stays then: it is gone from disk like any other that nothing else
// tells, and the copies stay copies of it, until one has as much to say. One that was
// written to since goes its own way, and stands beside it.

// saying is what is known of how much a session says, whether or not it was sent.
func (b *builder) saying(modified time.Time) Session {
	if b.hidden || b.asleep() {
		return *b.facts
	}
	s := Session{LastActive: b.facts.LastActive, TimeFrom: b.facts.TimeFrom}
	b.tally.fill(&s, modified)
	s.Passages = b.numbers.cut.Count()
	s.Title = ""
	return s
}

// less tells whether a session says less than what stood for it did, which is said.
func (b *builder) less(said *Session, modified time.Time) bool {
	if said == nil {
		return false
	}
	own := b.saying(modified)
	return said.more(&own)
}

// lags tells whether a copy says less than what stood for it did, and nothing since. It notes
// that the copy is covered where only its file's time is newer.
func (b *builder) lags(said *Session, modified time.Time) bool {
	own := b.saying(modified)
	// Copying changes the only time that there is where no message has one.
	b.covered = b.covered || own.TimeFrom == TimeMtime && b.within != nil && !own.more(b.within)
	return own.Passages > 0 && b.less(said, modified) && (b.covered || !own.LastActive.After(said.LastActive))
}

// recall takes over what was seen to be covered of what a session said before.
func (b *builder) recall(earlier *builder) {
	if b.within = earlier.within; earlier.hidden && earlier.covered {
		b.within = earlier.facts
	}
}

// beyond tells whether a copy says more than what stands for it did.
func (b *builder) beyond(said *Session, modified time.Time) bool {
	own := b.saying(modified)
	return said == nil || own.LastActive.After(said.LastActive) || own.more(said)
}

// more tells whether a session says more of anything than another.
func (s *Session) more(o *Session) bool {
	return s.Passages > o.Passages || s.Prompts > o.Prompts || s.Replies > o.Replies || s.ToolCalls > o.ToolCalls
}

// hear keeps in mind what was sent of a session. The caller holds mu.
func (c *claims) hear(key Key, b *builder) {
	if b == nil || !b.live || b.hidden || b.forgotten || b.sent.ID == "" {
		delete(c.said, key)
		return
	}
	if c.said == nil {
		c.said = make(map[Key]*Session)
	}
	c.said[key] = b.sent
}

// hush drops what was sent of t's session with a key, which is forgotten: called back when t
// is gone, what is left of it is in its copies.
func (c *claims) hush(t *transcript, key Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owner[key] == t {
		delete(c.said, key)
	}
}

// saidBy is what was sent last of t's session with a name, nil when that is not known.
func (c *claims) saidBy(t *transcript, name string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key := (Key{t.at.Root.Harness, name}); c.owner[key] == t {
		return c.said[key]
	}
	return nil
}

// stood is the name of what stood for a copy of t's until it was gone, and what was sent
// of that: what has the name that is known of it (was), or what stood for that in turn. Of
// a session of which nothing was told yet it is the first that is gone.
func (c *claims) stood(t *transcript, b *builder, was string) (name string, said *Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := Key{t.at.Root.Harness, was}
	if was == "" && !b.live {
		key.ID = c.firstGone(t, b)
	}
	for range len(c.copied) + 1 { // what is known of them may go round in a circle
		next := c.copied[key]
		if c.owner[key] == t || next == "" {
			break
		}
		key.ID = next
	}
	if o := c.owner[key]; o != nil && o != t && o.released {
		return key.ID, c.said[key]
	}
	return was, nil
}

// firstGone is the first name of a session of t's that one has which is gone, "" when
// there is none. The caller holds mu.
func (c *claims) firstGone(t *transcript, b *builder) string {
	for number := range numberOf(b.key.ID, b.id) {
		key := Key{t.at.Root.Harness, numbered(printableID(b.id), number)}
		if o := c.owner[key]; o != nil && o != t && o.released && c.said[key] != nil {
			return key.ID
		}
	}
	return ""
}
