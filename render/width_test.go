package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    string
		cells int
		cut   string
		head  string
	}{
		{"shop", 4, "shop", "shop"},
		{"/home/dev/shop", 6, "/home…", "…/shop"},
		{"数据库缓存", 5, "数据…", "…缓存"},
		{"数据库缓存", 4, "数…", "…存"},
		{"word", 1, "…", "…"},
		{"word", 0, "", ""},
		{"word", -1, "", ""},
	} {
		if got := Cut(c.in, c.cells); got != c.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.cells, got, c.cut)
		}
		if got := CutHead(c.in, c.cells); got != c.head {
			t.Errorf("CutHead(%q, %d) = %q, want %q", c.in, c.cells, got, c.head)
		}
	}
}

func TestCutFits(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", " ", "é", "数", "👨‍👩‍👧", "🇩🇪", "e\u0301", "ก็", "한", "\t"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(part).Draw(t, "s"), "")
		cells := rapid.IntRange(0, 20).Draw(t, "cells")
		for name, got := range map[string]string{"Cut": Cut(s, cells), "CutHead": CutHead(s, cells)} {
			if Width(got) > cells {
				t.Fatalf("%s(%q, %d) = %q takes %d cells", name, s, cells, got, Width(got))
			}
			if Width(s) <= cells && got != s && cells > 0 {
				t.Fatalf("%s(%q, %d) = %q, though it fits", name, s, cells, got)
			}
		}
	})
}

// Rows fit in either kind of terminal, whatever the scripts.
func TestHardwrapFits(t *testing.T) {
	part := rapid.SampledFrom([]string{"word", " ", "é", "数", "👨‍👩‍👧", "❤️", "e\u0301", "นำ้", "각", "नमस्ते", "की", "\x1b[1m", "\x1b[m"})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOf(part).Draw(t, "line"), "")
		width := rapid.IntRange(8, 30).Draw(t, "width") // a joined emoji takes up to 8 cells
		for row := range strings.SplitSeq(Hardwrap(line, width), "\n") {
			if g, c := Graphemes.Width(row), Characters.Width(row); g > width || c > width {
				t.Fatalf("%q takes %d or %d cells of %d", row, g, c, width)
			}
		}
	})
}

// A text that is cut for a terminal takes no more of its cells, nor less than it
// needs.
func TestCellsCut(t *testing.T) {
	for _, c := range []struct {
		cells Cells
		n     int
		want  string
	}{
		{Graphemes, 4, "कीकीकीकी"}, {Characters, 4, "की…"}, {Characters, 8, "कीकीकीकी"}, {Graphemes, 3, "कीकी…"}, {Characters, 0, ""},
	} {
		if got := c.cells.Cut("कीकीकीकी", c.n); got != c.want {
			t.Errorf("%v, %d cells: %q, want %q", c.cells, c.n, got, c.want)
		}
	}
}

// What is measured and cut by its plain stretches is what the library makes of the whole.
func TestStretchesAreMeasuredAsAll(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"a", "word ", "more words", "é", "e\u0301", "数", "👨‍👩‍👧", "🇩🇪", "🇩", "❤️", "1\ufe0f\u20e3", "\u0600", "\u200d", "\u0301", "नमस्ते", "각", "\t", "\n", "\r\n", "\x7f",
		"\x1b[1m", "\x1b", "\x1b]8;;x\x07", "\x9b31m", "\u009b31m", "\xff",
	})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(part).Draw(t, "s"), "")
		cells := rapid.IntRange(1, 45).Draw(t, "cells")
		for _, c := range []Cells{Graphemes, Characters} {
			if got, want := c.Width(s), ansi.Method(c).StringWidth(s); got != want {
				t.Fatalf("%q takes %d cells, want %d", s, got, want)
			}
			want := ansi.Method(c).Truncate(s, cells, "…")
			if ansi.Method(c).StringWidth(want) > cells || c.Width(s) <= cells {
				continue // see Cut
			}
			if got := c.Cut(s, cells); ansi.Strip(got) != ansi.Strip(want) {
				t.Fatalf("%q cut to %d is %q, want %q", s, cells, got, want)
			}
		}
	})
}
