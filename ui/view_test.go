package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// TestSmall says in words that the window is too small, at whatever size.
func TestSmall(t *testing.T) {
	for _, size := range [][2]int{{39, 40}, {80, 11}, {20, 5}, {8, 3}, {1, 1}} {
		on(t, modeltest.New, model.Options{}, size[0], size[1], func(t *testing.T, s stage) {
			rows := strings.Split(s.frame(), "\n")
			if len(rows) != size[1] {
				t.Errorf("%v: %d rows", size, len(rows))
			}
			for _, r := range rows {
				if ansi.StringWidth(r) > size[0] {
					t.Errorf("%v: %q is too wide", size, r)
				}
			}
			if text := ansi.Strip(strings.Join(rows, " ")); size[0] >= 20 && !strings.Contains(text, "40 by 12") {
				t.Errorf("%v says %q", size, text)
			}
		})
	}
}

// TestUnchangedStays sees that a live refresh without news changes no byte of
// the frame, and that one with news leaves box, title and key line alone.
func TestUnchangedStays(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {200, 60}} {
		var e *modeltest.Engine
		var answer recall.Answer
		engine := func() *modeltest.Engine {
			e, answer = modeltest.New(), modeltest.Answer("cache")
			e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) {
				a := answer
				a.Took += 5e6
				answer.Took += 5e6
				return a, nil
			}
			return e
		}
		on(t, engine, model.Options{Query: "cache"}, size[0], size[1], func(t *testing.T, s stage) {
			before := s.frame()
			e.Change()
			s.Settle()
			if after := s.frame(); after != before {
				t.Errorf("a refresh without news changed the frame:\n%s\n%s", before, after)
			}
			h := modeltest.Hit(0)
			h.Session.ID, h.Text, h.Line, h.Matches = "new", "just said", 0, nil
			answer.Hits = append([]recall.Hit{h}, answer.Hits...)
			e.Change()
			s.Pass(100e6)
			after := s.frame()
			if !strings.Contains(after, "just said") {
				t.Error("what is new is not on screen")
			}
			a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
			for _, y := range []int{0, 1, 2, size[1] - 1} {
				if a[y] != b[y] {
					t.Errorf("row %d changed: %q, %q", y, a[y], b[y])
				}
			}
		})
	}
}

// TestFoundByWhat says of an answer without a match what its hits are.
func TestFoundByWhat(t *testing.T) {
	for want, partly := range map[string]int{" only some of the words · ": 4, " 20 passages by topic · ": 3} {
		engine := func() *modeltest.Engine {
			e := modeltest.New()
			e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
				a := modeltest.Answer(q.Text)
				a.Hits, a.PassagesMatched, a.SessionsMatched = a.Hits[:4], 0, 0
				if partly == len(a.Hits) {
					a.TopicMatched = 0
				}
				for i := range partly {
					a.Hits[i].Partly = true
				}
				return a, nil
			}
			return e
		}
		on(t, engine, model.Options{Query: "cache"}, 40, 12, func(t *testing.T, s stage) {
			if frame := ansi.Strip(s.frame()); !strings.Contains(frame, want) {
				t.Errorf("no %q in\n%s", want, frame)
			}
		})
	}
}

// TestJudgeIsSeenWaitedFor: that a judge is asked stands on the screen until it has
// answered, whatever is typed, also where no pane is.
func TestJudgeIsSeenWaitedFor(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		j := &modeltest.Judge{OnDecide: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		on(t, modeltest.New, model.Options{Query: "cache", Judge: j}, size[0], size[1], func(t *testing.T, s stage) {
			asked := func() bool { return strings.Contains(ansi.Strip(s.frame()), "asking small:1b") }
			s.Send(modeltest.Key("alt+j"))
			s.Send(modeltest.Key("down"))
			s.Pass(time.Second)
			if !asked() {
				t.Errorf("at %v nothing says so:\n%s", size, ansi.Strip(s.frame()))
			}
			s.Send(modeltest.Key("alt+j"))
			s.Pass(time.Second)
			if asked() {
				t.Errorf("at %v it is still said:\n%s", size, ansi.Strip(s.frame()))
			}
		})
	}
}

// TestViewIsKept checks that a view is painted once for each version.
func TestViewIsKept(t *testing.T) {
	on(t, modeltest.New, model.Options{}, 80, 24, func(t *testing.T, s stage) {
		s.frame()
		v := s.Version()
		s.Send(struct{}{})
		if s.Version() != v {
			t.Error("a message that says nothing made a new version")
		}
		s.Type("x")
		if s.Version() == v || !strings.Contains(s.frame(), "x") {
			t.Error("a key did not show at once")
		}
	})
}

