package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"yore/render/highlight"
)

// Every kind of code has its colour in every palette, and painting adds nothing but
// colours, which end before their line does.
func TestCodeIsPainted(t *testing.T) {
	const code = "// why\nfunc f(n int) string {\n\treturn \"b\" + `c\n\nd` // 12\r\n}\n"
	for _, p := range []palette{darkPalette, lightPalette, darkPalette16, lightPalette16} {
		var b strings.Builder
		if err := paintCode(&b, code, "go", p.theme); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if ansi.Strip(got) != code {
			t.Errorf("%s: %q was painted as %q", p.theme, code, got)
		}
		for text, colour := range map[string]string{"// why": p.syntax.comment, "func": p.syntax.keyword, "f": p.syntax.function, `"b"`: p.syntax.text, "`c": p.syntax.text, "d`": p.syntax.text} {
			if want := "\x1b[" + colour + "m" + text + "\x1b[m"; !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in %q", p.theme, want, got)
			}
		}
		for kind := highlight.Keyword; kind <= highlight.Tag; kind++ {
			if p.syntax.of(kind) == "" {
				t.Errorf("%s: no colour for kind %d", p.theme, kind)
			}
		}
	}
}

// A fence reaches the painter by way of glamour, and is left alone without colours or
// where the language is not known.
func TestFencesArePainted(t *testing.T) {
	keyword := "\x1b[" + darkPalette.syntax.keyword + "mfunc"
	for _, c := range []struct {
		fence   string
		colours colorprofile.Profile
		painted bool
	}{{"go", colorprofile.ANSI256, true}, {"Go", colorprofile.ANSI256, true}, {"nosuch", colorprofile.ANSI256, false}, {"", colorprofile.ANSI256, false}, {"go", colorprofile.ASCII, false}} {
		got := NewTerminalOf(true, c.colours).Render("```"+c.fence+"\nfunc f() {}\n```\n", 40)
		if strings.Contains(got, keyword) != c.painted {
			t.Errorf("%q with %v colours: %q", c.fence, c.colours, got)
		}
		if !strings.Contains(ansi.Strip(got), "func f() {}") {
			t.Errorf("%q: the code is not in %q", c.fence, got)
		}
	}
}

func BenchmarkPaint(b *testing.B) {
	code := strings.Repeat("func f(n int) string { return \"x\" } // says x\n", 10)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		var out strings.Builder
		if err := paintCode(&out, code, "go", darkPalette.theme); err != nil {
			b.Fatal(err)
		}
	}
}
