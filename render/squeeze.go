package render

import (
	"strings"

	"yore/sessions/clean"
)

// Control characters of ECMA-48.
const (
	esc = 0x1b
	del = 0x7f
)

// pen is how a terminal paints: colours as SGR parameters, "" for the
// terminal's own.
type pen struct {
	fg, bg, line string
	flags        penFlags
}

type penFlags uint16

const (
	bold penFlags = 1 << iota
	faint
	italic
	underline
	doubleUnderline
	reverse
	struck
)

// The SGR parameter that sets each flag, in the order of the constants.
var flagCodes = [...]string{"1", "2", "3", "4", "21", "7", "9"}

// paintsBlanks tells whether a blank in this pen can be seen.
func (p pen) paintsBlanks() bool {
	return p.bg != "" || p.flags&(underline|doubleUnderline|reverse|struck) != 0
}

// squeeze rewrites styled text with as few escape sequences as the same cells
// need: a style is set right before the next cell that shows it, blanks at a
// line's end that nobody sees are dropped, and every line ends in the
// terminal's own style. Other sequences than SGR, links among them, are left
// out. Glamour styles every padding cell by itself; nine tenths of its output
// vanish here.
func squeeze(styled string) string {
	s := squeezer{fresh: map[string]pen{}}
	s.out.Grow(len(styled) / 4)
	for i := 0; i < len(styled); {
		switch b := styled[i]; {
		case b == esc:
			n := clean.SequenceLen(styled[i:])
			if seq := styled[i : i+n]; strings.HasPrefix(seq, "\x1b[") && seq[n-1] == 'm' {
				s.style(seq[2 : n-1])
			}
			i += n
		case b == '\n':
			s.newline()
			i++
		case b == ' ':
			s.blank()
			i++
		case b < ' ' || b == del:
			i++
		default:
			n := 1
			for i+n < len(styled) && styled[i+n] > ' ' && styled[i+n] != del {
				n++
			}
			s.ink(styled[i : i+n])
			i += n
		}
	}
	s.newline()
	return strings.TrimSuffix(s.out.String(), "\n")
}

type squeezer struct {
	out    strings.Builder
	have   pen            // what the terminal has been told
	want   pen            // what the text asks for
	unseen int            // blanks that only matter if something follows on the line
	fresh  map[string]pen // what parameters make of the terminal's own style
}

// style takes over the parameters of an SGR sequence. Nearly all of glamour's
// are a reset, or one of a few styles right after it.
func (s *squeezer) style(parameters string) {
	if parameters == "" || parameters == "0" {
		s.want = pen{}
		return
	}
	if (s.want != pen{}) {
		s.want.apply(parameters)
		return
	}
	p, ok := s.fresh[parameters]
	if !ok {
		p.apply(parameters)
		s.fresh[parameters] = p
	}
	s.want = p
}

func (s *squeezer) blank() {
	if !s.want.paintsBlanks() {
		s.unseen++
		return
	}
	s.ink(" ")
}

func (s *squeezer) ink(text string) {
	if s.unseen > 0 {
		if s.have.paintsBlanks() {
			s.change(s.want.withoutPaint())
		}
		s.out.WriteString(blanks(s.unseen))
		s.unseen = 0
	}
	s.change(s.want)
	s.out.WriteString(text)
}

// newline ends the line; a blank in the next one is as unseen as here.
func (s *squeezer) newline() {
	s.unseen = 0
	s.change(pen{})
	s.out.WriteByte('\n')
}

// withoutPaint is the pen without what makes blanks visible.
func (p pen) withoutPaint() pen {
	p.bg, p.flags = "", p.flags&^(underline|doubleUnderline|reverse|struck)
	return p
}

// change tells the terminal to paint with p.
func (s *squeezer) change(p pen) {
	if s.have == p {
		return
	}
	if (p == pen{}) {
		s.out.WriteString("\x1b[m")
		s.have = p
		return
	}
	from := s.have
	var codes []string
	if from.flags&^p.flags != 0 || from.fg != "" && p.fg == "" || from.bg != "" && p.bg == "" || from.line != "" && p.line == "" {
		codes, from = append(codes, "0"), pen{}
	}
	for i, code := range flagCodes {
		if flag := penFlags(1) << i; p.flags&flag != 0 && from.flags&flag == 0 {
			codes = append(codes, code)
		}
	}
	for _, colour := range [...][2]string{{from.fg, p.fg}, {from.bg, p.bg}, {from.line, p.line}} {
		if colour[0] != colour[1] {
			codes = append(codes, colour[1])
		}
	}
	s.out.WriteString("\x1b[" + strings.Join(codes, ";") + "m")
	s.have = p
}

// apply changes the pen by the parameters of an SGR sequence (ECMA-48, section
// 8.3.117, and ISO 8613-6 for the colours). Blinking and concealed text are not
// taken over.
func (p *pen) apply(parameters string) {
	list := strings.Split(parameters, ";")
	for len(list) > 0 {
		used := 1
		switch code := list[0]; code {
		case "", "0":
			*p = pen{}
		case "38", "48", "58":
			used = colourLen(list)
			p.setColour(code, strings.Join(list[:used], ";"))
		case "39":
			p.fg = ""
		case "49":
			p.bg = ""
		case "59":
			p.line = ""
		case "22":
			p.flags &^= bold | faint
		case "23":
			p.flags &^= italic
		case "24", "4:0":
			p.flags &^= underline | doubleUnderline
		case "27":
			p.flags &^= reverse
		case "29":
			p.flags &^= struck
		default:
			p.set(code)
		}
		list = list[used:]
	}
}

// set handles the parameters that stand alone: a flag or a colour of the
// palette.
func (p *pen) set(code string) {
	for i, flag := range flagCodes {
		if code == flag {
			p.flags |= 1 << i
			return
		}
	}
	switch {
	case strings.HasPrefix(code, "4:"):
		p.flags |= underline
	case strings.HasPrefix(code, "38:"), len(code) == 2 && (code[0] == '3' || code[0] == '9') && code[1] <= '7':
		p.fg = code
	case strings.HasPrefix(code, "48:"), len(code) == 2 && code[0] == '4' && code[1] <= '7', len(code) == 3 && code[:2] == "10" && code[2] <= '7':
		p.bg = code
	case strings.HasPrefix(code, "58:"):
		p.line = code
	}
}

func (p *pen) setColour(which, parameters string) {
	switch which {
	case "38":
		p.fg = parameters
	case "48":
		p.bg = parameters
	default:
		p.line = parameters
	}
}

// colourLen is how many parameters an extended colour takes: 38;5;N or
// 38;2;R;G;B.
func colourLen(list []string) int {
	n := 1
	if len(list) > 1 {
		switch list[1] {
		case "5":
			n = 3
		case "2":
			n = 5
		}
	}
	return min(n, len(list))
}