// TestTheme follows the terminal's background.
func TestTheme(t *testing.T) {
	on(t, modeltest.New, model.Options{Query: "cache"}, 80, 24, func(t *testing.T, s stage) {
		dark := s.frame()
		s.Send(tea.BackgroundColorMsg{Color: ansi.HexColor("#ffffff")})
		s.Settle()
		light := s.frame()
		if dark == light {
			t.Error("a light background changed nothing")
		}
		if ansi.Strip(dark) != ansi.Strip(light) {
			t.Error("the background changed the text")
		}
	})
}

// TestNoColor finds no colour in any scene without colours.
func TestNoColor(t *testing.T) {
	for _, scene := range scenes {
		o := scene.opts
		o.NoColor = true
		on(t, scene.engine, o, 120, 40, func(t *testing.T, s stage) {
			s.Press(scene.keys...)
			for _, colour := range []string{"[38;", "[48;", ";38;", ";48;", "[31m", "[32m", "[33m", "[34m", "[35m", "[36m"} {
				if strings.Contains(s.frame(), colour) {
					t.Errorf("%s holds %q", scene.name, colour)
				}
			}
		})
	}
}

// TestCursor stands where the next character goes, wide ones counted.
func TestCursor(t *testing.T) {
	on(t, modeltest.New, model.Options{}, 40, 12, func(t *testing.T, s stage) {
		at := func() int { return s.screen.View().Cursor.X }
		if at() != 3 {
			t.Errorf("cursor at %d in an empty box", at())
		}
		s.Type("缓存a")
		if at() != 8 {
			t.Errorf("cursor at %d after 缓存a", at())
		}
		s.Type(strings.Repeat("漢字", 40))
		if x := at(); x >= 40 || x < 36 {
			t.Errorf("cursor at %d of a line that is longer than the box", x)
		}
		s.Press("home")
		if at() != 3 {
			t.Errorf("cursor at %d at the beginning", at())
		}
		s.Press("tab")
		if s.screen.View().Cursor != nil {
			t.Error("a cursor shows though the list has the focus")
		}
		s.Press("enter", "/", "a", "b")
		if c := s.screen.View().Cursor; c == nil || c.X != 8 || c.Y != 11 {
			t.Errorf("cursor at %v after two letters to be found", c)
		}
	})
}

// TestMouse selects by a click and scrolls what is under the wheel.
func TestMouse(t *testing.T) {
	on(t, modeltest.New, model.Options{Query: "cache"}, 120, 20, func(t *testing.T, s stage) {
		s.Send(tea.MouseClickMsg{X: 10, Y: 3 + 4, Button: tea.MouseLeft})
		s.Settle()
		if s.List.Selected != 2 || s.Focus != model.List {
			t.Errorf("item %d is selected, the focus is the %v", s.List.Selected, s.Focus)
		}
		pane := s.Pane.Scroll.Top
		s.Send(tea.MouseWheelMsg{X: 10, Y: 8, Button: tea.MouseWheelDown})
		if s.List.Scroll.Top != 3 || s.Pane.Scroll.Top != pane {
			t.Errorf("the wheel over the list scrolled list %d, pane %d", s.List.Scroll.Top, s.Pane.Scroll.Top)
		}
		s.Press("f4")
		if s.screen.View().MouseMode != tea.MouseModeNone {
			t.Error("F4 did not give the mouse back to the terminal")
		}
	})
}

// TestARowIsFilledBeforeItsMatch: where a match stands near the end of a long line, the row
// shows as much of what stands before it as there is room for, a word less at most.
func TestARowIsFilledBeforeItsMatch(t *testing.T) {
	const said, longest = "question ten about pipelines and retry timeout", len("pipelines ")
	engine := func() *modeltest.Engine {
		e := modeltest.New()
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			a.Hits = a.Hits[:1]
			h := &a.Hits[0]
			h.Text, h.Line, h.Matches = said, 0, [][2]int{{len(said) - len("retry timeout"), len(said)}}
			return a, nil
		}
		return e
	}
	for width := model.MinWidth; width < 56; width++ {
		on(t, engine, model.Options{Query: "retry timeout"}, width, model.MinHeight, func(t *testing.T, s stage) {
			row := strings.TrimRight(strings.Split(ansi.Strip(s.frame()), "\n")[s.Layout.List.Y], " ")
			if !strings.HasSuffix(row, "retry timeout") || ansi.StringWidth(row) < width-longest {
				t.Errorf("%d cells: %q", width, row)
			}
		})
	}
}
