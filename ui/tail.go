package ui

import (
	"fmt"

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
		return l.put(heading, render.CutHead(render.Line(t.Feeds[0].Title), l.left))
	}
	return l.put(heading, model.Counted(len(t.Feeds), "session", "sessions")+" followed together")
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
	l.put(faint, dot+model.Counted(int(t.Came), "line", "lines")+dot+bytesWords(t.Bytes))
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
	counter := ""
	if t.Count > 0 {
		counter = "×" + model.Thousands(int(t.Count))
	}
	l.put(mark, padHead(counter, model.TailCount-2)).gap(1)
	if cells := p.Tail.BadgeCells(); cells > 0 {
		l.put(topic, pad(render.Cut(t.Badge, cells-1), cells-1)).gap(1)
	}
	switch {
	case t.Kind == scrollback.Note:
		l.put(rule, "── ").put(notice, t.Text).put(rule, " ").rule()
	case t.Exact:
		l.put(accent, t.Text)
	case t.Kind == scrollback.Open:
		l.put(faint, t.Text)
	default:
		l.put(plain, t.Text)
	}
	if l.on {
		l.fill()
	}
	return l
}

// padHead fills text up with blanks before it to width cells.
func padHead(text string, width int) string {
	return pad("", width-render.Width(text)) + text
}
