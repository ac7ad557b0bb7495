package model

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/render"
)

// press does what a key does in the focus; what is bound to nothing is text
// where text is typed.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.Notice = ""
	b := m.keys.find(m.Focus, msg)
	if b == nil || b.ID != m.begun {
		m.begun = ""
	}
	if b != nil {
		m.pressed = msg
		return b.do(m)
	}
	if !m.Focus.text() || msg.Text == "" {
		return nil
	}
	return m.paste(msg.Text)
}

// paste puts text into the line that has the focus, the box where none has.
func (m *Model) paste(text string) tea.Cmd {
	var cmd tea.Cmd
	if !m.Focus.text() {
		if m.Focus&screen == 0 {
			return nil
		}
		cmd = m.focus(Query)
	}
	return tea.Batch(cmd, m.edit(tea.PasteMsg{Content: typed(text)}))
}

// typed makes text fit for a line: safe for a terminal, blanks kept.
func typed(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, render.Clean(text))
}

func (m *Model) editLine() tea.Cmd {
	line := m.line()
	// The word of one letter at the end of the line: textinput (2.2.1) looks
	// behind it.
	if len([]rune(line.Value()))-line.Position() == 1 && key.Matches(m.pressed, line.KeyMap.DeleteWordForward) {
		return m.edit(tea.KeyPressMsg{Code: tea.KeyDelete})
	}
	return m.edit(m.pressed)
}

// edit hands a key or text to the line that has the focus.
func (m *Model) edit(msg tea.Msg) tea.Cmd {
	line := m.line()
	before := line.Value()
	*line, _ = line.Update(msg)
	return m.lineEdited(before)
}

func (m *Model) line() *textinput.Model {
	switch m.Focus {
	case Find:
		if m.tailing() {
			return &m.Tail.seek.line
		}
		return &m.Reader.find
	case Palette:
		return &m.Palette.input
	}
	return &m.input
}

func (m *Model) lineEdited(before string) tea.Cmd {
	switch m.Focus {
	case Find:
		if m.tailing() {
			return m.findTyped()
		}
		m.Reader.search()
		return nil
	case Palette:
		if m.Palette.input.Value() != before {
			m.narrowPalette()
		}
		return nil
	}
	return m.edited(before)
}

func (m *Model) clearLine() tea.Cmd {
	line := m.line()
	before := line.Value()
	line.Reset()
	return m.lineEdited(before)
}

// focus moves the focus on the main screen and shows there what has it.
func (m *Model) focus(f Focus) tea.Cmd {
	m.Focus = f
	return m.relayout()
}

func (m *Model) toQuery() tea.Cmd { return m.focus(Query) }

func (m *Model) nextFocus() tea.Cmd {
	return m.focus(map[Focus]Focus{Query: List, List: Pane, Pane: Query}[m.Focus])
}

func (m *Model) previousFocus() tea.Cmd {
	return m.focus(map[Focus]Focus{Query: Pane, List: Query, Pane: List}[m.Focus])
}

// switchPane changes what the pane shows, and shows the pane where it was not.
func (m *Model) switchPane() tea.Cmd {
	if m.Found.Recent() {
		m.Notice = "a list of sessions has no digest: type a query"
		return nil
	}
	m.Pane.Digest = !m.Pane.Digest
	if m.Layout.Pane.H == 0 {
		return m.focus(Pane)
	}
	return m.refreshPane()
}

// back goes one level up: from what covers the screen to the screen, from list
// and pane to the box, from a query to none, and from there out.
func (m *Model) back() tea.Cmd {
	switch m.Focus {
	case Help:
		return m.toggleHelp()
	case Palette:
		return m.closePalette()
	case Find:
		cmd := m.clearLine()
		m.Focus = m.finding
		return cmd
	case Tail:
		return m.leaveTail()
	case Reading:
		m.Reader.close()
		return m.focus(m.beforeReader)
	case List, Pane:
		return m.focus(Query)
	}
	if m.input.Value() != "" {
		return m.clearLine()
	}
	return tea.Quit
}

func (m *Model) quit() tea.Cmd    { return tea.Quit }
func (m *Model) suspend() tea.Cmd { return tea.Suspend }

// redraw puts all of the screen out again: something else has written over it.
func (m *Model) redraw() tea.Cmd { return tea.ClearScreen }

