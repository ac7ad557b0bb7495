package index

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"yore/sessions"
)

// Unwritten is how many passages, and how many bytes of text, are in memory
// alone.
func (s *Store) Unwritten() (passages int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for scope, segs := range s.x.Snapshot().segs {
		for _, seg := range segs {
			if s.has(seg.id) {
				continue
			}
			bytes += int64(seg.texts.packedBytes())
			if Scope(scope) != Tools {
				passages += seg.live
			}
		}
	}
	return passages, bytes
}

func (s *Store) has(id uint64) bool { return s.sizes[segmentName(id)] > 0 }

// errMissed is why a process that could write does not.
var errMissed = errors.New("another process has written since this one began, or one of a newer version")

// Publish writes what is in memory alone. Save calls its argument with the
// states of the transcripts that changed, in a moment in which the index holds
// just what they speak of. It does nothing while another process writes.
func (s *Store) Publish(save func(take func([]sessions.Saved))) error {
	return s.publishAs(save, false)
}

// PublishLast is Publish by a process that ends: it leaves a ledger that is quickly read.
func (s *Store) PublishLast(save func(take func([]sessions.Saved))) error {
	return s.publishAs(save, true)
}

func (s *Store) publishAs(save func(take func([]sessions.Saved)), last bool) error {
	err := s.publish(save, nil, last)
	if errors.Is(err, errMissed) {
		return nil
	}
	return err
}

// publish does what Publish does, or what Purge does in the end where clean is given.
// It is errMissed that another process writes.
func (s *Store) publish(save func(take func([]sessions.Saved)), clean *Clean, last bool) error {
	s.x.mergeMu.Lock()
	defer s.x.mergeMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	if err := s.mayWrite(); err != nil {
		if !errors.Is(err, errMissed) {
			s.failed = err
		}
		return err
	}
	s.takeLost()
	var snap *Snapshot
	save(func(states []sessions.Saved) {
		snap = s.x.Snapshot()
		for _, state := range states {
			s.pending[stateKey(state)] = state.State
		}
	})
	if s.failed = s.write(snap, clean, last); s.failed != nil {
		s.tidy() // half an index is no use, and the disk may be full
	}
	return s.failed
}

// mayWrite makes this process the writer if it can be.
func (s *Store) mayWrite() error {
	if s.lock != nil {
		if s.locked(s.lock) {
			return nil
		}
		s.release()
		s.missed = !s.newer
		s.note("The index in %s was removed or made anew while this yore ran, which writes nothing there any more: the next start reads again what is missing.", s.dir)
	}
	if s.missed || s.newer {
		return errMissed
	}
	taken, err := s.take()
	if err != nil {
		return err
	}
	if !taken {
		return errMissed
	}
	if s.standBack() {
		return errMissed
	}
	now, err := readManifest(s.dir)
	if err == nil && (now == nil && s.on.generation == 0 || now != nil && string(now.encode()) == string(s.on.encode())) {
		s.setAsideLost()
		return nil
	}
	s.release()
	s.missed = true
	return errMissed
}

// write makes what snap shows the content of the directory, and with clean nothing else.
// With last the ledger is to be tidy.
func (s *Store) write(snap *Snapshot, clean *Clean, last bool) error {
	records, err := s.records(snap)
	if err != nil {
		return err
	}
	next := manifest{generation: s.on.generation, ordinals: max(s.on.ordinals, uint32(snap.dir.size)), written: s.on.written}
	next.ledger, next.clean, next.by = s.on.ledger, s.on.clean, s.revisions()
	if clean != nil {
		next.clean = *clean
	}
	sizes, written, err := s.writeSegments(snap, &next)
	if err != nil {
		return err
	}
	// A ledger that is to be written anew is made of snap, not of records.
	renewed := s.ledger.size == 0 && snap.dir.size > 0
	untidy := last && s.ledger.untidy(&snap.dir)
	if len(records) == 0 && !untidy && !renewed && len(written) == 0 && !s.unsure && string(next.encode()) == string(s.on.encode()) && len(sizes) == len(s.sizes) {
		return nil
	}
	next.generation++
	packed, _ := snap.dir.pack()
	end, keep, err := s.ledger.put(s.dir, records, &packed, untidy || clean != nil)
	if err != nil {
		return err
	}
	next.ledger = end
	if clean != nil {
		if s.stays = s.removeAside(); s.stays != nil { // it is not clean, though all else is written that makes it so
			next.clean = s.on.clean
		}
	}
	if err := next.write(s.dir); err != nil {
		return err
	}
	keep()
	before := s.on.clean
	s.on, s.sizes = next, sizes
	s.shown = &Snapshot{dir: packed}
	if !slices.Equal(packed.pages, snap.dir.pages) {
		s.x.pack(&snap.dir, &packed)
	}
	clear(s.pending)
	for c, vectorsAlone := range written {
		s.leave(c, vectorsAlone)
	}
	if err := s.finish(before, clean != nil && s.stays == nil); err != nil || clean == nil {
		return err
	}
	return s.stays
}

// finish removes what the manifest that was just written does not name, once that is surely
// on disk: until then a power cut may bring back the former one. With purged it is known
// to be clean only then.
func (s *Store) finish(before Clean, purged bool) error {
	now := s.on.clean
	s.on.clean, s.unsure = before, true
	if err := s.sync(s.dir); err != nil {
		return err
	}
	s.on.clean, s.unsure, s.taken = now, false, false
	if purged {
		s.lost = nil // nothing is kept that may hold what was removed
		s.x.fresh.drop()
	}
	s.setAsideLost()
	if purged {
		s.sweepPatiently()
	} else {
		s.tidy()
	}
	return nil
}

