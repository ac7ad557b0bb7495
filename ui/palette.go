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
	for y := range s.Height {
		i := s.Top + y
		if i >= len(p.Palette.Acts) {
			break
		}
		p.rows[area.Y+2+y] = p.act(area.W, p.Palette.Acts[i], i == p.Palette.Selected).String()
	}
	if len(p.Palette.Acts) == 0 {
		p.sentences(area.Y+1, area.H-1, "Nothing is called that.", "Fewer letters find more; Esc goes back.")
	}
}

// act is one row of the palette: what it does, and the key that does it too.
func (p *painter) act(width int, b model.Binding, selected bool) *line {
	l := p.line(width)
	l.on = selected
	if selected {
		l.put(accent, "▌")
	} else {
		l.gap(1)
	}
	l.gap(1).put(keyName, pad(firstKey(b), actKeyCells)).gap(1).put(plain, b.Help().Desc)
	if selected {
		l.fill()
	}
	return l
}

// actKeyCells is the width of the column of keys.
const actKeyCells = 12
