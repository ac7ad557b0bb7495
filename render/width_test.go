package render

import (
	"strings"
	"testing"

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
