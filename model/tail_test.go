package model_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// tailing follows feeds of the names on a screen of w by h cells.
func tailing(t *testing.T, w, h int, names []string, test func(*testing.T, *modeltest.Driver, []*modeltest.Feed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var feeds []*modeltest.Feed
		var o model.Options
		for _, n := range names {
			f := modeltest.NewFeed(n)
			feeds, o.Tail = append(feeds, f), append(o.Tail, f.Feed)
		}
		d := modeltest.Start(t.Context(), nil, o, w, h)
		d.Settle()
		test(t, d, feeds)
	})
}

// tailed are the lines of the view, each behind its counter.
func tailed(d *modeltest.Driver) []string {
	var out []string
	for _, l := range d.Tail.Lines {
		text := l.Text
		if l.Count > 0 {
			text = fmt.Sprintf("×%d %s", l.Count, text)
		}
		out = append(out, text)
	}
	return out
}

func wantTailed(t *testing.T, d *modeltest.Driver, want ...string) {
	t.Helper()
	if got := tailed(d); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("shows %q, want %q", got, want)
	}
}

// L9: a counter climbs in place, whatever the pieces are.
func TestL9ACounterClimbsInPlace(t *testing.T) {
	tailing(t, 80, 24, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		for _, piece := range []string{"a\nwait", "ing\nwaiting\r\n", "waiting\r", "\nwaiting\r\nwait"} {
			f[0].Write(piece)
			d.Pass(time.Second)
		}
		wantTailed(t, d, "a", "waiting", "×3 waiting", "wait")
	})
}

// L13: the number is beside the line and never in its text, so that a line that
// looks like a marker is what it is.
func TestL13ACounterIsNoText(t *testing.T) {
	tailing(t, 80, 24, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		f[0].Write("a\na\na\n[×3 identical lines]\n")
		d.Pass(time.Second)
		if l := d.Tail.Lines; len(l) != 2 || l[0].Count != 3 || l[0].Text != "a" || l[1].Count != 0 || l[1].Text != "[×3 identical lines]" {
			t.Errorf("shows %+v", l)
		}
	})
}

// L8: a view leaves out what a carriage return writes over; expanded, every byte is
// there.
func TestL8ProgressShowsItsLastState(t *testing.T) {
	tailing(t, 80, 24, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		f[0].Write("10 %\r20 %\r30 %\r\n\x1b[31mred\x1b[0m\xff\\\n")
		d.Pass(time.Second)
		wantTailed(t, d, "30 %", "red\ufffd\\")
		d.Press("enter", "k", "enter")
		wantTailed(t, d, `10 %\r20 %\r30 %\r`, `\x1b[31mred\x1b[0m\xff\\`)
		d.Press("enter")
		wantTailed(t, d, "30 %", `\x1b[31mred\x1b[0m\xff\\`)
	})
}

// A pause keeps what is seen where it is, and says what came.
func TestAPauseKeepsTheView(t *testing.T) {
	tailing(t, 80, 12, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		for i := range 100 {
			f[0].Write(fmt.Sprintf("line %d\n", i))
		}
		d.Pass(time.Second)
		if got := tailed(d); len(got) != 8 || got[7] != "line 99" {
			t.Fatalf("shows %q", got)
		}
		d.Press("space")
		before := tailed(d)
		f[0].Write("more\nmore\n")
		d.Pass(time.Second)
		if got := tailed(d); strings.Join(got, "\n") != strings.Join(before, "\n") || d.Tail.New != 2 {
			t.Errorf("shows %q and %d new, was %q", got, d.Tail.New, before)
		}
		d.Press("F")
		if got := tailed(d); got[len(got)-1] != "×2 more" || !d.Tail.Following {
			t.Errorf("following again it shows %q", got)
		}
		d.Press("g")
		if got := tailed(d); got[0] != "line 0" || d.Tail.Following {
			t.Errorf("at the top it shows %q", got)
		}
		d.Send(tea.MouseClickMsg{X: 10, Y: 5, Button: tea.MouseLeft})
		if !d.Tail.Lines[2].Selected {
			t.Error("a click selects no line")
		}
		d.Press("g", "pgdown", "j")
		if got := tailed(d); !d.Tail.Lines[7].Selected || got[7] != "line 8" {
			t.Errorf("a page and a line on it shows %q", got)
		}
	})
}

// A run of very many lines can be walked through, line by line, to both of its ends.
func TestALongRunExpands(t *testing.T) {
	tailing(t, 80, 12, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		f[0].Write("first\n" + strings.Repeat("same\n", 1_000_000) + "last\n")
		d.Pass(time.Second)
		wantTailed(t, d, "first", "×1000000 same", "last")
		d.Press("k", "enter")
		if got := tailed(d); len(got) != 8 || got[0] != "first" || got[1] != "×1000000 same" || got[7] != "same" {
			t.Errorf("shows %q", got)
		}
		d.Press("G")
		if got := tailed(d); len(got) != 8 || got[0] != "same" || got[7] != "last" {
			t.Errorf("shows %q", got)
		}
		d.Press("E", "E", "g")
		if got := tailed(d); len(got) != 8 || got[1] != "×1000000 same" {
			t.Errorf("shows %q", got)
		}
	})
}

