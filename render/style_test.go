package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// TestQuotesKeepTheirBars: every line of a quote stands behind its bars, however deep it is
// and wherever its lines are broken.
func TestQuotesKeepTheirBars(t *testing.T) {
	said := strings.Repeat("a bc def ", 20)
	for depth := 1; depth <= 3; depth++ {
		for width := 20; width <= 80; width++ {
			got := NewTerminal(true, false).Render(strings.Repeat("> ", depth)+said, width)
			bars, words := strings.Repeat("│ ", depth), ""
			for line := range strings.Lines(got) {
				if behind, ok := strings.CutPrefix(line, bars); ok {
					words += behind
				} else if strings.Trim(line, "│ \n") != "" {
					t.Fatalf("depth %d, width %d: %q has not its bars in\n%s", depth, width, line, got)
				}
			}
			if strings.Join(strings.Fields(words), " ") != strings.TrimSpace(said) {
				t.Fatalf("depth %d, width %d: other words in\n%s", depth, width, got)
			}
		}
	}
}

// With 16 colours set text uses no others, and of them those that can be read on its
// background: no blue on dark, no yellow on light, and red for what is taken away only.
func TestSixteenColours(t *testing.T) {
	const markdown = "# head\n\n`code` [x](a/b.go) ~~gone~~\n\n> quote\n\n---\n\n```go\n// why\nfunc f(a int) string { return \"b\" + 12 }\n```\n\n```diff\n@@ -1 +1 @@\n-old\n+new\n```\n"
	sgr := regexp.MustCompile(`\x1b\[([0-9;]*)m`)
	for _, c := range []struct {
		dark bool
		uses []string
	}{{true, []string{"96", "93", "92", "37", "91"}}, {false, []string{"34", "35", "36", "90", "32", "31"}}} {
		got := NewTerminalOf(c.dark, colorprofile.ANSI).Render(markdown, 60)
		var used []string
		for _, sequence := range sgr.FindAllStringSubmatch(got, -1) {
			for code := range strings.SplitSeq(sequence[1], ";") {
				if len(code) < 2 {
					continue // no colour
				}
				used = append(used, code)
				if !slices.Contains(c.uses, code) {
					t.Errorf("dark %t: %q in %q", c.dark, sequence[0], got)
				}
			}
		}
		for _, code := range c.uses {
			if !slices.Contains(used, code) {
				t.Errorf("dark %t: no %s in %q", c.dark, code, got)
			}
		}
	}
}
