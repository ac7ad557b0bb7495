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

// Nor are the addresses of links, be they in the text as they are, in whatever way they
// are written; they are shown in full, and what ends a sentence stays outside of them.
func TestAddressesStayWhole(t *testing.T) {
	const address = "https://www.shop.example.com/v1.2/a+b,c;d"
	for _, link := range []string{
		"[the layout](" + address + ")", address, "<" + address + ">", "[x](<" + address + ">)", "![y](" + address + ")",
	} {
		for _, before := range []string{"- ", "1. ", "> ", "- - ", "- [ ] ", ""} {
			for width := 48; width < 90; width++ {
				markdown := before + "A cache of many parts, see " + link + ", or not: it is all there."
				got := ansi.Strip(NewTerminal(true, true).Render(markdown, width))
				if strings.ContainsFunc(got, func(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef }) {
					t.Fatalf("%q at %d: a stand-in is left in %q", markdown, width, got)
				}
				if strings.Count(got, address+",") != 1 || strings.ContainsAny(got, "<>") {
					t.Errorf("%q at %d: the address is broken in\n%s", markdown, width, got)
				}
			}
		}
	}
}

// The marks of an address mean in it what they meant.
func TestJointsKeepAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"[a](http://[::ffff:1.2.3.4]:80/x)":    "a http://[::ffff:1.2.3.4]:80/x",
		`[b](a\.md)`:                           "b a.md",
		`[c](a\\.md)`:                          `c a\.md`,
		"[d](a.md?x=1&amp;y=2)":                "d a.md?x=1&amp;y=2",
		"[e](f.go:12,14)":                      "e f.go:12,14",
		"www.shop.example.com":                 "http://www.shop.example.com",
		"ada@shop.example.com":                 "ada@shop.example.com",
		"<mailto:ada@shop.example.com>":        "mailto:ada@shop.example.com",
		"https://shop.example.com/?q=100%&a=b": "https://shop.example.com/?q=100%&a=b",
	} {
		markdown := "- a long item about " + address + " in the midst of it."
		got := strings.Join(strings.Fields(ansi.Strip(NewTerminal(true, true).Render(markdown, 60))), " ")
		if want := "• a long item about " + want + " in the midst of it."; got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}