// esc leaves a screen that only follows.
func TestLeavingTheTail(t *testing.T) {
	tailing(t, 80, 12, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		f[0].End()
		d.Settle()
		if d.Tail.Running != 0 {
			t.Errorf("%d run", d.Tail.Running)
		}
		d.Press("?", "esc")
		if d.Focus != model.Tail || d.Gone {
			t.Errorf("help goes back to %v", d.Focus)
		}
		d.Press("esc")
		if !d.Gone {
			t.Error("it stays")
		}
	})
}

// A session is followed from the list, and esc goes back there.
func TestTailFromTheList(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("tab", "down", "ctrl+t")
		d.Pass(time.Second)
		if d.Focus != model.Tail || len(d.Tail.Lines) == 0 {
			t.Fatalf("in the %v it shows %q", d.Focus, tailed(d))
		}
		d.Press("q")
		if d.Focus != model.List || d.Tail.Open() {
			t.Errorf("it goes back to the %v", d.Focus)
		}
	})
}

// A session that is gone from disk is shown to its end, and nothing more is waited for.
func TestTailOfAGoneSessionEnds(t *testing.T) {
	for gone, running := range map[bool]int{true: 0, false: 1} {
		watch := func(e *modeltest.Engine) {
			e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
				list := modeltest.Sessions()[:1]
				list[0].Gone = gone
				return list, nil
			}
		}
		start(t, model.Options{}, 100, 30, watch, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			d.Press("ctrl+t")
			d.Pass(time.Second)
			if len(d.Tail.Lines) == 0 || d.Tail.Running != running {
				t.Errorf("gone is %v: %d are followed, and it shows %q", gone, d.Tail.Running, tailed(d))
			}
		})
	}
}

// What runs, or said something minutes ago, is followed together; where nothing does, it
// is said.
func TestTailOfAllThatRuns(t *testing.T) {
	for _, n := range []int{0, 3} { // the third sample says that it runs, the first is new
		sample := func(e *modeltest.Engine) {
			e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
				return modeltest.Sessions()[n:], nil
			}
		}
		start(t, model.Options{}, 100, 30, sample, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			d.Press("alt+t")
			d.Pass(time.Second)
			switch {
			case n == 0 && (d.Focus != model.Tail || len(d.Tail.Feeds) != 2):
				t.Errorf("in the %v it follows %d", d.Focus, len(d.Tail.Feeds))
			case n > 0 && (d.Focus == model.Tail || !strings.Contains(d.Notice, "no session is running")):
				t.Errorf("in the %v it says %q", d.Focus, d.Notice)
			}
		})
	}
}

// What is looked for is found in all that is kept, typed letter by letter, and stepped
// through in both directions.
func TestFindInTheTail(t *testing.T) {
	tailing(t, 80, 12, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		for i := range 1000 {
			f[0].Write(fmt.Sprintf("line %d\n", i))
			if i%400 == 100 {
				f[0].Write(strings.Repeat("x", 200) + " \x1b[1mNee\x1b[0mdle " + fmt.Sprint(i) + "\n")
			}
		}
		d.Pass(time.Second)
		at := func() string {
			for _, l := range d.Tail.Lines {
				if l.Selected {
					return l.Text
				}
			}
			return ""
		}
		d.Press("/", "n", "e", "e", "d", "l", "e")
		if got := at(); !strings.Contains(got, "Needle 900") || d.Tail.Missed {
			t.Errorf("stands on %q", got)
		}
		d.Press("enter", "N", "N")
		if got := at(); !strings.Contains(got, "Needle 100") {
			t.Errorf("two before it stands on %q", got)
		}
		d.Press("N")
		if got := at(); !strings.Contains(got, "Needle 100") || d.Notice == "" || d.Tail.Missed {
			t.Errorf("before the first it stands on %q and says %q", got, d.Notice)
		}
		d.Press("n")
		if got := at(); !strings.Contains(got, "Needle 500") {
			t.Errorf("the next is %q", got)
		}
		d.Press("/", "q", "q", "q")
		if !d.Tail.Missed {
			t.Error("what is nowhere is found")
		}
		d.Press("esc", "F")
		if d.Focus != model.Tail || !d.Tail.Following {
			t.Errorf("esc leads to the %v", d.Focus)
		}
	})
}

