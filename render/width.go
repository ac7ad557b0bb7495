package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// Width is how many terminal cells s takes, by grapheme clusters; escape
// sequences take none.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut shortens s to at most cells terminal cells, at a grapheme's border; what
// is cut off at the end shows as "…".
func Cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	return ansi.Truncate(s, cells, ellipsis)
}

// CutHead shortens s to at most cells terminal cells by leaving out its
// beginning: for paths, whose end tells more.
func CutHead(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	width := Width(s)
	if width <= cells {
		return s
	}
	// A wide character at the border may make room for less than one cell; then
	// it has to go too.
	for drop := width - cells + 1; drop < width; drop++ {
		if cut := ansi.TruncateLeft(s, drop, ellipsis); Width(cut) <= cells {
			return cut
		}
	}
	return ellipsis
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
