package model

import (
	tea "charm.land/bubbletea/v2"

	"yore/render/scrollback"
)

// tailKeys are the keys of the view of what is followed.
func tailKeys() []Binding {
	return []Binding{
		bind("pause", Tail, "space", "pause, or follow again", "pause", (*Model).togglePause, "space"),
		bind("follow", Tail, "F G end", "follow: keep the end in view", "follow", (*Model).followEnd, "F", "G", "end"),
		bind("expand", Tail, "enter", "open a fold, or a run to its every byte, or close it", "expand", (*Model).expandRow, "enter"),
		bind("close", Tail, "backspace", "close what was expanded", "", (*Model).closeFold, "backspace"),
		bind("expand-all", Tail, "E", "the same for all", "", (*Model).expandAll, "E"),
		bind("fold-blocks", Tail, "b", "fold blocks of lines that repeat, or not", "blocks", (*Model).toggleBlocks, "b"),
		bind("fold-similar", Tail, "t", "fold lines that differ only in times and numbers, or not", "times", (*Model).toggleSimilar, "t"),
		bind("scroll-left", Tail, "← h", "long lines to their beginning", "", (*Model).tailLeft, "left", "h"),
		bind("scroll-right", Tail, "→ l", "long lines to their end", "", (*Model).tailRight, "right", "l"),
		bind("wrap", Tail, "w", "long lines on several rows, or cut", "wrap", (*Model).toggleWrap, "w"),
		bind("copy-line", Tail, "y", "copy the line", "copy", (*Model).copyLine, "y", "ctrl+y"),
		bind("scroll-up", Tail, "↑ k", "one line up", "", (*Model).tailUp, "up", "k", "ctrl+p"),
		bind("scroll-down", Tail, "↓ j", "one line down", "", (*Model).tailDown, "down", "j", "ctrl+n"),
		bind("scroll-half-up", Tail, "ctrl+u", "half a page up", "", (*Model).tailHalfUp, "ctrl+u"),
		bind("scroll-half-down", Tail, "ctrl+d", "half a page down", "", (*Model).tailHalfDown, "ctrl+d"),
		bind("scroll-page-up", Tail, "page up ctrl+b", "one page up", "", (*Model).tailPageUp, "pgup", "ctrl+b"),
		bind("scroll-page-down", Tail, "page down ctrl+f", "one page down", "", (*Model).tailPageDown, "pgdown", "ctrl+f"),
		bind("scroll-top", Tail, "g home", "to the oldest line that is kept", "", (*Model).tailTop, "g", "home"),
	}
}

func (m *Model) tailBy(d int) tea.Cmd {
	m.Tail.move(d)
	return nil
}

func (m *Model) tailUp() tea.Cmd       { return m.tailBy(-1) }
func (m *Model) tailDown() tea.Cmd     { return m.tailBy(1) }
func (m *Model) tailHalfUp() tea.Cmd   { return m.tailBy(-max(1, m.Tail.height/2)) }
func (m *Model) tailHalfDown() tea.Cmd { return m.tailBy(max(1, m.Tail.height/2)) }
func (m *Model) tailPageUp() tea.Cmd   { return m.tailBy(-max(1, m.Tail.height-1)) }
func (m *Model) tailPageDown() tea.Cmd { return m.tailBy(max(1, m.Tail.height-1)) }

// aside is how far long lines are moved at a time, in cells.
const aside = 16

func (m *Model) tailAside(d int) tea.Cmd {
	t := &m.Tail
	t.Left = max(0, t.Left+d)
	t.refresh()
	return nil
}

func (m *Model) tailLeft() tea.Cmd  { return m.tailAside(-aside) }
func (m *Model) tailRight() tea.Cmd { return m.tailAside(aside) }

func (m *Model) tailTop() tea.Cmd {
	t := &m.Tail
	t.pause()
	t.cursor = tailPlace{row: 0}
	t.refresh()
	return nil
}

// expandRow shows every byte of the run under the cursor, or no longer.
func (m *Model) expandRow() tea.Cmd {
	t := &m.Tail
	row, ok := t.log.Row(t.cursor.row)
	if !ok || row.Kind == scrollback.Note {
		m.Notice = "there is nothing to expand"
		return nil
	}
	t.pause()
	if g := t.group(row.Number); g.Rows() > 1 {
		t.folds.opened[g.First] = true
		t.cursor = tailPlace{row: g.First}
		t.refresh()
		return nil
	}
	if t.exact.rows[row.Number] {
		delete(t.exact.rows, row.Number)
	} else {
		t.exact.rows[row.Number] = true
	}
	t.cursor.line = 0
	t.refresh()
	return nil
}

func (m *Model) expandAll() tea.Cmd {
	t := &m.Tail
	t.All = !t.All
	t.cursor.line = 0
	t.refresh()
	return nil
}

func (m *Model) toggleWrap() tea.Cmd {
	t := &m.Tail
	t.Wrap = !t.Wrap
	t.cursor.line = 0
	t.refresh()
	return nil
}

// copyLine copies the line under the cursor.
func (m *Model) copyLine() tea.Cmd {
	row, _ := m.Tail.log.Row(m.Tail.cursor.row)
	return m.copyText("the line", string(row.Text))
}
