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
	syntax                     codeColours
}

// codeColours are the colours of code, as the highlighter takes them.
type codeColours struct{ keyword, text, number, comment, function, heading, inserted, deleted string }

// entries are the kinds of tokens that have a colour or a weight of their own.
func (s codeColours) entries() chroma.StyleEntries {
	return chroma.StyleEntries{
		chroma.Keyword: s.keyword, chroma.LiteralString: s.text, chroma.LiteralNumber: s.number,
		chroma.Comment: s.comment, chroma.NameFunction: s.function, chroma.NameTag: s.keyword,
		chroma.GenericHeading: "bold " + s.heading, chroma.GenericSubheading: "bold " + s.heading,
		chroma.GenericInserted: s.inserted, chroma.GenericDeleted: s.deleted,
		chroma.GenericEmph: "italic", chroma.GenericStrong: "bold",
	}
}

// Each colour has a contrast of at least 4.5 : 1 to a black background.
var darkPalette = palette{
	heading: "75", code: "180", link: "79", muted: "246", theme: "yore-dark", painter: painterName,
	syntax: codeColours{
		keyword: "#87afff", text: "#afd787", number: "#d7af87", comment: "#949494",
		function: "#87d7d7", heading: "#5fafff", inserted: "#87d787", deleted: "#ff8787",
	},
}

// Each colour has a contrast of at least 4.5 : 1 to a white background.
var lightPalette = palette{
	heading: "25", code: "94", link: "23", muted: "241", theme: "yore-light", painter: painterName,
	syntax: codeColours{
		keyword: "#005faf", text: "#005f00", number: "#875f00", comment: "#626262",
		function: "#005f5f", heading: "#005faf", inserted: "#005f00", deleted: "#af0000",
	},
}

// The palettes of terminals with 16 colours, into which those above would turn so that
// headings were in a blue that cannot be read on black, and code in the red of errors:
// there is no blue on dark backgrounds and no yellow on light ones, and red only where
// something is taken away.
var (
	darkPalette16 = palette{
		heading: "14", code: "11", link: "10", muted: "7", theme: "yore-dark-16", painter: painterName16,
		syntax: codeColours{
			keyword: "#00ffff", text: "#00ff00", number: "#ffff00", comment: "#e5e5e5",
			function: "#00ffff", heading: "#00ffff", inserted: "#00ff00", deleted: "#ff0000",
		},
	}
	lightPalette16 = palette{
		heading: "4", code: "5", link: "6", muted: "8", theme: "yore-light-16", painter: painterName16,
		syntax: codeColours{
			keyword: "#00007f", text: "#007f00", number: "#7f007f", comment: "#555555",
			function: "#007f7f", heading: "#00007f", inserted: "#007f00", deleted: "#7f0000",
		},
	}
)

// registerThemes makes the highlighter's styles, and what writes them, known to chroma,
// whose registries are global and not safe for writing while something renders.
var registerThemes = sync.OnceFunc(func() {
	formatters.Register(painterName, newPainter(formatters.TTY256))
	formatters.Register(painterName16, newPainter(formatters.TTY16))
	for _, p := range []palette{darkPalette, lightPalette, darkPalette16, lightPalette16} {
		styles.Register(chroma.MustNewStyle(p.theme, p.syntax.entries()))
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
