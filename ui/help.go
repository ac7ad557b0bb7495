package ui

import "fmt"

// help paints the keys of the focus that help was asked in.
func (p *painter) help() {
	area := p.Layout.Help
	head := p.line(area.W).gap(1).put(heading, fmt.Sprintf("Keys in the %s", p.HelpFocus()))
	if p.Help.Max() > 0 {
		head.put(faint, fmt.Sprintf("   %d %%", p.Help.Percent()))
	}
	p.rows[area.Y] = head.String()
	lines := p.HelpLines()
	for y := range p.Help.Height {
		i := p.Help.Top + y
		if i >= len(lines) {
			break
		}
		l := p.line(area.W).gap(2).put(keyName, pad(lines[i].Key, p.Layout.HelpKeys())).put(plain, lines[i].Text)
		p.rows[area.Y+2+y] = l.String()
	}
}
