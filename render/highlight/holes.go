package highlight

import "strings"

// hole is an expression that stands in a string, which goes on behind it.
type hole struct {
	quote int // the string's, by its place in the row
	depth int // brackets that are open within it, of the kind that closes it
}

// holed is a way of writing strings with expressions in them; what opens one ends in a
// bracket, whose other half closes it.
func holed(q quote, hole string) quote {
	q.hole = hole
	return q
}

// inHole takes a bracket of the expression in a string that goes on here; with the one that
// closes it, also what follows of the string.
func (p *general) inHole(c byte) bool {
	last := len(p.holes) - 1
	if last < 0 {
		return false
	}
	open := p.quotes[p.holes[last].quote].hole
	switch c {
	case open[len(open)-1]:
		p.holes[last].depth++
	case closer(open):
		if p.holes[last].depth == 0 {
			p.resume()
			return true
		}
		p.holes[last].depth--
	default:
		return false
	}
	p.at++
	return true
}

// closer is what closes the bracket that a text ends in.
func closer(open string) byte {
	if strings.HasSuffix(open, "(") {
		return ')'
	}
	return '}'
}

// resume takes what follows of a string behind the expression whose last byte is here.
func (p *general) resume() {
	i := p.holes[len(p.holes)-1].quote
	p.holes = p.holes[:len(p.holes)-1]
	end, open := p.stringEnd(&p.quotes[i], i, p.at+1)
	p.take(end, String)
	if open {
		p.holes = append(p.holes, hole{quote: i})
	}
}

// endHoles gives up the expressions of strings that end with their line.
func (p *general) endHoles() {
	for last := len(p.holes) - 1; last >= 0 && p.quotes[p.holes[last].quote].reach == oneLine; last-- {
		p.holes = p.holes[:last]
	}
}