// stateKey is under what a state is kept.
func stateKey(s sessions.Saved) recordKey {
	switch {
	case s.Many:
		return recordKey{recordSleepers, s.Number}
	case s.Folder:
		return recordKey{recordFolder, s.Number}
	}
	return recordKey{recordTranscript, s.Number}
}

// records are what the ledger lacks: of one that is to be written anew the states alone,
// since all sessions come with it. It fails where not all is known of one.
func (s *Store) records(snap *Snapshot) (map[recordKey][]byte, error) {
	records := make(map[recordKey][]byte)
	maps.Copy(records, s.pending)
	if s.ledger.size == 0 {
		return records, nil
	}
	var read unpacker
	var b []byte // so that of many each takes no more than it is long
	for at, now := range snap.dir.pages {
		var shown *page
		if at < len(s.shown.dir.pages) {
			shown = s.shown.dir.pages[at]
		}
		if now == shown {
			continue
		}
		for i := range uint32(chunk) {
			ord := uint32(at)*chunk + i
			if int64(ord) >= int64(snap.dir.size) || shown != nil && now != nil && now.same(shown, i) {
				continue
			}
			e, err := read.all(now, i)
			if err != nil {
				return nil, err
			}
			b = appendEntry(b[:0], e)
			records[recordKey{recordSession, uint64(ord)}] = slices.Clone(b)
		}
	}
	return records, nil
}

// gather makes few segments of the small ones that are in memory alone, and
// returns what the directory is to hold of a scope.
func (s *Store) gather(scope Scope, segs []*Segment) []*Segment {
	const small = 4096
	var out, fresh []*Segment
	for _, seg := range segs {
		if s.has(seg.id) || seg.live > small || slices.ContainsFunc(s.x.aside, func(a *Segment) bool { return a.id == seg.id }) {
			out = append(out, seg)
		} else {
			fresh = append(fresh, seg)
		}
	}
	for _, rest := range mergeable(fresh) {
		for len(rest) > 1 {
			group := fit(rest, MaxDocs, maxBytes)
			if len(group) < 2 {
				break // even the smallest are too large together
			}
			content := s.x.merge(scope, group, never)
			if content == nil {
				break // the next Heal sees what could not be read
			}
			out = append(out, newSegment(content, s.x.cache))
			rest = slices.DeleteFunc(rest, func(seg *Segment) bool { return slices.Contains(group, seg) })
		}
		out = append(out, rest...)
	}
	return out
}

// leave leaves to its files what of a segment need not be in memory, or only its vectors. If
// they cannot be opened again, it stays where it is.
func (s *Store) leave(c *content, vectorsAlone bool) {
	if vectorsAlone {
		s.leaveVectors(c)
		return
	}
	left, err := c.leave(filepath.Join(s.dir, segmentName(c.id)))
	if err != nil {
		return
	}
	if vectors, err := c.vectors.leave(filepath.Join(s.dir, vectorsName(c.id))); err == nil {
		left.vectors = vectors
	}
	s.x.exchange(left)
}

// leaveVectors leaves to their file the vectors of a segment whose others were on disk. All
// else it goes on to read from where it does, so that what failed there is not forgotten.
func (s *Store) leaveVectors(c *content) {
	vectors, err := c.vectors.leave(filepath.Join(s.dir, vectorsName(c.id)))
	if err != nil {
		return
	}
	s.x.reshow(c.scope, c.id, func(now *content) *content {
		if now.file != c.file || now.vectors.model != c.vectors.model {
			return now // it was healed meanwhile
		}
		left := *now
		left.vectors = vectors
		return &left
	})
}

// writeSegments writes what of the segments is not on disk yet, and has next name them all. It
// gives the sizes of their files, and of what was written whether that is vectors alone, in the
// place of others.
func (s *Store) writeSegments(snap *Snapshot, next *manifest) (sizes map[string]int64, written map[*content]bool, err error) {
	sizes, written = make(map[string]int64), make(map[*content]bool)
	for scope := range snap.segs {
		for _, seg := range s.gather(Scope(scope), snap.segs[scope]) {
			if fresh := !s.has(seg.id); fresh || s.outdated(seg) {
				written[seg.content] = !fresh
			}
			if err := s.writeSegment(seg, &snap.dir, sizes); err != nil {
				return nil, nil, err
			}
			next.segments = append(next.segments, kept{seg.id, seg.dead, seg.undone})
			next.written = max(next.written, seg.id)
		}
	}
	return sizes, written, nil
}

// writeSegment writes what of a segment is not on disk yet, and notes the sizes
// of its files.
func (s *Store) writeSegment(seg *Segment, dir *directory, sizes map[string]int64) error {
	name := segmentName(seg.id)
	sizes[name] = s.sizes[name]
	if !s.has(seg.id) {
		path := filepath.Join(s.dir, name)
		owners, err := dir.owners(seg.content)
		if err != nil {
			return err
		}
		size, err := writeSegment(path, seg.content, owners)
		if err != nil {
			return err
		}
		sizes[name] = size
	}
	if seg.vectors.dim == 0 {
		return nil
	}
	name = vectorsName(seg.id)
	sizes[name] = s.sizes[name]
	if sizes[name] > 0 && !s.outdated(seg) {
		return nil
	}
	s.makeWay(name)
	size, err := writeVectors(filepath.Join(s.dir, name), &seg.vectors)
	sizes[name] = size
	if err == nil {
		s.models[seg.id] = seg.vectors.model
	}
	return err
}

// outdated tells whether the vectors of a segment on disk are another model's than
// those in memory.
func (s *Store) outdated(seg *Segment) bool {
	return seg.vectors.dim > 0 && s.models[seg.id] != seg.vectors.model
}
