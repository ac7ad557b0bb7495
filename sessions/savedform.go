package sessions

import (
	"encoding/binary"
	"maps"
	"slices"
	"unicode/utf8"

	"yore/sessions/packed"
)

// kept is a transcript as it is read back, with what belongs elsewhere.
type kept struct {
	transcript
	revision uint64             // readingRevision at that time
	former   bool               // it has the form of an earlier version
	slept    bool               // it was one of sleepers
	owned    map[string]bool    // by name: the transcript is the owner
	copies   map[string]string  // names of copies, with the name of what stands for them
	skipped  map[string]Skipped // by reason
}

// formOf is what is to be kept of t, as bytes. One that is not settled is kept as one
// to be read from its beginning.
func (l *Library) formOf(t *transcript, settled bool) []byte {
	at := t.at
	if !settled {
		j, _ := l.queue.state(t)
		at = j.at
	}
	b := binary.AppendUvarint(nil, readingRevision)
	b = appendPlace(b, &at)
	names, owned, twin, released, doubted := l.claims.of(t)
	b = packed.AppendBool(b, settled && t.gone)
	b = packed.AppendBool(b, released)
	b = binary.AppendVarint(b, int64(twin))
	b = binary.AppendUvarint(b, uint64(len(names)))
	for id, name := range names {
		b = packed.AppendString(b, id)
		b = packed.AppendString(b, name)
		b = packed.AppendBool(b, owned[name])
	}
	b = packed.AppendBool(b, settled)
	if !settled {
		return b
	}
	forgotten := t.forgotten()
	mark := t.mark
	if len(forgotten) > 0 { // its state is the reader's, and may hold words of what was read
		mark = Mark{}
	}
	b = appendStamp(b, &t.stamp)
	b = binary.AppendVarint(b, mark.Offset)
	b = packed.AppendString(b, mark.State)
	b = appendFingerprint(b, t.print)
	b = l.skips.appendOf(b, t)
	b = binary.AppendUvarint(b, uint64(len(t.sessions)))
	for _, s := range t.sessions {
		b = appendBuilder(b, s)
	}
	copies := l.claims.copies(t)
	for _, s := range t.sessions {
		if _, known := copies[s.key.ID]; s.hidden && !known {
			copies[s.key.ID] = "" // it is to be compared, and nothing was sent of it until then
		}
	}
	if len(forgotten)+len(copies) > 0 || doubted {
		b = packed.AppendStrings(b, forgotten)
		b = packed.AppendStrings(b, inPairs(copies))
		b = packed.AppendBool(b, doubted)
	}
	return b
}

// readTranscript reads what formOf wrote, or its first form.
func readTranscript(r *packed.Reader, first bool) (k kept) {
	t := &k.transcript
	k.revision = r.Uvarint()
	t.at = readPlace(r)
	t.gone, t.released, t.twin = r.Bool(), r.Bool(), r.Int()
	k.owned = make(map[string]bool)
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		if t.names == nil {
			t.names = make(map[string]string)
		}
		id, name := r.String(), r.String()
		t.names[id], k.owned[name] = name, r.Bool()
	}
	if settled := r.Bool(); !settled {
		t.readAnew(k.owned)
		return k
	}
	t.stamp = readStamp(r)
	t.mark = Mark{Offset: r.Varint(), State: []byte(r.String())}
	t.print = readFingerprint(r)
	k.skipped = readSkips(r, t.at.Root.Harness)
	t.sessions = make(map[string]*builder)
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		s := readBuilder(r, first)
		t.sessions[s.id] = s
	}
	if r.Rest() > 0 {
		for _, id := range r.Strings() {
			if s := t.sessions[id]; s != nil {
				s.forgotten = true
			}
		}
	}
	if r.Rest() > 0 {
		k.readCopies(r)
	}
	return k
}

// inPairs is what is known of copies, as it is written.
func inPairs(copies map[string]string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(copies)) {
		all = append(all, name, copies[name])
	}
	return all
}

