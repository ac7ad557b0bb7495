package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"yore/sessions"
)

// readAgain is how often a manifest is read anew whose files were replaced
// before they were opened.
const readAgain = 5

// read fills the index with what the directory holds.
func (s *Store) read() (saved []sessions.Saved, err error) {
	for range readAgain {
		var again bool
		if saved, again, err = s.readOnce(); !again {
			break
		}
	}
	return saved, err
}

// readOnce tells by again that a file which the manifest names is gone, while
// another process writes.
func (s *Store) readOnce() (saved []sessions.Saved, again bool, err error) {
	m, doubtful, err := s.manifest()
	if m == nil || err != nil {
		return nil, false, err
	}
	l, found, lost, err := s.ledgerOf(m)
	if err != nil {
		return nil, errors.Is(err, os.ErrNotExist) && s.lock == nil, fmt.Errorf("its ledger: %w", err)
	}
	next := Snapshot{names: &s.x.names, Generation: 1}
	saved, names, err := next.enter(found, m.ordinals)
	if err != nil {
		return nil, false, err
	}
	sizes := make(map[string]int64)
	doubtful = doubtful || found.damaged
	for i := range m.segments {
		seg, err := s.open(&m.segments[i], &next.dir, sizes)
		if errors.Is(err, os.ErrNotExist) && s.lock == nil {
			return nil, true, err
		}
		if err != nil {
			l := loss{segmentName(m.segments[i].id), err, seg != nil}
			lost = append(lost, l.name)
			s.notes = append(s.notes, s.lossNote(l))
		}
		if seg != nil && seg.live > 0 {
			next.segs[seg.scope] = append(next.segs[seg.scope], seg)
		}
	}
	if doubtful {
		next.doubt(found.damaged)
		m.ordinals, l.size = uint32(next.dir.size), 0
	}
	if l.size == 0 {
		for _, state := range saved {
			s.pending[stateKey(state)] = state.State
		}
	}
	s.on, s.ledger, s.sizes, s.lost = *m, *l, sizes, lost
	s.show(&next, names, doubtful)
	if l.size == 0 {
		s.shown = &Snapshot{}
	}
	return saved, false, nil
}

// enter takes in the sessions of a ledger, and gives the states of the transcripts.
func (s *Snapshot) enter(found *entries, ordinals uint32) (saved []sessions.Saved, names map[sessions.Key]uint32, err error) {
	var ords []uint32
	for key, record := range found.records {
		switch {
		case key.kind == recordTranscript, key.kind == recordSleepers:
			saved = append(saved, sessions.Saved{
				Number: key.id, State: record[len(record)-payload(record).Rest():], First: found.first, Many: key.kind == recordSleepers,
			})
		case key.id >= uint64(ordinals):
			return nil, nil, errDamaged
		default:
			ords = append(ords, uint32(key.id))
		}
	}
	slices.Sort(ords)
	names = make(map[sessions.Key]uint32, len(ords))
	for len(ords) > 0 { // one page after the other, so that most are packed before the next are read
		at, last := int(ords[0]/chunk), ords[len(ords)-1]
		s.dir.pages = append(s.dir.pages, make([]*page, at-len(s.dir.pages))...)
		p := &page{}
		for ; len(ords) > 0 && int(ords[0]/chunk) == at; ords = ords[1:] {
			r := payload(found.records[recordKey{recordSession, uint64(ords[0])}])
			if p.entries[ords[0]%chunk] = readEntry(r); r.Bad() {
				return nil, nil, errDamaged
			}
		}
		s.dir.pages = append(s.dir.pages, p.pack())
		s.dir.size = int(last) + 1
		for i := range uint32(chunk) {
			if b, ok := s.dir.brief(uint32(at)*chunk + i); ok {
				names[b.Key] = uint32(at)*chunk + i
			}
		}
	}
	return saved, names, nil
}

// show makes what was read what the index holds.
func (s *Store) show(next *Snapshot, names map[sessions.Key]uint32, doubtful bool) {
	x := s.x
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names.mu.Lock()
	x.names.ords, x.names.next = names, s.on.ordinals
	x.names.mu.Unlock()
	x.written, x.doubtful = s.on.written, doubtful
	s.shown = &Snapshot{dir: next.dir}
	x.now.Store(next)
}

// open reads one segment with its vectors. What is wrong with the vectors costs
// them alone. Of a file of a former version, or one that is damaged, it reads what it
// can; with a segment the error says that it is not all.
func (s *Store) open(k *kept, dir *directory, sizes map[string]int64) (*Segment, error) {
	path := filepath.Join(s.dir, segmentName(k.id))
	c, size, wrong := openAny(path)
	if c == nil {
		return nil, wrong
	}
	c.id = k.id
	if !k.dead.valid(c.table.len()) || !k.undone.valid(len(c.turns.ids)) {
		return nil, errDamaged
	}
	var missing bitmap
	if wrong != nil {
		missing = c.texts.unreadable()
	}
	seg := c.restored(k, missing, dir, s.x.cache)
	if wrong != nil && seg.live == 0 {
		return nil, wrong
	}
	sizes[segmentName(k.id)] = size
	if s.x.opts.Model != nil && c.scope != Tools && !c.bare {
		name := vectorsName(k.id)
		v, size, err := openVectors(filepath.Join(s.dir, name), s.x.known, c.table.len())
		if err == nil {
			c.vectors, sizes[name] = v, size
			s.models[k.id] = v.model
		}
	}
	return seg, wrong
}

// restored is the segment as it was kept; documents that are missing or of sessions
// that are not known there are dead.
func (c *content) restored(k *kept, missing bitmap, dir *directory, cache *recordCache) *Segment {
	seg := newSegment(c, cache)
	seg.undone = k.undone
	seg.dead = newBitmap(seg.Len())
	for doc := range uint32(seg.Len()) {
		b, there := dir.brief(c.table.session[doc])
		if k.dead.has(doc) || missing.has(doc) || !there || c.scope != Tools && b.scope() != c.scope {
			seg.kill(doc)
		}
	}
	if seg.dead.count() == 0 {
		seg.dead = nil
	}
	return seg
}

// Applied is what the index was made to know of the sessions, and of which of them all
// text is surely there: a file that is damaged leaves gaps.
func (x *Index) Applied() sessions.Applied {
	snap := x.Snapshot()
	passages, hung := make([]uint32, snap.dir.size), make([]uint32, snap.dir.size)
	for scope, segs := range snap.segs {
		for _, seg := range segs {
			for doc, ord := range seg.table.session {
				switch {
				case seg.Dead(uint32(doc)):
				case Scope(scope) == Tools:
					hung[ord]++
				default:
					passages[ord]++
				}
			}
		}
	}
	a := sessions.Applied{Session: x.session, Partial: make(map[sessions.Key]bool), Doubtful: x.doubtful}
	for ord := range passages {
		if b, ok := snap.dir.brief(uint32(ord)); ok && (passages[ord] != b.numbered || hung[ord] != b.hung) {
			a.Partial[b.Key] = true
		}
	}
	return a
}

// session is what is known of a session now.
func (x *Index) session(key sessions.Key) (sessions.Session, bool) {
	snap := x.Snapshot()
	ord, ok := snap.Find(key)
	if !ok {
		return sessions.Session{}, false
	}
	return snap.dir.at(ord).Session, true
}
