package ui

import (
	"fmt"

	"yore/model"
)

// pane paints the digest or the selected passage.
func (p *painter) pane() {
	area, text := p.Layout.Pane, p.Layout.PaneText
	if area.H == 0 {
		return
	}
	head := p.line(area.W)
	if p.Layout.Beside {
		head.put(rule, "│ ")
	} else {
		head.put(rule, "─ ")
	}
	p.paneHead(head)
	if !p.Layout.Beside {
		head.put(rule, " ").rule()
	}
	p.add(area.Y, head)
	item, _ := p.List.Current()
	lines := docLines{doc: p.Pane.Doc, scroll: p.Pane.Scroll, passage: -1}
	if !p.ShowsDigest() {
		lines.passage = item.Key.Passage
	}
	for y := range text.H {
		l := p.line(area.W)
		edge := " "
		if p.Layout.Beside {
			edge = "│"
		}
		p.docRow(l, edge, lines, y)
		p.add(text.Y+y, l)
	}
}

// add puts a line at the right of what its row has already.
func (p *painter) add(y int, l *line) { p.rows[y] += l.String() }

// paneHead names the two things the pane can show, the one shown standing out,
// and says how far down it stands.
func (p *painter) paneHead(l *line) {
	shown, other := heading, faint
	if p.Focus == model.Pane {
		shown = name
	}
	item, _ := p.List.Current()
	passage := fmt.Sprintf("Passage %d", item.Key.Passage)
	switch {
	case p.Found.Recent():
		l.put(shown, "Last passage")
	case p.ShowsDigest():
		l.put(shown, "Digest").put(other, " · "+passage)
	default:
		l.put(other, "Digest · ").put(shown, passage)
	}
	if s := p.Pane.Scroll; s.Max() > 0 {
		l.put(faint, fmt.Sprintf("   %d %%", s.Percent()))
	}
}

// docLines is a set text as it is shown: where it stands, and which passage of
// it stands out.
type docLines struct {
	doc     model.Doc
	scroll  model.Scroll
	passage int // -1 for none
	hits    []model.Match
	hit     int
}

// docRow paints row y of a text behind its edge, which stands out beside the
// passage in question.
func (p *painter) docRow(l *line, edge string, d docLines, y int) {
	n := d.scroll.Top + y
	inside := n < len(d.doc.Lines) && d.passage >= 0 && d.doc.PassageAt(n) == d.passage
	switch {
	case inside && len(d.doc.Anchors) > 1:
		l.put(accent, "┃")
	default:
		l.put(rule, edge)
	}
	if n >= len(d.doc.Lines) {
		return
	}
	l.gap(1)
	if passage, ok := d.doc.AnchorAt(n); ok {
		r := faint
		if inside {
			r = name
		}
		l.put(r, fmt.Sprintf("passage %d ", passage)).rule()
		return
	}
	l.set(p.highlight(d.doc.Lines[n], n, d))
}
