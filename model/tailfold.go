package model

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"yore/render/fold"
	"yore/render/scrollback"
)

// foldState is what is folded.
type foldState struct {
	groups *fold.Folds    // nil while nothing is
	opened map[int64]bool // by the first rows of groups
	busy   bool           // rows are being handed to groups
	again  bool           // and more have come
}

// foldedMsg says that what had come is folded.
type foldedMsg struct{ gen uint64 }

// toggleBlocks folds blocks of lines that repeat, or no longer.
func (m *Model) toggleBlocks() tea.Cmd {
	m.Tail.Folded.Blocks = !m.Tail.Folded.Blocks
	return m.refold()
}

// toggleSimilar folds lines that differ only in times and numbers, or no longer.
func (m *Model) toggleSimilar() tea.Cmd {
	m.Tail.Folded.Similar = !m.Tail.Folded.Similar
	return m.refold()
}

// refold folds what is there anew.
func (m *Model) refold() tea.Cmd {
	t := &m.Tail
	t.folds.groups, t.folds.opened = nil, map[int64]bool{}
	if t.Folded != (fold.Options{}) {
		t.folds.groups = fold.New(t.Folded)
	}
	t.cursor.line = 0
	return m.showCome()
}

// showCome shows what came, when it is to be folded after that is done: beside
// everything else, since there may be very much.
func (m *Model) showCome() tea.Cmd {
	t := &m.Tail
	if t.folds.groups == nil {
		t.refresh()
		return nil
	}
	if t.folds.busy {
		t.folds.again = true
		return nil
	}
	t.folds.busy = true
	ctx, log, folds, gen := t.ctx, t.log, t.folds.groups, t.gen
	return func() tea.Msg {
		foldCome(ctx, log, folds)
		return foldedMsg{gen}
	}
}

// folded shows what is folded now.
func (m *Model) folded(msg foldedMsg) tea.Cmd {
	t := &m.Tail
	if msg.gen != t.gen || !t.Open() {
		return nil
	}
	t.folds.busy = false
	t.refresh()
	if t.folds.again {
		t.folds.again = false
		return m.showCome()
	}
	return nil
}

// foldCome hands all rows that have come since to folds.
func foldCome(ctx context.Context, log *scrollback.Log, folds *fold.Folds) {
	_, end := log.Range()
	n := folds.Next(end)
	if row, ok := log.Row(n - 1); ok {
		folds.Grown(row.Count)
	}
	// What comes meanwhile is left to the next time, which passes over what is too old.
	for more := true; more && n < end && ctx.Err() == nil; n++ {
		var r fold.Row
		more = log.Use(n, func(row scrollback.Row) {
			r = fold.Row{Number: n, Source: row.Source, Text: shownLine(row.Text, tailShown), Count: row.Count, Alone: row.Kind != scrollback.Line}
			more = row.Kind != scrollback.Open
		}) && more
		if more {
			r.Alone = r.Alone || fold.LooksWrong(r.Text)
			folds.Add(r)
		}
	}
}

// group is the rows that are shown in place of row n: itself, or a fold that is closed.
func (t *TailState) group(n int64) fold.Group {
	alone := fold.Group{First: n, End: n + 1, Period: 1}
	if t.folds.groups == nil || t.All {
		return alone
	}
	g := t.folds.groups.At(n)
	if g.Rows() < 2 || t.folds.opened[g.First] {
		return alone
	}
	return g
}

// openedAt tells whether row n is one of a fold that was opened, and of which.
func (t *TailState) openedAt(n int64) (first int64, ok bool) {
	if t.folds.groups == nil || t.All {
		return 0, false
	}
	g := t.folds.groups.At(n)
	return g.First, g.Rows() > 1 && t.folds.opened[g.First]
}

// layFold sets a closed fold: its newest line, or the newest lines of its block.
func (t *TailState) layFold(g fold.Group) laidRow {
	l := laidRow{first: g.First, end: g.End, times: 1, count: g.Repeats(), period: g.Period}
	if g.Period == 1 {
		l.count = g.Lines
		t.log.Use(g.First, func(row scrollback.Row) { l.since = fold.Stamp(shownLine(row.Text, tailShown)) })
	}
	for n := g.End - int64(g.Period); n < g.End; n++ {
		t.log.Use(n, func(row scrollback.Row) {
			l.row = row
			l.lines = append(l.lines, t.layShown(row)...)
		})
	}
	return l.whole()
}

// closeFold closes what was expanded or opened under the cursor.
func (m *Model) closeFold() tea.Cmd {
	t := &m.Tail
	n := t.cursor.row
	first, opened := t.openedAt(n)
	switch {
	case t.exact.rows[n]:
		delete(t.exact.rows, n)
	case opened:
		delete(t.folds.opened, first)
		t.cursor.row = first
	default:
		m.Notice = "nothing is expanded here"
		return nil
	}
	t.cursor.line = 0
	t.refresh()
	return nil
}
