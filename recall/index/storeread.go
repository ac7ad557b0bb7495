package index

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

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

// reading is what was read of a directory so far.
type reading struct {
	next        Snapshot
	sizes       map[string]int64 // of the segments' files, by name
	lost, notes []string         // names of files that are damaged, and what to say of them
}

// readOnce tells by again that a file which the manifest names is gone, while
// another process writes.
func (s *Store) readOnce() (saved []sessions.Saved, again bool, err error) {
	m, doubtful, err := s.manifest()
	if m == nil || err != nil {
		return nil, false, err
	}
	if newer := m.by.beyond(s.revisions()); newer != nil {
		s.leaveTo(manifestName, newer)
	}
	l, found, lost, err := s.ledgerOf(m)
	if err != nil {
		return nil, errors.Is(err, os.ErrNotExist) && s.lock == nil, fmt.Errorf("its ledger: %w", err)
	}
	in := reading{next: Snapshot{names: &s.x.names}, sizes: make(map[string]int64), lost: lost}
	ordinals := m.ordinals
	if doubtful {
		ordinals = maxOrdinals
	}
	saved, names, err := in.next.enter(found, ordinals)
	if err != nil {
		return nil, false, err
	}
	recovered := doubtful
	doubtful = doubtful || found.damaged
	if err := s.readSegments(m, doubtful, &in); err != nil {
		return nil, errors.Is(err, os.ErrNotExist), err
	}
	if recovered {
		s.copyManifest()
	}
	if doubtful {
		in.next.doubt(found.damaged)
		m.ordinals, l.size = max(m.ordinals, uint32(in.next.dir.size)), 0
	}
	if l.size == 0 {
		for _, state := range saved {
			if state.Later != nil {
				if state.State, err = state.Later(); err != nil {
					return nil, false, fmt.Errorf("its ledger: %w", err)
				}
			}
			s.pending[stateKey(state)] = state.State
		}
	}
	s.on, s.ledger, s.sizes, s.lost, s.notes = *m, *l, in.sizes, in.lost, append(s.notes, in.notes...)
	s.show(&in.next, names, doubtful)
	return saved, false, nil
}

// readSegments reads those that a manifest names. An error is that of a file which
// another process has written or removed since, and nothing is lost.
func (s *Store) readSegments(m *manifest, doubtful bool, in *reading) error {
	for i, one := range s.openAll(m.segments, &in.next.dir) {
		name := segmentName(m.segments[i].id)
		var other formatError
		if s.lock == nil && (errors.Is(one.wrong, os.ErrNotExist) || errors.As(one.wrong, &other) && other.newer()) {
			return one.wrong // see read and fill
		}
		if one.wrong != nil {
			in.lost, in.notes = append(in.lost, name), append(in.notes, s.lossNote(loss{name, one.wrong, one.seg != nil}))
		}
		if one.seg == nil {
			continue
		}
		// A manifest that was lost would have said so.
		if newer := (revisions{byWords: one.seg.cut}).beyond(s.revisions()); newer != nil {
			s.leaveTo(name, newer)
		}
		if doubtful {
			m.ordinals = max(m.ordinals, one.seg.table.ordinals())
		}
		maps.Copy(in.sizes, one.sizes)
		if one.seg.vectors.dim > 0 {
			s.models[one.seg.id] = one.seg.vectors.model
		}
		if one.seg.live > 0 {
			in.next.segs[one.seg.scope] = append(in.next.segs[one.seg.scope], one.seg)
		}
	}
	return nil
}

// enter takes in the sessions of a ledger, and gives the states of the transcripts, and the
// names of the sessions that are not packed.
func (s *Snapshot) enter(found *entries, ordinals uint32) (saved []sessions.Saved, names map[sessions.Key]uint32, err error) {
	loose := make(map[uint64][]uint32) // by page
	for key, record := range found.records {
		switch {
		case key.kind == recordTranscript, key.kind == recordSleepers, key.kind == recordFolder:
			saved = append(saved, sessions.Saved{
				Number: key.id, State: record[len(record)-payload(record).Rest():], First: found.first,
				Many: key.kind == recordSleepers, Folder: key.kind == recordFolder,
			})
			if key.kind == recordSleepers {
				saved[len(saved)-1].Later = found.again.later(key)
			}
		case key.id >= uint64(ordinals):
			return nil, nil, errDamaged
		default:
			loose[key.id/chunk] = append(loose[key.id/chunk], uint32(key.id))
		}
	}
	numbers := make(map[uint64]bool)
	for at := range loose {
		numbers[at] = true
	}
	for at := range found.pages {
		numbers[at] = true
	}
	names = make(map[sessions.Key]uint32)
	for _, at := range slices.Sorted(maps.Keys(numbers)) { // one page after the other, so that most are packed before the next are read
		if p, there := found.pages[at]; there && (p == nil || at >= maxOrdinals || at*chunk+uint64(p.packed.last()) >= uint64(ordinals)) {
			return nil, nil, errDamaged
		}
		if !s.dir.enter(found, int(at), loose[at], names) {
			return nil, nil, errDamaged
		}
	}
	return saved, names, nil
}

