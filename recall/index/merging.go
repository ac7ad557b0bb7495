package index

import (
	"context"
	"slices"
)

// job is a group of segments of one scope that are to become one.
type job struct {
	scope Scope
	group []*Segment
	read  bool // their words are to be cut
	embed bool // of the only one the vectors are to be made
	waits bool // it is given up for who may not wait
}

// next is what is to be done in the background, false when nothing is. What takes long is
// not begun while somebody may not wait: given up at once, it would be begun again without
// end.
func (x *Index) next() (job, bool) {
	urgent := x.urgent.Load() > 0
	j, ok := x.nextOf(x.Snapshot(), x.opts.Brief || urgent, urgent)
	j.waits = !urgent
	return j, ok && (!j.embed || !urgent)
}

// nextOf is next; brief leaves what is large, and urgent also that without which nothing of
// it is found.
func (x *Index) nextOf(s *Snapshot, brief, urgent bool) (job, bool) {
	if j, ok := x.nextStale(s, brief, urgent); ok {
		return j, true
	}
	rule := due
	if brief {
		rule = dueBriefly
	}
	if j, ok := choose(s, rule); ok {
		return j, true
	}
	if !urgent && x.tools.Load() {
		if group := unread(s.segs[Tools]); len(group) > 0 {
			return job{scope: Tools, group: group, read: true}, true
		}
	}
	return job{}, false
}

// choose finds segments to merge by a rule.
func choose(s *Snapshot, rule func([]*Segment) []*Segment) (job, bool) {
	for scope, segs := range s.segs {
		for _, kind := range mergeable(segs) {
			if group := rule(kind); len(group) > 0 {
				return job{scope: Scope(scope), group: group}, true
			}
		}
	}
	return job{}, false
}

// mergeable parts segments into those that may become one: of all the words are cut by
// one revision, or of none. What is said of the words of a segment holds for all in it.
func mergeable(segs []*Segment) [][]*Segment {
	var kinds [][]*Segment
	for _, s := range segs {
		at := slices.IndexFunc(kinds, func(k []*Segment) bool { return k[0].unread == s.unread && (s.unread || k[0].cut == s.cut) })
		if at < 0 {
			at, kinds = len(kinds), append(kinds, nil)
		}
		kinds[at] = append(kinds[at], s)
	}
	return kinds
}

// mergeSoon starts the work in the background when there is some and nobody
// does it. The caller holds mu.
func (x *Index) mergeSoon() {
	if x.merging || x.closed.Load() {
		return
	}
	if _, ok := x.next(); ok {
		x.merging = true
		x.work.Go(x.mergeDue)
	}
}

// Settle does what is to be done in the background, and returns when nothing is, the
// index is closed or ctx has ended. What is put off for who may not wait it does after that.
func (x *Index) Settle(ctx context.Context) {
	for ctx.Err() == nil {
		relaxed := x.nextRelax()
		x.doDue(ctx)
		if x.urgent.Load() == 0 && x.nextRelax() == relaxed {
			return // nothing was put off
		}
		select {
		case <-relaxed:
		case <-ctx.Done():
		}
	}
}

// doDue does what is to be done now.
func (x *Index) doDue(ctx context.Context) {
	for ctx.Err() == nil && x.do(x.next) {
		if relieve := x.relieve.Load(); relieve != nil {
			(*relieve)()
		}
	}
}

// mergeDue merges until nothing is left to do. What is put off, relax begins again.
func (x *Index) mergeDue() {
	x.doDue(context.Background())
	x.mu.Lock()
	defer x.mu.Unlock()
	x.merging = false
	x.mergeSoon() // what came between the last look and now
}

// Relieve has f called after each merge in the background, before the next begins: what
// was merged lies in memory until it is written, and one after the other would fill it.
func (x *Index) Relieve(f func()) { x.relieve.Store(&f) }

// Compact merges every scope's segments into as few as can hold them and drops
// what is dead. It returns when that is done.
func (x *Index) Compact() {
	for x.do(func() (job, bool) {
		s := x.Snapshot()
		if j, ok := x.nextStale(s, false, false); ok {
			return j, true
		}
		return choose(s, loose)
	}) {
	}
}

// do does one job at a time, and tells whether there may be another: not when there was none,
// the index is closed, or the same would come to nothing again.
func (x *Index) do(next func() (job, bool)) bool {
	x.jobMu.Lock()
	defer x.jobMu.Unlock()
	x.mergeMu.Lock()
	defer x.mergeMu.Unlock()
	x.Heal()
	j, ok := next()
	if !ok || x.closed.Load() {
		return false
	}
	if j.embed {
		return x.embed(j.group[0])
	}
	stop := x.closed.Load
	if j.waits {
		stop = x.pressed
	}
	if !j.read {
		return x.mergeAside(j.scope, j.group, stop)
	}
	m := newMerger(j.group, stop)
	out, rest := m.read(x)
	if out == nil {
		return excused(j.group, stop)
	}
	x.replace(j.scope, j.group, out, m.docs, rest)
	return true
}

