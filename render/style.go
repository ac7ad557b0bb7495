package render

import (
	"charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/colorprofile"
)

// palette holds the colours of a style sheet as numbers of the 256-colour
// palette, or of the first 16 of it; running text keeps the terminal's own colour.
type palette struct {
	heading, code, link, muted string
	theme                      string // by which the highlighter finds syntax; without one, code is not highlighted
	syntax                     codeColours
}

// Each colour has a contrast of at least 4.5 : 1 to a black background.
var darkPalette = palette{
	heading: "75", code: "180", link: "79", muted: "246", theme: "yore-dark",
	syntax: codeColours{
		keyword: "38;5;111", text: "38;5;150", number: "38;5;180", comment: "38;5;246",
		function: "38;5;116", heading: "38;5;75", inserted: "38;5;114", deleted: "38;5;210",
	},
}

// Each colour has a contrast of at least 4.5 : 1 to a white background.
var lightPalette = palette{
	heading: "25", code: "94", link: "23", muted: "241", theme: "yore-light",
	syntax: codeColours{
		keyword: "38;5;25", text: "38;5;22", number: "38;5;94", comment: "38;5;241",
		function: "38;5;23", heading: "38;5;25", inserted: "38;5;22", deleted: "38;5;124",
	},
}

// The palettes of terminals with 16 colours, into which those above would turn so that
// headings were in a blue that cannot be read on black, and code in the red of errors:
// there is no blue on dark backgrounds and no yellow on light ones, and red only where
// something is taken away.
var (
	darkPalette16 = palette{
		heading: "14", code: "11", link: "10", muted: "7", theme: "yore-dark-16",
		syntax: codeColours{
			keyword: "96", text: "92", number: "93", comment: "37",
			function: "96", heading: "96", inserted: "92", deleted: "91",
		},
	}
	lightPalette16 = palette{
		heading: "4", code: "5", link: "6", muted: "8", theme: "yore-light-16",
		syntax: codeColours{
			keyword: "34", text: "32", number: "35", comment: "90",
			function: "36", heading: "34", inserted: "32", deleted: "31",
		},
	}
)

// paletteFor chooses. Without colour, code is not highlighted, and only weight, slant and
// lines tell the parts apart.
func paletteFor(dark bool, colours colorprofile.Profile) palette {
	switch {
	case colours < colorprofile.ANSI:
		return palette{}
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
	// Of an indent, glamour counts the blanks that it stands for and not the cells of its
	// token, and breaks lines too late; of a margin it counts two cells, as the bar takes.
	quote := ansi.StyleBlock{Margin: new(uint(1)), IndentToken: new("│ "), StylePrimitive: paint(p.muted)}
	rule := paint(p.muted)
	rule.Format = "\n────────\n"
	return ansi.StyleConfig{
		Document:       ansi.StyleBlock{Margin: new(uint(0))},
		BlockQuote:     quote,
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
