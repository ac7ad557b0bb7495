package index

import (
	"encoding/binary"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/packed"
)

const (
	// packFrom is how many sub-agents on a page are worth packing.
	packFrom = chunk / 8
	// packRun is how many entries are packed as differences one to the other: as many are
	// read to get at the last of them.
	packRun = 16
)

// Brief is the least that is known of a session.
type Brief struct {
	sessions.Key
	Parent   string
	Subagent bool

	numbered, hung uint32
	sec            int64 // last active
	nanos          int32
}

func (e *Entry) brief() Brief {
	return Brief{
		Key: e.Key, Parent: e.Parent, Subagent: e.Subagent, numbered: uint32(e.Numbered), hung: e.hung,
		sec: e.LastActive.Unix(), nanos: int32(e.LastActive.Nanosecond()),
	}
}

// LastActive orders as the session's does: seconds since 1970, and nanoseconds.
func (b *Brief) LastActive() (sec int64, nanos int) { return b.sec, int(b.nanos) }

// At is the session's LastActive.
func (b *Brief) At() time.Time {
	if b.sec == (time.Time{}).Unix() {
		return time.Time{}
	}
	return time.Unix(b.sec, int64(b.nanos)).UTC()
}

// packedEntries are the entries of sub-agents on one page. They never change.
type packedEntries struct {
	briefs [chunk]Brief
	place  [chunk]uint16 // in the order in which they are written
	runs   []uint32      // where each packRun of them begins
	data   []byte
	count  int // how many were written
}

// pack is the page with the entries of its sub-agents packed; the page itself where that
// is not worth it.
func (p *page) pack() *page {
	if p == nil {
		return nil
	}
	loose := 0
	for _, e := range p.entries {
		if e != nil && e.Subagent {
			loose++
		}
	}
	if loose < packFrom {
		return p
	}
	return p.packAll()
}

// compact is the page with nothing packed on it but what counts.
func (p *page) compact() *page {
	if p == nil || p.side == nil || p.side.count == p.packed.count() {
		return p
	}
	return p.packAll()
}

func (p *page) packAll() *page {
	out := &page{side: &packedEntries{}}
	w, former := entryPacker{to: out.side}, unpacker{from: p.side}
	for i := range uint32(chunk) {
		e := p.entries[i]
		if p.packed.has(i) {
			e = former.at(i)
		}
		if e == nil || !e.Subagent {
			out.entries[i] = e
			continue
		}
		w.add(i, e)
		out.packed.set(i)
	}
	out.side.data = append(make([]byte, 0, len(out.side.data)), out.side.data...)
	return out
}

// entryPacker writes packedEntries.
type entryPacker struct {
	to   *packedEntries
	row  sessions.SessionRow
	last Brief // of the entry before
}

func (w *entryPacker) add(i uint32, e *Entry) {
	if w.to.count%packRun == 0 {
		w.row = sessions.SessionRow{}
		w.to.runs = append(w.to.runs, uint32(len(w.to.data)))
	}
	w.to.place[i] = uint16(w.to.count)
	w.to.count++
	w.to.data = binary.AppendUvarint(w.row.Append(w.to.data, &e.Session), uint64(e.Numbered))
	w.to.data = binary.AppendUvarint(w.to.data, uint64(e.hung))
	b := e.brief()
	b.Harness, b.Parent = once(b.Harness, w.last.Harness), once(b.Parent, w.last.Parent)
	b.ID = strings.Clone(b.ID) // it may be a part of a text of all that is known of the session
	w.last, w.to.briefs[i] = b, b
}

// once is a text of its own, or the one that is kept already where that is equal.
func once(text, kept string) string {
	if text == kept {
		return kept
	}
	return strings.Clone(text)
}

// at makes the entry in a place.
func (p *packedEntries) at(i uint32) *Entry {
	read := unpacker{from: p}
	return read.at(i)
}

// unpacker makes entries one after the other. In their order each is read once, and
// those in a row share the texts that they have in common.
type unpacker struct {
	from *packedEntries
	in   *packed.Reader
	row  sessions.SessionRow
	last sessions.Session
	next int // the place before which in stands
}

// at makes the entry in a place.
func (u *unpacker) at(i uint32) *Entry {
	place := int(u.from.place[i])
	if run := place - place%packRun; u.in == nil || place < u.next || run >= u.next {
		u.in, u.row, u.next = packed.NewReader(u.from.data[u.from.runs[run/packRun]:]), sessions.SessionRow{}, run
	}
	for ; u.next < place; u.next++ {
		u.row.Skip(u.in, &u.last)
		_, _ = u.in.Uvarint(), u.in.Uvarint()
	}
	u.next++
	u.row.Read(u.in, &u.last)
	return &Entry{Session: u.last, Numbered: int(u.in.Uvarint()), hung: uint32(u.in.Uvarint())}
}