// pressed tells whether what takes long is to be given up: the index is closed, or somebody
// may not wait.
func (x *Index) pressed() bool { return x.closed.Load() || x.urgent.Load() > 0 }

// never is for who gives up nothing.
func never() bool { return false }

// mergeAside shows one segment in place of a group, and tells what do does. A large one is
// made while mergeMu, which the caller holds, is free.
func (x *Index) mergeAside(scope Scope, group []*Segment, stop func() bool) bool {
	if !spills(group) {
		return x.merge(scope, group, stop) != nil || excused(group, stop)
	}
	var out *content
	var docs [][]uint32
	x.beside(group, func() { out, docs = x.merged(group, stop) })
	if out == nil {
		return excused(group, stop)
	}
	x.replace(scope, group, out, docs, MaxDocs)
	return true
}

// excused tells whether it is known why nothing was made of segments: it was stopped, or they
// cannot be read, which the next job heals. Else it would come to nothing each time.
func excused(group []*Segment, stop func() bool) bool { return stop() || unreadable(group) }

// unreadable tells whether something of segments could not be read.
func unreadable(group []*Segment) bool {
	return slices.ContainsFunc(group, func(s *Segment) bool { return s.err() != nil })
}

// beside does what takes seconds with a group of segments. What is read meanwhile must be
// written, or it would fill the memory: so mergeMu, which the caller holds, is free then,
// and whoever takes it leaves the group as it is.
func (x *Index) beside(group []*Segment, do func()) {
	x.aside = group
	x.mergeMu.Unlock()
	do()
	x.mergeMu.Lock()
	x.aside = nil
}

// merge shows one segment in place of a group and gives what it holds; nil as with
// merged.
func (x *Index) merge(scope Scope, group []*Segment, stop func() bool) *content {
	out, docs := x.merged(group, stop)
	if out != nil {
		x.replace(scope, group, out, docs, MaxDocs)
	}
	return out
}

// merged is one segment of a group, with the new numbers of their documents; nil when it
// was stopped or something could not be read. Where much is merged it goes through a
// file, or the memory if the disk does not take it.
func (x *Index) merged(group []*Segment, stop func() bool) (out *content, docs [][]uint32) {
	if spills(group) {
		m := newMerger(group, stop)
		if m.spill = x.newSpill(); m.spill != nil {
			if out = m.merge(); out != nil || excused(group, stop) {
				return out, m.docs
			}
		}
	}
	m := newMerger(group, stop)
	return m.merge(), m.docs
}

// newSpill begins one in the directory in which the index is kept, nil where there is
// none.
func (x *Index) newSpill() *spill {
	dir := x.dir.Load()
	if dir == nil {
		return nil
	}
	s, err := newSpill(*dir)
	if err != nil {
		return nil // what is in the way is said when it is published
	}
	return s
}

// replace shows out in place of the group it was made of, but for the documents from
// rest on. What died or was abandoned in the group meanwhile is so in out.
func (x *Index) replace(scope Scope, group []*Segment, out *content, docs [][]uint32, rest uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	merged := x.segment(out)
	merged.dead, merged.undone = newBitmap(merged.Len()), newBitmap(out.turns.ids.len())
	var segs []*Segment
	for _, s := range next.segs[scope] {
		if i := slices.IndexFunc(group, func(g *Segment) bool { return g.id == s.id }); i >= 0 {
			merged.follow(s, docs[i])
			docs[i] = nil
			if left := s.withDead(0, min(rest, uint32(s.Len()))); left.live > 0 {
				segs = append(segs, left)
			}
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

// follow takes over what old says of its documents, which have the numbers to
// here. The segment is not published yet.
func (s *Segment) follow(old *Segment, to []uint32) {
	for doc, at := range to {
		if at == gone {
			continue
		}
		if old.Dead(uint32(doc)) {
			s.kill(at)
		}
		if old.undone == nil {
			continue
		}
		from, end := old.turns.of(uint32(doc))
		for turn := from; turn < end; turn++ {
			if old.undone.has(turn) {
				s.undone.set(s.turns.first.get(at) + turn - from)
			}
		}
	}
}

// kill makes a document dead. The segment is not published yet.
func (s *Segment) kill(doc uint32) {
	s.dead.set(doc)
	s.live--
	s.tokens -= int64(s.table.length[doc])
}

// settle drops bitmaps that say nothing.
func (s *Segment) settle() {
	if s.dead.count() == 0 {
		s.dead = nil
	}
	if s.undone.count() == 0 {
		s.undone = nil
	}
}
