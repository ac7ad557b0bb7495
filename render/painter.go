package render

import (
	"io"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2/quick"

	"yore/render/highlight"
)

// codeColours are the colours of code, as parameters of SGR.
type codeColours struct{ keyword, text, number, comment, function, heading, inserted, deleted string }

// of is the colour of a kind of code, "" for the terminal's own.
func (c codeColours) of(kind highlight.Kind) string {
	switch kind {
	case highlight.Keyword, highlight.Tag:
		return c.keyword
	case highlight.String:
		return c.text
	case highlight.Number:
		return c.number
	case highlight.Comment:
		return c.comment
	case highlight.Function:
		return c.function
	case highlight.Heading:
		return "1;" + c.heading
	case highlight.Inserted:
		return c.inserted
	case highlight.Deleted:
		return c.deleted
	}
	return ""
}

// useHighlighter has glamour's blocks of code written by paintCode.
var useHighlighter = sync.OnceFunc(func() { quick.Use(paintCode) })

// themes are the colours of code by the names of the palettes that have them: glamour
// hands on nothing but a name.
var themes = map[string]codeColours{
	darkPalette.theme: darkPalette.syntax, lightPalette.theme: lightPalette.syntax,
	darkPalette16.theme: darkPalette16.syntax, lightPalette16.theme: lightPalette16.syntax,
}

// paintCode writes code in the colours of a theme.
func paintCode(w io.Writer, code, language, theme string) error {
	colours := themes[theme]
	var b strings.Builder
	at := 0
	for _, span := range highlight.Spans(language, code) {
		b.WriteString(code[at:span.Start])
		if colour := colours.of(span.Kind); colour != "" {
			b.WriteString("\x1b[" + colour + "m" + code[span.Start:span.End] + "\x1b[m")
		} else {
			b.WriteString(code[span.Start:span.End])
		}
		at = span.End
	}
	b.WriteString(code[at:])
	_, err := io.WriteString(w, b.String())
	return err
}
