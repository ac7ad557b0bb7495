package render

import (
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// countingFormatter counts how often a formatter works out its colours.
type countingFormatter struct {
	chroma.Formatter
	times int
}

func (c *countingFormatter) Format(w io.Writer, s *chroma.Style, next chroma.Iterator) error {
	c.times++
	return c.Formatter.Format(w, s, next)
}

// Code is painted as chroma paints it, and its colours are worked out once.
func TestColoursAreWorkedOutOnce(t *testing.T) {
	registerThemes()
	base := &countingFormatter{Formatter: formatters.TTY256}
	p := newPainter(base)
	painted := func(f chroma.Formatter, label, code, style string) string {
		t.Helper()
		tokens, err := lexers.Get(label).Tokenise(nil, code)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := f.Format(&b, styles.Get(style), tokens); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	texts := []struct{ label, code string }{
		{"go", "package x\n\n// A comment\r\nfunc f(n int) string { return `a\n\nb` + \"x\\n\" }\n"},
		{"diff", "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same"},
		{"json", "{\"a\": [1, 2.5, null, true]}"}, {"text", "plain\n\ntext\r"}, {"html", "<a href=\"x\">y</a>"}, {"python", "def f():\n\t\"\"\"doc\n\tmore\"\"\"\n"}, {"text", ""},
	}
	for _, style := range []string{"yore-dark", "yore-light"} {
		for _, c := range texts {
			if got, want := painted(p, c.label, c.code, style), painted(formatters.TTY256, c.label, c.code, style); got != want {
				t.Errorf("%s in %s:\n%q, want\n%q", c.label, style, got, want)
			}
		}
	}
	before := base.times
	for _, c := range texts {
		painted(p, c.label, c.code, "yore-dark")
	}
	if before == 0 || base.times != before {
		t.Errorf("worked out %d times, and %d times more for the same texts", before, base.times-before)
	}
}

func BenchmarkPaint(b *testing.B) {
	registerThemes()
	code := strings.Repeat("func f(n int) string { return \"x\" } // says x\n", 10)
	for name, f := range map[string]chroma.Formatter{"once": newPainter(formatters.TTY256), "each": formatters.TTY256} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tokens, err := lexers.Get("go").Tokenise(nil, code)
				if err == nil {
					err = f.Format(io.Discard, styles.Get("yore-dark"), tokens)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
