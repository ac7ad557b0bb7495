package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

const someTable = "| Option name | What it does | Value |\n|---|---|--:|\n| `--budget` | how *many* tokens the digest may take | 4000 |\n| `--since` | only [later](docs/since.md) ones | |"

// A table's columns share the width by what they need, their heads and cells are wrapped
// and nothing is cut, not even cells that have no column; where they would be too narrow to be read, each cell has lines of its
// own.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		markdown string
		width    int
		want     string
	}{
		{someTable, 80, `
Option name │ What it does                        │ Value
────────────┼─────────────────────────────────────┼──────
--budget    │ how many tokens the digest may take │  4000
--since     │ only later docs/since.md ones       │`},
		{someTable, 36, `
Option name │ What it does   │ Value
────────────┼────────────────┼──────
--budget    │ how many       │  4000
            │ tokens the     │
            │ digest may     │
            │ take           │
--since     │ only later     │
            │ docs/since.md  │
            │ ones           │`},
		{someTable, 20, `
Option name:
  --budget
What it does: how
  many tokens the
  digest may take
Value: 4000

Option name:
  --since
What it does: only
  later
  docs/since.md ones
Value:`},
		{"said\n| a | b |\n|---|---|\n| c | d |\n\nthen", 20, "said\na │ b\n──┼──\nc │ d\n\nthen"},
		{"> said\n> | a | b |\n> |---|---|\n> | c | d |", 20, "│ said\n│ a │ b\n│ ──┼──\n│ c │ d"},
		{"- said\n\n  | a | b |\n  |---|---|\n  | c | d |\n\n  then\n- | e |\n  |---|\n  | f |", 20, "• said\na │ b\n──┼──\nc │ d\nthen\n• e\n  ─\n  f"},
		{"| a | b |\n|---|---|", 20, "a │ b\n──┼──"},
		{"| a\\|b | `c\\|d` | &amp; &#27; &lt; |\n|---|:-:|---|\n| x | y | <i> ~~gone~~ <http://e.org> |", 60, "a|b │ c|d │ & &#27; <\n────┼─────┼──────────────────────\nx   │  y  │ <i> gone http://e.org"},
		{"| a | b |\n|---|---|\n| `c || d` | e |\n| f | g | |\n| h | `i\\|j` | k", 40, "a  │ b\n───┼─────────\n`c │ | d` | e\nf  │ g\nh  │ i|j | k"},
		{"> see these two words|b\n> -|", 20, "│ see these two\n│ words|b\n│ -|"},
	} {
		got := ansi.Strip(NewTerminal(true, true).Render(c.markdown, c.width))
		if want := strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("at %d:\n%s\nwant\n%s", c.width, got, want)
		}
	}
}

// Heads are bold, and what is marked in a cell is so on each of its lines and nowhere else.
func TestTablesAreStyled(t *testing.T) {
	got := NewTerminal(true, true).Render("| head **x** tail | b |\n|---|---|\n| *some words in italics* | c |", 20)
	for i, line := range strings.Split(got, "\n") {
		style, want := "\x1b[3m", i > 1
		if i < 1 {
			style, want = "\x1b[1m", true
		}
		if strings.HasPrefix(line, style) != want {
			t.Errorf("line %d: %q", i, line)
		}
		if i > 1 && strings.Contains(line[strings.Index(line, "│"):], "\x1b[3m") {
			t.Errorf("line %d goes on in italics: %q", i, line)
		}
	}
}

// Whatever a table holds and however narrow it is shown, nothing of it is lost, and no line
// is too long.
func TestTablesLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"", "a", "words of-some length", "averylongwordthatmustbebroken", "漢字漢字", "`code`", "**b** c", "x\\|y", "it's 1. - # >", "--flag-name-that-is-long"})
		columns := rapid.IntRange(1, 6).Draw(t, "columns")
		row := func() string {
			cells := rapid.SliceOfN(words, columns, columns).Draw(t, "cells")
			return "| " + strings.Join(cells, " | ") + " |\n"
		}
		head := row()
		markdown := head + strings.Repeat("|--", columns) + "|\n"
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			markdown += row()
		}
		width := rapid.IntRange(2, 120).Draw(t, "width")
		got := ansi.Strip(NewTerminal(true, true).Render(markdown, width))
		for line := range strings.SplitSeq(got, "\n") {
			if Width(line) > width {
				t.Fatalf("at %d: %q is too long in\n%s", width, line, got)
			}
		}
		said := strings.NewReplacer("|--", "", "`", "", "*", "", `\`, "", "|", "", " ", "", "\n", "").Replace(markdown)
		for _, r := range said {
			if strings.Count(got, string(r)) < strings.Count(said, string(r)) {
				t.Fatalf("at %d: some %q is lost of\n%s in\n%s", width, r, markdown, got)
			}
		}
	})
}

// A head of many columns, each of which every row would have, is shown as it is written.
func TestWideTablesAreShownAsWritten(t *testing.T) {
	markdown := strings.Repeat("a|", 3000) + "\n" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("last|\n", 3000)
	got := NewTerminal(true, true).Render(markdown, 100)
	if n := strings.Count(got, "last|"); n != 3000 {
		t.Errorf("%d rows of 3000 are shown", n)
	}
}
