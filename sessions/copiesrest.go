package sessions

import (
	"encoding/binary"
	"strings"
	"time"

	"yore/sessions/packed"
)

// A folder of sub-agents that was copied holds as many copies. They rest as others do, with
// what is told of them nowhere else: how much they say, and what stands for them. They are
// woken before a transcript is read again that tells of the same sessions.

// dormantCopy is what sleepers keep of a session that is a copy.
type dormantCopy struct {
	is     bool         // else there is nothing of it
	stands packed.Front // the name of what stands for it
	from   packed.Front // said.TimeFrom
	said   Session      // when it was last active, and how much it says
}

// The flags of a session of a sleeper. Before there were two, the first alone was
// written, as yes or no.
const (
	sessionLive = 1 << iota
	sessionCopied
)

// copiesMark stands in the number of a block's members where some tell copies; no block
// has so many.
const copiesMark = 1 << 10

func (b *block) copiesMark() uint64 {
	if b.copies {
		return copiesMark
	}
	return 0
}

// readMembers reads how many members a block has, and whether some tell copies.
func readMembers(r *packed.Reader) (n int, copies bool) {
	written := min(r.Uvarint(), 2*copiesMark-1)
	return int(written &^ copiesMark), written&copiesMark > 0
}

func (d *dormantCopy) append(b []byte, said *Session, stands string) []byte {
	b = d.stands.Append(b, stands)
	b = d.from.Append(b, string(said.TimeFrom))
	b = packed.AppendTime(b, said.LastActive)
	for _, n := range [...]int{said.Prompts, said.Replies, said.ToolCalls, said.Passages} {
		b = binary.AppendVarint(b, int64(n))
	}
	return b
}

func (d *dormantCopy) read(r *packed.Reader) {
	d.stands.Read(r)
	d.from.Read(r)
	d.said = Session{LastActive: r.Time(), Prompts: r.Int(), Replies: r.Int(), ToolCalls: r.Int(), Passages: r.Int()}
}

// wakeCopy makes a session of a sleeper the copy that it was.
func (k *kept) wakeCopy(d *dormant, c *dormantCopy, b *builder) {
	said := c.said
	said.TimeFrom = TimeFrom(c.from)
	b.hidden, b.covered = true, true
	b.facts, b.sent = &said, &unsent
	if k.copies == nil {
		k.copies = make(map[string]string, len(d.sessions))
	}
	k.copies[b.key.ID], k.print = string(c.stands), d.print
}

// tellsCopies tells whether one of its sessions is a copy.
func (d *dormant) tellsCopies() bool {
	for i := range d.sessions {
		if d.sessions[i].copied.is {
			return true
		}
	}
	return false
}

// onlyCopies tells whether all are.
func (d *dormant) onlyCopies() bool {
	for i := range d.sessions {
		if !d.sessions[i].copied.is {
			return false
		}
	}
	return len(d.sessions) > 0
}

// hoardsCopy tells whether the session with a key may be a copy in a block that was left.
// Those that rest have a number in their names.
func (s *sleepers) hoardsCopy(key Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hoards && len(s.left) > 0 && strings.Contains(key.ID, "~")
}

// restfulCopy tells whether nothing is needed of a session of t that is a copy but what
// sleepers keep: what stands for it has its name for good, and wakeTwins comes to it.
func (l *Library) restfulCopy(t *transcript, b *builder) bool {
	if !b.asleep() || b.forgotten || b.live || b.void || b.unknown || t.held || t.stirred || !t.ended(time.Now()) {
		return false
	}
	stands, copied := l.claims.copyOf(b.key)
	own := numberOf(b.key.ID, b.id)
	if !copied || numberOf(stands, b.id) >= own {
		return false
	}
	for key := b.key; own > 0; {
		own--
		key.ID = numbered(printableID(b.id), own)
		if l.claims.find(key) == nil && !l.sleepers.hasName(key) && (!l.sleepers.leaves() || !l.leftBehind(key)) {
			return false
		}
	}
	return true
}

// wakeRivals wakes the sleepers that tell of the same sessions as t, which a worker has.
func (l *Library) wakeRivals(t *transcript) {
	for _, id := range l.claims.ids(t) {
		l.wakeTwins(t.at.Root.Harness, id, 0, l.wakenBeside)
	}
}

// wakenBeside is waken for a worker that does not put in line what it wakes: that may rest
// again when what the worker read was applied.
func (l *Library) wakenBeside(k *kept) {
	l.waken(k)
	l.queue.unexpect(&k.transcript)
}
