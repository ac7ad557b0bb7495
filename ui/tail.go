package ui

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/render"
	"yore/render/scrollback"
)

// tail paints what is followed.
func (p *painter) tail() {
	area, text := p.Layout.Reader, p.Layout.ReaderText
	t := &p.Tail
	p.rows[area.Y] = p.tailTitle().String()
	p.rows[area.Y+1] = p.tailState().String()
	if len(t.Lines) == 0 {
		p.sentences(text.Y, text.H, "Nothing has come yet.", "What is written appears here by itself.")
		return
	}
	for y, tl := range t.Lines {
		p.rows[text.Y+y] = p.tailRow(tl).String()
	}
}

func (p *painter) tailTitle() *line {
	t := &p.Tail
	l := p.line(p.Layout.W).gap(1)
	if len(t.Feeds) == 1 {
		return l.put(heading, p.Cells.CutHead(t.Feeds[0].Title, l.left))
	}
	l.put(heading, fmt.Sprintf("%d together", len(t.Feeds)))
	for _, f := range t.Feeds {
		l.put(faint, dot+f.Badge)
	}
	return l
}

// tailState says whether the end is kept in view, and how much came.
func (p *painter) tailState() *line {
	t := &p.Tail
	l := p.line(p.Layout.W).gap(1)
	switch {
	case !t.Following:
		l.put(busy, "paused")
		if t.New > 0 {
			l.put(faint, dot).put(mark, model.Thousands(int(t.New))+" new")
		}
	case t.Running == 0:
		l.put(faint, "ended")
	default:
		l.put(good, "following")
	}
	if term, _ := t.Find(); term != "" {
		l.put(faint, dot).put(match, "“"+term+"”").put(faint, missed(t))
	}
	l.put(faint, dot+model.Counted(int(t.Came), "line", "lines")+dot+bytesWords(t.Bytes))
	if t.Folded.Blocks {
		l.put(faint, dot+"blocks folded")
	}
	if t.Folded.Similar {
		l.put(faint, dot+"times folded")
	}
	if t.All {
		l.put(faint, dot+"all expanded")
	}
	if t.Wrap {
		l.put(faint, dot+"wrapped")
	}
	if t.Err != "" {
		l.put(faint, dot).put(bad, t.Err)
	}
	return l
}

// missed says that the text to be found is nowhere, or not found yet.
func missed(t *model.TailState) string {
	switch {
	case t.Seeking():
		return " …"
	case t.Missed:
		return " no match"
	}
	return ""
}

// bytesWords is a number of bytes in the largest unit of which there is one.
func bytesWords(n int64) string {
	if n < 1000 {
		return model.Counted(int(n), "byte", "bytes")
	}
	units := []string{"kB", "MB", "GB", "TB"}
	v := float64(n) / 1000
	for len(units) > 1 && v >= 999.95 {
		v, units = v/1000, units[1:]
	}
	return fmt.Sprintf("%.1f %s", v, units[0])
}

// tailRow is a line: how often it came, where, and its text.
func (p *painter) tailRow(t model.TailLine) *line {
	l := p.line(p.Layout.W)
	l.on = t.Selected && !p.Tail.Following
	if l.on {
		l.put(accent, "▌")
	} else {
		l.gap(1)
	}
	if t.Count > 0 {
		l.put(mark, padHead(model.Times(t.Count), model.TailCount-2))
	} else {
		l.gap(model.TailCount - 2)
	}
	l.put(rule, edges[t.Edge])
	if t.Since != "" {
		l.put(faint, "since "+t.Since+dot)
	}
	if cells := p.Tail.BadgeCells(); cells > 0 {
		l.put(topic, pad(p.Cells.Cut(t.Badge, cells-1), cells-1)).gap(1)
	}
	switch {
	case t.Kind == scrollback.Note:
		l.put(rule, "── ").put(notice, t.Text).put(rule, " ").rule()
	case t.Exact:
		p.tailText(l, accent, t)
	case t.Kind == scrollback.Open:
		p.tailText(l, faint, t)
	case t.Wrong:
		p.tailText(l, bad, t)
	default:
		p.tailText(l, plain, t)
	}
	if l.on {
		l.fill()
	}
	return l
}

// tailText is a line's text, with what is looked for marked in it.
func (p *painter) tailText(l *line, r role, t model.TailLine) {
	at := 0
	for _, f := range t.Found {
		l.put(r, ansi.Cut(t.Text, at, f[0])).put(found, ansi.Cut(t.Text, f[0], f[1]))
		at = f[1]
	}
	if at > 0 {
		t.Text = ansi.TruncateLeft(t.Text, at, "")
	}
	l.put(r, t.Text)
}

// edges join the lines of a fold.
var edges = map[model.Edge]string{
	model.EdgeNone: " ", model.EdgeFirst: "┌", model.EdgeInner: "│", model.EdgeLast: "└", model.EdgeOpened: "┊",
}

// padHead fills text up with blanks before it to width cells.
func padHead(text string, width int) string {
	return pad("", width-render.Width(text)) + text
}
