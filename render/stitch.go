package render

import (
	"strings"
	"time"

	"yore/recall"
	"yore/sessions"
)

// piece is the part of one turn that stands in a stitched text.
type piece struct {
	text    string
	matches [][2]int // byte ranges of text
	from    int      // byte offset in the turn's own text at which text begins
	passage int      // the passage in which it begins
	gap     bool     // something is missing between the piece before and this one

	kind   sessions.Kind
	role   sessions.Role
	at     time.Time
	id     string
	copied bool
	undone bool
}

// stitch puts passages of one session, ascending, together again: the union of
// their text in transcript order (C1). What neighbours repeat of a turn that is
// split between them stands there once; passages that do not meet are parted by
// a gap.
func stitch(members []recall.Member) []piece {
	var pieces []piece
	for i, m := range members {
		apart := i > 0 && m.Number > members[i-1].Number+1
		matches := normalMatches(m.Matches, len(m.Text))
		for j, span := range m.Spans {
			next := pieceOf(m, span, matches)
			if j > 0 || len(pieces) == 0 {
				pieces = append(pieces, next)
				continue
			}
			last := &pieces[len(pieces)-1]
			if !apart && last.grow(next) {
				continue
			}
			next.gap = apart || next.sameTurn(*last) && next.from > 0
			pieces = append(pieces, next)
		}
	}
	kept := pieces[:0]
	for _, p := range pieces {
		p.text, p.matches = CleanMatches(p.text, p.matches)
		if strings.TrimSpace(p.text) != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

func pieceOf(m recall.Member, span sessions.Span, matches [][2]int) piece {
	p := piece{
		text: m.Text[span.From:span.To], from: span.Offset, passage: m.Number,
		kind: span.Kind, role: span.Role, at: span.At, id: span.ID, copied: span.Copied, undone: span.Undone,
	}
	for _, match := range matches {
		match = [2]int{max(match[0], span.From) - span.From, min(match[1], span.To) - span.From}
		if match[0] < match[1] {
			p.matches = append(p.matches, match)
		}
	}
	return p
}

// sameTurn tells whether p can be a later part of the turn that before belongs
// to.
func (p piece) sameTurn(before piece) bool {
	return p.kind == before.kind && p.role == before.role && p.id == before.id && (p.id != "" || p.from > 0)
}

// grow appends what next has beyond p. It reports false, and changes nothing,
// when next is no continuation of p, does not reach it, or contradicts it.
func (p *piece) grow(next piece) bool {
	shift := next.from - p.from // where next begins in p.text
	if !next.sameTurn(*p) || shift < 0 || shift > len(p.text) {
		return false
	}
	tail := p.text[shift:]
	switch {
	case strings.HasPrefix(next.text, tail):
		p.text += next.text[len(tail):]
	case !strings.HasPrefix(tail, next.text):
		return false
	}
	for _, m := range next.matches {
		p.matches = append(p.matches, [2]int{m[0] + shift, m[1] + shift})
	}
	p.matches = normalMatches(p.matches, len(p.text))
	return true
}
