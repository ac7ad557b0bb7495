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
func (p *page) appendPacked(b []byte) []byte {
	for _, w := range p.packed {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = binary.AppendUvarint(b, uint64(len(p.side.runs)))
	for _, from := range p.side.runs {
		b = binary.AppendUvarint(b, uint64(from))
	}
	b = packed.AppendString(b, p.side.data)
	var briefs []byte
	var last Brief
	for i := range uint32(chunk) {
		if !p.packed.has(i) {
			continue
		}
		e := &p.side.briefs[i]
		briefs = appendOther(appendOther(briefs, e.Harness, last.Harness), e.Parent, last.Parent)
		briefs = packed.AppendString(briefs, e.ID)
		briefs = binary.AppendUvarint(binary.AppendUvarint(briefs, uint64(e.numbered)), uint64(e.hung))
		briefs = binary.AppendUvarint(binary.AppendVarint(briefs, e.sec), uint64(e.nanos))
		last = *e
	}
	return packed.AppendString(b, briefs)
}

// readPacked reads what appendPacked wrote, and keeps nothing of the reader's bytes. It
// reports false when it is none.
func readPacked(r *packed.Reader) (*page, bool) {
	p := &page{side: &packedEntries{}}
	for i := range p.packed {
		p.packed[i] = r.Uint64()
	}
	p.side.count = p.packed.count()
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		p.side.runs = append(p.side.runs, uint32(r.Uvarint()))
	}
	p.side.data = slices.Clone(r.Bytes())
	in := packed.NewSharing(r.Bytes())
	if r.Bad() || r.Rest() > 0 || !p.paged() || len(p.side.runs) != (p.side.count+packRun-1)/packRun || !below(p.side.runs, len(p.side.data)+1) {
		return nil, false
	}
	var last Brief
	for i, place := uint32(0), uint16(0); i < chunk; i++ {
		if !p.packed.has(i) {
			continue
		}
		e := &p.side.briefs[i]
		e.Harness, e.Parent = readOther(in, last.Harness), readOther(in, last.Parent)
		e.ID, e.Subagent = in.String(), true
		e.numbered, e.hung = uint32(in.Uvarint()), uint32(in.Uvarint())
		e.sec, e.nanos = in.Varint(), int32(in.Uvarint())
		p.side.place[i], last = place, *e
		place++
	}
	return p, !in.Bad() && in.Rest() == 0
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
// pages are.
func (d *directory) records(add func(key recordKey, body []byte) error) (paged int, err error) {
	pages := make([]*page, len(d.pages))
	var b []byte
	for at, p := range d.pages {
		if pages[at] = p.compact(); pages[at].paged() && err == nil {
			b = pages[at].appendPacked(b[:0])
			err = add(recordKey{recordPage, uint64(at)}, b)
			paged += pages[at].side.count
		}
	}
	for at, p := range pages {
		for i := range uint32(chunk) {
			if e := p.at(i); e != nil && (!p.paged() || !p.packed.has(i)) && err == nil {
				b = appendEntry(b[:0], e)
				err = add(recordKey{recordSession, uint64(at)*chunk + uint64(i)}, b)
			}
		}
	}
	return paged, err
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
	record, ok := found.records[recordKey{recordPage, ord / chunk}]
	r, word := payload(record), uint64(0)
	for range ord%chunk/64 + 1 {
		word = r.Uint64()
	}
	return ok && word&(1<<(ord%64)) != 0
}

// page is the page with a number as a ledger has it: an empty one where it has none. It
// reports false when what there is is none.
func (found *entries) page(at int) (*page, bool) {
	record, ok := found.records[recordKey{recordPage, uint64(at)}]
	if !ok {
		return &page{}, true
	}
	return readPacked(payload(record))
}

// paged adds to ords the ordinals of which the pages speak. It reports false when one is
// ordinals or more.
func (found *entries) paged(ords []uint32, ordinals uint32) ([]uint32, bool) {
	for key, record := range found.records {
		if key.kind != recordPage {
			continue
		}
		r := payload(record)
		for word := range uint64(chunk / 64) {
			for bits64 := r.Uint64(); bits64 != 0; bits64 &= bits64 - 1 {
				ord := key.id*chunk + word*64 + uint64(bits.TrailingZeros64(bits64))
				if key.id >= maxOrdinals || ord >= uint64(ordinals) {
					return nil, false
				}
				ords = append(ords, uint32(ord))
			}
		}
	}
	return ords, true
}
