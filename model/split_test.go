package model_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
)

// TestBorderMoves by keys, as far as both can be read, and stays where it was put
// in a window of another size and after one that was too small for both.
func TestBorderMoves(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 40}} {
		start(t, model.Options{Query: "cache"}, size[0], size[1], nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			extent := func() (list, pane int) {
				if d.Layout.Beside {
					return d.Layout.List.W, d.Layout.Pane.W
				}
				return d.Layout.List.H, d.Layout.Pane.H
			}
			list, pane := extent()
			d.Press("alt+<", "tab", "<")
			if l, p := extent(); l >= list || p <= pane || l+p != list+pane {
				t.Errorf("%v: back from %d and %d to %d and %d", size, list, pane, l, p)
			}
			d.Press(">", ">", ">")
			l, p := extent()
			if l <= list || p >= pane {
				t.Errorf("%v: on from %d and %d to %d and %d", size, list, pane, l, p)
			}
			d.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
			d.Press(">")
			if d.Notice == "" || d.Layout.List.H > 0 && d.Layout.Pane.H > 0 {
				t.Errorf("%v: no word of a border that is not there", size)
			}
			d.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.Settle()
			if again, _ := extent(); again != l {
				t.Errorf("%v: %d, then %d", size, l, again)
			}
			for range 30 {
				d.Press("<")
			}
			if l, p := extent(); l < 4 || p < 4 || d.Notice == "" {
				t.Errorf("%v: at its end %d and %d, %q", size, l, p, d.Notice)
			}
			for range 60 {
				d.Press(">")
			}
			if l, p := extent(); l < 4 || p < 4 || d.Notice == "" {
				t.Errorf("%v: at its other end %d and %d, %q", size, l, p, d.Notice)
			}
		})
	}
}

// TestBorderIsDragged to the cell where the pointer is, and by nothing that did
// not take hold of it.
func TestBorderIsDragged(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		usual := d.Layout
		mouse := func(x, y int) tea.Mouse { return tea.Mouse{Button: tea.MouseLeft, X: x, Y: y} }
		d.Send(tea.MouseClickMsg(mouse(5, 10)))
		d.Send(tea.MouseMotionMsg(mouse(50, 10)))
		if d.Layout != usual {
			t.Errorf("a click in the list drags the border to %+v", d.Layout.List)
		}
		version := d.Version()
		d.Send(tea.MouseReleaseMsg(mouse(50, 10)))
		d.Send(tea.MouseMotionMsg(mouse(60, 10)))
		if d.Version() != version {
			t.Error("a pointer that holds nothing has the screen painted anew")
		}
		d.Send(tea.MouseClickMsg(mouse(usual.Pane.X, 10)))
		for _, x := range []int{70, 90, 63} {
			d.Send(tea.MouseMotionMsg(mouse(x, 12)))
			if d.Layout.Pane.X != x || d.Layout.List.W != x {
				t.Errorf("dragged to %d it is at %d", x, d.Layout.Pane.X)
			}
		}
		d.Send(tea.MouseMotionMsg(mouse(1, 12)))
		if d.Layout.List.W < 20 {
			t.Errorf("dragged to the window's edge it leaves %d cells", d.Layout.List.W)
		}
		d.Send(tea.MouseReleaseMsg(mouse(1, 12)))
		at := d.Layout
		d.Send(tea.MouseMotionMsg(mouse(70, 12)))
		if d.Layout != at {
			t.Error("it follows a pointer that let it go")
		}
		d.Settle()
	})
}

// TestPaneHides and comes when it has the focus, and stays with w.
func TestPaneHides(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+w")
		if d.Layout.Pane.H != 0 || d.Layout.List.W != 120 {
			t.Errorf("hidden, it is at %+v, the list at %+v", d.Layout.Pane, d.Layout.List)
		}
		d.Press("tab", "tab")
		if d.Layout.List.H != 0 || d.Layout.Pane.W != 120 {
			t.Errorf("with the focus it is at %+v", d.Layout.Pane)
		}
		d.Press("w")
		if !d.Layout.Beside || d.Layout.Pane.H == 0 {
			t.Errorf("shown again it is at %+v", d.Layout.Pane)
		}
		d.Press("w")
		if d.Focus != model.List || d.Layout.Pane.H != 0 {
			t.Errorf("hidden from itself the focus is the %v", d.Focus)
		}
	})
}
