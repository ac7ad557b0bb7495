package index

import (
	"cmp"
	"encoding/binary"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/s2"

	"yore/sessions/packed"
)

// A segment's file says whose its texts are by numbers that the ledger gives names to.
// For the case that the ledger is lost it also holds, packed, what was known of those
// sessions when it was written. Nothing else reads that.

// owners are the sessions of a segment as its file keeps them. It fails where not all is known
// of one.
func (d *directory) owners(c *content) ([]byte, error) {
	var raw []byte
	var read unpacker
	for _, ord := range c.table.ords {
		p, i := d.page(ord)
		e, err := read.all(p, i)
		if err != nil {
			return nil, err
		}
		if e != nil {
			raw = binary.AppendUvarint(raw, uint64(ord))
			raw = appendEntry(raw, e)
		}
	}
	return s2.EncodeSnappy(nil, raw), nil // which is never many times as long unpacked
}

// readOwners reads the sessions that a segment's file keeps, as records of a ledger.
func readOwners(path string) (map[uint64][]byte, error) {
	r, _, err := openSections(path, segmentFormat)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var kept []uint8
	if r.numbers(secOwners, &kept); r.err != nil {
		return nil, r.err
	}
	if size, err := s2.DecodedLen(kept); err != nil || size > mostUnpacked(len(kept)) {
		return nil, errDamaged
	}
	raw, err := s2.Decode(nil, kept)
	if err != nil {
		return nil, errDamaged
	}
	found := make(map[uint64][]byte)
	for in := packed.NewReader(raw); in.Rest() > 0; {
		ord := in.Uvarint()
		e := readEntry(in)
		if in.Bad() || e == nil || ord >= maxOrdinals {
			return nil, errDamaged
		}
		body := appendEntry(nil, e)
		found[ord] = appendRecord(nil, recordKey{recordSession, ord}, body)[recordBytes:]
	}
	return found, nil
}

// maxOrdinals is more sessions than there ever are: a directory takes memory by the
// largest ordinal.
const maxOrdinals = 1 << 24

// ledgerOf reads a directory's ledger, and makes up for what of it is lost where this
// process writes. Lost are the files to be set aside for that.
func (s *Store) ledgerOf(m *manifest) (l *ledger, found *entries, lost []string, err error) {
	l, found, err = readLedger(s.dir, m.ledger)
	path := ledgerPath(s.dir, m.ledger.number)
	if err == nil && found.damaged {
		note := s.lossNote(loss{filepath.Base(path), errDamaged, true})
		if !slices.Contains(s.notes, note) { // it may be read several times, see read
			s.notes = append(s.notes, note)
		}
	}
	if s.lock == nil || err == nil && !found.damaged {
		return l, found, nil, err
	}
	if err != nil {
		l, found = &ledger{ledgerEnd: ledgerEnd{number: m.ledger.number}}, &entries{records: make(map[recordKey][]byte), damaged: true}
	}
	nameless, some := s.remake(m, found)
	if !some {
		return nil, nil, nil, cmp.Or(err, errDamaged)
	}
	lost = append(lost, filepath.Base(path))
	switch {
	case err == nil:
		return l, found, lost, nil
	case m.ledger.number > 0: // else none was ever finished
		s.note("%s cannot be read, and what the segments know of its sessions is kept: %v", path, err)
	}
	return l, found, append(lost, nameless...), nil
}

// remake adds to what could be read of a ledger the sessions that the segments know, and
// gives the names of those files that know none. It reports false when nothing is known.
func (s *Store) remake(m *manifest, found *entries) (nameless []string, ok bool) {
	for _, k := range slices.SortedFunc(slices.Values(m.segments), func(a, b kept) int { return cmp.Compare(b.id, a.id) }) {
		records, err := readOwners(filepath.Join(s.dir, segmentName(k.id)))
		if err != nil {
			nameless = append(nameless, segmentName(k.id))
		}
		for ord, record := range records {
			if !found.knows(ord) { // the newest segment is the first here
				found.records[recordKey{recordSession, ord}] = record
				m.ordinals = max(m.ordinals, uint32(ord)+1)
			}
		}
	}
	return nameless, len(found.records)+len(found.pages) > 0
}
