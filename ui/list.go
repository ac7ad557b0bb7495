package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/recall"
	"yore/render"
)

const (
	badgeCells  = 5 // of the longest badge
	barCells    = 3
	indent      = 7  // of an entry's second row
	sessionCell = 6  // of a session's time of day, with its blank
	folderCells = 28 // of a folder at most
	folderLeast = 6  // and at least, else it is left out
	restLeast   = 12 // cells that a title or a branch needs to be begun
)

// dot stands between facts.
const dot = " · "

var badgeRoles = map[recall.Badge]role{recall.Words: words, recall.Topic: topic, recall.Both: both}

// list paints the rows of the list that are in view.
func (p *painter) list() {
	area := p.Layout.List
	if area.H == 0 {
		return
	}
	s := p.List.Scroll
	for y := range area.H {
		row := s.Top + y
		l := p.line(area.W)
		if i := p.List.At(row); i >= 0 {
			p.item(l, i, row-p.List.Start(i))
		}
		if p.Layout.Beside {
			l.fill()
		}
		p.rows[area.Y+y] = l.String()
	}
}

// item paints row n of item i.
func (p *painter) item(l *line, i, n int) {
	it := p.List.Items[i]
	if it.Heading != "" {
		l.gap(1).put(heading, it.Heading).gap(1)
		return
	}
	if i == p.List.Selected {
		edge := faint
		if p.Focus == model.List {
			edge = accent
		}
		l.on = true
		l.put(edge, "▌")
	} else if n == 0 && p.Marked(it) {
		l.put(mark, "●")
	} else {
		l.gap(1)
	}
	switch {
	case n > 0:
		p.facts(l, it)
	case it.Hit < 0:
		l.put(faint, pad(it.Clock, sessionCell))
		pieces(l, it.Line, heading)
	default:
		l.put(badgeRoles[it.Badge], pad(string(it.Badge), badgeCells)).gap(1)
		l.put(badgeRoles[it.Badge], pad(bar(it.Strength), barCells)).gap(1)
		pieces(l, it.Line, plain)
	}
	l.fill()
}

// facts is an entry's second row. Harness, age and marks are whole where they
// fit at all; the folder gives way at its head, who spoke to all of these, and title or
// branch, of which a few letters say nothing, to all.
func (p *painter) facts(l *line, it model.Item) {
	l.gap(indent - 1)
	rest, marks := 0, it.Marks
	if p.Marked(it) {
		marks = slices.Concat([]string{"marked"}, marks)
	}
	for _, text := range slices.Concat([]string{it.Harness}, it.Facts, marks) {
		rest += l.cells.Width(text) + l.cells.Width(dot)
	}
	l.put(faint, it.Harness)
	if room := min(folderCells, l.left+l.cells.Width(it.Harness)-rest); it.Folder != "" && room >= folderLeast {
		l.put(faint, dot).put(faint, l.cells.CutHead(it.Folder, room))
	}
	for _, f := range it.Facts {
		l.put(faint, dot).put(faint, f)
	}
	for _, m := range marks {
		l.put(faint, dot).put(mark, m)
	}
	if it.Speaker != "" && l.left >= l.cells.Width(it.Speaker)+l.cells.Width(dot) {
		l.put(faint, dot).put(faint, it.Speaker)
	}
	if it.Rest != "" && l.left >= restLeast {
		l.put(faint, dot).put(faint, it.Rest)
	}
}

// bar is a relative strength as a bar of one to barCells cells.
func bar(strength float64) string {
	n := 1 + int(strength*(barCells-1)+0.5)
	return strings.Repeat("▇", min(max(1, n), barCells))
}

// pieces puts a line with its matches marked. Where the first match would lie
// beyond the row, the line begins near it, and no later than its end fills the row.
func pieces(l *line, line []model.Piece, r role) {
	before := 0
	for _, piece := range line {
		w := l.cells.Width(piece.Text)
		if piece.Match {
			if before+min(w, l.left/2) > l.left-1 {
				line = skip(line, min(before-l.left/3, piecesWidth(l, line)+1-l.left))
				l.put(faint, "…")
			}
			break
		}
		before += w
	}
	for _, piece := range line {
		if piece.Match {
			l.put(match, piece.Text)
		} else {
			l.put(r, piece.Text)
		}
	}
}

// piecesWidth is how many cells a whole line would take.
func piecesWidth(l *line, line []model.Piece) int {
	n := 0
	for _, piece := range line {
		n += l.cells.Width(piece.Text)
	}
	return n
}

// wordBytes is how much more skip drops to begin with a whole word.
const wordBytes = 12

// skip drops the first cells of a line.
func skip(line []model.Piece, cells int) []model.Piece {
	for len(line) > 0 && cells > 0 {
		w := render.Width(line[0].Text)
		if w > cells {
			first := line[0]
			first.Text = ansi.TruncateLeft(first.Text, cells, "")
			if i := strings.IndexByte(first.Text, ' '); i >= 0 && i < wordBytes {
				first.Text = first.Text[i+1:]
			}
			return append([]model.Piece{first}, line[1:]...)
		}
		line, cells = line[1:], cells-w
	}
	return line
}
