package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// Cells is how a terminal measures text. Scripts whose letters join, Devanagari
// among them, and joined emoji take another number of cells in one that knows
// grapheme clusters (its mode 2027) than in one that goes by single characters.
type Cells ansi.Method

// The two kinds of terminals.
const (
	Graphemes  = Cells(ansi.GraphemeWidth)
	Characters = Cells(ansi.WcWidth)
)

// Width is how many terminal cells s takes; escape sequences take none.
func (c Cells) Width(s string) int {
	width, _ := c.upTo(s, len(s))
	return width
}

// upTo is how many cells s takes, or the beginning of it that takes more than cells, and
// how much of s was measured for that.
func (c Cells) upTo(s string, cells int) (width, end int) {
	width = plain(s)
	if width == len(s) || width > cells {
		return width, width
	}
	if !separable(s) {
		return ansi.Method(c).StringWidth(s), len(s)
	}
	for width, end = 0, 0; end < len(s) && width <= cells; {
		run := plain(s[end:])
		switch {
		case end+run == len(s):
			width += run
		case run > 2:
			run-- // what follows may join the last
			width += run
		default:
			run = joined(s[end:])
			width += ansi.Method(c).StringWidth(s[end : end+run])
		}
		end += run
	}
	return width, end
}

// plain is how many bytes at the beginning of s are characters that take a cell each, as
// those of nearly all lines are: looking at clusters takes twenty times as long.
func plain(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

// separable tells whether there is a border of clusters wherever two plain characters of s
// meet: it has no escape sequence.
func separable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// joined is how many bytes at the beginning of s, of which not more than two are plain
// before others, go up to where two plain characters meet: one alone may belong to what
// stands before it or behind it.
func joined(s string) int {
	for i := 1; i+1 < len(s); i++ {
		if plain(s[i:i+2]) == 2 {
			return i + 1
		}
	}
	return len(s)
}

// Cut shortens s to at most cells terminal cells, at a grapheme's border; what
// is cut off at the end shows as "…".
func (c Cells) Cut(s string, cells int) string {
	width, end := c.upTo(s, cells)
	if width <= cells {
		return s
	}
	if cells > 0 && plain(s[:end]) > cells {
		return s[:cells-1] + ellipsis
	}
	if c == Graphemes {
		s = s[:end] // for the other kind Truncate has to see that all is too wide by clusters
	}
	// A character that joins what follows it can make a cut text wider than it was
	// cut to, and Truncate of x/ansi 0.11 leaves alone what fits by clusters; then
	// more of it goes.
	for n := cells; n > 0; n-- {
		if cut := ansi.Method(c).Truncate(s, n, ellipsis); c.Width(cut) <= cells {
			return cut
		}
	}
	return ""
}

// CutHead shortens s to at most cells terminal cells by leaving out its
// beginning: for paths, whose end tells more.
func (c Cells) CutHead(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	width := c.Width(s)
	if width <= cells {
		return s
	}
	// A wide character at the border may make room for less than one cell; then
	// it has to go too.
	for drop := width - cells + 1; drop < width; drop++ {
		if cut := ansi.Method(c).TruncateLeft(s, drop, ellipsis); c.Width(cut) <= cells {
			return cut
		}
	}
	return ellipsis
}

// Width is Cells.Width by grapheme clusters: for what goes to no terminal, or to
// one that is not known.
func Width(s string) int { return Graphemes.Width(s) }

// Cut is Cells.Cut by grapheme clusters.
func Cut(s string, cells int) string { return Graphemes.Cut(s, cells) }

// CutHead is Cells.CutHead by grapheme clusters.
func CutHead(s string, cells int) string { return Graphemes.CutHead(s, cells) }

// Hardwrap breaks a line, which may be styled, into rows of at most width cells in
// either kind of terminal.
func Hardwrap(line string, width int) string {
	for _, wrap := range []func(string) string{
		func(row string) string { return ansi.Hardwrap(row, width, true) },
		func(row string) string { return ansi.WrapWc(row, width, "") },
		// WrapWc of x/ansi 0.11 lets a word run over that follows a wide character.
		func(row string) string { return ansi.HardwrapWc(row, width, true) },
	} {
		rows := strings.Split(line, "\n")
		for i, row := range rows {
			if Graphemes.Width(row) > width || Characters.Width(row) > width {
				rows[i] = wrap(row)
			}
		}
		line = strings.Join(rows, "\n")
	}
	return line
}

// tabStop is the distance of tab stops in cells, as markdown counts them.
const tabStop = 4

// expandTabs writes tabs as the blanks up to the next tab stop.
func expandTabs(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		column := 0
		for i, part := range strings.Split(line, "\t") {
			if i > 0 {
				gap := tabStop - column%tabStop
				b.WriteString(blanks(gap))
				column += gap
			}
			b.WriteString(part)
			column += Width(part)
		}
	}
	return b.String()
}
