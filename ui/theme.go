package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// role is what a piece of text is for; a theme says how that looks.
type role uint8

const (
	plain role = iota
	faint
	name    // the program's
	rule    // lines between parts
	accent  // what has the focus
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

// palette is the colours of a theme. Each text colour keeps a contrast of at
// least 4.5:1 with the usual backgrounds of its kind, and with selected.
type palette struct {
	faint, rule, accent, match, words, topic, both, mark, busy, bad string
	text, faintSelected, selected                                   string // of the selected entry
}

var (
	darkPalette = palette{
		faint: "#9097ad", rule: "#565c74", accent: "#7aa2f7", match: "#f0c674",
		words: "#7dcfff", topic: "#c8a8ff", both: "#9ece6a", mark: "#ff9e64", busy: "#f0c674", bad: "#ff7a93",
		text: "#ffffff", faintSelected: "#b6bdd4", selected: "#2b3252",
	}
	// The palettes of high contrast keep 7:1 with black and with white.
	darkContrast = palette{
		faint: "#d0d0d0", rule: "#b0b0b0", accent: "#66d9ff", match: "#ffff00",
		words: "#66ffff", topic: "#e6b3ff", both: "#66ff66", mark: "#ffb366", busy: "#ffff00", bad: "#ff9999",
		text: "#ffffff", faintSelected: "#e0e0e0", selected: "#000080",
	}
	lightContrast = palette{
		faint: "#303030", rule: "#404040", accent: "#00008b", match: "#6b2e00",
		words: "#003f5c", topic: "#4b0082", both: "#0f4d0f", mark: "#6b2e00", busy: "#6b2e00", bad: "#7f0000",
		text: "#000000", faintSelected: "#202020", selected: "#ffffb3",
	}
	lightPalette = palette{
		faint: "#5a6072", rule: "#a0a6b8", accent: "#2a52be", match: "#8a4b00",
		words: "#00608f", topic: "#7030b0", both: "#2f6a1c", mark: "#a03c00", busy: "#8a4b00", bad: "#b3123a",
		text: "#10131f", faintSelected: "#4a5062", selected: "#dbe4fb",
	}
)

// newTheme is the look for a background, or the one without colours, in which
// weight, underlining and reversal say what colours say otherwise.
func newTheme(dark, contrast, noColor bool) *theme {
	t := &theme{}
	switch {
	case noColor:
		t.monochrome()
	case dark && contrast:
		t.colour(darkContrast)
	case contrast:
		t.colour(lightContrast)
	case dark:
		t.colour(darkPalette)
	default:
		t.colour(lightPalette)
	}
	return t
}

func (t *theme) colour(p palette) {
	fg := func(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }
	styles := [roles]lipgloss.Style{
		plain: lipgloss.NewStyle(), faint: fg(p.faint), rule: fg(p.rule),
		name: fg(p.accent).Bold(true), accent: fg(p.accent),
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
	styles[found] = none.Underline(true)
	styles[current] = bold.Reverse(true)
	for r, s := range styles {
		t.look[r] = lookOf(s)
		t.chosen[r] = lookOf(s.Reverse(true))
	}
}
