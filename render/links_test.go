package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Where a link or a picture leads is shown as it was written: a path keeps its
// beginning, its dots and its letters.
func TestLinksAreShownAsWritten(t *testing.T) {
	for markdown, want := range map[string]string{
		"[view.go](ui/view.go)":                          "view.go ui/view.go",
		"- see [a **b** c](../ui/view.go#L42) there":     "a b c ../ui/view.go#L42 there",
		"[`code`](<docs/read me.md>)":                    "code docs/read me.md",
		"[x](./a.md \"a title\")":                        "x ./a.md",
		"[設計](docs/設計.md) and [b](c.md)":                 "設計 docs/設計.md and b c.md",
		"[abs](/home/ada/設計.md)":                         "abs /home/ada/設計.md",
		"![shot](img/x.png)":                             "image: shot img/x.png",
		"[![in](a.png)](b.md)":                           "b.md",
		"> [q](d/e.md)":                                  "q d/e.md",
		"| t |\n|---|\n| [c](f/g.md) |":                  "c",
		"[site](https://example.com/a/b?c=d#e)":          "site https://example.com/a/b?c=d#e",
		"[here](#part)":                                  "here",
		"[mail](mailto:ada@example.com)":                 "mail mailto:ada@example.com",
		"[esc](a\\_b/c.md)":                              "esc a",
		"[odd](%zz)":                                     "odd",
		"[](empty.md)":                                   "empty.md",
		"[two](a.md)[three](b.md)":                       "two a.mdthree b.md",
		"[text with ](not/it.md) in ]( it](real/one.md)": "real/one.md",
	} {
		for _, width := range []int{80, 23} {
			got := ansi.Strip(NewTerminal(true, true).Render(markdown, width))
			if width == 80 && !strings.Contains(got, want) {
				t.Errorf("%q: %q is not in %q", markdown, want, got)
			}
			if strings.Contains(got, "p:") || strings.ContainsFunc(got, func(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef }) {
				t.Errorf("%q at %d: a stand-in is left in %q", markdown, width, got)
			}
		}
	}
}

// Nested lists end in one blank line, not in one for each of their levels; blank lines
// of code stay as many as they are.
func TestNoBlankLinesOfTheirOwn(t *testing.T) {
	nested := "- a\n  - b\n    - c\n      - d\n\n1. one\n   - two\n\nafter\n"
	if got := ansi.Strip(NewTerminal(true, true).Render(nested, 60)); strings.Contains(got, "\n\n\n") {
		t.Errorf("several blank lines in\n%s", got)
	}
	code := nested + "\n```\nx\n\n\n\ny\n```\n"
	if got := ansi.Strip(NewTerminal(true, true).Render(code, 60)); !strings.Contains(got, "  x\n\n\n\n  y") {
		t.Errorf("blank lines of code are gone in\n%s", got)
	}
}
