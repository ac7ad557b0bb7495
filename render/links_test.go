package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// Where a link or a picture leads is shown as it was written: a path keeps its
// beginning, its dots and its letters, and takes the cells that it has.
func TestLinksAreShownAsWritten(t *testing.T) {
	for markdown, want := range map[string]string{
		"[view.go](ui/view.go)":                          "view.go ui/view.go",
		"- see [a **b** c](../ui/view.go#L42) there":     "• see a b c ../ui/view.go#L42 there",
		"[`code`](<docs/read me.md>)":                    "code docs/read me.md",
		"[x](./a.md \"a title\")":                        "x ./a.md",
		"[x](\n a/b.md)":                                 "x a/b.md",
		"[設計](docs/設計.md) and [b](c.md)":                 "設計 docs/設計.md and b c.md",
		"[abs](/home/ada/設計.md)":                         "abs /home/ada/設計.md",
		"![shot](img/x.png)":                             "image: shot img/x.png",
		"![](img/x.png)":                                 " img/x.png",
		"[![in](a.png)](b.md)":                           "image: in a.png b.md",
		"[![](img/a.png) and *b*](../c.md)":              " img/a.png and b ../c.md",
		"> [q](d/e.md)":                                  "│ q d/e.md",
		"[site](https://example.com/a/b?c=d#e)":          "site https://example.com/a/b?c=d#e",
		"[here](#part)":                                  "here",
		"[mail](mailto:ada@example.com)":                 "mail mailto:ada@example.com",
		"[esc](a\\_b/c.md)":                              "esc a_b/c.md",
		"[odd](%zz)":                                     "odd %zz",
		"[line](a_file.go:12)":                           "line a_file.go:12",
		"[odder](http://[::1)":                           "odder http://[::1",
		"see https://e.org/?q=100%, or not":              "see https://e.org/?q=100%, or not",
		"[![in](a_b:1)](a_b:1) <http://e.org/%z>":        "image: in a_b:1 a_b:1 http://e.org/%z",
		"[](empty.md)":                                   " empty.md",
		"[two](a.md)[three](b.md)":                       "two a.mdthree b.md",
		"[text with ](not/it.md) in ]( it](real/one.md)": "text with  not/it.md in ]( it](real/one.md)",
		strings.Repeat("w ", 30) + "[x](ui/view/p1.go)":  strings.Repeat("w ", 30) + "x ui/view/p1.go",
	} {
		if got := ansi.Strip(NewTerminal(true, true).Render(markdown, 80)); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// Whatever markdown holds and however narrow it is shown: none of the code points that
// stand for something on the way are in what is shown, and each path outside of tables is
// there whole.
func TestNothingOfOursIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole []string // the paths outside of tables
		var blocks []string
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			if rapid.IntRange(0, 2).Draw(t, "table") == 0 {
				blocks = append(blocks, drawTable(t))
			} else {
				blocks = append(blocks, drawContainer(t)+drawWords(t, &whole))
			}
		}
		markdown := strings.Join(blocks, "\n\n")
		width := rapid.IntRange(1, 120).Draw(t, "width")
		got := ansi.Strip(NewTerminal(true, true).Render(markdown, width))
		if strings.ContainsFunc(got, notACharacter) || strings.Contains(got, "p:") {
			t.Fatalf("at %d %q leaves a stand-in in %q", width, markdown, got)
		}
		shown := itemNumber.ReplaceAllString(strings.NewReplacer("\n", "", " ", "", "│", "").Replace(got), "")
		for _, path := range whole {
			if !strings.Contains(shown, path) {
				t.Fatalf("at %d the %s of %q is not whole in %q", width, path, markdown, got)
			}
		}
		for _, found := range drawnPath.FindAllString(shown, -1) {
			if !slices.ContainsFunc(whole, func(path string) bool { return strings.HasPrefix(found, path) }) {
				t.Fatalf("at %d %s is no beginning of a path of %q in %q", width, found, markdown, got)
			}
		}
	})
}

// Paths have a z at their beginning and nothing else has one, and no other word ends in
// their marks.
var drawnPath = regexp.MustCompile(`[./]*z[^r\[]*?(\.md|$)`)

var itemNumber = regexp.MustCompile(`[1-4]\.`)

func drawPath(t *rapid.T, written *[]string) string {
	path := rapid.StringMatching(`(\.\./|\./|/)?z[a-f]{1,3}(/[a-f]{1,5}){0,3}\.md`).Draw(t, "path")
	*written = append(*written, path)
	return "](" + path + ")"
}

func drawWords(t *rapid.T, written *[]string) string {
	var words []string
	for range rapid.IntRange(1, 6).Draw(t, "words") {
		word := rapid.SampledFrom([]string{
			"![r, r.r", "[![r;r", "[", "[r **r**", "1,234.5", "r.r; +r", "`r.r, r`", "&amp;", "~~r,r~~", "漢,字", "r+r|r", "<r>", "https://r.r/r,r", "https://r.r/%r",
		}).Draw(t, "word")
		for range strings.Count(word, "[") {
			word += drawPath(t, written)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func drawContainer(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "- ", "> ", "1. ", "- - ", "> - ", "# "}).Draw(t, "container")
}

// drawTable is a table whose paths have no z.
func drawTable(t *rapid.T) string {
	container := drawContainer(t)
	rest := containerPrefix([]byte(container))
	cell := func() string {
		return strings.NewReplacer("|", `\|`, "z", "y").Replace(drawWords(t, new([]string)))
	}
	return container + "| r | " + cell() + " |\n" + rest + "|--|--|\n" + rest + "| " + cell() + " | " + cell() + " |"
}

// notACharacter tells of a code point that it is for private use or is never a character
// (Unicode, sections 23.5 and 23.7).
func notACharacter(r rune) bool {
	return unicode.Is(unicode.Co, r) || unicode.Is(unicode.Noncharacter_Code_Point, r)
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
