package model

import tea "charm.land/bubbletea/v2"

const (
	// listLeast and paneLeast are what a border can be moved to, in cells: below
	// that neither says anything.
	listLeast, paneLeast = 30, 30
	// rowsLeast is the same for list and pane above each other, in rows.
	rowsLeast = 4
	// splitSteps is how many presses of a key move the border all the way.
	splitSteps = 20
	// splitWhole is the whole of what list and pane share, in the unit of Split.
	splitWhole = 10_000
)

// Split is how list and pane share the room, as the user wants it: the list's part
// of splitWhole, so that it holds in a window of another size; 0 is the usual.
type Split struct {
	Wide, Tall int
	Hidden     bool // the pane is shown alone, when it has the focus
}

// part is the list's part of room cells: share of it, or the usual, so that least
// and rest cells are left for list and pane.
func part(room, share, usual, least, rest int) int {
	if share > 0 {
		usual = (room*share + splitWhole/2) / splitWhole
	}
	return max(least, min(usual, room-rest))
}

// border is where the pane begins, in the direction in which the two stand, how
// much room both have and what of the split says so; nil where only one is shown.
func (m *Model) border() (at, room int, share *int) {
	l := m.Layout
	switch {
	case l.List.H == 0 || l.Pane.H == 0:
		return 0, 0, nil
	case l.Beside:
		return l.List.W, l.W, &m.split.Wide
	}
	return l.List.H, l.List.H + l.Pane.H, &m.split.Tall
}

// moveBorder puts the border d steps further right or down.
func (m *Model) moveBorder(d int) tea.Cmd {
	at, room, _ := m.border()
	if room == 0 {
		m.Notice = "there is one of list and pane to see: tab goes to the other"
		if m.split.Hidden {
			m.Notice = "the pane is hidden: w shows it, alt+w from the box"
		}
		return nil
	}
	before := m.Layout.List
	cmd := m.putBorder(at + d*max(1, room/splitSteps))
	if m.Layout.List == before {
		m.Notice = "the border is as far as it goes"
	}
	return cmd
}

func (m *Model) borderBack() tea.Cmd { return m.moveBorder(-1) }
func (m *Model) borderOn() tea.Cmd   { return m.moveBorder(1) }

// putBorder has the pane begin at a cell.
func (m *Model) putBorder(at int) tea.Cmd {
	_, room, share := m.border()
	if room == 0 {
		return nil
	}
	*share = min(max(1, (at*splitWhole+room/2)/room), splitWhole)
	return m.relayout()
}

func (m *Model) toggleHidden() tea.Cmd {
	m.split.Hidden = !m.split.Hidden
	if m.split.Hidden && m.Focus == Pane {
		m.Focus = List
	}
	cmd := m.relayout()
	switch {
	case m.split.Hidden:
		m.Notice = "the pane is hidden until it has the focus"
	case m.Layout.List.H == 0 || m.Layout.Pane.H == 0:
		m.Notice = "the pane shows where there is room, or when it has the focus"
	}
	return cmd
}

// drag moves the border with the pointer that has taken hold of it.
func (m *Model) drag(at tea.Mouse) tea.Cmd {
	if m.Layout.Beside {
		return m.putBorder(at.X)
	}
	return m.putBorder(at.Y - m.Layout.List.Y)
}

// onBorder tells whether a click takes hold of the border.
func (m *Model) onBorder(at tea.Mouse) bool {
	_, room, _ := m.border()
	pane := m.Layout.Pane
	switch {
	case room == 0 || !pane.Contains(at.X, at.Y):
		return false
	case m.Layout.Beside:
		return at.X == pane.X
	}
	return at.Y == pane.Y
}
