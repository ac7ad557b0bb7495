package model

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// PaletteState is the list of everything that can be done in a focus.
type PaletteState struct {
	Acts     []Binding // that the typed words leave
	Selected int
	Scroll   Scroll

	before Focus
	input  textinput.Model
}

// Line is what was typed and the place of the cursor in it, in runes.
func (p *PaletteState) Line() (string, int) { return p.input.Value(), p.input.Position() }

// openPalette lists what can be done where the focus is.
func (m *Model) openPalette() tea.Cmd {
	m.Palette.before, m.Focus = m.Focus, Palette
	m.Palette.input.Reset()
	m.narrowPalette()
	return m.relayout()
}

func (m *Model) closePalette() tea.Cmd {
	m.Focus = m.Palette.before
	return m.relayout()
}

// narrowPalette lists the acts whose names, keys or descriptions hold every word.
func (m *Model) narrowPalette() {
	p := &m.Palette
	words := strings.Fields(strings.ToLower(p.input.Value()))
	p.Acts = nil
	for _, b := range m.Bindings(p.before) {
		text := strings.ToLower(b.ID + " " + b.Help().Key + " " + b.Help().Desc)
		if b.listed() && holds(text, words) == len(words) {
			p.Acts = append(p.Acts, b)
		}
	}
	p.Selected = 0
	p.Scroll.resize(len(p.Acts), p.Scroll.Height)
	p.Scroll.to(0)
}

// listed tells whether an act can be chosen by name: moving and editing need
// their keys.
func (b Binding) listed() bool {
	switch b.ID {
	case "edit", "clear", "back", "palette":
		return false
	}
	return !strings.HasPrefix(b.ID, "select-") && !strings.HasPrefix(b.ID, "scroll-") && !strings.HasPrefix(b.ID, "find-")
}

func (m *Model) stepPalette(d int) tea.Cmd {
	p := &m.Palette
	p.Selected = min(max(0, p.Selected+d), max(0, len(p.Acts)-1))
	p.Scroll.show(p.Selected, p.Selected+1)
	return nil
}

func (m *Model) paletteUp() tea.Cmd   { return m.stepPalette(-1) }
func (m *Model) paletteDown() tea.Cmd { return m.stepPalette(1) }

// clickAct selects the act of a row, and does the one that is selected already.
func (m *Model) clickAct(row int) tea.Cmd {
	p := &m.Palette
	i := p.Scroll.Top + row
	switch {
	case row < 0 || row >= p.Scroll.Height || i >= len(p.Acts):
	case i == p.Selected:
		return m.runAct()
	default:
		p.Selected = i
	}
	return nil
}

// runAct does what is selected, where the palette was opened.
func (m *Model) runAct() tea.Cmd {
	p := m.Palette
	if p.Selected >= len(p.Acts) {
		m.Notice = "nothing to do by that name"
		return nil
	}
	return tea.Batch(m.closePalette(), p.Acts[p.Selected].do(m))
}
