package model

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"yore/render"
	"yore/render/fold"
	"yore/render/scrollback"
)

// The cells at the left of a followed line, and the widths of a window from which on
// a badge gets the longer of its two.
const (
	TailCount      = 8
	tailBadge      = 14
	tailBadgeShort = 6
	tailBadgeFrom  = 80
)

const (
	// tailShown is how many bytes of a line are set for the screen; the others are
	// seen when it is expanded.
	tailShown = 16 << 10
	// tailCell is how many bytes a cell of a line that is cut may take: more than
	// letters with their marks.
	tailCell = 16
	// tailLaid is how many bytes of expanded rows are kept set.
	tailLaid = 4 << 20
)

// exactRows are the rows of which every byte is shown.
type exactRows struct {
	rows  map[int64]bool
	laid  map[int64][]string // as they were set
	bytes int                // of these
}

// TailLine is a line of the view.
type TailLine struct {
	Text     string // safe for a terminal
	Count    int64  // of its run, on its first line; 0 for none
	Badge    string // of its feed, when there are several, on its first line
	Kind     scrollback.Kind
	Exact    bool   // every byte is shown
	Wrong    bool   // it looks like an error
	Since    string // time of the first of similar lines
	Edge     Edge
	Selected bool
	Found    [][2]int // cells of Text that hold the text to be found
}

// BadgeCells is the width of the column of badges, 0 without one.
func (t *TailState) BadgeCells() int {
	switch {
	case len(t.Feeds) < 2:
		return 0
	case t.width >= tailBadgeFrom:
		return tailBadge
	}
	return tailBadgeShort
}

// resize gives the view its size.
func (t *TailState) resize(width, height int) {
	t.width, t.height, t.exact.laid = width, max(1, height), nil
	if t.Open() {
		t.refresh()
	}
}

func (t *TailState) textCells() int { return max(1, t.width-TailCount-t.BadgeCells()-1) }

// laidRow is a row as lines, all of them repeated some times.
type laidRow struct {
	first, end int64          // rows that it stands for
	row        scrollback.Row // the newest of them
	count      int64          // of the run, or of what is folded
	period     int            // of rows that are folded, 0 for a row alone
	since      string         // time of the first of similar rows
	wrong      bool           // it looks like an error
	lines      []string
	times      int
}

func (l laidRow) height() int { return len(l.lines) * l.times }

// lay sets a row.
func (t *TailState) lay(n int64) laidRow {
	if g := t.group(n); g.Rows() > 1 {
		return t.layFold(g)
	}
	l := laidRow{first: n, end: n + 1, times: 1}
	t.log.Use(n, func(row scrollback.Row) {
		l.row, l.count = row, row.Count
		if t.isExact(row) {
			l.lines, l.times = t.layExact(row), int(row.Count)
		} else {
			l.lines = t.layShown(row)
			l.wrong = row.Kind == scrollback.Line && slices.ContainsFunc(l.lines, fold.LooksWrong)
		}
	})
	return l.whole()
}

// whole is a row that has a line, also when it went while it was being set.
func (l laidRow) whole() laidRow {
	l.row.Text = nil // the log's
	if len(l.lines) == 0 {
		l.lines = []string{""}
	}
	return l
}

// layShown sets a row as it is read.
func (t *TailState) layShown(row scrollback.Row) []string {
	if t.Wrap {
		return strings.Split(wrap(shownLine(row.Text, tailShown), t.textCells()), "\n")
	}
	return []string{shownLine(row.Text, (t.Left+t.textCells())*tailCell)}
}

// span is the rows that are shown in place of row n, and in how many lines: what lay
// knows too, without setting a text where that is not needed.
func (t *TailState) span(n int64) (first, end int64, height int) {
	if !t.Wrap && !t.All && !t.exact.rows[n] {
		g := t.group(n)
		return g.First, g.End, g.Period
	}
	l := t.lay(n)
	return l.first, l.end, l.height()
}

