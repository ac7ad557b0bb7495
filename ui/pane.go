package ui

import (
	"fmt"

	"yore/model"
	"yore/render"
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
		lines.passage, lines.terms = item.Key.Passage, item.Terms
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
		shown = focused
	}
	item, _ := p.List.Current()
	passage := fmt.Sprintf("Passage %d", item.Key.Passage)
	digest := "Digest"
	if n := p.Marks(); n > 0 {
		digest = fmt.Sprintf("Digest of %d marked", n)
	}
	switch {
	case p.Found.Recent():
		l.put(shown, "Last passage")
	case p.ShowsDigest():
		l.put(shown, digest).put(other, " · "+passage)
	default:
		l.put(other, digest+" · ").put(shown, passage)
	}
	if s := p.Pane.Scroll; s.Max() > 0 {
		l.put(faint, fmt.Sprintf("   %d %%", s.Percent()))
	}
	switch asked, judged := p.Judging(); {
	case asked != "":
		l.put(busy, "   asking "+render.Line(asked)+" …")
	case judged != "" && p.ShowsDigest():
		l.put(faint, "   judged by "+render.Line(judged))
	}
}
