package render

import (
	"sync"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/charmbracelet/colorprofile"
)

// palette holds the colours of a style sheet as numbers of the 256-colour
// palette, or of the first 16 of it; running text keeps the terminal's own colour.
type palette struct {
	heading, code, link, muted string
	theme                      string // name of the highlighter's style
	painter                    string // name of what writes its colours
	syntax                     chroma.StyleEntries
}

// Each colour has a contrast of at least 4.5 : 1 to a black background.
var darkPalette = palette{
	heading: "75", code: "180", link: "79", muted: "246", theme: "yore-dark", painter: painterName,
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
	heading: "25", code: "94", link: "23", muted: "241", theme: "yore-light", painter: painterName,
	syntax: chroma.StyleEntries{
		chroma.Keyword: "#005faf", chroma.LiteralString: "#005f00", chroma.LiteralNumber: "#875f00",
		chroma.Comment: "#626262", chroma.NameFunction: "#005f5f", chroma.NameTag: "#005faf",
		chroma.GenericHeading: "bold #005faf", chroma.GenericSubheading: "bold #005faf",
		chroma.GenericInserted: "#005f00", chroma.GenericDeleted: "#af0000",
		chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
	},
}

// The palettes of terminals with 16 colours, into which those above would turn so that
// headings were in a blue that cannot be read on black, and code in the red of errors:
// there is no blue on dark backgrounds and no yellow on light ones, and red only where
// something is taken away.
var (
	darkPalette16 = palette{
		heading: "14", code: "11", link: "10", muted: "7", theme: "yore-dark-16", painter: painterName16,
		syntax: chroma.StyleEntries{
			chroma.Keyword: "#00ffff", chroma.LiteralString: "#00ff00", chroma.LiteralNumber: "#ffff00",
			chroma.Comment: "#e5e5e5", chroma.NameFunction: "#00ffff", chroma.NameTag: "#00ffff",
			chroma.GenericHeading: "bold #00ffff", chroma.GenericSubheading: "bold #00ffff",
			chroma.GenericInserted: "#00ff00", chroma.GenericDeleted: "#ff0000",
			chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
		},
	}
	lightPalette16 = palette{
		heading: "4", code: "5", link: "6", muted: "8", theme: "yore-light-16", painter: painterName16,
		syntax: chroma.StyleEntries{
			chroma.Keyword: "#00007f", chroma.LiteralString: "#007f00", chroma.LiteralNumber: "#7f007f",
			chroma.Comment: "#555555", chroma.NameFunction: "#007f7f", chroma.NameTag: "#00007f",
			chroma.GenericHeading: "bold #00007f", chroma.GenericSubheading: "bold #00007f",
			chroma.GenericInserted: "#007f00", chroma.GenericDeleted: "#7f0000",
			chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
		},
	}
)

// registerThemes makes the highlighter's styles, and what writes them, known to chroma,
// whose registries are global and not safe for writing while something renders.
var registerThemes = sync.OnceFunc(func() {
	formatters.Register(painterName, newPainter(formatters.TTY256))
	formatters.Register(painterName16, newPainter(formatters.TTY16))
	for _, p := range []palette{darkPalette, lightPalette, darkPalette16, lightPalette16} {
		styles.Register(chroma.MustNewStyle(p.theme, p.syntax))
	}
})

// paletteFor chooses. Without colour, code is not highlighted, and only weight, slant and
// lines tell the parts apart.
func paletteFor(dark bool, colours colorprofile.Profile) palette {
	switch {
	case colours < colorprofile.ANSI:
		return palette{painter: painterName}
	case colours == colorprofile.ANSI && dark:
		return darkPalette16
	case colours == colorprofile.ANSI:
		return lightPalette16
	case dark:
		return darkPalette
	}
	return lightPalette
}

// styleSheet is how glamour shows markdown.
func styleSheet(p palette) ansi.StyleConfig {
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