func (t *TailState) isExact(row scrollback.Row) bool {
	return row.Kind != scrollback.Note && (t.All || t.exact.rows[row.Number])
}

func (t *TailState) layExact(row scrollback.Row) []string {
	if lines := t.exact.laid[row.Number]; lines != nil && row.Kind != scrollback.Open {
		return lines
	}
	text := render.Hardwrap(quoteBytes(row.Text), t.textCells())
	lines := strings.Split(text, "\n")
	if t.exact.bytes += len(text); t.exact.laid == nil || t.exact.bytes > tailLaid {
		t.exact.laid, t.exact.bytes = map[int64][]string{}, len(text)
	}
	t.exact.laid[row.Number] = lines
	return lines
}

// refresh sets the lines that are in view.
func (t *TailState) refresh() {
	t.Came, t.Bytes = t.log.Size()
	if err := t.log.Err(); err != nil {
		t.Err = render.Reason(err)
	}
	t.Lines = t.Lines[:0]
	if !t.Following {
		t.New = t.Came - t.came
	}
	if first, end := t.log.Range(); first == end {
		return
	}
	t.settle()
	_, end := t.log.Range()
	for p := t.top; p.row < end && len(t.Lines) < t.height; {
		l := t.lay(p.row)
		for ; p.line < l.height() && len(t.Lines) < t.height; p.line++ {
			t.Lines = append(t.Lines, t.line(l, p))
		}
		p = tailPlace{row: l.end}
	}
}

// line is one line of a row.
func (t *TailState) line(l laidRow, p tailPlace) TailLine {
	out := TailLine{
		Text: l.lines[p.line%len(l.lines)], Kind: l.row.Kind, Exact: l.period == 0 && t.isExact(l.row),
		Wrong: l.wrong, Edge: t.edge(l, p), Selected: p == t.cursor,
	}
	if !out.Exact && !t.Wrap && t.Left > 0 {
		out.Text = ansi.TruncateLeft(out.Text, t.Left, "")
	}
	out.Found = findCells(strings.ToLower(out.Text), t.term())
	if p.line == 0 && l.count > 1 {
		out.Count, out.Since = l.count, l.since
	}
	if p.line == 0 && len(t.Feeds) > 1 && l.row.Source < len(t.Feeds) {
		out.Badge = t.Feeds[l.row.Source].Badge
	}
	return out
}

// Edge says how a line belongs to those around it.
type Edge uint8

// The edges.
const (
	EdgeNone  Edge = iota
	EdgeFirst      // of a block that is folded
	EdgeInner
	EdgeLast
	EdgeOpened // of a fold that was opened
)

func (t *TailState) edge(l laidRow, p tailPlace) Edge {
	_, opened := t.openedAt(l.first)
	switch {
	case opened:
		return EdgeOpened
	case l.period < 2:
		return EdgeNone
	case p.line == 0:
		return EdgeFirst
	case p.line == l.height()-1:
		return EdgeLast
	}
	return EdgeInner
}

// shownLine is a line as it is read: what a carriage return would have written over
// is left out, and so is all that drives a terminal, and what comes after limit bytes.
func shownLine(text []byte, limit int) string {
	text = bytes.TrimRight(text, "\r")
	text = text[bytes.LastIndexByte(text, '\r')+1:]
	left := len(text) - limit
	if left > 0 {
		text = text[:limit]
	}
	s := untab(strings.ReplaceAll(render.Clean(string(text)), "\n", " "))
	if left > 0 {
		s += " … " + Counted(left, "more byte", "more bytes")
	}
	return s
}

// quoteBytes shows every byte: what is no character that a terminal just prints, and
// the backslash, as in a string of Go.
func quoteBytes(text []byte) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch one := string(text[:n]); {
		case r == utf8.RuneError && n == 1:
			const hex = "0123456789abcdef"
			b.WriteString(`\x` + string(hex[text[0]>>4]) + string(hex[text[0]&15]))
		case r == '\\' || r == '\t' || render.Clean(one) != one:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(one)
		}
		text = text[n:]
	}
	return b.String()
}
