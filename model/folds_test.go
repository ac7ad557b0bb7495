package model_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/render"
)

// chatty has every passage hold two tool calls, whose second one repeats lines.
func chatty(e *modeltest.Engine) {
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := modeltest.Reading(l, around)
		for i := range r.Passages {
			p := &r.Passages[i]
			second := p.Tools[0]
			second.Locator = fmt.Sprintf("%d.t1", p.Number)
			second.Output = strings.Repeat("same\n", 5) + "other"
			p.Tools = append(p.Tools, second)
		}
		return r, nil
	}
}

// text is what the reader shows.
func readerText(d *modeltest.Driver) string { return strings.Join(d.Reader.Doc.Lines, "\n") }

// TestFolds goes from tool call to tool call and opens one: its runs stand once,
// then in full, then it is a line again. The others stay as they are, and so does
// the row at which the one in question stands.
func TestFolds(t *testing.T) {
	start(t, model.Options{Query: "cache", NoColor: true}, 100, 30, chatty, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		if got := readerText(d); strings.Contains(got, "package cache") || strings.Contains(got, "same") || !strings.Contains(got, "▸ Read layout.go · 7.t1 · 6 lines") {
			t.Fatalf("not folded:\n%s", got)
		}
		d.Press("tab", "tab", "tab")
		if r.AtFold() != "7.t1" {
			t.Fatalf("the third one is %q", r.AtFold())
		}
		line := func() int {
			for _, f := range r.Doc.Folds {
				if f.Locator == "7.t1" {
					return f.Line - r.Scroll.Top
				}
			}
			return -1
		}
		row := line()
		for i, want := range []string{"[×5 identical lines]", "same\n  same\n  same\n  same\n  same", "▸ Read layout.go · 7.t1"} {
			d.Press("enter")
			if got := readerText(d); !strings.Contains(got, want) || strings.Contains(got, "package cache") || line() != row {
				t.Errorf("pressed %d times: row %d, not %d, or no %q in\n%s", i+1, line(), row, want, got)
			}
		}
		d.Press("shift+tab", "z", "t")
		if got := readerText(d); strings.Count(got, "package cache") != 5 || strings.Count(got, "[×5 identical lines]") != 5 || strings.Contains(got, "▾ thinking") {
			t.Errorf("not all tools open:\n%s", got)
		}
		d.Press("T", "t")
		if got := readerText(d); strings.Contains(got, "▾ Read") || strings.Count(got, "▾ thinking") != 5 {
			t.Errorf("not all thoughts open, and all tools folded:\n%s", got)
		}
	})
}

// TestFoldOpensInView: what opens at the window's lower edge moves up, as far as it
// has to and fits.
func TestFoldOpensInView(t *testing.T) {
	start(t, model.Options{Query: "cache", NoColor: true}, 100, 13, chatty, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		for range 40 {
			d.Press("tab")
			for _, f := range r.Doc.Folds {
				if f.Locator == r.AtFold() && f.Line == r.Scroll.Bottom()-1 {
					d.Press("enter")
					break
				}
			}
		}
		opened := 0
		for _, f := range r.Doc.Folds {
			if f.Fold != render.Folded && f.Locator == r.AtFold() {
				opened++
				if f.Line < r.Scroll.Top || f.Line+f.Below >= r.Scroll.Bottom() {
					t.Errorf("%s stands on %d to %d, in view are %d to %d", f.Locator, f.Line, f.Line+f.Below, r.Scroll.Top, r.Scroll.Bottom())
				}
			}
		}
		if opened == 0 {
			t.Error("none stood at the lower edge")
		}
	})
}

// TestFoldsEnd: where there is no other one, it says so and stays.
func TestFoldsEnd(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "-", "-")
		for _, key := range []string{"tab", "shift+tab"} {
			for range 3 {
				d.Press(key)
			}
			if d.Notice == "" || d.Reader.AtFold() == "" {
				t.Errorf("after %s it stands on %q and says %q", key, d.Reader.AtFold(), d.Notice)
			}
		}
	})
}

// TestFoldClick opens the one that is clicked.
func TestFoldClick(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		for _, f := range r.Doc.Folds {
			if f.Locator == "7.t0" {
				d.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 10, Y: d.Layout.ReaderText.Y + f.Line - r.Scroll.Top})
				d.Settle()
			}
		}
		for _, f := range r.Doc.Folds {
			if open := f.Fold != render.Folded; open != (f.Locator == "7.t0") {
				t.Errorf("%s: open %v", f.Locator, open)
			}
		}
	})
}
