package model

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"yore/render"
	"yore/render/scrollback"
)

// seekState is the text that is looked for.
type seekState struct {
	line textinput.Model
	from tailPlace // where the cursor was when its typing began
	last search
	slot slot
}

// tailFoundMsg is where a text was found in what is kept.
type tailFoundMsg struct {
	gen, slotGen uint64
	row          int64
	found        bool
}

// Find is the text to be found and the place of the cursor in it, in runes.
func (t *TailState) Find() (string, int) { return t.seek.line.Value(), t.seek.line.Position() }

// Seeking tells whether it is still being looked for.
func (t *TailState) Seeking() bool { return t.seek.slot.busy && t.term() != "" }

// term is the text to be found as it is compared.
func (t *TailState) term() string { return findTerm(t.seek.line.Value()) }

// search is where to look for the text.
type search struct {
	from  int64
	back  bool
	typed bool // while it is typed: where there is none ahead, the nearest before
}

// findTyped looks for the text from where the typing began.
func (m *Model) findTyped() tea.Cmd {
	t := &m.Tail
	t.cursor = t.seek.from
	t.Missed = false
	t.refresh()
	if t.term() == "" {
		t.seek.slot.drop()
		return nil
	}
	return m.findRow(search{from: t.cursor.row, typed: true})
}

// stepRow goes to the next row that holds the text, or the one before.
func (m *Model) stepRow(d int) tea.Cmd {
	if m.Tail.term() == "" {
		m.Notice = "nothing to find: / begins"
		return nil
	}
	return m.findRow(search{from: m.Tail.cursor.row + int64(d), back: d < 0})
}

// findRow looks, beside everything else, through all that is kept.
func (m *Model) findRow(s search) tea.Cmd {
	t := &m.Tail
	t.pause()
	t.seek.last = s
	ctx, gen, now := t.seek.slot.begin(t.ctx)
	if !now {
		return nil
	}
	log, term, tailGen := t.log, t.term(), t.gen
	holds := func(r scrollback.Row) bool {
		return strings.Contains(strings.ToLower(shownLine(r.Text, tailShown)), term)
	}
	return func() tea.Msg {
		n, ok := log.Find(ctx, s.from, s.back, holds)
		if !ok && s.typed {
			n, ok = log.Find(ctx, s.from, true, holds)
		}
		return tailFoundMsg{tailGen, gen, n, ok}
	}
}

// rowFound goes to what was found.
func (m *Model) rowFound(msg tailFoundMsg) tea.Cmd {
	t := &m.Tail
	current, again := t.seek.slot.done(msg.slotGen)
	if !t.Open() {
		return nil
	}
	if current && msg.gen == t.gen {
		t.Missed = !msg.found && (t.Missed || t.seek.last.typed) // a step may come to the last one
		if msg.found {
			if g := t.group(msg.row); g.Rows() > 1 {
				t.folds.opened[g.First] = true // what is looked for is never folded away
			}
			t.cursor = tailPlace{row: msg.row}
			t.revealMatch()
		} else if !t.seek.last.typed {
			m.Notice = "no match " + map[bool]string{true: "above", false: "below"}[t.seek.last.back]
		}
		t.refresh()
	}
	if again && t.term() != "" {
		return m.findRow(t.seek.last)
	}
	return nil
}

// revealMatch moves a line that is cut so far to the side that what was found is seen.
func (t *TailState) revealMatch() {
	if t.Wrap {
		return
	}
	t.Left = 0
	line := ""
	t.log.Use(t.cursor.row, func(row scrollback.Row) { line = shownLine(row.Text, tailShown) })
	if found := findCells(strings.ToLower(line), t.term()); len(found) > 0 && found[0][1] > t.textCells() {
		t.Left = max(0, found[0][0]-t.textCells()/2)
	}
}

// findTerm is a text to be found as it is compared: letter case aside.
func findTerm(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// findCells are the cells in which a line, lower case and without colours, holds
// term.
func findCells(line, term string) [][2]int {
	var out [][2]int
	for at := 0; term != ""; {
		i := strings.Index(line[at:], term)
		if i < 0 {
			break
		}
		from := render.Width(line[:at+i])
		out = append(out, [2]int{from, from + render.Width(term)})
		at += i + len(term)
	}
	return out
}
