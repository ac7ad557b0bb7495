package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A number or a file's name is not broken at its marks where a line of a list or a
// quote is full, and a mark that stands alone is left as it is.
func TestWordsWithMarksStayWhole(t *testing.T) {
	words := "Saves are cheap but 210,000 files of cache/layout.go, v1.25.3; a+b, x.y and 漢字.go make `var/cache.bin` slow... so: 1|2 and a.b"
	for _, before := range []string{"- ", "1. ", "> ", "> - ", "", "- - "} {
		for width := 24; width < 60; width++ {
			got := ansi.Strip(NewTerminal(true, true).Render(before+words, width))
			if strings.ContainsFunc(got, func(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef }) {
				t.Fatalf("%q at %d: a stand-in is left in %q", before, width, got)
			}
			for _, w := range []string{"210,000", "layout.go,", "v1.25.3;", "a+b,", "x.y", "漢字.go", "var/cache.bin", "slow...", "1|2", "a.b"} {
				if !strings.Contains(got, w) {
					t.Errorf("%q at %d: %s is broken in\n%s", before, width, w, got)
				}
			}
		}
	}
}

// The meaning of marks in markdown is kept.
func TestJointsKeepMarkdown(t *testing.T) {
	for markdown, want := range map[string]string{
		"- a,**\"b\"** c":               "a,\"b\" c",
		"- x &amp; y; z&lt;q;":          "x & y; z<q;",
		`- 3\.5 and a\|b`:               `3.5 and a|b`,
		"- https://a.example/b.c,d":     "https://a.example/b.c,d",
		"- see [it](https://a.b).":      "see it https://a.b.",
		"a.b | c\n--- | ---\n1,5 | x+y": "1,5",
	} {
		got := ansi.Strip(NewTerminal(true, true).Render(markdown, 60))
		if !strings.Contains(got, want) {
			t.Errorf("%q: %q is not in %q", markdown, want, got)
		}
	}
}
