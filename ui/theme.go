package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"yore/model"
)

// role is what a piece of text is for; a theme says how that looks.
type role uint8

const (
	plain role = iota
	faint
	name    // the program's
	rule    // lines between parts
	accent  // what has the focus
	focused // its title
	match   // what the query found
	words   // badges
	topic   //
	both    //
	mark    // what sets a hit apart
	heading // days, titles
	keyName
	notice
	good    // live
	busy    // indexing
	bad     // errors
	found   // in the reader
	current // of those, the one stood on
	roles
)

// theme holds every look twice: on the terminal's own background, and on that
// of the selected entry.
type theme struct {
	look   [roles]look
	chosen [roles]look
}

// look is a style as the sequences that begin and end it. A style is asked for
// them once: it styles an underlined text character by character.
type look struct{ open, close string }

func lookOf(s lipgloss.Style) look {
	open, end, _ := strings.Cut(s.Render("x"), "x")
	return look{open, end}
}

func (l look) of(text string) string { return l.open + text + l.close }

// taste is what decides which theme it is.
type taste struct {
	dark, contrast bool
	colours        colorprofile.Profile // below ANSI for none
}

func tasteOf(m *model.Model) taste {
	t := taste{dark: m.Dark, contrast: m.Contrast(), colours: m.Colours}
	if m.NoColor() {
		t.colours = colorprofile.ASCII
	}
	return t
}

// newTheme is the look for a background, or the one without colours, in which
// weight, underlining and reversal say what colours say otherwise.
func newTheme(of taste) *theme {
	t := &theme{}
	t.monochrome()
	if of.colours < colorprofile.ANSI {
		return t
	}
	chosen, stoodOn := t.chosen, t.look[current]
	p := paletteFor(of)
	t.colour(p)
	if p.selected == "" {
		t.chosen, t.look[current] = chosen, stoodOn
	}
	return t
}

func (t *theme) colour(p palette) {
	fg := func(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }
	styles := [roles]lipgloss.Style{
		plain: lipgloss.NewStyle(), faint: fg(p.faint), rule: fg(p.rule),
		name: fg(p.accent).Bold(true), accent: fg(p.accent), focused: fg(p.accent).Bold(true),
		match: fg(p.match).Bold(true), words: fg(p.words), topic: fg(p.topic), both: fg(p.both).Bold(true),
		mark: fg(p.mark), heading: lipgloss.NewStyle().Bold(true),
		keyName: fg(p.accent), notice: fg(p.busy),
		good: fg(p.both), busy: fg(p.busy), bad: fg(p.bad),
		found:   fg(p.match).Bold(true).Underline(true),
		current: lipgloss.NewStyle().Foreground(lipgloss.Color(p.selected)).Background(lipgloss.Color(p.match)),
	}
	for r, s := range styles {
		t.look[r] = lookOf(s)
		s = s.Background(lipgloss.Color(p.selected))
		switch role(r) {
		case plain, heading:
			s = s.Foreground(lipgloss.Color(p.text))
		case faint:
			s = s.Foreground(lipgloss.Color(p.faintSelected))
		}
		t.chosen[r] = lookOf(s)
	}
}

func (t *theme) monochrome() {
	none := lipgloss.NewStyle()
	bold := none.Bold(true)
	var styles [roles]lipgloss.Style
	for r := range styles {
		styles[r] = none
	}
	for _, r := range []role{name, accent, heading, keyName, both, mark, notice, bad} {
		styles[r] = bold
	}
	styles[match] = bold.Underline(true)
	styles[focused] = bold.Underline(true)
	styles[found] = none.Underline(true)
	styles[current] = bold.Reverse(true)
	for r, s := range styles {
		t.look[r] = lookOf(s)
		t.chosen[r] = lookOf(s.Reverse(true))
	}
}