func (m *Model) toggleMouse() tea.Cmd {
	m.Mouse = !m.Mouse
	m.Notice = "the mouse is the terminal's now: select text with it, F4 takes it back"
	if m.Mouse {
		m.Notice = "the mouse selects and scrolls here"
	}
	return nil
}

func (m *Model) selected(move func(*ListState)) tea.Cmd {
	move(&m.List)
	m.moved = true
	if m.List.Selected == 0 {
		m.News = 0 // what is new is seen there
	}
	return tea.Batch(m.refreshPane(), m.more())
}

func (m *Model) selectBy(n int) tea.Cmd {
	return m.selected(func(l *ListState) { l.step(n) })
}

func (m *Model) selectUp() tea.Cmd       { return m.selectBy(-1) }
func (m *Model) selectDown() tea.Cmd     { return m.selectBy(1) }
func (m *Model) selectHalfUp() tea.Cmd   { return m.selectBy(-max(1, m.List.page()/2)) }
func (m *Model) selectHalfDown() tea.Cmd { return m.selectBy(max(1, m.List.page()/2)) }
func (m *Model) selectPageUp() tea.Cmd   { return m.selectBy(-m.List.page()) }
func (m *Model) selectPageDown() tea.Cmd { return m.selectBy(m.List.page()) }
func (m *Model) selectFirst() tea.Cmd    { return m.selectBy(-len(m.List.Items)) }
func (m *Model) selectLast() tea.Cmd     { return m.selectBy(len(m.List.Items)) }

// scroll is what the scrolling keys of the focus move.
func (m *Model) scroll() *Scroll {
	switch m.Focus {
	case Help:
		return &m.Help
	case Reading, Find:
		return &m.Reader.Scroll
	}
	return &m.Pane.Scroll
}

func (m *Model) scrollBy(n int) tea.Cmd {
	m.scroll().move(n)
	if m.scroll() == &m.Reader.Scroll {
		return m.readOn()
	}
	return nil
}

// paneBy scrolls the pane from beside it.
func (m *Model) paneBy(n int) tea.Cmd {
	if m.Layout.Pane.H > 0 {
		m.Pane.Scroll.move(n)
	}
	return nil
}

func (m *Model) paneUp() tea.Cmd   { return m.paneBy(-1) }
func (m *Model) paneDown() tea.Cmd { return m.paneBy(1) }

func (m *Model) scrollUp() tea.Cmd       { return m.scrollBy(-1) }
func (m *Model) scrollDown() tea.Cmd     { return m.scrollBy(1) }
func (m *Model) scrollHalfUp() tea.Cmd   { return m.scrollBy(-m.scroll().Height / 2) }
func (m *Model) scrollHalfDown() tea.Cmd { return m.scrollBy(m.scroll().Height / 2) }
func (m *Model) scrollPageUp() tea.Cmd   { return m.scrollBy(1 - m.scroll().Height) }
func (m *Model) scrollPageDown() tea.Cmd { return m.scrollBy(m.scroll().Height - 1) }

func (m *Model) scrollTop() tea.Cmd {
	if m.Focus == Reading && !m.Reader.Doc.has(0) {
		return m.jumped(jumpMsg{to: place{session: m.Reader.Session}})
	}
	return m.scrollBy(-m.scroll().Total)
}

func (m *Model) scrollBottom() tea.Cmd {
	if m.Focus == Reading && !m.Reader.Doc.has(m.Reader.Reading.Of-1) {
		return m.readLast()
	}
	return m.scrollBy(m.scroll().Total)
}

// passageText is the passage that is selected, or that the reader stands on.
func (m *Model) passageText() string {
	if m.Focus == Reading {
		return Spoken(m.Reader.Reading, m.Reader.Passage)
	}
	item, ok := m.List.Current()
	if !ok || item.Hit < 0 || item.Hit >= len(m.Found.Answer.Hits) {
		return ""
	}
	h := m.Found.Answer.Hits[item.Hit]
	for _, p := range h.Members {
		if p.Number == h.Passage {
			return p.Text
		}
	}
	return h.Text
}

// Spoken is the conversation of passage n.
func Spoken(r recall.Reading, n int) string {
	var turns []string
	for _, p := range r.Passages {
		if p.Number != n {
			continue
		}
		for _, t := range p.Turns {
			turns = append(turns, t.Text)
		}
	}
	return strings.Join(turns, "\n\n")
}
