package render

import (
	"io"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// What our formatters, of 256 colours and of 16, are called in the highlighter's registry.
const (
	painterName   = "yore-256"
	painterName16 = "yore-16"
)

// unpainted ends a colour in a terminal.
const unpainted = "\x1b[0m"

// painter writes highlighted code as its base does, which works out the colours of a
// whole style anew for each block of code: half of what a digest with code costs. Here
// each kind of token is asked for once. Its methods are safe for concurrent use.
type painter struct {
	base chroma.Formatter

	mu      sync.Mutex
	colours map[string]map[chroma.TokenType]string // by the style's name
}

func newPainter(base chroma.Formatter) *painter {
	return &painter{base: base, colours: map[string]map[chroma.TokenType]string{}}
}

// Format writes the tokens, with a colour of its own on each line.
func (p *painter) Format(w io.Writer, style *chroma.Style, next chroma.Iterator) error {
	tokens := next.Tokens()
	colours, err := p.learn(style, tokens)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, t := range tokens {
		colour := colours[t.Type]
		for line := range strings.Lines(t.Value) {
			text, ends := strings.CutSuffix(line, "\n")
			if ends {
				text = strings.TrimSuffix(text, "\r")
			}
			if colour == "" {
				b.WriteString(line)
			} else {
				b.WriteString(colour + text + unpainted + line[len(text):])
			}
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// learn gives the colours of a style, those of all tokens among them.
func (p *painter) learn(style *chroma.Style, tokens []chroma.Token) (map[chroma.TokenType]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.colours[style.Name]
	var unknown []chroma.Token
	all := map[chroma.TokenType]string{}
	for _, t := range tokens {
		colour, ok := known[t.Type]
		if _, asked := all[t.Type]; !ok && !asked {
			unknown = append(unknown, chroma.Token{Type: t.Type, Value: "x"})
		}
		all[t.Type] = colour
	}
	if len(unknown) == 0 {
		return all, nil
	}
	var painted strings.Builder
	if err := p.base.Format(&painted, style, chroma.Literator(unknown...)); err != nil {
		return nil, err
	}
	if known == nil {
		known = map[chroma.TokenType]string{}
		p.colours[style.Name] = known
	}
	rest := painted.String()
	for _, t := range unknown {
		var colour string
		if colour, rest, _ = strings.Cut(rest, t.Value); colour != "" {
			rest = strings.TrimPrefix(rest, unpainted)
		}
		known[t.Type], all[t.Type] = colour, colour
	}
	return all, nil
}
