package model

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// PaletteState is the list of everything that can be done in a focus.
type PaletteState struct {
	Acts     []Binding // that the typed words leave
	Selected int
	Rows     []PaletteRow // of the acts, at the width of the window
	Scroll   Scroll       // of the rows

	before Focus
	input  textinput.Model
}

// PaletteKeys is how many cells the palette takes for the key of an act, with what stands
// before and behind it.
const PaletteKeys = 15

// PaletteRow is a row of the palette: an act's description, or more of it.
type PaletteRow struct {
	Act   int // in Acts
	First bool
	Text  string
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

// leaves are what is typed after a colon in vi and less to leave.
var leaves = map[string]bool{"q": true, "q!": true, "qa": true, "qa!": true, "wq": true, "x": true}

// narrowPalette lists the acts whose names, keys or descriptions hold every word.
func (m *Model) narrowPalette() {
	p := &m.Palette
	words := strings.Fields(strings.ToLower(p.input.Value()))
	if len(words) == 1 && leaves[words[0]] {
		words = []string{"quit"}
	}
	p.Acts = nil
	for _, b := range m.Bindings(p.before) {
		text := strings.ToLower(b.ID + " " + b.Help().Key + " " + b.Help().Desc)
		if b.listed() && holds(text, words) == len(words) {
			p.Acts = append(p.Acts, b)
		}
	}
	p.Selected = 0
	m.layPalette()
	p.Scroll.to(0)
}

// layPalette wraps the descriptions to the window.
func (m *Model) layPalette() {
	p := &m.Palette
	p.Rows = nil
	width := max(1, m.Layout.Help.W-PaletteKeys)
	for i, b := range p.Acts {
		for n, text := range strings.Split(ansi.Wrap(b.Help().Desc, width, ""), "\n") {
			p.Rows = append(p.Rows, PaletteRow{Act: i, First: n == 0, Text: text})
		}
	}
	p.Scroll.resize(len(p.Rows), m.Layout.Help.H-helpHead)
	p.reveal()
}

// reveal has all rows of what is selected in view.
func (p *PaletteState) reveal() {
	from := slices.IndexFunc(p.Rows, func(r PaletteRow) bool { return r.Act == p.Selected })
	if from < 0 {
		return
	}
	to := from + 1
	for to < len(p.Rows) && p.Rows[to].Act == p.Selected {
		to++
	}
	p.Scroll.show(from, to)
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
	p.reveal()
	return nil
}

func (m *Model) paletteUp() tea.Cmd   { return m.stepPalette(-1) }
func (m *Model) paletteDown() tea.Cmd { return m.stepPalette(1) }

// clickAct selects the act of a row, and does the one that is selected already.
func (m *Model) clickAct(row int) tea.Cmd {
	p := &m.Palette
	at := p.Scroll.Top + row
	switch {
	case row < 0 || row >= p.Scroll.Height || at >= len(p.Rows):
	case p.Rows[at].Act == p.Selected:
		return m.runAct()
	default:
		p.Selected = p.Rows[at].Act
		p.reveal()
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