func (k *kept) readCopies(r *packed.Reader) {
	k.copies = make(map[string]string)
	for pair := range slices.Chunk(r.Strings(), 2) {
		k.copies[pair[0]] = pair[len(pair)-1]
	}
	k.doubted = r.Bool()
	for _, s := range k.sessions {
		stands, hidden := k.copies[s.key.ID]
		if s.hidden = hidden; hidden && stands == "" {
			k.doubted = true
			delete(k.copies, s.key.ID)
		}
	}
	for _, s := range k.sessions {
		if s.covered = s.hidden && !k.doubted; s.hidden && !s.live {
			s.workings = nil
		}
	}
}

func appendPlace(b []byte, t *Transcript) []byte {
	for _, text := range [...]string{t.Root.Harness, t.Root.Path, t.Root.From, t.Path, t.Unit, t.ID} {
		b = packed.AppendString(b, text)
	}
	b = appendStamp(b, &t.Stamp)
	return packed.AppendBool(b, t.Side)
}

func readPlace(r *packed.Reader) (t Transcript) {
	for _, text := range [...]*string{&t.Root.Harness, &t.Root.Path, &t.Root.From, &t.Path, &t.Unit, &t.ID} {
		*text = r.String()
	}
	t.Stamp = readStamp(r)
	t.Side = r.Bool()
	return t
}

func appendFingerprint(b []byte, p fingerprint) []byte {
	b = packed.AppendBool(b, p.taken)
	b = binary.AppendVarint(b, p.offset)
	b = binary.LittleEndian.AppendUint64(b, p.head)
	return binary.LittleEndian.AppendUint64(b, p.tail)
}

func readFingerprint(r *packed.Reader) fingerprint {
	return fingerprint{taken: r.Bool(), offset: r.Varint(), head: r.Uint64(), tail: r.Uint64()}
}

func appendStamp(b []byte, s *Stamp) []byte {
	b = binary.AppendVarint(b, s.Size)
	b = packed.AppendTime(b, s.Mtime)
	b = binary.AppendUvarint(b, s.Inode)
	return binary.AppendVarint(b, s.Extra)
}

func readStamp(r *packed.Reader) Stamp {
	return Stamp{Size: r.Varint(), Mtime: r.Time(), Inode: r.Uvarint(), Extra: r.Varint()}
}

func appendBuilder(b []byte, s *builder) []byte {
	b = packed.AppendString(b, s.key.Harness)
	b = packed.AppendString(b, s.key.ID)
	b = packed.AppendString(b, s.id)
	b = AppendSession(b, s.facts)
	b = packed.AppendBool(b, s.live)
	b = packed.AppendBool(b, s.void)
	b = packed.AppendBool(b, s.asleep())
	if s.asleep() {
		return b
	}
	b = appendNumbering(b, &s.numbers)
	b = appendHanging(b, &s.places)
	b = appendTally(b, &s.tally)
	b = binary.AppendUvarint(b, uint64(len(s.hung)))
	for i := range s.hung {
		b = binary.AppendVarint(b, int64(s.hung[i].Passage))
		b = AppendHung(b, &s.hung[i])
	}
	b = appendUndone(b, s.undone)
	return appendUndone(b, s.changed)
}

// readBuilder reads what appendBuilder wrote. In the first form all are awake, and it
// is not said.
func readBuilder(r *packed.Reader, first bool) *builder {
	s := &builder{key: Key{r.String(), r.String()}, id: r.String()}
	facts := ReadSession(r)
	s.facts, s.sent = &facts, &unsent
	s.live, s.void = r.Bool(), r.Bool()
	if asleep := !first && r.Bool(); asleep {
		return s
	}
	s.workings = &workings{}
	s.numbers, s.places, s.tally = readNumbering(r), readHanging(r), readTally(r)
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		passage := r.Int()
		h := ReadHung(r)
		h.Passage = passage
		s.hung = append(s.hung, h)
	}
	s.undone, s.changed = readUndone(r), readUndone(r)
	return s
}

func appendUndone(b []byte, undone map[string]bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(undone)))
	for id, on := range undone {
		b = packed.AppendBool(packed.AppendString(b, id), on)
	}
	return b
}

