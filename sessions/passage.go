package sessions

import "time"

// PassageChars is about how many characters a passage holds.
const PassageChars = 1200

// Span is the part of one turn that stands in a passage.
type Span struct {
	From, To int // byte range in Passage.Text
	Offset   int // byte offset in the turn's text at which this part begins
	Kind     Kind
	Role     Role
	At       time.Time
	ID       string
	Copied   bool
	Undone   bool
}

// Passage is a run of conversation turns of one session. Spans are in order,
// do not overlap, and lie apart by TurnGap where two turns meet. Where a turn
// is split, the next passage may begin a little before the last one ended
// (Offset tells), so that no sentence is lost at the border.
type Passage struct {
	Number int
	Text   string
	Spans  []Span
}

// TurnGap stands between two turns in a passage's text.
const TurnGap = "\n\n"

// Hung is a turn that is not conversation, at its place: the Index-th (from 0)
// thinking, or the Index-th tool call, of passage Passage. A tool's output has
// the passage and index of its call; what precedes the first passage hangs
// on 0.
type Hung struct {
	Turn
	Passage int
	Index   int
}
