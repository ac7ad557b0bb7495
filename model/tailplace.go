package model

// tailPlace is a line of the view: the row, and which of the lines that it is shown
// in. Rows that are repeated can be shown in very many.
type tailPlace struct {
	row  int64
	line int
}

// before tells whether p stands above o.
func (p tailPlace) before(o tailPlace) bool {
	return p.row < o.row || p.row == o.row && p.line < o.line
}

// step goes d lines down, or up, as far as there are some.
func (t *TailState) step(p tailPlace, d int) tailPlace {
	first, end := t.log.Range()
	for d > 0 {
		_, next, height := t.span(p.row)
		rest := height - 1 - p.line
		if d <= rest {
			return tailPlace{p.row, p.line + d}
		}
		if next >= end {
			return tailPlace{p.row, p.line + max(0, rest)}
		}
		d -= rest + 1
		p = tailPlace{next, 0}
	}
	for d < 0 {
		if p.line+d >= 0 {
			return tailPlace{p.row, p.line + d}
		}
		if p.row <= first {
			return tailPlace{first, 0}
		}
		d += p.line + 1
		row, _, height := t.span(p.row - 1)
		p = tailPlace{row, height - 1}
	}
	return p
}

// last is the last line there is.
func (t *TailState) last() tailPlace {
	first, end := t.log.Range()
	if end == first {
		return tailPlace{row: first}
	}
	row, _, height := t.span(end - 1)
	return tailPlace{row, height - 1}
}

// clamp brings a place back to what is there: rows go, and lines become fewer.
func (t *TailState) clamp(p tailPlace) tailPlace {
	first, end := t.log.Range()
	if p.row < first || end == first {
		return tailPlace{row: first}
	}
	if p.row >= end {
		return t.last()
	}
	row, _, height := t.span(p.row)
	if row != p.row {
		return tailPlace{row: max(first, row)}
	}
	p.line = max(0, min(p.line, height-1))
	return p
}

// settle puts top and cursor where they can be.
func (t *TailState) settle() {
	last := t.last()
	if t.Following {
		t.cursor = last
	}
	t.cursor, t.top = t.clamp(t.cursor), t.clamp(t.top)
	lowest := t.step(last, 1-t.height)
	if t.Following || lowest.before(t.top) {
		t.top = lowest
	}
	if t.cursor.before(t.top) {
		t.top = t.cursor
	}
	if least := t.step(t.cursor, 1-t.height); t.top.before(least) {
		t.top = least
	}
}

// choose puts the cursor on line y of the view.
func (t *TailState) choose(y int) {
	if y >= 0 && y < len(t.Lines) {
		t.pause()
		t.cursor = t.step(t.top, y)
		t.refresh()
	}
}

// move moves the cursor, which ends the following.
func (t *TailState) move(d int) {
	t.pause()
	t.cursor = t.step(t.cursor, d)
	t.refresh()
}
