package index

import (
	"encoding/binary"
	"time"

	"yore/sessions"
)

// A record is a document as bytes: its text, then what is known of its turns.
// Numbers are varints, strings have their length before them. Whether a turn
// is abandoned is not part of it, since that changes.

// The flags of a turn in a record.
const (
	flagTimed = 1 << iota // a time follows
	flagCopied
	flagFailed
	flagCut
)

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTurn(b []byte, kind sessions.Kind, role sessions.Role, flags byte, at time.Time, id string) []byte {
	if !at.IsZero() {
		flags |= flagTimed
	}
	b = append(b, byte(kind), byte(role), flags)
	if !at.IsZero() {
		b = binary.AppendVarint(b, at.Unix())
		b = binary.AppendUvarint(b, uint64(at.Nanosecond()))
	}
	return appendString(b, id)
}

func appendPassage(b []byte, p *sessions.Passage) []byte {
	b = appendString(b, p.Text)
	b = binary.AppendUvarint(b, uint64(len(p.Spans)))
	for i := range p.Spans {
		s := &p.Spans[i]
		b = binary.AppendVarint(b, int64(s.From))
		b = binary.AppendVarint(b, int64(s.To))
		b = binary.AppendVarint(b, int64(s.Offset))
		b = appendTurn(b, s.Kind, s.Role, flag(s.Copied, flagCopied), s.At, s.ID)
	}
	return b
}

func appendHung(b []byte, h *sessions.Hung) []byte {
	b = appendString(b, h.Text)
	b = binary.AppendVarint(b, int64(h.Index))
	flags := flag(h.Copied, flagCopied) | flag(h.Failed, flagFailed) | flag(h.Cut, flagCut)
	b = appendTurn(b, h.Kind, h.Role, flags, h.At, h.ID)
	b = appendString(b, h.Tool)
	return appendString(b, h.Call)
}

func flag(on bool, f byte) byte {
	if on {
		return f
	}
	return 0
}

// cursor reads a record. After a fault everything it reads is zero and bad is
// set; it never reads past the end and never makes more than it was given.
type cursor struct {
	data []byte
	text string // ends where data does: strings are parts of it, one copy for all
	bad  bool
}

func newCursor(record []byte) cursor { return cursor{data: record, text: string(record)} }

func (c *cursor) fail() {
	c.data, c.bad = nil, true
}

func (c *cursor) byte() byte {
	if len(c.data) == 0 {
		c.fail()
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.data = c.data[n:]
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.data)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.data = c.data[n:]
	return v
}

func (c *cursor) string() string {
	n := c.uvarint()
	if n > uint64(len(c.data)) {
		c.fail()
		return ""
	}
	at := len(c.text) - len(c.data)
	c.data = c.data[n:]
	return c.text[at : at+int(n)]
}

func (c *cursor) turn() (t sessions.Turn) {
	t.Kind, t.Role = sessions.Kind(c.byte()), sessions.Role(c.byte())
	flags := c.byte()
	if flags&flagTimed != 0 {
		sec := c.varint()
		t.At = time.Unix(sec, int64(c.uvarint())).UTC()
	}
	t.Copied, t.Failed, t.Cut = flags&flagCopied != 0, flags&flagFailed != 0, flags&flagCut != 0
	t.ID = c.string()
	return t
}

func (c *cursor) passage() (p sessions.Passage) {
	p.Text = c.string()
	n := c.uvarint()
	for ; n > 0 && !c.bad; n-- {
		s := sessions.Span{From: int(c.varint()), To: int(c.varint()), Offset: int(c.varint())}
		t := c.turn()
		s.Kind, s.Role, s.At, s.ID, s.Copied = t.Kind, t.Role, t.At, t.ID, t.Copied
		p.Spans = append(p.Spans, s)
	}
	return p
}

func (c *cursor) hung() (h sessions.Hung) {
	text := c.string()
	h.Index = int(c.varint())
	h.Turn = c.turn()
	h.Text = text
	h.Tool, h.Call = c.string(), c.string()
	return h
}
