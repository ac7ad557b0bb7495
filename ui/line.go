package ui

import (
	"strings"

	"yore/render"
)

// reset ends whatever colours a line may have begun.
const reset = "\x1b[m"

// line builds one row of the screen, never wider than it may be. What does not
// fit is cut at a grapheme's border.
type line struct {
	b     strings.Builder
	theme *theme
	cells render.Cells
	width int
	used  int  // cells that are taken
	left  int  // cells that are free
	on    bool // on the selected entry's background
	full  bool // something was cut, so that no further text is to follow
}

func (p *painter) line(width int) *line {
	return &line{theme: p.theme, cells: p.Cells, width: width, left: width}
}

// put adds text of the program, or text that is clean already.
func (l *line) put(r role, text string) *line {
	if l.left <= 0 || text == "" || l.full && strings.Trim(text, " ") != "" {
		return l
	}
	l.full = l.full || l.cells.Width(text) > l.left
	text, w := l.fit(text, l.left)
	look := &l.theme.look[r]
	if l.on {
		look = &l.theme.chosen[r]
	}
	l.b.WriteString(look.of(text))
	l.take(w)
	return l
}

// reserve keeps cells for what release makes room for again, whatever was cut before it.
func (l *line) reserve(cells int) { l.left -= cells }

func (l *line) release(cells int) {
	l.left += cells
	l.full = false
}

func (l *line) take(cells int) {
	l.used += cells
	l.left -= cells
}

// fit cuts text to at most cells cells and says how many it takes.
func (l *line) fit(text string, cells int) (string, int) {
	text = l.cells.Cut(text, cells)
	return text, l.cells.Width(text)
}

// pad fills text up with blanks to width cells.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-render.Width(text)))
}

// gap adds n blanks.
func (l *line) gap(n int) *line {
	if n = min(n, l.left); n > 0 {
		l.put(plain, strings.Repeat(" ", n))
	}
	return l
}

// fill takes what is left with blanks.
func (l *line) fill() {
	l.measure()
	l.gap(l.left)
}

// measure counts the cells anew: where two parts meet, their characters may
// have joined to one that is wider or narrower than both.
func (l *line) measure() {
	if text, w := l.fit(l.b.String(), l.width); w != l.used {
		l.b.Reset()
		l.b.WriteString(text + reset)
		l.used, l.left = w, l.width-w
	}
}

// set adds a line of a text that brings its own colours.
func (l *line) set(text string) *line {
	if l.left <= 0 || text == "" {
		return l
	}
	text, w := l.fit(text, l.left)
	l.take(w)
	l.b.WriteString(text)
	l.b.WriteString(reset)
	return l
}

// rule fills up with a line.
func (l *line) rule() *line {
	l.full = false
	return l.put(rule, strings.Repeat("─", max(0, l.left)))
}

// String is the row so far.
func (l *line) String() string {
	l.measure()
	return l.b.String()
}
