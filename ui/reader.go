package ui

import (
	"fmt"

	"yore/model"
	"yore/render"
)

// reader paints the full-screen reader.
func (p *painter) reader() {
	area, text := p.Layout.Reader, p.Layout.ReaderText
	r := &p.Reader
	p.rows[area.Y] = p.readerTitle().String()
	p.rows[area.Y+1] = p.readerState().String()
	if r.Err != nil {
		p.sentences(text.Y, text.H, "This passage cannot be read: "+render.Reason(r.Err)+".", "Esc goes back.")
		return
	}
	lines := docLines{doc: r.Doc, scroll: r.Scroll, passage: r.Passage, terms: r.Terms, found: r.Matches, at: r.Match, fold: r.AtFold()}
	for y := range text.H {
		l := p.line(p.Layout.W)
		p.docRow(l, " ", lines, y)
		p.rows[text.Y+y] = l.String()
	}
}

func (p *painter) readerTitle() *line {
	r := &p.Reader
	l := p.line(p.Layout.W).gap(1).put(heading, r.Title)
	if r.Session.Headless {
		l.put(faint, dot).put(mark, "headless")
	}
	if r.Session.Subagent {
		l.put(faint, dot).put(mark, "sub-agent")
	}
	l.put(faint, dot).put(faint, render.Line(r.Session.Harness))
	if r.Folder != "" {
		l.put(faint, dot).put(faint, p.Cells.CutHead(r.Folder, max(folderLeast, l.left)))
	}
	return l
}

func (p *painter) readerState() *line {
	r := &p.Reader
	l := p.line(p.Layout.W).gap(1)
	l.put(accent, fmt.Sprintf("passage %d", r.Passage))
	if of := max(r.Reading.Of, r.Session.Passages); of > 0 {
		l.put(faint, fmt.Sprintf(" of 0–%d", of-1))
	}
	l.put(faint, fmt.Sprintf(" · %d %% · ±%d", r.Scroll.Percent(), r.Around))
	if term, _ := r.Find(); term != "" {
		l.put(faint, dot).put(match, fmt.Sprintf("“%s” %s", term, count(r)))
	}
	if r.Folds.Tools != render.Folded {
		l.put(faint, " · tools open")
	}
	if r.Folds.Thinking != render.Folded {
		l.put(faint, " · thinking open")
	}
	if r.Source {
		l.put(faint, " · source")
	}
	if r.Reading.Short != "" {
		l.put(faint, " · "+render.Line(r.Reading.Short))
	}
	return l
}

// count says which of the matches is the current one.
func count(r *model.ReaderState) string {
	if len(r.Matches) == 0 {
		return "no match"
	}
	return fmt.Sprintf("%d of %s", r.Match+1, model.Thousands(len(r.Matches)))
}

// findLine is the key line while text is being found.
func (p *painter) findLine() {
	value, cursor := p.Reader.Find()
	matches, hint := count(&p.Reader), "text in these passages"
	if p.Finding() == model.Tail {
		value, cursor = p.Tail.Find()
		matches, hint = missed(&p.Tail), "text in what came"
	}
	l := p.line(p.Layout.W).gap(1).put(name, "find ")
	if value == "" {
		matches = ""
	}
	// What counts the matches keeps its room.
	kept := min(l.left/2, p.Cells.Width(matches)+2)
	l.reserve(kept)
	p.input(l, p.Layout.Keys.Y, value, cursor, true, hint)
	l.release(kept)
	p.rows[p.Layout.Keys.Y] = l.gap(2).put(faint, matches).String()
}
