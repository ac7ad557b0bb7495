package ui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// stage is a screen in a settled state.
type stage struct {
	*modeltest.Driver
	screen *Screen
}

// frame is what the screen shows now.
func (s stage) frame() string { return s.screen.View().Content }

// on runs a test on a screen of w by h cells inside a bubble.
func on(t *testing.T, e func() *modeltest.Engine, o model.Options, w, h int, test func(*testing.T, stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := modeltest.Start(t.Context(), e(), o, w, h)
		d.Settle()
		test(t, stage{d, NewScreen(d.Model)})
	})
}

func empty(status recall.Status) func() *modeltest.Engine {
	return func() *modeltest.Engine {
		e := modeltest.New()
		e.OnSessions = nothing
		e.Set(status)
		return e
	}
}

var sizes = []struct {
	name string
	w, h int
}{{"40x12", 40, 12}, {"80x24", 80, 24}, {"120x40", 120, 40}, {"200x60", 200, 60}}

// scenes are the states of the screen that are kept as golden frames.
var scenes = []struct {
	name   string
	engine func() *modeltest.Engine
	opts   model.Options
	keys   []string
}{
	{"sessions", modeltest.New, model.Options{}, nil},
	{"digest", modeltest.New, model.Options{Query: "cache layout"}, nil},
	{"passage", modeltest.New, model.Options{Query: "cache layout"}, []string{"f2", "down"}},
	{"reader", modeltest.New, model.Options{Query: "cache layout"}, []string{"enter"}},
	{"folds", modeltest.New, model.Options{Query: "cache layout"}, []string{"enter", "tab", "enter", "tab", "enter"}},
	{"find", modeltest.New, model.Options{Query: "cache layout"}, []string{"enter", "/", "c", "a", "c", "h", "e"}},
	{"help", modeltest.New, model.Options{}, []string{"tab", "f1"}},
	{"time", modeltest.New, model.Options{Query: "cache layout last week"}, []string{"f3"}},
	{"language", modeltest.New, model.Options{}, []string{"f1", "G"}},
	{"nothing", modeltest.New, model.Options{Query: "kafka partition"}, nil},
	{"indexing", empty(modeltest.Indexing()), model.Options{}, nil},
	{"no-transcripts", empty(bare()), model.Options{}, nil},
	{"purge", purging, model.Options{}, nil},
	{"secrets", modeltest.New, model.Options{Query: "cache layout"}, []string{"f8", "f8", "enter"}},
	{"judged", modeltest.New, model.Options{Query: "cache layout", Judge: &modeltest.Judge{Grades: []recall.Grade{recall.OffTopic, recall.Touching, recall.Answering}}}, []string{"tab", "tab", "J", "G"}},
	{"demo", modeltest.New, model.Options{Demo: true}, []string{"down", "down", "tab"}},
}

// purging is an engine that knows of sessions that will be deleted soon.
func purging() *modeltest.Engine {
	e := modeltest.New()
	e.OnHealth = func(context.Context) (recall.Health, error) {
		return recall.Health{Harnesses: []recall.HarnessHealth{{Harness: "claude", Purges: make([]recall.Purge, 12)}}}, nil
	}
	return e
}

func bare() recall.Status {
	s := modeltest.Status()
	s.Sessions = 0
	return s
}

// TestFrames compares settled frames with reviewed ones, plain and in colour.
func TestFrames(t *testing.T) {
	for _, scene := range scenes {
		for _, size := range sizes {
			for _, look := range []string{"plain", "dark", "light"} {
				if look == "light" && size.name != "80x24" {
					continue
				}
				t.Run(scene.name+"/"+size.name+"/"+look, func(t *testing.T) {
					o := scene.opts
					o.NoColor, o.Light = look == "plain", look == "light"
					on(t, scene.engine, o, size.w, size.h, func(t *testing.T, s stage) {
						s.Press(scene.keys...)
						checkFrame(t, s.frame(), size.w, size.h)
						checkBorder(t, s)
						golden.RequireEqual(t, []byte(s.frame()))
					})
				})
			}
		}
	}
}

// faults is where a fault is told.
type faults interface {
	Helper()
	Fatalf(string, ...any)
}

// checkFrame is checkCells for a terminal that measures single characters, as the
// model takes for given until it hears of another.
func checkFrame(t faults, frame string, w, h int) {
	t.Helper()
	checkCells(t, frame, render.Characters, w, h)
}

// checkCells fails unless the frame has exactly h rows, none wider than w, each
// ending without colours, and nothing in it but text and colours.
func checkCells(t faults, frame string, cells render.Cells, w, h int) {
	t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		t.Fatalf("%d rows, want %d:\n%s", len(rows), h, frame)
	}
	for i, row := range rows {
		if got := cells.Width(row); got > w {
			t.Fatalf("row %d is %d cells wide, want at most %d: %q", i, got, w, row)
		}
		if n := strings.LastIndex(row, "\x1b["); n >= 0 && !strings.HasPrefix(row[n:], reset) && !strings.HasPrefix(row[n:], "\x1b[0m") {
			t.Fatalf("row %d does not end with a reset: %q", i, row)
		}
		for _, seq := range sequences(row) {
			if !strings.HasPrefix(seq, "\x1b[") || !strings.HasSuffix(seq, "m") {
				t.Fatalf("row %d holds %q", i, seq)
			}
		}
		for _, r := range ansi.Strip(row) {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("row %d holds U+%04X: %q", i, r, row)
			}
		}
	}
}

// checkBorder fails unless the pane's border stands in one column.
func checkBorder(t faults, s stage) {
	t.Helper()
	l := s.Layout
	if !l.Beside || l.List.H == 0 || l.Pane.H == 0 || s.Focus&(model.Query|model.List|model.Pane) == 0 || len(s.List.Items) == 0 {
		return
	}
	rows := strings.Split(s.frame(), "\n")
	for y := l.Pane.Y; y < l.Pane.Y+l.Pane.H; y++ {
		stands := false
		for at, r := range rows[y] {
			stands = stands || (r == '│' || r == '┃') && s.Cells.Width(rows[y][:at]) == l.Pane.X
		}
		if !stands {
			t.Fatalf("row %d has no border at cell %d: %q", y, l.Pane.X, rows[y])
		}
	}
}

// sequences are the control characters and escape sequences of a row.
func sequences(row string) []string {
	var out []string
	var state byte
	for len(row) > 0 {
		seq, width, n, next := ansi.DecodeSequence(row, state, nil)
		if width == 0 && (seq[0] < ' ' || seq[0] == 0x7f) {
			out = append(out, seq)
		}
		state, row = next, row[n:]
	}
	return out
}

func nothing(context.Context, recall.SessionFilter) ([]sessions.Session, error) { return nil, nil }
