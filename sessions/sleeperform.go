package sessions

import (
	"encoding/binary"

	"yore/sessions/packed"
)

// dormant is a sleeper as it is written and read: its texts beside those of the one
// before it in the block, of which most begin alike.
type dormant struct {
	root           [3]packed.Front // harness, path, from
	path, unit, id packed.Front
	gone, released bool
	side           bool
	at, stamp      Stamp
	print          fingerprint // where one of its sessions is a copy
	twin           int
	names          []dormantName
	skipped        []dormantSkip
	sessions       []dormantSession
}

type dormantName struct {
	id, name packed.Front
	owned    bool
}

type dormantSkip struct {
	reason, example packed.Front
	count           int
}

type dormantSession struct {
	key, id, parent          packed.Front
	directory, lastDirectory packed.Front
	live                     bool
	moved                    bool // when it was read: it was elsewhere than the one before it
	copied                   dormantCopy
}

const (
	sleeperSide = 1 << iota
	sleeperGone
	sleeperReleased
	sleeperCopies
)

// append writes a transcript that is at rest.
func (d *dormant) append(b []byte, k *kept) []byte {
	t := &k.transcript
	for i, text := range [...]string{t.at.Root.Harness, t.at.Root.Path, t.at.Root.From} {
		b = d.root[i].Append(b, text)
	}
	b = d.path.Append(b, t.at.Path)
	b = d.unit.Append(b, t.at.Unit)
	b = d.id.Append(b, t.at.ID)
	var flags byte
	for i, on := range [...]bool{t.at.Side, t.gone, t.released, len(k.copies) > 0} {
		if on {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	b = appendStamp(appendStamp(b, &t.at.Stamp), &t.stamp)
	if len(k.copies) > 0 {
		b = appendFingerprint(b, t.print)
	}
	b = binary.AppendVarint(b, int64(t.twin))
	b = binary.AppendUvarint(b, uint64(len(t.names)))
	d.names = d.names[:0]
	for id, name := range t.names {
		n := slot(&d.names)
		b = n.id.Append(b, id)
		b = n.name.Append(b, name)
		b = packed.AppendBool(b, k.owned[name])
	}
	b = binary.AppendUvarint(b, uint64(len(k.skipped)))
	d.skipped = d.skipped[:0]
	for reason, skip := range k.skipped {
		s := slot(&d.skipped)
		b = s.reason.Append(b, reason)
		b = s.example.Append(b, skip.Example)
		b = binary.AppendVarint(b, int64(skip.Count))
	}
	b = binary.AppendUvarint(b, uint64(len(t.sessions)))
	d.sessions = d.sessions[:0]
	for _, s := range t.sessions {
		b = slot(&d.sessions).append(b, s, k.copies[s.key.ID])
	}
	return b
}

func (d *dormantSession) append(b []byte, s *builder, stands string) []byte {
	b = d.key.Append(b, s.key.ID)
	b = d.id.Append(b, s.id)
	b = d.parent.Append(b, s.parent())
	b = d.directory.Append(b, s.sent.Directory)
	b = d.lastDirectory.Append(b, s.sent.LastDirectory)
	b = append(b, flag(s.live, sessionLive)|flag(s.hidden, sessionCopied))
	if d.copied.is = s.hidden; s.hidden {
		b = d.copied.append(b, s.facts, stands)
	}
	return b
}

// slot is one more item of list, which holds what it held when there were as many last.
func slot[T any](list *[]T) *T {
	n := len(*list)
	if n < cap(*list) {
		*list = (*list)[:n+1]
	} else {
		var none T
		*list = append(*list, none)
	}
	return &(*list)[n]
}

// read reads what append wrote.
func (d *dormant) read(r *packed.Reader) {
	for i := range d.root {
		d.root[i].Read(r)
	}
	d.path.Read(r)
	d.unit.Read(r)
	d.id.Read(r)
	flags := r.Byte()
	d.side, d.gone, d.released = flags&sleeperSide != 0, flags&sleeperGone != 0, flags&sleeperReleased != 0
	d.at, d.stamp = readStamp(r), readStamp(r)
	if flags&sleeperCopies != 0 {
		d.print = readFingerprint(r)
	}
	d.twin = r.Int()
	d.names = d.names[:0]
	for left := r.Count(); left > 0 && !r.Bad(); left-- {
		n := slot(&d.names)
		n.id.Read(r)
		n.name.Read(r)
		n.owned = r.Bool()
	}
	d.skipped = d.skipped[:0]
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		s := slot(&d.skipped)
		s.reason.Read(r)
		s.example.Read(r)
		s.count = max(r.Int(), 1)
	}
	d.sessions = d.sessions[:0]
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		s := slot(&d.sessions)
		for _, text := range [...]*packed.Front{&s.key, &s.id, &s.parent} {
			text.Read(r)
		}
		at, last := s.directory.Read(r), s.lastDirectory.Read(r)
		s.moved = at || last
		how := r.Byte()
		if s.live, s.copied.is = how&sessionLive != 0, how&sessionCopied != 0; s.copied.is {
			s.copied.read(r)
		}
	}
}

