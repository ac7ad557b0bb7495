package render

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Tables are laid out here: glamour cuts what does not fit into the head of a column, and
// all but the first word of a cell of a narrow one. It is given a mark in a table's place,
// and the table is put there when the rest is done.

// tableMark stands for a table: a code point that is never a character.
const tableMark = "\ufdd8"

const (
	tableBar  = " │ "
	tableRule = "─┼─"
	// leastColumn is how many cells a column needs for what is wrapped in it to be read.
	leastColumn = 6
	// recordIndent is by how much the further lines of a cell stand in, where each cell has
	// lines of its own.
	recordIndent = "  "
)

// tables are those of a text, in its order, in the colours of a palette.
type tables struct {
	palette palette
	all     []table
}

// table is what its cells say, styled, each in one line. A row has as many as the head.
type table struct {
	head       []string
	rows       [][]string
	alignments []extast.Alignment
}

// take notes a table, and gives what puts the mark in its place.
func (t *tables) take(source []byte, n *extast.Table) edit {
	made := table{alignments: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		head, open := row.Kind() == extast.KindTableHeader, ""
		if head {
			open = sgr("1")
		}
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, squeeze(open+inline{source, t.palette}.below(cell, open)))
		}
		if head {
			made.head = cells
		} else {
			made.rows = append(made.rows, cells)
		}
	}
	t.all = append(t.all, made)
	return edit{n.FirstChild().Pos(), tableEnd(source, n), tableMark}
}

// tableEnd is where a table's last line ends. The table itself begins with its head: its
// own place is that of a paragraph which runs into it.
func tableEnd(source []byte, n *extast.Table) int {
	end := lineEnd(source, n.LastChild().Pos())
	if n.ChildCount() == 1 && end < len(source) {
		return lineEnd(source, end+1) // beneath the head is the line that makes it one
	}
	return end
}

// put gives styled text its tables, laid out in width cells less what stands before a mark,
// the bars of quotes or a list's bullet. It is false where a mark got lost.
func (t *tables) put(styled string, width int) (string, bool) {
	if len(t.all) == 0 {
		return styled, true
	}
	var lines []string
	put := 0
	for line := range strings.SplitSeq(styled, "\n") {
		before, after, ok := strings.Cut(line, tableMark)
		if !ok || put == len(t.all) {
			lines = append(lines, line)
			continue
		}
		before += sgr("")
		further := before
		if plain := ansi.Strip(before); strings.Trim(plain, "│ ") != "" {
			further = strings.Repeat(" ", Width(plain))
		}
		for i, laid := range t.all[put].lines(max(width-Width(ansi.Strip(before)), 1)) {
			if i > 0 {
				before = further
			}
			lines = append(lines, before+laid)
		}
		if strings.TrimSpace(ansi.Strip(after)) != "" {
			lines = append(lines, after)
		}
		put++
	}
	return strings.Join(lines, "\n"), put == len(t.all)
}

// lines are a table's in width cells: side by side where each column has room enough to be
// read, and else each cell in lines of its own, with its column's name.
func (t table) lines(width int) []string {
	widths := shares(t.natural(), width-Width(tableBar)*(len(t.head)-1))
	if widths == nil {
		return t.records(width)
	}
	var rules []string
	for _, w := range widths {
		rules = append(rules, strings.Repeat("─", w))
	}
	lines := append(t.side(t.head, widths), strings.Join(rules, tableRule))
	for _, row := range t.rows {
		lines = append(lines, t.side(row, widths)...)
	}
	return lines
}

// natural are the columns' widths in which nothing is wrapped.
func (t table) natural() []int {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row[:min(len(row), len(widths))] {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	return widths
}

// shares divides room among columns: those that need less than an equal share get what they
// need, the others what is left of it. Nothing, where one would be too narrow to be read.
func shares(natural []int, room int) []int {
	order := make([]int, len(natural))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(natural[a], natural[b]) })
	widths := make([]int, len(natural))
	for done, i := range order {
		widths[i] = min(natural[i], room/(len(order)-done))
		if widths[i] < min(natural[i], leastColumn) {
			return nil
		}
		room -= widths[i]
	}
	return widths
}

// side are the lines of a row, its cells side by side.
func (t table) side(row []string, widths []int) []string {
	cells := make([][]string, len(widths))
	height := 1
	for i := range widths {
		if i < len(row) {
			cells[i] = wrapped(row[i], widths[i])
		}
		height = max(height, len(cells[i]))
	}
	var lines []string
	for y := range height {
		var line []string
		for i, w := range widths {
			text := ""
			if y < len(cells[i]) {
				text = cells[i][y]
			}
			line = append(line, t.aligned(i, text, w))
		}
		lines = append(lines, strings.Join(line, tableBar))
	}
	return lines
}

// aligned fills a column's text up to its width.
func (t table) aligned(column int, text string, width int) string {
	room := max(width-Width(text), 0)
	left := 0
	if column < len(t.alignments) {
		switch t.alignments[column] {
		case extast.AlignRight:
			left = room
		case extast.AlignCenter:
			left = room / 2
		}
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", room-left)
}

// records are a table's cells one below the other, a blank line between rows.
func (t table) records(width int) []string {
	if len(t.rows) == 0 {
		return wrapped(strings.Join(t.head, tableBar), width)
	}
	var lines []string
	for r, row := range t.rows {
		if r > 0 {
			lines = append(lines, "")
		}
		for i, cell := range row {
			if i < len(t.head) && t.head[i] != "" {
				cell = t.head[i] + ": " + cell
			}
			if cell == "" {
				continue
			}
			for y, line := range wrapped(cell, max(width-len(recordIndent), 1)) {
				if y > 0 && width > 2*leastColumn {
					line = recordIndent + line
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// hyphenMark stands for a hyphen while lines are broken: at one that stands at a line's end,
// ansi.Wrap makes the line too long.
const hyphenMark = "\ufdd9"

// wrapped are the lines of styled text in width cells, each with its own style.
func wrapped(text string, width int) []string {
	broken := ansi.Wrap(strings.ReplaceAll(text, "-", hyphenMark), max(width, 1), "")
	return strings.Split(squeeze(strings.ReplaceAll(broken, hyphenMark, "-")), "\n")
}

// lineEnd is where the line ends in which at is: before its newline.
func lineEnd(source []byte, at int) int {
	if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(source)
}
