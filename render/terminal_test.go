package render

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"charm.land/glamour/v2"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"yore/recall"
	"yore/sessions"
)

// The width at which most tests render: a pane in a terminal of 160.
const pane = 80

// sample is markdown with all that a style sheet styles.
const sample = "## Heading `code`\n\nSome *slanted*, **strong**, ~~struck~~ text and a [link](https://example.test/x?a=1&b=2).\n\n" +
	"> a quote\n\n- one\n- two\n  1. three\n- [x] done\n\n```go\nfunc f() string { return \"数据库\" } // comment\n```\n\n" +
	"| a | b |\n|---|---|\n| 1 | two |\n\n---\n\n```\nno label\n```\n\n```nolanguage\nunknown label\n```\n\n    indented\n\nEnd 👨‍👩‍👧 of it."

var anySGR = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// visible is styled text without SGR; it fails the test for any other control.
func visible(t testing.TB, styled string) string {
	t.Helper()
	plain := anySGR.ReplaceAllString(styled, "")
	if Clean(plain) != plain {
		t.Fatalf("control characters in %q", styled)
	}
	return plain
}

func TestRenderKeepsText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"line breaks", "one\ntwo\n\nthree", "one\ntwo\n\nthree"},
		{"tags", "a Vec<u8> <b>x</b>", "a Vec<u8> <b>x</b>"},
		{"a block of HTML", "<div>\nhello\n</div>", "<div>\nhello\n</div>"},
		{"many blocks of HTML", strings.Repeat("<p>\n", 50) + "\nnext", strings.Repeat("<p>\n", 50) + "\nnext"},
		{"a comment that is never closed", "<!-- open\n\n# next", "<!-- open\n\nnext"},
		{"what looks like a link definition", "[ERROR]: gone\n\nnext", "[ERROR]: gone\n\nnext"},
		{"one in a list", "- [a]: b\n- [c\n  d]: e", "• [a]: b\n• [c\nd]: e"},
		{"several, one with a title", "[a]: b \"c\"\n[d]:\n  e\n[f]: g\nh", "[a]: b \"c\"\n[d]:\ne\n[f]: g\nh"},
		{"in a quote too", "> [ERROR]: gone", "│ [ERROR]: gone"},
		{"character references are text", "a &#27;[31m `&#7;`", "a &#27;[31m &#7;"},
		{"and stay so in code", "```\n&#27;[31m\n```", "  &#27;[31m"},
		{"tags in code", "`<b>` \n\n```html\n<b>x</b>\n```", "<b>\n\n  <b>x</b>"},
		{"the place that code is from", "- x\n  ```12:a/b.go\n  c\n  ```\n\n```go b.go\n```", "• x\n  12:a/b.go\n  c\n\n  b.go"},
		{"and a long one", "> ```go a/b/c/d/e/f/g/h/i.go\n> c\n> ```", "│\n│   a/b/c/d/e/f/g/h/\n│   i.go\n│   c"},
		{"wrapped code", "```\n" + strings.Repeat("word ", 6) + "\n```", "  word word word\n  word word word"},
		{"wrapped code in a list", "- x\n\n  ```\n  word word word word\n  ```", "• x\n  word word word\n  word"},
		{"paragraphs of an item", "1. a\n\n   b\n\n   c\n2. d", "1. a\nb\nc\n2. d"},
		{"and in a quote", "> - a\n>\n>   b", "│\n│ • a\n│ b"},
		{"a definition", "term\n: what it is", "term\n  what it is"},
		{"a long word", strings.Repeat("x", 25), strings.Repeat("x", 20) + "\nxxxxx"},
		{"tabs", "```\na\tb\n```", "  a   b"},
		{"an empty fence", "```\n```\n\nnext", "next"},
		{"a fence at the end", "```", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := visible(t, NewTerminal(true, true).Render(c.in, 20))
			if squeezeBlankLines(got) != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

var blankLines = regexp.MustCompile(`\n{3,}`)

func squeezeBlankLines(s string) string { return blankLines.ReplaceAllString(s, "\n\n") }

// Nothing of a transcript reaches the terminal as a control, whatever it hides
// behind; and no link is made of its text.
func TestRenderIsSafe(t *testing.T) {
	for _, in := range []string{
		"\x1b]52;c;ZXZpbA==\x07 a", "&#27;]52;c;ZXZpbA==&#7; a", "&#x1b;[2J a", "`&#x1b;[2J` a", "&#x9b;2J a", "&#x202e;a", "<http://example.test/> a",
		"[a](http://example.test/\x1b[2J)", "[a](http://e.test/&#27;)", "![a](&#27;x)", "| a |\n|---|\n| &#27;[2J |", "[&#27;]: x\n\n[&#27;] a",
		"# a &#27;[2J", "- &#27;[2J a\n\n  &#27;c", "<b title=\"&#27;\">a</b>", "<!-- &#27; -->\n\na", "<div>\n&#27;[2J\n<p>&#27;</div> a", "&amp;#27; a",
	} {
		got := NewTerminal(true, true).Render(in, pane)
		if plain := visible(t, got); !strings.Contains(plain, "a") || strings.Contains(got, "\x1b]") {
			t.Errorf("%q gives %q", in, got)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.SampledFrom([]string{
			"&#27;", "&#x9d;", "\x1b]", "\x07", "<", "div", ">", "</p>", "<!--", "`", "```", "~~~", "\n", "\n\n", " ", "    ", "- ", "> ", "| ",
			"|---|", "[x]: y", "[", "](", ")", "#", "*", "_", "数据", "👨‍👩‍👧", "word", strings.Repeat("x", 30), "\\", "1. ", "\t", "&amp;", "---",
		})
		in := strings.Join(rapid.SliceOfN(part, 0, 30).Draw(rt, "in"), "")
		width := rapid.IntRange(1, 40).Draw(rt, "width")
		got := NewTerminal(rapid.Bool().Draw(rt, "dark"), rapid.Bool().Draw(rt, "colour")).Render(in, width)
		checkLines(rt, in, got, max(width, 2))
	})
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkLines: nothing but text and SGR, and no line wider than width.
func checkLines(t fataler, in, styled string, width int) {
	t.Helper()
	if text := anySGR.ReplaceAllString(styled, ""); Clean(text) != text {
		t.Fatalf("control characters in %q of %q", styled, in)
	}
	for line := range strings.SplitSeq(styled, "\n") {
		if Width(line) > width {
			t.Fatalf("%d cells of %d in %q of %q", Width(line), width, line, in)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add(sample, 40)
	f.Add("<!-- &#27;]0;x&#7;\n- ```\n\tcode", 9)
	f.Fuzz(func(t *testing.T, markdown string, width int) {
		if len(markdown) > 4<<10 {
			t.Skip("glamour is slow")
		}
		width = 2 + int(uint(width)%200)
		checkLines(t, markdown, NewTerminal(true, true).Render(markdown, width), width)
	})
}

// Glamour warns on standard output of what it does not know; nothing that it
// does not know may come to it.
func TestNothingOnStandardOutput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	NewTerminal(true, true).Render(sample+"\n\n[a]: b\n\n> [c]: d\n\n- [e\n  f]: g 'h\n  i'\n", pane)
	os.Stdout = stdout
	w.Close()
	if said, _ := io.ReadAll(r); len(said) > 0 {
		t.Errorf("it wrote %q", said)
	}
}

func TestNoColour(t *testing.T) {
	got := NewTerminal(true, false).Render(sample, pane)
	for _, seq := range anySGR.FindAllString(got, -1) {
		for p := range strings.SplitSeq(strings.Trim(seq, "\x1b[m"), ";") {
			if len(p) > 1 {
				t.Errorf("%q is a colour", seq)
			}
		}
	}
	if !strings.Contains(got, "\x1b[1m") {
		t.Errorf("no bold heading in %q", got)
	}
}

// Dark and light are two style sheets even when both are used by one process.
func TestDarkAndLight(t *testing.T) {
	dark, light := NewTerminal(true, true).Render(sample, pane), NewTerminal(false, true).Render(sample, pane)
	if dark == light || visible(t, dark) != visible(t, light) {
		t.Error("dark and light should differ in colour, and in nothing else")
	}
	code := func(s string) string {
		_, s, _ = strings.Cut(s, "func")
		return s
	}
	if code(dark) == code(light) {
		t.Error("code has the same colours on dark and light")
	}
}

// cells are what a terminal shows of styled text, a line each. Of a blank, only
// what paints it is seen.
func cells(styled string, width, height int) [][]string {
	screen := vt.NewEmulator(width, height)
	_, _ = screen.WriteString(strings.ReplaceAll(styled, "\n", "\r\n"))
	rows := make([][]string, height)
	for y := range rows {
		for x := range width {
			seen := "blank"
			switch c := screen.CellAt(x, y); {
			case c == nil:
			case strings.TrimSpace(c.Content) != "":
				seen = fmt.Sprintf("%q %+v", c.Content, c.Style)
			case c.Style.Bg != nil || c.Style.Underline != 0 || c.Style.Attrs&paintingAttrs != 0:
				seen = fmt.Sprintf("blank %v %v %v", c.Style.Bg, c.Style.Underline, c.Style.Attrs&paintingAttrs)
			}
			rows[y] = append(rows[y], seen)
		}
	}
	return rows
}

// paintingAttrs are reverse and struck-through text in vt's attributes.
const paintingAttrs = 1<<5 | 1<<7

func sameCells(t fataler, before, after string, width, height int) {
	t.Helper()
	a, b := cells(before, width, height), cells(after, width, height)
	for y := range a {
		for x := range a[y] {
			if a[y][x] != b[y][x] {
				t.Fatalf("cell %d,%d: %s became %s\nof %.300q\nto %.300q", x, y, a[y][x], b[y][x], before, after)
			}
		}
	}
}

// Squeezing changes no cell, and leaves a fraction of the bytes.
func TestSqueezeKeepsCells(t *testing.T) {
	g, err := glamour.NewTermRenderer(glamour.WithStandardStyle("dark"), glamour.WithWordWrap(pane))
	if err != nil {
		t.Fatal(err)
	}
	styled, err := g.Render(strings.ReplaceAll(sample, "👨‍👩‍👧", "x"))
	if err != nil {
		t.Fatal(err)
	}
	squeezed := squeeze(styled)
	sameCells(t, styled, squeezed, pane+20, 80)
	if len(squeezed)*3 > len(styled) {
		t.Errorf("%d bytes of %d are left", len(squeezed), len(styled))
	}
	if again := squeeze(squeezed); again != squeezed {
		t.Errorf("squeezing again changes %q to %q", squeezed, again)
	}
}

func TestSqueezeAnyStyles(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[3m", "\x1b[4m", "\x1b[7m", "\x1b[9m", "\x1b[22m", "\x1b[23m", "\x1b[24m", "\x1b[27m", "\x1b[29m",
		"\x1b[31m", "\x1b[39m", "\x1b[42m", "\x1b[49m", "\x1b[38;5;75m", "\x1b[48;2;1;2;3m", "\x1b[1;38;5;9;4m", "\x1b[91;101m", " ", "  ", "a", "bc", "\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		styled := strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "styled"), "")
		squeezed := squeeze(styled)
		height := strings.Count(styled, "\n") + 1
		sameCells(t, styled, squeezed, 60, height)
		if strings.Count(squeezed, "\n") != height-1 {
			t.Fatalf("%q has other lines than %q", squeezed, styled)
		}
		for line := range strings.SplitSeq(squeezed, "\n") {
			if i := strings.LastIndex(line, "\x1b["); i >= 0 && !strings.HasPrefix(line[i:], "\x1b[m") {
				t.Fatalf("line %q leaves a style behind", line)
			}
		}
	})
}

// What would take glamour seconds or hours is shown as it stands.
func TestWildMarkdown(t *testing.T) {
	for name, in := range map[string]string{
		"quotes": strings.Repeat("> ", 2_000) + "x", "lists": strings.Repeat("- ", 2_000) + "x", "numbers": strings.Repeat("1. ", 2_000) + "x",
		"deep": strings.Repeat("  ", 500) + "- x", "stars": strings.Repeat("*a_", 50_000),
		"items": strings.Repeat("- a\n", 20_000), "empty items": strings.Repeat("-\n", 20_000), "loose items": strings.Repeat("1. a\n\n", 20_000),
		"links": strings.Repeat("[a](", 10_000), "lazy lines": "> a\n" + strings.Repeat("b\n", 10_000),
		"deep quotes": strings.Repeat(strings.Repeat("> ", 12)+"a\n\n", 200), "deep items": strings.Repeat(strings.Repeat("- ", 12)+"a\n\n", 1000),
		"cells": strings.Repeat("a|", 300) + "\n" + strings.Repeat("-|", 300) + strings.Repeat("\na|", 300),
	} {
		if tame(in) {
			t.Errorf("%s: taken for tame", name)
		}
		got := visible(t, NewTerminal(true, true).Render(in, pane))
		if marks := strings.NewReplacer(" ", "", "\n", ""); marks.Replace(got) != marks.Replace(in) {
			t.Errorf("%s: text is lost", name)
		}
	}
	for _, in := range []string{sample, strings.Repeat("-", 200) + " x", strings.Repeat(" ", 200) + "x", strings.Repeat("+", 40), strings.Repeat("- [a](b)\n", 3000), strings.Repeat("- a\n  - b\n", 2000), strings.Repeat("> > a\n", 3000), "> a\n\n" + strings.Repeat("b\n", 10_000), "a|b\n-|-\n" + strings.Repeat("c|d\n", 5000), "- - - - - - - - - - - - - - - - - - -"} {
		if !tame(in) {
			t.Errorf("%.60q is not taken for tame", in)
		}
	}
}

func TestGiantInput(t *testing.T) {
	got := NewTerminal(true, true).Render(strings.Repeat("```\n"+strings.Repeat("x ", 40)+"\n", 5_000), pane)
	if !strings.Contains(got, "more bytes are not shown here …]") {
		t.Errorf("no note on what is left out: %q", got[max(0, len(got)-200):])
	}
}

func TestRenderFromManyGoroutines(t *testing.T) {
	terminal := NewTerminal(true, true)
	want := terminal.Render(sample, pane)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			terminal.Render(fmt.Sprint(sample, i), pane-i)
			if got := terminal.Render(sample, pane); got != want {
				t.Errorf("got %q", got)
			}
		})
	}
	wg.Wait()
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100)
	for i := range 50 {
		c.put(cacheKey{hash: uint64(i)}, strings.Repeat("x", 10))
		c.get(cacheKey{hash: 0}) // used all the time, so it stays
	}
	if c.bytes > 100 || len(c.entries) > 10 || c.byUse.Len() != len(c.entries) {
		t.Errorf("%d bytes, %d entries", c.bytes, len(c.entries))
	}
	if _, ok := c.get(cacheKey{hash: 0}); !ok {
		t.Error("the entry in use was dropped")
	}
	if c.put(cacheKey{hash: 99}, strings.Repeat("x", 101)); c.bytes > 100 {
		t.Error("an entry beyond the limit was kept")
	}
}

// What stands behind a fence is the language of the code, and what it says of the code
// besides is not lost.
func TestLabels(t *testing.T) {
	for info, want := range map[string][2]string{
		"go": {"go"}, "Go title=x": {"go"}, "": {"text"}, "nolanguage": {"text"}, "c++": {"c++"}, "plaintext": {"text"}, "vb.net": {"vb.net"},
		"{.python .numberLines}": {"python"}, "rust,ignore": {"rust"}, "text": {"text"},
		"../../x": {"text", "../../x"}, "12:15:app/todo.tsx": {"text", "12:15:app/todo.tsx"}, "js:src/a.js": {"js", "src/a.js"},
		"go cmd/main.go": {"go", "cmd/main.go"}, "make all": {"make"}, "ls -la": {"text", "ls -la"}, "python title=\"a.py\"": {"python", "title=\"a.py\""},
		"main.go": {"text", "main.go"}, "sh ./run.sh": {"sh", "./run.sh"}, "go ../a/b.go": {"go", "../a/b.go"}, "sh .env": {"sh", ".env"}, "go\tcmd/a.go": {"go", "cmd/a.go"},
		"{.go .numberLines startFrom=\"1\"}": {"go"}, "{.go file=\"a.go\"}": {"go", "file=\"a.go\""}, "js {1, 3}": {"js"}, "rust, no_run, ignore": {"rust"}, "{}": {"text"}, "{.nolanguage}": {"text"},
	} {
		if label, said := labels(info); label != want[0] || said != want[1] {
			t.Errorf("labels(%q) = %q and %q, want %q", info, label, said, want)
		}
	}
}

func reading() recall.Reading {
	return recall.Reading{
		Session: session("1a2b3c4d-0000"), Short: "1a2b3c4d", Passage: 12, Of: 40, Around: 1,
		Passages: []recall.ReadPassage{
			{
				Number: 12, Ref: "1a2b3c4d#m1+0",
				Turns: []recall.ReadTurn{
					{Role: sessions.User, Kind: sessions.Prompt, At: noon, ID: "m1", Text: "Which layout?\x1b[2J\n```\nopen"},
					{Role: sessions.Assistant, Kind: sessions.Reply, At: noon.Add(2e9), ID: "m2", Text: "Shards.", Undone: true},
				},
				Tools: []recall.ReadTool{{
					Locator: "12.t0", Name: "Bash", Call: "c1", At: noon.Add(1e9), Input: "go test ./...\nnext", Output: "FAIL ```", Failed: true,
				}},
				Thinking: []recall.ReadThinking{{Locator: "12.h0", Text: "Shards or one file?"}},
			},
			{Number: 13, Turns: []recall.ReadTurn{{Role: sessions.User, Kind: sessions.Summary, Text: "So far.", Copied: true, Partly: true}}},
		},
	}
}

func TestReadingMarkdown(t *testing.T) {
	want := "## passage 12 of 40\n\n" +
		"**user** · Tue 12 May 2026 12:00 UTC\n\nWhich layout?\n```\nopen\n```\n\n" +
		"`▾ Bash · 12.t0 · failed · 1 line`\n\n```text\ngo test ./...\nnext\n```\n\n````text\nFAIL ```\n````\n\n" +
		"**assistant** · Tue 12 May 2026 12:00 UTC · abandoned\n\nShards.\n\n" +
		"`▾ thinking · 12.h0`\n\n```text\nShards or one file?\n```\n\n" +
		"## passage 13 of 40\n\n**summary** · continued · copied\n\nSo far.\n"
	if got := ReadingMarkdown(reading(), nil); got != want {
		t.Errorf("got\n%s", got)
	}
}

// A tool call and a thought are a line each, which says what they were, until one
// is opened; runs of identical lines stand there once, until all are wanted.
func TestPartsFold(t *testing.T) {
	p := reading().Passages[0]
	p.Tools[0].Output = strings.Repeat("ok\n", 4) + "[×2 identical lines]\n"
	heads := func(o PartOptions) (heads []string) {
		for _, part := range Parts(p, o) {
			heads = append(heads, part.Head)
			if Width(part.Head) > o.Width {
				t.Errorf("%q is wider than %d cells", part.Head, o.Width)
			}
			if part.Fold == Folded && part.Texts != nil {
				t.Errorf("%q is folded and says %q", part.Head, part.Texts)
			}
		}
		return heads
	}
	want := []string{"", "▸ Bash go test ./... next · 12.t0 · failed · 5 lines", "", "▸ thinking Shards or one file? · 12.h0"}
	if got := heads(PartOptions{Width: 80}); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	want = []string{"", "▸ Bash · 12.t0 · failed · 5 l…", "", "▸ thinking Shards or … · 12.h0"}
	if got := heads(PartOptions{Width: 30}); !slices.Equal(got, want) {
		t.Errorf("in 30 cells: %q", got)
	}
	for _, c := range []struct {
		fold Fold
		runs bool
		want []string
	}{
		{Collapsed, true, []string{"go test ./...\nnext", "ok\n[×4 identical lines]\n[×][×2 identical lines]\n"}},
		{Expanded, false, []string{"go test ./...\nnext", "ok\nok\nok\nok\n[×2 identical lines]\n"}},
	} {
		part := Parts(p, PartOptions{Width: 80, Tools: Expanded, Each: map[string]Fold{"12.t0": c.fold}})[1]
		if !slices.Equal(part.Texts, c.want) || part.Runs != c.runs || part.Head != "▾ Bash · 12.t0 · failed · 5 lines" {
			t.Errorf("%v: %q, runs %v, under %q", c.fold, part.Texts, part.Runs, part.Head)
		}
	}
}

// Where much is opened together the rest stays folded, unless it is opened by
// itself.
func TestPartsOpenSoMuch(t *testing.T) {
	p := reading().Passages[0]
	for i := range 9 {
		tool := p.Tools[0]
		tool.Locator, tool.Output = fmt.Sprintf("12.t%d", i+1), strings.Repeat("x", 100)
		p.Tools = append(p.Tools, tool)
	}
	var open []string
	for _, part := range Parts(p, PartOptions{Tools: Collapsed, Thinking: Expanded, Most: 300, Each: map[string]Fold{"12.t8": Expanded}}) {
		if part.Fold != Folded {
			open = append(open, part.Locator)
		}
	}
	if want := []string{"12.t0", "12.t1", "12.t2", "12.t8", "12.h0"}; !slices.Equal(open, want) {
		t.Errorf("open are %q, want %q", open, want)
	}
}

// A turn that is cut anywhere leaves no fence open.
func TestBalanced(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "```": "```\n```", "```go\nx\n```": "```go\nx\n```", "~~~~\n```\n~~~": "~~~~\n```\n~~~\n~~~~",
		"- x\n  ```\n  y": "- x\n  ```\n  y\n```", "``` a ` b": "``` a ` b", "```\n``` x": "```\n``` x\n```",
	} {
		if got := balanced(text); got != want {
			t.Errorf("balanced(%q) = %q, want %q", text, got, want)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	digest := Consolidate(many(14, 80), DigestOptions{Budget: 10_000, Full: true}).Markdown
	b.SetBytes(int64(len(digest)))
	terminal := NewTerminal(true, true)
	for b.Loop() {
		terminal.render(digest, 116)
	}
}

func BenchmarkSqueeze(b *testing.B) {
	g, err := glamour.NewTermRenderer(glamour.WithStandardStyle("dark"), glamour.WithWordWrap(116))
	if err != nil {
		b.Fatal(err)
	}
	styled, err := g.Render(strings.Repeat(sample+"\n\n", 20))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(styled)))
	for b.Loop() {
		squeeze(styled)
	}
}
