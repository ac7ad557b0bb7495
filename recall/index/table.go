package index

import (
	"math"
	"slices"
	"sort"
	"time"

	"yore/sessions"
)

// row is what the table keeps of a document.
type row struct {
	session uint32
	number  uint32
	order   uint32 // of a hung turn among all of its session; 0 for a passage
	length  uint32 // tokens
	at      int64  // Unix seconds, 0 unknown
}

// before tells whether a stands before b in a segment.
func (a row) before(b row) bool {
	if a.session != b.session {
		return a.session < b.session
	}
	if a.number != b.number {
		return a.number < b.number
	}
	return a.order < b.order
}

// table is the documents of a segment, one slice a column.
type table struct {
	session []uint32
	number  []uint32
	order   []uint32 // nil outside Tools
	length  []uint32
	at      column[int64]

	ords  []uint32 // the sessions that have documents, ascending
	first []uint16 // the first document of each
}

func (t *table) len() int { return len(t.session) }

// ordinals is one more than the largest session ordinal that may have been given.
func (t *table) ordinals() uint32 {
	for _, ord := range slices.Backward(t.ords) {
		if ord < maxOrdinals {
			return ord + 1
		}
	}
	return 0
}

// add appends a row that does not stand before the last one.
func (t *table) add(r row, ordered bool) {
	if n := len(t.ords); n == 0 || t.ords[n-1] != r.session {
		t.ords = append(t.ords, r.session)
		t.first = append(t.first, uint16(len(t.session)))
	}
	t.session = append(t.session, r.session)
	t.number = append(t.number, r.number)
	t.length = append(t.length, r.length)
	t.at.append(r.at)
	if ordered {
		t.order = append(t.order, r.order)
	}
}

// reserve makes room for so many rows at once: grown by and by, a large table takes twice
// its size on the way.
func (t *table) reserve(docs int, ordered bool) {
	t.session, t.number = make([]uint32, 0, docs), make([]uint32, 0, docs)
	t.length, t.at = make([]uint32, 0, docs), reserved[int64](docs)
	if ordered {
		t.order = make([]uint32, 0, docs)
	}
}

func (t *table) row(doc uint32) row {
	times, _ := t.at.all() // 0 is unknown
	r := row{session: t.session[doc], number: t.number[doc], length: t.length[doc], at: times[doc]}
	if t.order != nil {
		r.order = t.order[doc]
	}
	return r
}

// run is the range of documents of a session.
func (t *table) run(ord uint32) (from, to uint32) {
	i, ok := slices.BinarySearch(t.ords, ord)
	if !ok {
		return 0, 0
	}
	from, to = uint32(t.first[i]), uint32(len(t.session))
	if i+1 < len(t.first) {
		to = uint32(t.first[i+1])
	}
	return from, to
}

// since is the range of a session's documents from passage number on.
func (t *table) since(ord, number uint32) (from, to uint32) {
	from, to = t.run(ord)
	run := t.number[from:to]
	return from + uint32(sort.Search(len(run), func(i int) bool { return run[i] >= number })), to
}

// turns are the parts of turns that documents hold, one slice a column: those
// of document d are those from first.part(d). A hung turn has one, without key.
type turns struct {
	first  offsets
	keys   []uint64 // nil in Tools
	ids    column[uint64]
	undone bitmap // as the turns were written; nil when none is

	kinds column[uint8]  // kind and role, as kindAndRole packs them
	at    column[uint32] // the time, as seconds packs it
	words []uint16       // how many of the passage's tokens come before; nil in Tools
}

func (t *turns) of(doc uint32) (from, to uint32) { return t.first.part(doc) }

// addTurn appends a turn part of the next document.
func (t *turns) addTurn(id uint64, kind sessions.Kind, role sessions.Role, at time.Time) {
	t.ids.append(id)
	t.kinds.append(kindAndRole(kind, role))
	t.at.append(seconds(at))
}

// reserve makes room for so many turn parts, as table.reserve does.
func (t *turns) reserve(parts int, keyed bool) {
	t.ids, t.kinds, t.at = reserved[uint64](parts), reserved[uint8](parts), reserved[uint32](parts)
	if keyed {
		t.keys, t.words = make([]uint64, 0, parts), make([]uint16, 0, parts)
	}
}

// end ends the next document.
func (t *turns) end() {
	if t.first.len() == 0 {
		t.first.append(0)
	}
	t.first.append(uint32(t.ids.len()))
}

// addFrom appends the turn parts that document doc has in other. What could not be read of
// them, merger.failed tells.
func (t *turns) addFrom(other *turns, doc uint32) {
	from, to := other.of(doc)
	ids, _ := other.ids.all()
	kinds, _ := other.kinds.all()
	times, _ := other.at.all()
	t.ids.append(ids[from:to]...)
	t.kinds.append(kinds[from:to]...)
	t.at.append(times[from:to]...)
	if other.keys != nil {
		t.keys = append(t.keys, other.keys[from:to]...)
		t.words = append(t.words, other.words[from:to]...)
	}
	t.end()
}

// A byte holds a kind and a role: there are fewer than sixteen of each.
func kindAndRole(kind sessions.Kind, role sessions.Role) uint8 {
	return uint8(role)<<4 | uint8(kind)&0xf
}

// unknownTime stands for a time that does not fit: before 1970 or after 2105.
const unknownTime = math.MaxUint32

// seconds packs a time, to the second; 0 stands for none.
func seconds(at time.Time) uint32 {
	if at.IsZero() {
		return 0
	}
	if sec := at.Unix(); sec > 0 && sec < unknownTime {
		return uint32(sec)
	}
	return unknownTime
}

// unknownWords stands for a number of tokens that does not fit.
const unknownWords = math.MaxUint16

// setUndone notes which turn parts are abandoned.
func (t *turns) setUndone(parts []uint32) {
	if len(parts) == 0 {
		return
	}
	t.undone = newBitmap(t.ids.len())
	for _, part := range parts {
		t.undone.set(part)
	}
}

// newest is the time of the newest span in Unix seconds, 0 when none has one.
func newest(spans []sessions.Span) int64 {
	var at int64
	for i := range spans {
		if t := spans[i].At; !t.IsZero() && (at == 0 || t.Unix() > at) {
			at = t.Unix()
		}
	}
	return at
}
