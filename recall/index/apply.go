package index

import (
	"cmp"
	"math"
	"slices"

	"yore/sessions"
)

// change is one Update as it concerns the index.
type change struct {
	*sessions.Update
	ord     uint32
	old     *Entry             // nil when the session is new
	void    bool               // nothing of what was there stays
	from    uint32             // else passages from this number on are replaced
	first   uint32             // the number of the first of Passages
	carried []sessions.Passage // earlier ones that have to move to another scope
	hung    uint32             // turns that hang there already
}

// Apply takes in what changed. It may be called by several goroutines, as long
// as no two of them hold Updates of the same session. When it returns, the
// next Snapshot shows the Updates.
func (x *Index) Apply(us []sessions.Update) {
	for len(us) > 0 {
		n := distinct(us)
		x.apply(us[:n])
		us = us[n:]
	}
}

// distinct is how many Updates from the first on are of different sessions.
func distinct(us []sessions.Update) int {
	seen := make(map[sessions.Key]struct{}, len(us))
	for i := range us {
		if _, again := seen[us[i].Key]; again {
			return i
		}
		seen[us[i].Key] = struct{}{}
	}
	return len(us)
}

// apply takes in Updates of different sessions.
func (x *Index) apply(us []sessions.Update) {
	changes := make([]change, len(us))
	for {
		base := x.Snapshot()
		for i := range us {
			changes[i] = x.change(base, &us[i])
		}
		if base.Err() == nil {
			break
		}
		x.Heal() // what moves to another scope may lack what the next snapshot has, or is known to lack
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.ord, b.ord) })
	x.publish(changes, x.build(changes))
}

// change works out what an Update does to what base knows of its session.
func (x *Index) change(base *Snapshot, u *sessions.Update) change {
	c := change{Update: u, ord: x.names.ord(u.Key)}
	c.old = base.Session(c.ord)
	c.void = u.Removed || u.Reset
	c.first = uint32(min(max(u.From, 0), math.MaxInt32))
	c.from = c.first
	if c.old == nil || c.void {
		return c
	}
	c.hung = c.old.hung
	if scopeOf(&u.Session) != scopeOf(&c.old.Session) {
		for n := range min(c.first, uint32(c.old.Numbered)) {
			if ref, ok := base.At(c.ord, n); ok {
				c.carried = append(c.carried, ref.Seg.Passage(ref.Doc))
			}
		}
		c.from = 0
	}
	return c
}

// entry is the session after the change, nil when it is forgotten.
func (c *change) entry() *Entry {
	if c.Removed {
		return nil
	}
	return &Entry{
		Session:  c.Session,
		Numbered: int(c.first) + len(c.Passages),
		hung:     c.hung + uint32(len(c.Hung)),
	}
}

// build makes segments of the new text, by scope.
func (x *Index) build(changes []change) [scopes][]*content {
	series := [scopes]series{{scope: Talk}, {scope: Agents}, {scope: Tools, unread: !x.tools.Load()}}
	for i := range changes {
		c := &changes[i]
		if c.Removed {
			continue
		}
		talk := &series[scopeOf(&c.Session)]
		for j := range c.carried {
			p := &c.carried[j]
			talk.next(x).passage(c.ord, uint32(p.Number), p)
		}
		for j := range c.Passages {
			talk.next(x).passage(c.ord, c.first+uint32(j), &c.Passages[j])
		}
		for _, j := range byPassage(c.Hung) {
			h := &c.Hung[j]
			series[Tools].next(x).hung(c.ord, hungOn(h), c.hung+uint32(j), h)
		}
	}
	var out [scopes][]*content
	for scope := range series {
		out[scope] = series[scope].finish(x)
	}
	return out
}

// byPassage is the places in hung in the order of the passages on which they
// hang, else as they are.
func byPassage(hung []sessions.Hung) []int {
	order := make([]int, len(hung))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(hungOn(&hung[a]), hungOn(&hung[b]))
	})
	return order
}

// hungOn is the number of the passage on which a turn hangs.
func hungOn(h *sessions.Hung) uint32 {
	return uint32(min(max(h.Passage, 0), math.MaxInt32))
}

// series is the segments that one Apply makes in one scope, mostly one.
type series struct {
	scope  Scope
	unread bool
	b      *builder
	done   []*content
}

// next is the builder for another document.
func (s *series) next(x *Index) *builder {
	if s.b != nil && s.b.full() {
		s.finish(x)
	}
	if s.b == nil {
		s.b = x.newBuilder(s.scope, s.unread)
	}
	return s.b
}

// finish gives the segments, whose texts are on disk from then on where there is one.
func (s *series) finish(x *Index) []*content {
	if s.b != nil {
		c := s.b.finish()
		x.fresh.take(c, x.newSpill)
		s.done = append(s.done, c)
		s.b = nil
	}
	return s.done
}

// publish shows the changes with their new text, all at once.
func (x *Index) publish(changes []change, fresh [scopes][]*content) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	next.Generation++
	for scope := range next.segs {
		segs := slices.Clone(next.segs[scope])
		for i := range changes {
			changes[i].bury(Scope(scope), segs)
		}
		for _, c := range fresh[scope] {
			segs = append(segs, x.segment(c))
		}
		for i := range changes {
			x.mark(&changes[i], segs)
		}
		next.segs[scope] = slices.DeleteFunc(segs, func(s *Segment) bool { return s == nil || s.live == 0 })
	}
	entries := make([]entry, len(changes))
	for i := range changes {
		entries[i] = entry{changes[i].ord, changes[i].entry()}
	}
	next.dir = next.dir.with(entries)
	x.now.Store(&next)
	x.mergeSoon()
}

// pack puts the packed pages of a directory in the place of those that did not change
// since.
func (x *Index) pack(before, packed *directory) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	next.dir = next.dir.replace(before, packed)
	x.now.Store(&next)
}

// bury makes what the change replaces dead.
func (c *change) bury(scope Scope, segs []*Segment) {
	if c.old == nil || scope == Tools && !c.void {
		return
	}
	for i, s := range segs {
		if c.void {
			segs[i] = s.withDead(s.table.run(c.ord))
		} else {
			segs[i] = s.withDead(s.table.since(c.ord, c.from))
		}
	}
}

// mark notes which turns are abandoned now and which no longer. Of a segment that cannot
// tell, it first takes what can be read of its file; nil where that is nothing, which then is
// read anew. The caller holds mu.
func (x *Index) mark(c *change, segs []*Segment) {
	if len(c.Undone)+len(c.Redone) == 0 {
		return
	}
	flags := make(map[uint64]bool, len(c.Undone)+len(c.Redone))
	for _, id := range c.Undone {
		flags[idKey(id)] = true
	}
	for _, id := range c.Redone {
		flags[idKey(id)] = false
	}
	delete(flags, idKey("")) // turns without an id cannot be named
	for i, s := range segs {
		if s == nil {
			continue
		}
		marked, ok := s.withUndone(c.ord, flags)
		if !ok {
			if marked = x.healed(s); marked != nil {
				marked, _ = marked.withUndone(c.ord, flags) // its ids are held
			}
		}
		segs[i] = marked
	}
}
