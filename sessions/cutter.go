package sessions

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Cutter packs the conversation turns of one session into passages, in order.
//
// A turn joins the open passage while the result has at most PassageChars
// characters (runes); else it opens the next one. A longer turn is split. A
// summary stands alone, and where copied turns meet own ones (the fork point)
// the passage ends. Every border depends on earlier text alone, so the number
// of a passage stays true while its session grows: only the last passage can
// still change. The zero Cutter is ready for use.
type Cutter struct {
	open  Passage // the last passage, without spans before the first turn
	runes int     // of open.Text
}

// Add takes the next conversation turn and returns the passages that it
// closed. A turn without text is dropped.
func (c *Cutter) Add(t Turn) (closed []Passage) {
	from, to := textWithin(t.Text)
	if from == to {
		return nil
	}
	text := t.Text[from:to]
	runes := utf8.RuneCountInString(text)
	if c.joins(t, runes) {
		c.append(t, from, text, runes)
		return nil
	}
	for _, p := range split(text) {
		part := text[p.from:p.to]
		if blank(part) {
			continue // a page of blanks is no passage
		}
		if len(c.open.Spans) > 0 {
			closed = append(closed, c.open)
			c.open, c.runes = Passage{Number: c.open.Number + 1}, 0
		}
		c.append(t, from+p.from, part, utf8.RuneCountInString(part))
	}
	return closed
}

// Open is the passage that may still grow; false before the first turn.
func (c *Cutter) Open() (Passage, bool) {
	return c.open, len(c.open.Spans) > 0
}

// Number is the open passage's number, and 0 before the first turn.
func (c *Cutter) Number() int { return c.open.Number }

// Count is how many passages there are, the open one included.
func (c *Cutter) Count() int {
	if len(c.open.Spans) == 0 {
		return 0
	}
	return c.open.Number + 1
}

// save is a copy from which cutting can begin again, whatever is added to c.
func (c *Cutter) save() Cutter {
	c.open.Spans = slices.Clip(c.open.Spans)
	return *c
}

func (c *Cutter) joins(t Turn, runes int) bool {
	if len(c.open.Spans) == 0 {
		return runes <= PassageChars
	}
	last := c.open.Spans[len(c.open.Spans)-1]
	return t.Kind != Summary && last.Kind != Summary && t.Copied == last.Copied &&
		c.runes+len(TurnGap)+runes <= PassageChars
}

// append puts a part of a turn, which begins at offset of its text, at the end
// of the open passage.
func (c *Cutter) append(t Turn, offset int, part string, runes int) {
	if len(c.open.Spans) > 0 {
		c.open.Text += TurnGap
		c.runes += len(TurnGap)
	}
	from := len(c.open.Text)
	c.open.Text += part
	c.runes += runes
	c.open.Spans = append(c.open.Spans, Span{
		From: from, To: len(c.open.Text), Offset: offset,
		Kind: t.Kind, Role: t.Role, At: t.At, ID: t.ID, Copied: t.Copied, Undone: t.Undone,
	})
}

// textWithin is the range of s that remains without blank lines before it and
// blanks behind it. The first line keeps its indentation, which means
// something in code.
func textWithin(s string) (from, to int) {
	to = len(strings.TrimRightFunc(s, isBlank))
	first := to - len(strings.TrimLeftFunc(s[:to], isBlank))
	return strings.LastIndexByte(s[:first], '\n') + 1, to
}