// enter takes in the next page of a ledger, on which some sessions have records of their
// own, and adds the names of those that are not packed. It reports false when one is none.
func (d *directory) enter(found *entries, at int, loose []uint32, names map[sessions.Key]uint32) bool {
	p := found.page(at)
	d.size = max(d.size, at*chunk+p.packed.last()+1)
	for _, ord := range loose {
		p.packed.drop(ord % chunk)
		r := sharing(found.records[recordKey{recordSession, uint64(ord)}])
		if p.entries[ord%chunk] = readEntry(r); r.Bad() {
			return false
		}
		d.size = max(d.size, int(ord)+1)
	}
	if found.damaged {
		p.tellGone()
	}
	d.pages = append(append(d.pages, make([]*page, at-len(d.pages))...), p.pack())
	for i, e := range d.pages[at].entries {
		if e != nil {
			names[e.Key] = uint32(at*chunk + i)
		}
	}
	return true
}

// show makes what was read what the index holds, and has it forget nothing of which ids
// and ordinals it has given.
func (s *Store) show(next *Snapshot, names map[sessions.Key]uint32, doubtful bool) {
	x := s.x
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names.mu.Lock()
	x.names.ords, x.names.next, x.names.packed = names, max(x.names.next, s.on.ordinals), &next.dir
	x.names.mu.Unlock()
	x.written, x.doubtful = max(x.written, s.on.written), doubtful
	next.Generation = x.now.Load().Generation + 1
	s.shown = &Snapshot{dir: next.dir}
	x.now.Store(next)
}

// opened is what came of opening a segment: of one that is damaged it has what can be
// read, and why that is not all.
type opened struct {
	seg   *Segment
	sizes map[string]int64 // of its files, by name
	wrong error
}

// openAll opens segments, as many at once as there are processors: most of it is
// checking what was read.
func (s *Store) openAll(segments []kept, dir *directory) []opened {
	all := make([]opened, len(segments))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range segments {
		group.Go(func() error {
			all[i] = s.open(&segments[i], dir)
			return nil
		})
	}
	_ = group.Wait() // each says itself what is wrong
	return all
}

// open reads one segment with its vectors. What is wrong with the vectors costs
// them alone. Of a file of a former version, or one that is damaged, it reads what it
// can.
func (s *Store) open(k *kept, dir *directory) opened {
	c, size, wrong := openAny(filepath.Join(s.dir, segmentName(k.id)))
	if c == nil {
		return opened{wrong: wrong}
	}
	c.id = k.id
	if !k.dead.valid(c.table.len()) || !k.undone.valid(c.turns.ids.len()) {
		return opened{wrong: errDamaged}
	}
	var missing bitmap
	if wrong != nil {
		missing = c.texts.unreadable()
	}
	seg := c.restored(k, missing, dir, s.x.cache)
	if wrong != nil && seg.live == 0 {
		return opened{wrong: wrong}
	}
	sizes := map[string]int64{segmentName(k.id): size}
	if s.x.opts.Model != nil && c.scope != Tools && !c.bare {
		name := vectorsName(k.id)
		if v, size, err := openVectors(filepath.Join(s.dir, name), s.x.known, c.table.len()); err == nil {
			c.vectors, sizes[name] = v, size
		}
	}
	return opened{seg, sizes, wrong}
}

// restored is the segment as it was kept; documents that are missing or of sessions
// that are not known there are dead.
func (c *content) restored(k *kept, missing bitmap, dir *directory, cache *recordCache) *Segment {
	seg := newSegment(c, cache)
	seg.undone = k.undone
	seg.dead = newBitmap(seg.Len())
	for _, ord := range c.table.ords {
		b, there := dir.brief(ord)
		lost := !there || c.scope != Tools && b.scope() != c.scope
		if !lost && k.dead == nil && missing == nil {
			continue
		}
		from, to := c.table.run(ord)
		for doc := from; doc < to; doc++ {
			if lost || k.dead.has(doc) || missing.has(doc) {
				seg.kill(doc)
			}
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
			counts := passages
			if Scope(scope) == Tools {
				counts = hung
			}
			for doc, ord := range seg.table.session {
				if !seg.Dead(uint32(doc)) {
					counts[ord]++
				}
			}
		}
	}
	a := sessions.Applied{Session: x.session, Partial: make(map[sessions.Key]bool), Doubtful: x.doubtful}
	for ord, b := range snap.dir.briefs {
		if passages[ord] != b.numbered || hung[ord] != b.hung {
			a.Partial[b.Key] = true
		}
	}
	return a
}

// session is what is known of a session now. Its error is why no more is than its Brief.
func (x *Index) session(key sessions.Key) (s sessions.Session, ok bool, err error) {
	snap := x.Snapshot()
	ord, ok := snap.Find(key)
	if !ok {
		return sessions.Session{}, false, nil
	}
	e, err := snap.dir.all(ord)
	return e.Session, true, err
}
