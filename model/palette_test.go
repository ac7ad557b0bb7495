package model_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
)

// TestPalette does by name what a key does, where it was opened.
func TestPalette(t *testing.T) {
	start(t, model.Options{Query: "cache", Host: &modeltest.Host{}}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+x")
		all := len(d.Palette.Acts)
		d.Type("newest FIRST")
		d.Settle()
		if n := len(d.Palette.Acts); n != 1 || n >= all {
			t.Fatalf("%d of %d acts are called that", n, all)
		}
		d.Press("enter")
		if d.Focus != model.Query || !d.Listing.Newest {
			t.Errorf("the focus is the %v, and %+v", d.Focus, d.Listing)
		}
		d.Press("tab", ":")
		d.Type("xyzzy")
		d.Settle()
		d.Press("enter")
		if d.Notice == "" || d.Focus != model.Palette {
			t.Errorf("%q in the %v", d.Notice, d.Focus)
		}
		d.Press("esc")
		if d.Focus != model.List {
			t.Errorf("the focus is the %v", d.Focus)
		}
	})
}

// TestPaletteInNarrowWindow: a description that is longer than the row goes on below, and
// of what is selected all is in view.
func TestPaletteInNarrowWindow(t *testing.T) {
	start(t, model.Options{Query: "cache", Host: &modeltest.Host{}}, 40, 12, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+x")
		for i := range d.Palette.Acts {
			p := d.Palette
			if p.Selected != i {
				t.Fatalf("%d is selected, want %d", p.Selected, i)
			}
			var told []string
			for _, row := range p.Rows[p.Scroll.Top:p.Scroll.Bottom()] {
				if row.Act == i {
					told = append(told, strings.TrimSpace(row.Text))
				}
			}
			if want := p.Acts[i].Help().Desc; strings.Join(told, " ") != want {
				t.Errorf("%q is told of %q", told, want)
			}
			d.Press("down")
		}
	})
}

// TestLeavingByColon: what leaves vi and less leaves here, and does nothing else.
func TestLeavingByColon(t *testing.T) {
	start(t, model.Options{Query: "cache", Host: &modeltest.Host{}}, 80, 24, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for _, typed := range []string{"q", "q!", "wq"} {
			d.Press("tab", ":")
			d.Type(typed)
			d.Settle()
			if p := d.Palette; len(p.Acts) != 1 || p.Acts[0].ID != "quit" {
				t.Errorf(":%s offers %d acts", typed, len(p.Acts))
			}
			d.Press("esc", "esc")
		}
	})
}

// TestPaneScrollsFromBeside: what is in the pane is read on without leaving the box or
// the list.
func TestPaneScrollsFromBeside(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 12, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for _, focus := range []model.Focus{model.Query, model.List} {
			at, selected := d.Pane.Scroll.Top, d.List.Selected
			d.Press("shift+down", "shift+down", "shift+up")
			if d.Pane.Scroll.Top != at+1 || d.List.Selected != selected || d.Focus != focus {
				t.Errorf("in the %v: the pane stands at %d, was at %d", d.Focus, d.Pane.Scroll.Top, at)
			}
			d.Press("tab")
		}
	})
}

// TestMarks: the digest is of what was marked, whatever is asked since, until
// all is unmarked.
func TestMarks(t *testing.T) {
	host := &modeltest.Host{}
	start(t, model.Options{Query: "cache", Host: host}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		digest := func() string {
			d.Press("Y")
			texts := host.Texts()
			return texts[len(texts)-1]
		}
		d.Press("tab")
		whole := digest()
		d.Press("space", "j", "space")
		marked := digest()
		if d.Marks() != 2 || marked == whole || len(marked) >= len(whole) {
			t.Fatalf("%d marked; the digest has %d bytes, %d before", d.Marks(), len(marked), len(whole))
		}
		d.Press("f6") // asks again
		if digest() != marked {
			t.Error("another query changed what was marked")
		}
		d.Press("u")
		if d.Marks() != 0 || digest() != whole {
			t.Error("it is not the answer's digest again")
		}
	})
}

// TestPaletteByMouse: the wheel moves what is selected, which stays in view, and a click
// selects and then does it.
func TestPaletteByMouse(t *testing.T) {
	start(t, model.Options{Query: "cache", Host: &modeltest.Host{}}, 80, 24, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+x")
		for range 30 {
			d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		}
		p := &d.Palette
		if p.Selected < 20 || p.Selected < p.Scroll.Top || p.Selected >= p.Scroll.Bottom() {
			t.Fatalf("%d is selected of rows %d to %d", p.Selected, p.Scroll.Top, p.Scroll.Bottom())
		}
		d.Type("newest")
		d.Settle()
		click := func(row int) {
			d.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 10, Y: d.Layout.Help.Y + 2 + row})
			d.Settle()
		}
		at := slices.IndexFunc(p.Acts, func(b model.Binding) bool { return b.ID == "newest" })
		if at < 0 {
			t.Fatal("no such act")
		}
		click(len(p.Acts))
		if at > 0 {
			click(at)
		}
		if d.Focus != model.Palette || p.Selected != at || d.Listing.Newest {
			t.Fatalf("the focus is the %v, and %d is selected", d.Focus, p.Selected)
		}
		click(at)
		if d.Focus != model.Query || !d.Listing.Newest {
			t.Errorf("the focus is the %v, and %+v", d.Focus, d.Listing)
		}
	})
}
