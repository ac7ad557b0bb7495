package render

import (
	"sync"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters"
	"github.com/alecthomas/chroma/v2/styles"
)

// palette holds the colours of a style sheet as numbers of the 256-colour
// palette; running text keeps the terminal's own colour.
type palette struct {
	heading, code, link, muted string
	theme                      string // name of the highlighter's style
	syntax                     chroma.StyleEntries
}

// Each colour has a contrast of at least 4.5 : 1 to a black background.
var darkPalette = palette{
	heading: "75", code: "180", link: "79", muted: "246", theme: "yore-dark",
	syntax: chroma.StyleEntries{
		chroma.Keyword: "#87afff", chroma.LiteralString: "#afd787", chroma.LiteralNumber: "#d7af87",
		chroma.Comment: "#949494", chroma.NameFunction: "#87d7d7", chroma.NameTag: "#87afff",
		chroma.GenericHeading: "bold #5fafff", chroma.GenericSubheading: "bold #5fafff",
		chroma.GenericInserted: "#87d787", chroma.GenericDeleted: "#ff8787",
		chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
	},
}

// Each colour has a contrast of at least 4.5 : 1 to a white background.
var lightPalette = palette{
	heading: "25", code: "94", link: "23", muted: "241", theme: "yore-light",
	syntax: chroma.StyleEntries{
		chroma.Keyword: "#005faf", chroma.LiteralString: "#005f00", chroma.LiteralNumber: "#875f00",
		chroma.Comment: "#626262", chroma.NameFunction: "#005f5f", chroma.NameTag: "#005faf",
		chroma.GenericHeading: "bold #005faf", chroma.GenericSubheading: "bold #005faf",
		chroma.GenericInserted: "#005f00", chroma.GenericDeleted: "#af0000",
		chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
	},
}

// registerThemes makes the highlighter's styles, and what writes them, known to chroma,
// whose registries are global and not safe for writing while something renders.
var registerThemes = sync.OnceFunc(func() {
	formatters.Register(painterName, newPainter(formatters.TTY256))
	for _, p := range []palette{darkPalette, lightPalette} {
		styles.Register(chroma.MustNewStyle(p.theme, p.syntax))
	}
})

// styleSheet is how glamour shows markdown. Without colour, code is not
// highlighted, and only weight, slant and lines tell the parts apart.
func styleSheet(dark, colour bool) ansi.StyleConfig {
	p := lightPalette
	if dark {
		p = darkPalette
	}
	if !colour {
		p = palette{}
	}
	paint := func(colour string) ansi.StylePrimitive {
		if colour == "" {
			return ansi.StylePrimitive{}
		}
		return ansi.StylePrimitive{Color: &colour}
	}
	strong := func(s ansi.StylePrimitive) ansi.StylePrimitive {
		s.Bold = new(true)
		return s
	}
	underlined := paint(p.link)
	underlined.Underline = new(true)
	heading := ansi.StyleBlock{StylePrimitive: strong(paint(p.heading))}
	heading.BlockSuffix = "\n"
	rule := paint(p.muted)
	rule.Format = "\n────────\n"
	return ansi.StyleConfig{
		Document:       ansi.StyleBlock{Margin: new(uint(0))},
		BlockQuote:     ansi.StyleBlock{Indent: new(uint(1)), IndentToken: new("│ "), StylePrimitive: paint(p.muted)},
		List:           ansi.StyleList{LevelIndent: 2},
		Heading:        heading,
		H1:             ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Underline: new(true)}},
		Emph:           ansi.StylePrimitive{Italic: new(true)},
		Strong:         ansi.StylePrimitive{Bold: new(true)},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: new(true)},
		HorizontalRule: rule,
		Item:           ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		Task:           ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:           underlined,
		LinkText:       strong(ansi.StylePrimitive{}),
		Image:          underlined,
		ImageText:      ansi.StylePrimitive{Format: "image: {{.text}}"},
		Code:           ansi.StyleBlock{StylePrimitive: paint(p.code)},
		CodeBlock:      ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: new(uint(codeMargin))}, Theme: p.theme},
		DefinitionTerm: ansi.StylePrimitive{Bold: new(true)},
		// Without its own line a description is glued to its term.
		DefinitionDescription: ansi.StylePrimitive{BlockPrefix: "\n  "},
	}
}
