package model

import (
	tea "charm.land/bubbletea/v2"

	"yore/render"
)

// Print is what a screen that chooses for a shell prints of what was chosen.
type Print string

// What can be printed.
const (
	PrintNothing Print = "" // enter reads
	PrintPassage Print = "passage"
	PrintID      Print = "id"
	PrintPath    Print = "path"
)

// choose leaves the screen with what is selected.
func (m *Model) choose() tea.Cmd {
	s, ok := m.subject()
	if !ok {
		return nil
	}
	switch m.opts.Print {
	case PrintID:
		m.Chosen = s.ID
	case PrintPath:
		m.Chosen = s.Path
	default:
		m.Chosen = m.passageText()
	}
	m.Chosen = render.Clean(m.Chosen)
	if m.Chosen == "" {
		m.Notice = "this has no " + string(m.opts.Print) + " to print"
		return nil
	}
	return tea.Quit
}
