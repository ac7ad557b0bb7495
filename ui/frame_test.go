package ui

import (
	"context"
	"errors"
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
	{"nothing-titled", titled, model.Options{Query: "flaky upload test"}, nil},
	{"indexing", empty(modeltest.Indexing()), model.Options{}, nil},
	{"no-transcripts", empty(bare()), model.Options{}, nil},
	{"no-transcripts-query", empty(bare()), model.Options{Query: "kafka partition"}, nil},
	{"purge", purging, model.Options{}, nil},
	{"secrets", modeltest.New, model.Options{Query: "cache layout"}, []string{"f8", "f8", "enter"}},
	{"judged", modeltest.New, model.Options{Query: "cache layout", Judge: &modeltest.Judge{Grades: []recall.Grade{recall.OffTopic, recall.Touching, recall.Answering}}}, []string{"tab", "tab", "J", "G"}},
	{"palette", modeltest.New, model.Options{Query: "cache layout"}, []string{"alt+x", "c", "o", "down"}},
	{"marks", modeltest.New, model.Options{Query: "cache layout"}, []string{"ctrl+space", "down", "ctrl+space"}},
	{"grouped", modeltest.New, model.Options{Query: "cache layout"}, []string{"f7", "down"}},
	{"listing", modeltest.New, model.Options{Query: "agent:claude cache", Here: []string{"/home/ada/shop"}}, []string{"f5", "f6"}},
	{"choose", modeltest.New, model.Options{Query: "cache layout", Print: model.PrintID}, nil},
	{"source", modeltest.New, model.Options{Query: "cache layout"}, []string{"enter", "v", "tab", "tab"}},
	{"border", modeltest.New, model.Options{Query: "cache layout"}, []string{"alt+>", "alt+>", "alt+>"}},
	{"hidden", modeltest.New, model.Options{Query: "cache layout"}, []string{"alt+w"}},
	{"polling", state("polled", nil), model.Options{}, nil},
	{"offline", state("absent", nil), model.Options{}, nil},
	{"unreadable", state("unreadable", []string{"The index cannot be kept in ~/.local/share/yore: permission denied."}), model.Options{}, nil},
	{"partly-indexed", partly, model.Options{Query: "cache layout"}, nil},
	{"error", failing, model.Options{Query: "cache layout"}, nil},
	{"unread", failing, model.Options{}, []string{"enter"}},
	{"truncated", truncated, model.Options{Query: "cache layout"}, []string{"enter", "t"}},
	{"wide", wide, model.Options{Query: "キャッシュ"}, []string{"f2", "down", "down"}},
	{"no-session", empty(modeltest.Status()), model.Options{Query: "agent:codex since:3d"}, nil},
	{"nothing-here", modeltest.New, model.Options{Query: "kafka partition", Here: []string{"/home/ada/shop"}}, []string{"f5"}},
	{"noted", noted, model.Options{Query: "agent:nobody cache"}, nil},
	{"waiting", modeltest.New, model.Options{Query: "role:user in:tools"}, nil},
	{"told", modeltest.New, model.Options{Query: "cache layout"}, []string{"f3"}},
	{"tour", tour, model.Options{Query: "why is the cache sharded"}, nil},
	{"tour-reader", tour, model.Options{Query: "why is the cache sharded"}, []string{"enter", "tab", "tab", "enter"}},
	{"demo", modeltest.New, model.Options{Demo: true}, []string{"down", "down", "tab"}},
}

// state is an engine whose last root is in that state.
func state(of string, notes []string) func() *modeltest.Engine {
	return func() *modeltest.Engine {
		e, s := modeltest.New(), modeltest.Status()
		s.Roots[len(s.Roots)-1].State, s.Notes = of, notes
		if of == "absent" {
			s.Roots[0].State = of
		}
		e.Set(s)
		return e
	}
}

// partly is an engine that has read a part of what there is.
func partly() *modeltest.Engine {
	e := modeltest.New()
	e.Set(modeltest.Indexing())
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Hits, a.Complete = a.Hits[:2], false
		return a, nil
	}
	return e
}

// titled has no passage that answers, and a session whose title would.
func titled() *modeltest.Engine {
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		return recall.Answer{Query: q.Text, Topical: true, Complete: true}, nil
	}
	return e
}

// noted is an engine that has something to say of every answer.
func noted() *modeltest.Engine {
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Notes = []string{"Ignored: bad filter agent:nobody: no agent program is called \"nobody\"; known are claude, codex, gemini, copilot."}
		return a, nil
	}
	return e
}

// failing is an engine of which nothing can be had but a list.
func failing() *modeltest.Engine {
	e := modeltest.New()
	e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) {
		return recall.Answer{}, errors.New("segment 0001.seg of the index is damaged; yore index makes it anew")
	}
	e.OnRead = func(context.Context, recall.Locator, int) (recall.Reading, error) {
		return recall.Reading{}, errors.New("the transcript /home/ada/.sessions/a.jsonl is gone")
	}
	return e
}

// truncated is an engine whose passages have moved, and whose outputs are too long
// to be shown or kept.
func truncated() *modeltest.Engine {
	e := modeltest.New()
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := modeltest.Reading(l, around)
		r.Notes = []string{"The session was rewritten: the passage has moved, it is number 7 now."}
		for i := range r.Passages {
			t := &r.Passages[i].Tools[0]
			t.Output, t.Truncated, t.Failed = strings.Repeat("a line of a log that has no end\n", 20_000), true, true
		}
		return r, nil
	}
	return e
}

// wide is an engine whose texts take more cells than they have characters, or are
// written from right to left, or have letters that join.
func wide() *modeltest.Engine {
	texts := []string{
		"キャッシュの設計：分割して、鍵ごとに一つのファイルに置くことにした。理由は一つのロックでは足りないからです。",
		"캐시를 프로젝트별로 나누기로 했다. 하나의 파일로는 부족하다.",
		"नमस्ते दुनिया की कहानी: हम कैश को बाँटते हैं ताकि एक ही ताला सब को न रोके।",
		"تمت مراجعة التصميم: نقسم ذاكرة التخزين المؤقت إلى أجزاء لكل مشروع",
		"שלום: המטמון מחולק לחלקים, אחד לכל פרויקט", "กำลังแบ่งแคชเป็นส่วน ๆ สำหรับแต่ละโครงการ น้ำ",
		"family 👨‍👩‍👧‍👦 ❤️ 👍🏽 flags 🇩🇪 keycap 1️⃣ and é́́́ combining",
	}
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		for i := range a.Hits {
			h, text := &a.Hits[i], texts[i%len(texts)]
			h.Text, h.Line, h.Matches, h.Session.Title, h.Session.Directory = text, 0, nil, text, "/home/ada/"+text
			h.Members[0].Text, h.Members[0].Matches = text, nil
		}
		return a, nil
	}
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := modeltest.Reading(l, around)
		for i := range r.Passages {
			r.Passages[i].Turns[1].Text = strings.Join(texts, "\n\n")
		}
		return r, nil
	}
	return e
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
	for i := range 60 { // more than a screen has rows: what to do about it stays in sight
		harness := []string{"kilo", "roo", "zed"}[i%3]
		s.Roots = append(s.Roots, sessions.RootState{Root: sessions.Root{Harness: harness, Path: "/nowhere"}, State: "absent"})
	}
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
