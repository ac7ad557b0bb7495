package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/render"
)

// docLines is a set text as it is shown: where it stands, which passage of it
// stands out, and what is marked in it.
type docLines struct {
	doc     model.Doc
	scroll  model.Scroll
	passage int           // -1 for none
	terms   []string      // words of the query, lower case
	found   []model.Match // by the reader's find
	at      int           // index of the current one
	fold    string        // locator of the tool call or thought that it stands on
}

// docRow paints row y of a text behind its edge, which stands out beside the
// passage in question.
func (p *painter) docRow(l *line, edge string, d docLines, y int) {
	n := d.scroll.Top + y
	inside := n < len(d.doc.Lines) && d.passage >= 0 && d.doc.PassageAt(n) == d.passage
	if inside && len(d.doc.Anchors) > 1 {
		l.put(accent, "┃")
	} else {
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
	marks := d.marks(n)
	text := d.doc.Lines[n]
	if f, ok := d.doc.FoldAt(n); ok {
		if f.Locator == d.fold || len(marks) == 0 {
			foldRow(l, text, f.Locator == d.fold)
			return
		}
		named := foldName(text)
		text = p.theme.look[heading].of(named) + p.theme.look[faint].of(text[len(named):])
	}
	l.set(p.marked(text, marks))
}

// foldName is the mark and the name with which the line of a tool call or a thought
// begins: they stand out from the rest.
func foldName(text string) string {
	mark, rest, ok := strings.Cut(text, " ")
	if !ok {
		return text
	}
	name, _, _ := strings.Cut(rest, " ")
	return mark + " " + name
}

// foldRow paints the line of a tool call or a thought.
func foldRow(l *line, text string, current bool) {
	named := foldName(text)
	l.on = current
	l.put(heading, named).put(faint, text[len(named):])
	if current {
		l.fill()
	}
}

// span is a run of cells that is to look different.
type span struct {
	from, to int
	role     role
}

// marks are the spans of line n, in order and apart. What was looked for in the
// reader goes before the words of the query.
func (d docLines) marks(n int) []span {
	var out []span
	for i, m := range d.found {
		if m.Line == n {
			r := found
			if i == d.at {
				r = current
			}
			out = append(out, span{m.From, m.To, r})
		}
	}
	if len(d.terms) > 0 && len(out) == 0 {
		text := strings.ToLower(ansi.Strip(d.doc.Lines[n]))
		for _, at := range d.doc.TermPlaces(n, d.terms) {
			x := render.Width(text[:at[0]])
			out = append(out, span{x, x + render.Width(text[at[0]:at[1]]), match})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

// marked gives the spans of a line their looks, in place of its own.
func (p *painter) marked(text string, spans []span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.from < at {
			continue
		}
		b.WriteString(ansi.Cut(text, at, s.from) + reset)
		b.WriteString(p.theme.look[s.role].of(ansi.Strip(ansi.Cut(text, s.from, s.to))))
		at = s.to
	}
	if at == 0 {
		return text
	}
	return b.String() + ansi.TruncateLeft(text, at, "")
}