func readUndone(r *packed.Reader) map[string]bool {
	var undone map[string]bool
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		if undone == nil {
			undone = make(map[string]bool)
		}
		id := r.String()
		undone[id] = r.Bool()
	}
	return undone
}

func appendNumbered(b []byte, p *Passage) []byte {
	return AppendPassage(binary.AppendVarint(b, int64(p.Number)), p)
}

func readNumbered(r *packed.Reader) Passage {
	number := r.Int()
	p := ReadPassage(r)
	p.Number = number
	return p
}

func readCutter(r *packed.Reader) Cutter {
	open := readNumbered(r)
	return Cutter{open: open, runes: utf8.RuneCountInString(open.Text)}
}

func appendNumbering(b []byte, n *numbering) []byte {
	b = appendNumbered(b, &n.cut.open)
	b = appendNumbered(b, &n.base.open)
	b = binary.AppendUvarint(b, uint64(len(n.tail)))
	for i := range n.tail {
		b = appendWholeTurn(b, &n.tail[i])
	}
	b = appendHashes(b, n.closed)
	b = packed.AppendBool(b, n.touched)
	b = binary.AppendVarint(b, int64(n.from))
	b = binary.AppendUvarint(b, uint64(len(n.out)))
	for i := range n.out {
		b = appendNumbered(b, &n.out[i])
	}
	return b
}

func readNumbering(r *packed.Reader) numbering {
	n := numbering{cut: readCutter(r), base: readCutter(r)}
	for k := r.Count(); k > 0 && !r.Bad(); k-- {
		n.tail = append(n.tail, readWholeTurn(r))
	}
	n.closed = readHashes[uint64](r)
	n.touched, n.from = r.Bool(), r.Int()
	for k := r.Count(); k > 0 && !r.Bad(); k-- {
		n.out = append(n.out, readNumbered(r))
	}
	return n
}

func appendHashes[T ~uint64](b []byte, hashes []T) []byte {
	b = binary.AppendUvarint(b, uint64(len(hashes)))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, uint64(h))
	}
	return b
}

func readHashes[T ~uint64](r *packed.Reader) []T {
	n := r.Count()
	if n > r.Rest()/8 {
		r.Fail()
		return nil
	}
	hashes := make([]T, n)
	for i := range hashes {
		hashes[i] = T(r.Uint64())
	}
	return hashes
}

func appendHanging(b []byte, h *hanging) []byte {
	for _, n := range [...]int{h.passage, h.thinking, h.tools} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(h.calls)))
	for call, place := range h.calls {
		b = binary.LittleEndian.AppendUint64(b, call)
		b = binary.AppendVarint(b, int64(place.passage))
		b = binary.AppendVarint(b, int64(place.index))
		b = packed.AppendBool(b, place.answered)
	}
	return appendHashes(b, h.answered)
}

func readHanging(r *packed.Reader) hanging {
	h := hanging{passage: r.Int(), thinking: r.Int(), tools: r.Int()}
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		if h.calls == nil {
			h.calls = make(map[uint64]hook)
		}
		call := r.Uint64()
		h.calls[call] = hook{passage: r.Int(), index: r.Int(), answered: r.Bool()}
	}
	h.answered = readHashes[uint64](r)
	return h
}

func appendTally(b []byte, y *tally) []byte {
	for _, n := range [...]int{y.prompts, y.replies, y.calls} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = appendHashes(b, y.counted)
	for _, text := range [...]string{y.title, y.titleID, y.little} {
		b = packed.AppendString(b, text)
	}
	for _, s := range [...]span{y.own, y.copied} {
		b = packed.AppendTime(packed.AppendTime(b, s.first), s.last)
	}
	return b
}

func readTally(r *packed.Reader) tally {
	y := tally{prompts: r.Int(), replies: r.Int(), calls: r.Int()}
	y.counted = readHashes[countedTurn](r)
	y.title, y.titleID, y.little = r.String(), r.String(), r.String()
	y.own = span{r.Time(), r.Time()}
	y.copied = span{r.Time(), r.Time()}
	return y
}
