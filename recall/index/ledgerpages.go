package index

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"yore/sessions/packed"
)

// A ledger that is written anew begins with the pages on which the entries of sub-agents
// are packed, as they are in memory: of a hundred thousand sessions there are then four
// hundred records to read, and none to pack. A record of one session that comes later
// counts instead of what a page says of it.
//
//	page  which places it has 32, runs, data, briefs: harness and parent where they are
//	      not those of the one before, id, counts, last active

// pagedLeast is how many entries of sub-agents at least have a record of their own before
// a ledger is written anew for their sake. Where its pages have more, it is as many as
// those: so each is written about twice. A process that ends leaves no more than the
// least, since the next has all those to read one by one.
const pagedLeast = 2 << 10

// count is how many places are in the set.
func (b *slots) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// last is the last of them, -1 where there is none.
func (b *slots) last() int {
	for at, w := range slices.Backward(b[:]) {
		if w != 0 {
			return at*64 + bits.Len64(w) - 1
		}
	}
	return -1
}

// entries is how many entries a ledger of the directory has on pages, and how many there
// are.
func (d *directory) entries() (paged, all int) {
	for _, p := range d.pages {
		if p == nil {
			continue
		}
		n := p.packed.count()
		if all += n; n >= packFrom {
			paged += n
		}
		for _, e := range p.entries {
			if e != nil {
				all++
			}
		}
	}
	return paged, all
}

// paged tells whether a page is worth a record: whoever makes files up gets no page for a
// few bytes.
func (p *page) paged() bool { return p != nil && p.side != nil && p.side.count >= packFrom }

// appendPacked appends the packed entries of a page, which hold nothing else.
func (p *page) appendPacked(b []byte) ([]byte, error) {
	data, err := p.side.bytes()
	if err != nil {
		return b, err
	}
	for _, w := range p.packed {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = binary.AppendUvarint(b, uint64(len(p.side.runs)))
	for _, from := range p.side.runs {
		b = binary.AppendUvarint(b, uint64(from))
	}
	b = packed.AppendString(b, data)
	var briefs []byte
	var last Brief
	for i := range uint32(chunk) {
		if !p.packed.has(i) {
			continue
		}
		e := p.side.brief(i)
		briefs = appendOther(appendOther(briefs, e.Harness, last.Harness), e.Parent, last.Parent)
		briefs = packed.AppendString(briefs, e.ID)
		briefs = binary.AppendUvarint(binary.AppendUvarint(briefs, uint64(e.numbered)), uint64(e.hung))
		briefs = binary.AppendUvarint(binary.AppendVarint(briefs, e.sec), uint64(e.nanos))
		last = e
	}
	return packed.AppendString(b, briefs), nil
}

// pageParts reads the beginning of what appendPacked wrote.
func pageParts(r *packed.Reader) (places slots, runs []uint32, data []byte) {
	for i := range places {
		places[i] = r.Uint64()
	}
	n := r.Count()
	runs = make([]uint32, 0, min(n, chunk))
	for ; n > 0 && !r.Bad(); n-- {
		runs = append(runs, uint32(r.Uvarint()))
	}
	return places, runs, r.Bytes()
}

// readPacked reads what appendPacked wrote, and keeps nothing of the reader's bytes: of its
// data, which hardly anybody asks for, later reads the record again; nil: it is kept. It
// reports false when it is none.
func readPacked(r *packed.Reader, later func() ([]byte, error)) (*page, bool) {
	p := &page{side: &packedEntries{briefs: new(briefs)}}
	var data []byte
	p.packed, p.side.runs, data = pageParts(r)
	p.side.count = p.packed.count()
	if later == nil {
		p.side.data = slices.Clone(data)
	} else {
		p.side.later = &leftEntries{read: later, size: len(data)}
	}
	section := r.Bytes()
	if r.Bad() || r.Rest() > 0 || !p.paged() || len(p.side.runs) != (p.side.count+packRun-1)/packRun || !below(p.side.runs, len(data)+1) {
		return nil, false
	}
	if !p.side.read(&p.packed, section) {
		return nil, false
	}
	return p, true
}

// read fills in what appendPacked wrote of some places, and the places themselves.
func (p *packedEntries) read(places *slots, section []byte) bool {
	in := packed.NewReader(section)
	p.text = string(section)
	var harness, parent string
	place := uint16(0)
	for i := range uint32(chunk) {
		if !places.has(i) {
			continue
		}
		harness, parent = readOther(in, harness), readOther(in, parent)
		p.called(i, harness, parent)
		id := in.Bytes()
		p.to[i] = uint32(len(section) - in.Rest())
		p.from[i] = p.to[i] - uint32(len(id))
		p.numbered[i], p.hung[i] = uint32(in.Uvarint()), uint32(in.Uvarint())
		p.sec[i], p.nanos[i] = in.Varint(), int32(in.Uvarint())
		p.place[i] = place
		place++
	}
	return !in.Bad() && in.Rest() == 0
}

// appendOther appends a text where it is another than the last.
func appendOther(b []byte, text, last string) []byte {
	b = packed.AppendBool(b, text != last)
	if text != last {
		b = packed.AppendString(b, text)
	}
	return b
}

func readOther(r *packed.Reader, last string) string {
	if r.Bool() {
		return r.String()
	}
	return last
}

// records adds the records of a new ledger for all sessions, and gives of how many the
// pages are. Of the pages it makes those that are written.
func (d *directory) records(add func(key recordKey, body []byte) error) (paged int, err error) {
	var b []byte
	for at, p := range d.pages {
		if p, err = p.compact(); err != nil {
			return 0, err
		}
		if d.pages[at] = p; !p.paged() {
			continue
		}
		if b, err = p.appendPacked(b[:0]); err != nil {
			return 0, err
		}
		if err = add(recordKey{recordPage, uint64(at)}, b); err != nil {
			return 0, err
		}
		paged += p.side.count
	}
	for at, p := range d.pages {
		for i := range uint32(chunk) {
			if e := p.loose(i); e != nil && err == nil {
				b = appendEntry(b[:0], e)
				err = add(recordKey{recordSession, uint64(at)*chunk + uint64(i)}, b)
			}
		}
	}
	return paged, err
}

// loose is the entry in a place, if it is not on a page's record.
func (p *page) loose(i uint32) *Entry {
	if p.paged() && p.packed.has(i) {
		return nil
	}
	return p.at(i)
}

// crowded tells whether so many records of one session are more than most beyond what they
// would be in a new ledger.
func (l *ledger) crowded(loose int, d *directory, most int) bool {
	paged, all := d.entries()
	return loose-(all-paged) > most
}

// untidy tells whether who reads the ledger has to read many records one by one of which a
// new ledger would have few.
func (l *ledger) untidy(d *directory) bool {
	if l.loose <= pagedLeast {
		return false
	}
	packed, _ := d.pack()
	return l.crowded(l.loose, &packed, pagedLeast)
}

// knows tells whether there is something about a session.
func (found *entries) knows(ord uint64) bool {
	if _, own := found.records[recordKey{recordSession, ord}]; own {
		return true
	}
	p := found.pages[ord/chunk]
	return p != nil && p.packed.has(uint32(ord%chunk))
}

// page is the page with a number as a ledger has it: an empty one where it has none.
func (found *entries) page(at int) *page {
	if p := found.pages[uint64(at)]; p != nil {
		return p
	}
	return &page{}
}
