package model

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/render"
)

const (
	// noteRows is how many rows the notes of an answer have at most beside its hits.
	noteRows = 2
	// noteShare is the part of the status line that they take there, in percent: beyond
	// it they have rows of their own.
	noteShare = 35
)

// NoteRows are the notes of the answer on rows of their own, where they do not fit into
// the status line; nil where they do, or where there is nothing but them to show.
func (m *Model) NoteRows() []string {
	a := m.Found.Answer
	if m.Found.Recent() || len(a.Hits) == 0 || m.Layout.W < MinWidth {
		return nil
	}
	text := m.Notes()
	if m.Cells.Width(text) <= m.Layout.W*noteShare/100 {
		return nil
	}
	rows := strings.Split(ansi.Wrap(text, m.Layout.W-2, ""), "\n")
	if len(rows) > noteRows {
		last := strings.Join(rows[noteRows-1:], " ")
		rows = append(rows[:noteRows-1], m.Cells.Cut(last, m.Layout.W-2))
	}
	return rows
}

// Notes are what the answer says of itself, on one line.
func (m *Model) Notes() string {
	var notes []string
	for _, n := range m.Found.Answer.Notes {
		// Cut before it is made safe: a note can repeat a pasted query.
		_, end := around(n, 0, len(n), 0)
		notes = append(notes, render.Line(n[:end]))
	}
	return strings.Join(notes, " ")
}
