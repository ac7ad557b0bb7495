package sessions

import (
	"bytes"
	"encoding/binary"

	"yore/sessions/packed"
)

// What is kept on disk of turns, passages and sessions, as bytes.

// The flags of a turn in a record.
const (
	flagCopied = 1 << iota
	flagFailed
	flagCut
	flagUndone
)

// The flags of a session in a record. Before there were two, the first alone was
// written, as yes or no.
const (
	flagSubagent = 1 << iota
	flagHeadless
)

func flag(on bool, f byte) byte {
	if on {
		return f
	}
	return 0
}

// appendTurn appends a turn but for its text, its tool and its call.
func appendTurn(b []byte, t *Turn) []byte {
	flags := flag(t.Copied, flagCopied) | flag(t.Failed, flagFailed) | flag(t.Cut, flagCut) | flag(t.Undone, flagUndone)
	b = append(b, byte(t.Kind), byte(t.Role), flags)
	b = packed.AppendTime(b, t.At)
	return packed.AppendString(b, t.ID)
}

func readTurn(r *packed.Reader) (t Turn) {
	t.Kind, t.Role = Kind(r.Byte()), Role(r.Byte())
	flags := r.Byte()
	t.Copied, t.Failed = flags&flagCopied != 0, flags&flagFailed != 0
	t.Cut, t.Undone = flags&flagCut != 0, flags&flagUndone != 0
	t.At = r.Time()
	t.ID = r.String()
	return t
}

// appendWholeTurn appends all of a turn.
func appendWholeTurn(b []byte, t *Turn) []byte {
	b = packed.AppendString(b, t.Text)
	b = appendTurn(b, t)
	b = packed.AppendString(b, t.Tool)
	return packed.AppendString(b, t.Call)
}

func readWholeTurn(r *packed.Reader) Turn {
	text := r.String()
	t := readTurn(r)
	t.Text, t.Tool, t.Call = text, r.String(), r.String()
	return t
}

// AppendPassage appends a passage but for its number.
func AppendPassage(b []byte, p *Passage) []byte {
	b = packed.AppendString(b, p.Text)
	b = binary.AppendUvarint(b, uint64(len(p.Spans)))
	for i := range p.Spans {
		s := &p.Spans[i]
		b = binary.AppendVarint(b, int64(s.From))
		b = binary.AppendVarint(b, int64(s.To))
		b = binary.AppendVarint(b, int64(s.Offset))
		b = appendTurn(b, &Turn{Kind: s.Kind, Role: s.Role, At: s.At, ID: s.ID, Copied: s.Copied, Undone: s.Undone})
	}
	return b
}

// ReadPassage reads what AppendPassage wrote.
func ReadPassage(r *packed.Reader) (p Passage) {
	p.Text = r.String()
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		s := Span{From: r.Int(), To: r.Int(), Offset: r.Int()}
		t := readTurn(r)
		s.Kind, s.Role, s.At, s.ID, s.Copied, s.Undone = t.Kind, t.Role, t.At, t.ID, t.Copied, t.Undone
		p.Spans = append(p.Spans, s)
	}
	return p
}

// AppendHung appends a hung turn but for the passage on which it hangs.
func AppendHung(b []byte, h *Hung) []byte {
	b = binary.AppendVarint(b, int64(h.Index))
	return appendWholeTurn(b, &h.Turn)
}

// ReadHung reads what AppendHung wrote.
func ReadHung(r *packed.Reader) (h Hung) {
	h.Index = r.Int()
	h.Turn = readWholeTurn(r)
	return h
}

// AppendSession appends all that is known of a session.
func AppendSession(b []byte, s *Session) []byte {
	for _, text := range textsOf(s) {
		b = packed.AppendString(b, *text)
	}
	return appendRest(b, s)
}

// textsOf are the texts of a session, in the order in which they are written.
func textsOf(s *Session) [13]*string {
	return [...]*string{
		&s.Harness, &s.ID, &s.Provider, &s.Directory, &s.LastDirectory, &s.Title, &s.Branch, &s.Model,
		(*string)(&s.TimeFrom), &s.Parent, &s.ParentCall, &s.ForkedFrom, &s.Path,
	}
}

// appendRest appends what is no text.
func appendRest(b []byte, s *Session) []byte {
	b = packed.AppendTime(b, s.Start)
	b = packed.AppendTime(b, s.LastActive)
	for _, n := range [...]int{s.Prompts, s.Replies, s.ToolCalls, s.Passages} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = append(b, flag(s.Subagent, flagSubagent)|flag(s.Headless, flagHeadless))
	b = packed.AppendBool(b, s.Running)
	b = packed.AppendBool(b, s.Gone)
	return packed.AppendStrings(b, s.Resume)
}

// sameFacts tells whether the same is known of two sessions.
func sameFacts(a, b *Session) bool {
	var one, other [1 << 10]byte // so that most need no memory of their own
	return bytes.Equal(AppendSession(one[:0], a), AppendSession(other[:0], b))
}

// ReadSession reads what AppendSession wrote.
func ReadSession(r *packed.Reader) (s Session) {
	for _, text := range textsOf(&s) {
		*text = r.String()
	}
	readRest(r, &s)
	return s
}

func readRest(r *packed.Reader, s *Session) {
	s.Start, s.LastActive = r.Time(), r.Time()
	for _, n := range [...]*int{&s.Prompts, &s.Replies, &s.ToolCalls, &s.Passages} {
		*n = r.Int()
	}
	flags := r.Byte()
	s.Subagent, s.Headless = flags&flagSubagent != 0, flags&flagHeadless != 0
	s.Running, s.Gone = r.Bool(), r.Bool()
	s.Resume = r.Strings()
}

// SessionRow writes and reads sessions one after the other, of each text only in what it
// differs from the one before it: sub-agents of one session have most in common. The
// zero SessionRow is at the beginning.
type SessionRow [13]packed.Front

// Append appends what AppendSession does.
func (f *SessionRow) Append(b []byte, s *Session) []byte {
	for i, text := range textsOf(s) {
		b = f[i].Append(b, *text)
	}
	return appendRest(b, s)
}

// Read reads what Append wrote, the last of as many sessions as were written before
// and since the beginning. Of the texts that s has, those stay that it is to have.
func (f *SessionRow) Read(r *packed.Reader, s *Session) {
	f.Skip(r, s)
	for i, text := range textsOf(s) {
		if *text != string(f[i]) {
			*text = string(f[i])
		}
	}
}

// Skip reads what Append wrote, of which it makes all of a session but its texts.
func (f *SessionRow) Skip(r *packed.Reader, s *Session) {
	for i := range f {
		f[i].Read(r)
	}
	readRest(r, s)
}
