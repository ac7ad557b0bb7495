package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/render"
)

// helpKeyCells is the width of the column of keys.
const helpKeyCells = 15

// help paints the keys of the focus that help was asked in.
func (p *painter) help() {
	area := p.Layout.Help
	head := p.line(area.W).gap(1).put(heading, fmt.Sprintf("Keys in the %s", p.HelpFocus()))
	if p.Help.Max() > 0 {
		head.put(faint, fmt.Sprintf("   %d %%", p.Help.Percent()))
	}
	p.rows[area.Y] = head.String()
	lines := p.HelpLines()
	for y := range p.Help.Height {
		i := p.Help.Top + y
		if i >= len(lines) {
			break
		}
		l := p.line(area.W).gap(2).put(keyName, pad(lines[i].Key, helpKeyCells)).put(plain, lines[i].Text)
		p.rows[area.Y+2+y] = l.String()
	}
}

// pad fills text up with blanks to width cells.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-render.Width(text)))
}

// size is a window's size in words.
func size(w, h int) string { return fmt.Sprintf("%d by %d cells", w, h) }

func splitRows(s string) []string { return strings.Split(s, "\n") }

// cutLeft drops the first cells of text.
func cutLeft(text string, cells int) string { return ansi.TruncateLeft(text, cells, "") }
