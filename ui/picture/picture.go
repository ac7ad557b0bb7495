// Package picture draws a painted frame as an SVG, for the README and for
// looking at a frame where there is no terminal.
//
// In: a frame as ui paints it. Out: an SVG document. The frame passes through a
// terminal emulator, so the picture shows what a terminal would.
package picture

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// The size of one cell in SVG units; 8.4 by 18 is a usual monospace font of 14.
const (
	cellWidth  = 8.4
	cellHeight = 18
	fontSize   = 14
	margin     = 12
)

// Page is the terminal's own colours.
type Page struct{ Foreground, Background string }

// The pages of a dark and of a light terminal.
var (
	Dark  = Page{"#d4d4d4", "#16181d"}
	Light = Page{"#24292f", "#ffffff"}
)

// SVG draws frame, whose rows are separated by newlines, on a terminal of
// width by height cells.
func SVG(frame string, width, height int, page Page) []byte {
	e := vt.NewEmulator(width, height)
	defer e.Close()
	// The emulator's pipe takes no answers here: a frame asks nothing.
	_, _ = e.WriteString(strings.ReplaceAll(frame, "\n", "\r\n"))

	var b strings.Builder
	w, h := float64(width)*cellWidth+2*margin, float64(height)*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", page.Background)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" xml:space="preserve">`+"\n", fontSize)
	for y := range height {
		for _, r := range runs(e, y, width) {
			r.draw(&b, y, page)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// run is a stretch of one row in one style.
type run struct {
	x, cells int
	text     string
	style    uv.Style
}

// runs cuts row y where the style changes, and around wide cells, whose glyphs
// a browser may draw wider or narrower than two cells.
func runs(e *vt.Emulator, y, width int) []run {
	var out []run
	for x := 0; x < width; {
		c := e.CellAt(x, y)
		if c == nil {
			x++
			continue
		}
		cells := max(1, c.Width)
		text := c.Content
		if text == "" {
			text = " "
		}
		if n := len(out); n > 0 && cells == 1 && len(text) == 1 && out[n-1].cells == len(out[n-1].text) && out[n-1].style.Equal(&c.Style) {
			out[n-1].text += text
			out[n-1].cells++
		} else {
			out = append(out, run{x, cells, text, c.Style})
		}
		x += cells
	}
	return out
}

func (r run) draw(b *strings.Builder, y int, page Page) {
	fg, bg := paint(r.style.Fg, page.Foreground), paint(r.style.Bg, "")
	if r.style.Attrs&uv.AttrReverse != 0 {
		if bg == "" {
			bg = page.Background
		}
		fg, bg = bg, fg
	}
	x, top, width := margin+float64(r.x)*cellWidth, margin+float64(y)*cellHeight, float64(r.cells)*cellWidth
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n", x, top, width, cellHeight, bg)
	}
	if strings.TrimSpace(r.text) == "" {
		return
	}
	var more string
	if r.style.Attrs&uv.AttrBold != 0 {
		more += ` font-weight="bold"`
	}
	if r.style.Attrs&uv.AttrItalic != 0 {
		more += ` font-style="italic"`
	}
	if r.style.Attrs&uv.AttrFaint != 0 {
		more += ` fill-opacity="0.6"`
	}
	if r.style.Underline != uv.UnderlineNone {
		more += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.0f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n",
		x, top+cellHeight-5, width, fg, more, html.EscapeString(r.text))
}

func paint(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