// L10: blocks that repeat and lines that differ only in times fold into one, errors
// stay, and every line comes back when the fold is opened.
func TestL10FoldsInTheTail(t *testing.T) {
	tailing(t, 80, 24, []string{"log"}, func(t *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
		var all strings.Builder
		for i := range 500 {
			fmt.Fprintf(&all, "10:%02d:%02d ping\n10:%02d:%02d pong\n", i/60, i%60, i/60, i%60)
		}
		all.WriteString("error: no pong\n")
		for i := range 3 {
			fmt.Fprintf(&all, "poll\npoll\nsleep 1\n10:09:0%d woken\n", i)
		}
		f[0].Write(all.String())
		d.Pass(time.Second)
		d.Press("b", "t")
		wantTailed(t, d, "×500 10:08:19 ping", "10:08:19 pong", "error: no pong", "×3 poll", "sleep 1", "10:09:02 woken")
		f[0].Write("10:09:03 woken\n10:09:04 woken\n")
		d.Pass(time.Second)
		wantTailed(t, d, "×500 10:08:19 ping", "10:08:19 pong", "error: no pong", "×3 poll", "sleep 1", "10:09:02 woken", "×2 10:09:04 woken")
		if l := d.Tail.Lines[6]; l.Since != "10:09:03" {
			t.Errorf("it began at %q", l.Since)
		}
		d.Press("g", "enter", "j", "j")
		if got := tailed(d); got[0] != "10:00:00 ping" || got[1] != "10:00:00 pong" || got[2] != "10:00:01 ping" {
			t.Errorf("opened it shows %q", got)
		}
		d.Press("backspace")
		wantTailed(t, d, "×500 10:08:19 ping", "10:08:19 pong", "error: no pong", "×3 poll", "sleep 1", "10:09:02 woken", "×2 10:09:04 woken")
		d.Press("/", "0", "4", ":", "0", "7", "enter")
		if got := tailed(d); !slices.Contains(got, "10:04:07 ping") {
			t.Errorf("what is looked for is folded away: %q", got)
		}
		d.Press("b", "t", "g")
		if got := tailed(d); got[0] != "10:00:00 ping" {
			t.Errorf("without folds it shows %q", got)
		}
	})
}

// Sessions that are marked are followed together, each line with the name of its own.
func TestMarkedSessionsAreFollowedTogether(t *testing.T) {
	start(t, model.Options{}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("tab", "space", "space", "ctrl+t")
		d.Pass(time.Second)
		if len(d.Tail.Feeds) != 2 || d.Tail.Feeds[0].Badge == d.Tail.Feeds[1].Badge {
			t.Fatalf("follows %v", d.Tail.Feeds)
		}
		badges := map[string]bool{}
		d.Press("g")
		for range 40 {
			for _, l := range d.Tail.Lines {
				badges[l.Badge] = true
			}
			d.Press("pgdown")
		}
		if !badges[d.Tail.Feeds[0].Badge] || !badges[d.Tail.Feeds[1].Badge] {
			t.Errorf("the lines are of %v", badges)
		}
		lines := d.Tail.Came
		e.Change()
		d.Pass(time.Second)
		if d.Tail.Came != lines {
			t.Errorf("without news %d lines became %d", lines, d.Tail.Came)
		}
		d.Press("q", "u", "ctrl+t")
		if len(d.Tail.Feeds) != 1 {
			t.Errorf("without marks it follows %v", d.Tail.Feeds)
		}
	})
}

// Whatever comes and whatever is pressed, the view is as full as it can be, and the
// cursor is in it.
func TestTheTailHoldsTogether(t *testing.T) {
	lines := []string{"a\n", "a\n", "b\n", "10:00:01 c\n", "10:00:02 c\n", "error d\n", "open", "\n", strings.Repeat("wide 漢 ", 40) + "\n", "x\ry\r\n"}
	keys := []string{"k", "j", "pgup", "pgdown", "ctrl+u", "ctrl+d", "g", "G", "space", "F", "enter", "backspace", "E", "w", "b", "t", "n", "N", "right", "left"}
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(lines), rapid.SampledFrom(keys)), 1, 60).Draw(rt, "steps")
		height := rapid.IntRange(12, 20).Draw(rt, "height")
		var fault string
		tailing(t, 50, height, []string{"log"}, func(_ *testing.T, d *modeltest.Driver, f []*modeltest.Feed) {
			d.Press("/", "c", "enter")
			for i, s := range steps {
				if slices.Contains(keys, s) {
					d.Press(s)
				} else {
					f[0].Write(s)
					d.Pass(time.Second)
				}
				selected := 0
				for _, l := range d.Tail.Lines {
					if l.Selected {
						selected++
					}
				}
				if n := len(d.Tail.Lines); n > height-4 || n > 0 && selected != 1 || n == 0 && d.Tail.Bytes > 0 {
					fault = fmt.Sprintf("after step %d, %q, it has %d lines, %d of them selected", i, s, n, selected)
					return
				}
			}
			d.Press("G")
			if n := len(d.Tail.Lines); n > 0 && !d.Tail.Lines[n-1].Selected {
				fault = fmt.Sprintf("following, line %d is not the last: %q", n, tailed(d))
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}
