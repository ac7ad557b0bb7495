package ui

import "yore/model"

// palette paints the acts that the typed words leave, over the whole body.
func (p *painter) palette() {
	area := p.Layout.Help
	value, cursor := p.Palette.Line()
	l := p.line(area.W).gap(1).put(name, ": ")
	p.input(l, area.Y, value, cursor, true, "what to do")
	p.rows[area.Y] = l.String()
	s := p.Palette.Scroll
	for y, row := range p.Palette.Rows[s.Top:s.Bottom()] {
		p.rows[area.Y+2+y] = p.act(area.W, row).String()
	}
	if len(p.Palette.Acts) == 0 {
		p.sentences(area.Y+1, area.H-1, "Nothing is called that.", "Fewer letters find more; Esc goes back.")
	}
}

// act is one row of the palette: what an act does, and at its first row the key that does
// it too.
func (p *painter) act(width int, row model.PaletteRow) *line {
	l := p.line(width)
	l.on = row.Act == p.Palette.Selected
	if l.on {
		l.put(accent, "▌")
	} else {
		l.gap(1)
	}
	key := ""
	if row.First {
		key = firstKey(p.Palette.Acts[row.Act])
	}
	l.gap(1).put(keyName, pad(key, model.PaletteKeys-3)).gap(1).put(plain, row.Text)
	if l.on {
		l.fill()
	}
	return l
}
