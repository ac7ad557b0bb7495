package index

import "slices"

// mergeSoon starts merging in the background when there is something to merge
// and nobody does. The caller holds mu.
func (x *Index) mergeSoon() {
	if x.merging || x.closed.Load() {
		return
	}
	if scope, _ := choose(x.now.Load(), due); scope == scopes {
		return
	}
	x.merging = true
	x.work.Go(x.mergeDue)
}

// mergeDue merges until nothing is left to do.
func (x *Index) mergeDue() {
	for x.mergeOne(due) {
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.merging = false
	x.mergeSoon() // what came between the last look and now
}

// Compact merges every scope's segments into as few as can hold them and drops
// what is dead. It returns when that is done.
func (x *Index) Compact() {
	for x.mergeOne(loose) {
	}
}

// loose chooses segments that need not be as they are.
func loose(segs []*Segment) []*Segment {
	if group := fit(segs); len(group) > 1 {
		return group
	}
	for _, s := range segs {
		if s.live < s.Len() {
			return []*Segment{s}
		}
	}
	return nil
}

// choose finds a scope with segments to merge; the scope is scopes when there
// is none.
func choose(s *Snapshot, rule func([]*Segment) []*Segment) (Scope, []*Segment) {
	for scope := range scopes {
		if group := rule(s.segs[scope]); group != nil {
			return scope, group
		}
	}
	return scopes, nil
}

// mergeOne merges once, by rule. It reports false when there was nothing to do
// or the index is closed.
func (x *Index) mergeOne(rule func([]*Segment) []*Segment) bool {
	x.mergeMu.Lock()
	defer x.mergeMu.Unlock()
	scope, group := choose(x.Snapshot(), rule)
	if group == nil || x.closed.Load() {
		return false
	}
	out, docs := merge(group, &x.closed)
	if out == nil {
		return false
	}
	x.replace(scope, group, out, docs)
	return true
}

// replace shows out in place of the group it was made of. What died or was
// abandoned in the group meanwhile is so in out.
func (x *Index) replace(scope Scope, group []*Segment, out *content, docs [][]uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	merged := x.segment(out)
	merged.dead, merged.undone = newBitmap(merged.Len()), newBitmap(len(out.turns.ids))
	var segs []*Segment
	for _, s := range next.segs[scope] {
		if i := slices.IndexFunc(group, func(g *Segment) bool { return g.content == s.content }); i >= 0 {
			merged.follow(s, docs[i])
			docs[i] = nil
		} else {
			segs = append(segs, s)
		}
	}
	for _, to := range docs { // of segments that have died whole
		for _, doc := range to {
			if doc != gone {
				merged.kill(doc)
			}
		}
	}
	merged.settle()
	if merged.live > 0 {
		segs = append(segs, merged)
	}
	next.segs[scope] = segs
	x.now.Store(&next)
}

// follow takes over what s says of its documents, which have the numbers to
// here. The segment is not published yet.
func (m *Segment) follow(s *Segment, to []uint32) {
	for doc, at := range to {
		if at == gone {
			continue
		}
		if s.Dead(uint32(doc)) {
			m.kill(at)
		}
		if s.undone == nil {
			continue
		}
		from, end := s.turns.of(uint32(doc))
		for turn := from; turn < end; turn++ {
			if s.undone.has(turn) {
				m.undone.set(m.turns.first[at] + turn - from)
			}
		}
	}
}

// kill makes a document dead. The segment is not published yet.
func (m *Segment) kill(doc uint32) {
	m.dead.set(doc)
	m.live--
	m.tokens -= int64(m.table.length[doc])
}

// settle drops bitmaps that say nothing.
func (m *Segment) settle() {
	if m.dead.count() == 0 {
		m.dead = nil
	}
	if m.undone.count() == 0 {
		m.undone = nil
	}
}
