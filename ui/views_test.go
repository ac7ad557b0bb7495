package ui

import (
	"context"
	"errors"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// views are the keys that lead to every view of the screen, and to its states.
var views = [][]string{
	{}, {"down", "down"}, {"ctrl+u"}, {"tab", "G"}, {"f7", "down"}, {"f5", "f6"}, {"f3"}, {"alt+m"}, {"alt+l"},
	{"f2"}, {"f2", "tab", "tab", "j"}, {"ctrl+space", "ctrl+space"}, {"alt+<", "alt+<"}, {"alt+>", "tab", "tab", ">"}, {"alt+w"}, {"alt+w", "tab", "tab"},
	{"enter"}, {"enter", "v"}, {"enter", "t", "T", "]"}, {"enter", "tab", "z", "z", "tab"}, {"enter", "/", "a"}, {"enter", "f8", "f8"}, {"enter", "b"},
	{"f1"}, {"alt+x"}, {"alt+x", "o", "p"}, {"tab", ":", "~"}, {"alt+o"}, {"ctrl+o"}, {"alt+c"}, {"alt+s"}, {"ctrl+y"},
	{"ctrl+t"}, {"ctrl+t", "k", "enter"}, {"ctrl+t", "E", "w"}, {"ctrl+t", "b", "t"}, {"ctrl+t", "/", "a"}, {"ctrl+t", "?"},
}

// saying is an engine that knows nothing but a text, and says it wherever a
// transcript, a file's name or an error can.
func saying(text string, fails, bare bool) *modeltest.Engine {
	e := modeltest.New()
	status := modeltest.Status()
	status.Notes = []string{text}
	for i := range status.Roots {
		status.Roots[i].Harness, status.Roots[i].Path, status.Roots[i].State = text, text, "unreadable"
	}
	if bare {
		status.Sessions = 0
	}
	e.Set(status)
	failed := func() error {
		if fails {
			return errors.New(text)
		}
		return nil
	}
	said := func(s sessions.Session) sessions.Session {
		s.Title, s.Directory, s.Branch, s.Harness, s.Path = text, text, text, text, text
		return s
	}
	e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
		if bare {
			return nil, failed()
		}
		return []sessions.Session{said(modeltest.Sessions()[0]), said(modeltest.Sessions()[1])}, failed()
	}
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Notes, a.Time = []string{text}, &recall.TimePhrase{Text: text, Use: q.Time}
		if bare {
			a.Hits = nil
		}
		for i := range a.Hits {
			h := &a.Hits[i]
			h.Session, h.Text, h.Line, h.Matches = said(h.Session), text, len(text)/3, nil
			h.Ref, h.Short, h.AlsoIn = text, text, []string{text}
			h.Members[0].Text, h.Members[0].Matches, h.Members[0].Spans = text, nil, nil
		}
		return a, failed()
	}
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := hostileReading(modeltest.Reading(l, around), text)
		r.Session, r.Short = said(r.Session), text
		return r, failed()
	}
	e.OnHealth = func(context.Context) (recall.Health, error) {
		return recall.Health{Harnesses: []recall.HarnessHealth{{Harness: text, Purges: make([]recall.Purge, 2)}}}, failed()
	}
	return e
}

// FuzzViews says a text in every place of every view: a terminal that is sent the
// frame shows text and colours and does nothing else.
func FuzzViews(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, uint8(i), uint8(i*37), uint8(i*11), uint8(i))
	}
	f.Add(strings.Join(hostile, " a "), uint8(16), uint8(0), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, text string, view, wide, high, how uint8) {
		text = text[:min(len(text), 4000)]
		w, h := model.MinWidth+int(wide)%160, model.MinHeight+int(high)%40
		keys := views[int(view)%len(views)]
		flag := func(bit uint8) bool { return how>>bit&1 == 1 }
		synctest.Test(t, func(t *testing.T) {
			o := model.Options{
				Query: "cache layout", NoColor: flag(0), Light: flag(1), Contrast: flag(2), Demo: flag(3),
				Here: []string{text}, Host: &modeltest.Host{Fails: map[bool]error{true: errors.New(text)}[flag(4)], Mux: "tmux"},
			}
			d := modeltest.Start(t.Context(), saying(text, flag(5), flag(6)), o, w, h)
			d.Settle()
			s := stage{d, NewScreen(d.Model)}
			if flag(7) {
				s.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
			}
			for _, k := range append([]string{""}, keys...) {
				if k != "" {
					s.Press(k)
					s.Pass(100 * time.Millisecond)
				}
				checkCells(t, s.frame(), s.Cells, w, h)
				checkBorder(t, s)
				checkTerminal(t, s.frame(), s.Cells, w, h)
			}
		})
	})
}

// checkTerminal fails if a terminal that is sent the frame does anything but show
// it.
func checkTerminal(t faults, frame string, cells render.Cells, w, h int) {
	t.Helper()
	e := vt.NewEmulator(w, h)
	if _, err := e.WriteString(ansi.ResetModeAutoWrap); err != nil {
		t.Fatalf("%v", err)
	}
	if cells == render.Graphemes {
		_, _ = e.WriteString(ansi.SetModeUnicodeCore)
	}
	did := ""
	text := func(what string) func(string) { return func(string) { did = what } }
	colour := func(what string) func(color.Color) { return func(color.Color) { did = what } }
	mode := func(ansi.Mode) { did = "another mode" }
	e.SetCallbacks(vt.Callbacks{
		Bell: func() { did = "the bell" }, Title: text("a title"), IconName: text("an icon's name"), WorkingDirectory: text("a directory"),
		AltScreen: func(bool) { did = "another screen" }, CursorVisibility: func(bool) { did = "the cursor" },
		CursorStyle: func(vt.CursorStyle, bool) { did = "the cursor's style" }, CursorColor: colour("the cursor's colour"),
		BackgroundColor: colour("the background"), ForegroundColor: colour("the foreground"), EnableMode: mode, DisableMode: mode,
	})
	for y, row := range strings.Split(frame, "\n") {
		_, _ = e.WriteString(ansi.CursorPosition(1, y+1) + row)
		if at := e.CursorPosition(); did != "" || at.Y != y {
			t.Fatalf("row %d changes %s, or moves the cursor to row %d: %q", y, did, at.Y, row)
		}
	}
}