// kept is the sleeper as a transcript of which it is known where it lies, and of its
// sessions what they are called and where they were at work.
func (d *dormant) kept() *kept {
	k := &kept{revision: readingRevision, slept: true, owned: make(map[string]bool, len(d.names))}
	t := &k.transcript
	t.at = Transcript{
		Root: d.rootOf(),
		Path: string(d.path), Unit: string(d.unit), ID: string(d.id), Stamp: d.at, Side: d.side,
	}
	t.gone, t.released, t.twin, t.stamp = d.gone, d.released, d.twin, d.stamp
	t.names = make(map[string]string, len(d.names))
	for i := range d.names {
		n := &d.names[i]
		t.names[string(n.id)], k.owned[string(n.name)] = string(n.name), n.owned
	}
	k.skipped = make(map[string]Skipped, len(d.skipped))
	for i := range d.skipped {
		s := &d.skipped[i]
		reason := string(s.reason)
		k.skipped[reason] = Skipped{Harness: t.at.Root.Harness, Reason: reason, Count: s.count, Example: string(s.example)}
	}
	t.sessions = make(map[string]*builder, len(d.sessions))
	for i := range d.sessions {
		s := &d.sessions[i]
		facts := &Session{
			Key: Key{t.at.Root.Harness, string(s.key)}, Parent: string(s.parent),
			Directory: string(s.directory), LastDirectory: string(s.lastDirectory),
		}
		b := &builder{key: facts.Key, id: string(s.id), live: s.live, facts: facts, sent: facts}
		if t.sessions[b.id] = b; s.copied.is {
			k.wakeCopy(d, &s.copied, b)
		}
	}
	return k
}

// note makes d hold what was written last, apart from its texts, which it holds already.
func (d *dormant) note(k *kept) {
	d.gone, d.released, d.side = k.gone, k.released, k.at.Side
	d.at, d.stamp, d.twin = k.at.Stamp, k.stamp, k.twin
	for i := range d.names {
		d.names[i].owned = k.owned[string(d.names[i].name)]
	}
}

func (d *dormant) rootOf() Root {
	return Root{string(d.root[0]), string(d.root[1]), string(d.root[2])}
}

// among tells whether one of its sessions is among keys.
func (d *dormant) among(keys map[Key]bool) bool {
	for i := range d.sessions {
		if keys[Key{string(d.root[0]), string(d.sessions[i].key)}] {
			return true
		}
	}
	return false
}

// form is a block as it is saved.
func (b *block) form() []byte {
	revision := uint64(readingRevision)
	if b.stale {
		revision = 0
	}
	state := binary.AppendUvarint(nil, revision)
	state = binary.AppendUvarint(state, uint64(len(b.rows))|b.copiesMark())
	return append(state, b.members...)
}

// soundBlock tells whether load can take over all of a block.
func soundBlock(state []byte) bool {
	r, d := packed.NewReader(state), &dormant{}
	r.Uvarint() // the revision
	n, _ := readMembers(r)
	for left := n; left > 0 && !r.Bad(); left-- {
		d.read(r)
	}
	return n > 0 && !r.Bad() && r.Rest() == 0
}
