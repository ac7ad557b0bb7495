package index

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"time"
	"weak"

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
	*briefs
	place [chunk]uint16 // in the order in which they are written
	runs  []uint32      // where each packRun of them begins
	count int           // how many were written
	data  []byte        // what is in memory
	later *leftEntries  // else what is in the ledger
}

// leftEntries are those that are read from a ledger when one is asked for, and stay as long as
// memory is not needed: who asks for one asks for its neighbours too.
type leftEntries struct {
	read func() ([]byte, error) // a page's record
	size int                    // of the entries in it

	mu   sync.Mutex
	held weak.Pointer[[]byte]
}

func (l *leftEntries) bytes() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.held.Value(); held != nil {
		return *held, nil
	}
	body, err := l.read()
	if err != nil {
		return nil, err
	}
	_, _, data := pageParts(packed.NewReader(body))
	if len(data) != l.size { // somebody wrote another page there
		return nil, errDamaged
	}
	l.held = weak.Make(&data)
	return data, nil
}

// briefs are the Briefs of the entries, one list a column: so many as there may be are
// quickly gone through, and cost a collection nothing.
type briefs struct {
	text           string // has all ids
	from, to       [chunk]uint32
	callers        []caller
	caller         [chunk]uint8 // there are no more than places
	numbered, hung [chunk]uint32
	sec            [chunk]int64
	nanos          [chunk]int32
}

// caller is for whom some sub-agents work.
type caller struct{ harness, parent string }

// brief is the least that is known of the entry in a place.
func (b *briefs) brief(i uint32) Brief {
	by := &b.callers[b.caller[i]]
	return Brief{
		Key: sessions.Key{Harness: by.harness, ID: b.text[b.from[i]:b.to[i]]}, Parent: by.parent, Subagent: true,
		numbered: b.numbered[i], hung: b.hung[i], sec: b.sec[i], nanos: b.nanos[i],
	}
}

// called notes for whom the entry in a place works, which is often who the one before it
// works for.
func (b *briefs) called(i uint32, harness, parent string) {
	if n := len(b.callers); n == 0 || b.callers[n-1] != (caller{harness, parent}) {
		b.callers = append(b.callers, caller{harness, parent})
	}
	b.caller[i] = uint8(len(b.callers) - 1)
}

// bytes are those of all entries.
func (p *packedEntries) bytes() ([]byte, error) {
	if p.later == nil {
		return p.data, nil
	}
	return p.later.bytes()
}

// left is the page with its entries left to a ledger, of which read gives the page's record.
func (p *page) left(read func() ([]byte, error)) *page {
	out, side := *p, *p.side
	size := len(side.data)
	if side.later != nil {
		size = side.later.size
	}
	side.data, side.later = nil, &leftEntries{read: read, size: size}
	out.side = &side
	return &out
}

// pack is the page with the entries of its sub-agents packed; the page itself where that
// is not worth it, or those that are packed cannot be read now.
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
	out, err := p.packAll()
	if err != nil {
		return p
	}
	return out
}

// compact is the page with nothing packed on it but what counts.
func (p *page) compact() (*page, error) {
	if p == nil || p.side == nil || p.side.count == p.packed.count() {
		return p, nil
	}
	return p.packAll()
}

func (p *page) packAll() (*page, error) {
	former := unpacker{from: p.side}
	if err := former.prepare(); err != nil {
		return nil, err
	}
	out := &page{side: &packedEntries{briefs: new(briefs)}}
	w := entryPacker{to: out.side}
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
	out.side.data = slices.Clip(slices.Clone(out.side.data))
	out.side.text = string(w.ids)
	return out, nil
}

// entryPacker writes packedEntries.
type entryPacker struct {
	to  *packedEntries
	row sessions.SessionRow
	ids []byte
}

func (w *entryPacker) add(i uint32, e *Entry) {
	to := w.to
	if to.count%packRun == 0 {
		w.row = sessions.SessionRow{}
		to.runs = append(to.runs, uint32(len(to.data)))
	}
	to.place[i] = uint16(to.count)
	to.count++
	to.data = binary.AppendUvarint(w.row.Append(to.data, &e.Session), uint64(e.Numbered))
	to.data = binary.AppendUvarint(to.data, uint64(e.hung))
	if n := len(to.callers); n == 0 || to.callers[n-1] != (caller{e.Harness, e.Parent}) {
		// They may be parts of a text of all that is known of the session.
		to.called(i, strings.Clone(e.Harness), strings.Clone(e.Parent))
	} else {
		to.caller[i] = uint8(n - 1)
	}
	to.from[i] = uint32(len(w.ids))
	w.ids = append(w.ids, e.ID...)
	to.to[i] = uint32(len(w.ids))
	b := e.brief()
	to.numbered[i], to.hung[i], to.sec[i], to.nanos[i] = b.numbered, b.hung, b.sec, b.nanos
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
	data []byte // of all of them, once it was read
	err  error
	in   *packed.Reader
	row  sessions.SessionRow
	last sessions.Session
	next int // the place before which in stands
}

// prepare reads what the entries are made of.
func (u *unpacker) prepare() error {
	if u.from != nil && u.data == nil && u.err == nil {
		u.data, u.err = u.from.bytes()
	}
	return u.err
}

// all is the entry in a place of a page, nil where there is none. It fails where at would say
// no more than the Brief, which is not to be written in the place of all that is known.
func (u *unpacker) all(p *page, i uint32) (*Entry, error) {
	if p == nil || !p.packed.has(i) {
		return p.at(i), nil
	}
	if u.from != p.side {
		*u = unpacker{from: p.side}
	}
	if err := u.prepare(); err != nil {
		return nil, err
	}
	return u.at(i), nil
}

// at makes the entry in a place. Where the ledger cannot be read any more it says no more
// than the Brief: whatever is written takes all, which fails, and the next start sees what is
// wrong.
func (u *unpacker) at(i uint32) *Entry {
	if u.prepare() != nil {
		b := u.from.brief(i)
		return &Entry{
			Session:  sessions.Session{Key: b.Key, Parent: b.Parent, Subagent: true, LastActive: b.At()},
			Numbered: int(b.numbered), hung: b.hung,
		}
	}
	place := int(u.from.place[i])
	if run := place - place%packRun; u.in == nil || place < u.next || run >= u.next {
		u.in, u.row, u.next = packed.NewReader(u.data[u.from.runs[run/packRun]:]), sessions.SessionRow{}, run
	}
	for ; u.next < place; u.next++ {
		u.row.Skip(u.in, &u.last)
		_, _ = u.in.Uvarint(), u.in.Uvarint()
	}
	u.next++
	u.row.Read(u.in, &u.last)
	return &Entry{Session: u.last, Numbered: int(u.in.Uvarint()), hung: uint32(u.in.Uvarint())}
}
