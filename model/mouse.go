package model

import tea "charm.land/bubbletea/v2"

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

// wheel scrolls what is under the pointer.
func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	d := wheelRows
	switch at.Button {
	case tea.MouseWheelUp:
		d = -d
	case tea.MouseWheelDown:
	default:
		return nil
	}
	switch {
	case m.tailing():
		m.Tail.move(d)
	case m.Focus == Palette:
		return m.stepPalette(d / wheelRows) // what is selected stays in view
	case m.Focus&screen == 0:
		return m.scrollBy(d)
	case m.Layout.Pane.Contains(at.X, at.Y):
		m.Pane.Scroll.move(d)
	case m.Layout.List.Contains(at.X, at.Y):
		m.List.Scroll.move(d)
	}
	return nil
}

// pointer follows a pointer that was pressed: it can have hold of the border.
func (m *Model) pointer(msg tea.Msg) tea.Cmd {
	move, moved := msg.(tea.MouseMotionMsg)
	if !m.dragging || !moved {
		m.dragging = false
		m.version-- // nothing to be painted has changed
		return nil
	}
	return m.drag(move.Mouse())
}

// click gives the focus to what is under the pointer and selects there.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if at.Button != tea.MouseLeft {
		return nil
	}
	if m.Focus == Reading && m.Layout.ReaderText.Contains(at.X, at.Y) {
		if f, ok := m.Reader.Doc.FoldAt(m.Reader.Scroll.Top + at.Y - m.Layout.ReaderText.Y); ok {
			return m.turnFold(f)
		}
	}
	switch m.Focus {
	case Tail:
		m.Tail.choose(at.Y - m.Layout.ReaderText.Y)
	case Palette:
		return m.clickAct(at.Y - m.Layout.Help.Y - helpHead)
	}
	if m.Focus&screen == 0 {
		return nil
	}
	m.Notice = ""
	if m.onBorder(at) {
		m.dragging = true
		return nil
	}
	switch l := m.Layout; {
	case l.Query.Contains(at.X, at.Y):
		return m.focus(Query)
	case l.Pane.Contains(at.X, at.Y):
		return m.focus(Pane)
	case l.List.Contains(at.X, at.Y):
		i := m.List.At(m.List.Scroll.Top + at.Y - l.List.Y)
		return tea.Batch(m.focus(List), m.selected(func(s *ListState) { s.choose(i) }))
	}
	return nil
}
