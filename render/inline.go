package render

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inline writes what stands in a cell of a table, as the style sheet has it elsewhere.
type inline struct {
	source  []byte
	palette palette
}

// below is the text below a node. Open are the sequences of what stands around it, to be
// set again where something within it ends.
func (w inline) below(parent ast.Node, open string) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		b.WriteString(w.node(n, open))
	}
	return b.String()
}

func (w inline) node(n ast.Node, open string) string {
	styled := func(codes, text string) string { return sgr(codes) + text + sgr("") + open }
	within := func(codes string) string { return styled(codes, w.below(n, open+sgr(codes))) }
	link := underlined(w.palette.link)
	switch n := n.(type) {
	case *ast.Text:
		if n.IsRaw() {
			return oneLine(string(n.Value(w.source)))
		}
		return asRead(n.Value(w.source))
	case *ast.Emphasis:
		if n.Level > 1 {
			return within("1")
		}
		return within("3")
	case *ast.CodeSpan:
		return within(colour(w.palette.code))
	case *extast.Strikethrough:
		return within("9")
	case *ast.Link:
		return within("1") + " " + styled(link, asRead(n.Destination))
	case *ast.Image:
		return "image: " + w.below(n, open) + " " + styled(link, asRead(n.Destination))
	case *ast.AutoLink:
		return styled(link, oneLine(string(n.Label(w.source))))
	case *ast.RawHTML:
		return oneLine(string(n.Segments.Value(w.source)))
	}
	return w.below(n, open)
}

// asRead is text without the backslashes that take a mark its meaning, and with the
// references to characters resolved that have names; those by number are literal by now.
func asRead(text []byte) string {
	return oneLine(html.UnescapeString(string(util.UnescapePunctuations(text))))
}

// oneLine is text without controls and without the ends of lines.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(Clean(text))
}

// sgr is the sequence that sets a style; with nothing, the one that ends all.
func sgr(codes string) string { return "\x1b[" + codes + "m" }

// colour is the parameter of SGR for a colour of a palette, "39" for the terminal's own.
func colour(number string) string {
	n, err := strconv.Atoi(number)
	switch {
	case err != nil:
		return "39"
	case n < 8:
		return strconv.Itoa(30 + n)
	case n < 16:
		return strconv.Itoa(90 + n - 8)
	}
	return "38;5;" + number
}

// underlined is a colour with a line beneath.
func underlined(number string) string { return "4;" + colour(number) }
