package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What is left when the manifest is damaged or gone, or a part of the ledger damaged.
// Sessions that are gone from disk are nowhere else, so they are taken over as far as they
// can be read; all others are there until they are read anew, which Applied asks for.

// manifest is the directory's, or one that was recovered where that is damaged, gone or
// no file at all: then it is doubtful. Nil without an error when nothing was ever written.
func (s *Store) manifest() (m *manifest, doubtful bool, err error) {
	m, err = readManifest(s.dir)
	var other formatError
	if s.lock == nil || m != nil || errors.As(err, &other) {
		return m, false, err
	}
	found := s.recovered()
	switch {
	case found == nil:
		return nil, false, err
	case err != nil: // else it may be the first that was never finished
		s.note("%s is damaged, and what the other files hold is kept as far as it is of use: %v", filepath.Join(s.dir, manifestName), err)
	}
	return found, true, nil
}

// recovered is a manifest of all that lies in the directory, nil when that is nothing. How
// many ordinals were given is told by what it names.
func (s *Store) recovered() *manifest {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	m := &manifest{}
	for _, f := range files { // sorted, and so are the numbers
		name, kind, _ := strings.Cut(f.Name(), ".")
		number, err := strconv.ParseUint(name, 16, 64)
		if err != nil || !isOurs(f.Name()) {
			continue
		}
		switch kind {
		case "seg":
			m.segments = append(m.segments, kept{id: number})
			m.written = number
		case "log":
			if info, err := f.Info(); err == nil && info.Size() > headBytes { // else it was just begun
				m.ledger = ledgerEnd{number, info.Size()}
			}
		}
	}
	if len(m.segments) == 0 {
		return nil
	}
	return m
}

// copyManifest has a copy stay of one that is damaged and replaced by the next that is
// written, if this process writes.
func (s *Store) copyManifest() {
	if s.lock != nil && os.Link(filepath.Join(s.dir, manifestName), s.asideName(manifestName)) != nil {
		s.setAside(manifestName) // a folder, which nothing can be written over
	}
}

// tellGone has the entries of sessions whose transcripts are gone say so. Those that are left of
// a damaged ledger may be of a time at which they were there.
func (p *page) tellGone() {
	var read unpacker
	for i := range uint32(chunk) {
		e, err := read.all(p, i)
		if err != nil || e == nil || e.Gone || e.Path == "" {
			continue
		}
		if _, err := os.Lstat(e.Path); errors.Is(err, fs.ErrNotExist) {
			now := *e
			now.Gone = true
			p.entries[i] = &now
			p.packed.drop(i)
		}
	}
}

// doubt leaves out what a damaged manifest or ledger would have said to be replaced: of
// two documents in one place the newer segment's counts. Where the states of transcripts
// may be lost, what hangs on passages goes that are read anew: it would come on top.
// Sessions of which nothing is left go too.
func (s *Snapshot) doubt(statesLost bool) {
	live := make([]bool, s.dir.size)
	for scope, segs := range s.segs {
		seen := make(map[[2]uint32]bool)
		for _, seg := range slices.Backward(segs) {
			seg.dead = seg.dead.own(seg.Len())
			if seg.undone == nil {
				seg.undone = seg.turns.undone
			}
			for doc := range uint32(seg.Len()) {
				if seg.Dead(doc) {
					continue
				}
				row := seg.table.row(doc)
				e, place := s.dir.at(row.session), [2]uint32{row.session, row.number}
				stale := int64(row.number) >= int64(e.Numbered)
				if Scope(scope) == Tools {
					place[1], stale = row.order, statesLost && !e.Gone
				}
				if stale || seen[place] {
					seg.kill(doc)
					continue
				}
				seen[place], live[row.session] = true, true
			}
			seg.settle()
		}
		s.segs[scope] = slices.DeleteFunc(segs, func(seg *Segment) bool { return seg.live == 0 })
	}
	var changed []entry
	for ord, left := range live {
		if !left {
			changed = append(changed, entry{uint32(ord), nil})
		}
	}
	s.dir = s.dir.with(changed)
}
