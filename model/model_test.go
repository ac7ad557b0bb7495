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

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// start runs a test on a settled model of w by h cells inside a bubble.
func start(t *testing.T, o model.Options, w, h int, prepare func(*modeltest.Engine), test func(*testing.T, *modeltest.Driver, *modeltest.Engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := modeltest.New()
		if prepare != nil {
			prepare(e)
		}
		d := modeltest.Start(t.Context(), e, o, w, h)
		d.Settle()
		test(t, d, e)
	})
}

// TestNewestQueryWins types fast over an engine that is slow, answers the
// longer the shorter the query is, and does not care for cancellation.
func TestNewestQueryWins(t *testing.T) {
	slow := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			time.Sleep(time.Duration(1000/len(q.Text)) * time.Millisecond)
			a := modeltest.Answer(q.Text)
			a.Hits = a.Hits[:1]
			a.Hits[0].Text = "found by " + q.Text
			return a, nil
		}
	}
	start(t, model.Options{}, 120, 40, slow, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		const query = "what about the cache layout"
		check := func() {
			if got := d.Found.Query; got != "" && got != query {
				t.Fatalf("the answer to %q was shown under a newer query", got)
			}
		}
		for _, r := range query {
			d.Type(string(r))
			d.Pass(7 * time.Millisecond)
			check()
		}
		for range 400 {
			d.Pass(5 * time.Millisecond)
			check()
		}
		if got := d.Found.Answer.Query; got != query {
			t.Errorf("the list answers %q, want %q", got, query)
		}
		if line, _ := d.Line(); line != query {
			t.Errorf("the box says %q: typing was held up", line)
		}
		if n := e.MostAtOnce(); n > 1 {
			t.Errorf("%d searches were in flight at once", n)
		}
		if n := len(e.Asked()); n >= len(query) {
			t.Errorf("%d searches for %d keys: overtaken ones were asked all the same", n, len(query))
		}
	})
}

// TestCancelled sees that a newer query cancels the one in flight.
func TestCancelled(t *testing.T) {
	cancelled := 0
	waits := func(e *modeltest.Engine) {
		e.OnAsk = func(ctx context.Context, q recall.Query) (recall.Answer, error) {
			if q.Text == "ab" {
				return modeltest.Answer(q.Text), nil
			}
			<-ctx.Done()
			cancelled++
			return recall.Answer{}, ctx.Err()
		}
	}
	start(t, model.Options{}, 120, 40, waits, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Type("a")
		d.Settle()
		if d.Found.Query != "" || len(d.List.Items) == 0 {
			t.Error("the list did not stay while the answer was awaited")
		}
		d.Type("b")
		d.Settle()
		if cancelled != 1 || d.Found.Query != "ab" || d.Found.Err != nil {
			t.Errorf("cancelled %d, found %q, error %v", cancelled, d.Found.Query, d.Found.Err)
		}
	})
}

// TestTyping checks that the last word counts as unfinished until a blank
// follows it.
func TestTyping(t *testing.T) {
	start(t, model.Options{}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		for _, r := range "ab c" {
			d.Type(string(r))
			d.Settle()
		}
		var got []string
		for _, q := range e.Asked() {
			got = append(got, fmt.Sprintf("%s:%v", q.Text, q.Typing))
		}
		if want := "a:true|ab:true|ab :false|ab c:true"; strings.Join(got, "|") != want {
			t.Errorf("asked %v, want %s", got, want)
		}
	})
}

// TestLive has hits appear above the selected one: the selection stays on its
// passage and at its row, and what is new at the top of an unmoved list shows.
func TestLive(t *testing.T) {
	var answer recall.Answer
	grows := func(e *modeltest.Engine) {
		answer = modeltest.Answer("cache")
		e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) { return answer, nil }
	}
	fresh := func() recall.Hit {
		h := modeltest.Hit(0)
		h.Session.ID, h.Passage = "new", 99
		return h
	}
	start(t, model.Options{Query: "cache"}, 120, 16, grows, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		answer.Hits = append([]recall.Hit{fresh()}, answer.Hits...)
		e.Change()
		d.Settle()
		if key := d.List.Items[0].Key; key.Session.ID != "new" || d.List.Scroll.Top != 0 {
			t.Fatalf("the new hit is not on screen: first is %v, top %d", key, d.List.Scroll.Top)
		}
		if d.List.Selected != 1 {
			t.Errorf("the selection moved from the first hit to item %d", d.List.Selected)
		}
		for range 8 {
			d.Press("down")
		}
		d.Press("up", "up")
		item, _ := d.List.Current()
		row := d.List.Start(d.List.Selected) - d.List.Scroll.Top
		answer.Hits = append([]recall.Hit{fresh(), fresh()}, answer.Hits...)
		e.Change()
		d.Pass(time.Second)
		again, _ := d.List.Current()
		if again.Key != item.Key {
			t.Errorf("the selection went from %v to %v", item.Key, again.Key)
		}
		if got := d.List.Start(d.List.Selected) - d.List.Scroll.Top; got != row {
			t.Errorf("the selected hit went from row %d to row %d", row, got)
		}
		// Merged with its neighbour, the passage has another number.
		for i, h := range answer.Hits {
			if h.Session.Key == item.Key.Session && h.Passage == item.Key.Passage {
				answer.Hits[i].Passage++
				answer.Hits[i].Span = [2]int{h.Passage, h.Passage + 1}
			}
		}
		e.Change()
		d.Pass(time.Second)
		if merged, _ := d.List.Current(); merged.Key.Session != item.Key.Session {
			t.Errorf("the selection left the passage that was merged: %v", merged.Key)
		}
	})
}

// TestFirstReading keeps the first item selected while better ones come in, until
// the user has selected something.
func TestFirstReading(t *testing.T) {
	var list []sessions.Session
	reads := func(e *modeltest.Engine) {
		e.Set(modeltest.Indexing())
		all := modeltest.Sessions()
		list = all[8:9]
		e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) { return list, nil }
	}
	start(t, model.Options{}, 120, 40, reads, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		grow := func(n int) model.ItemKey {
			list = modeltest.Sessions()[n:]
			e.Change()
			d.Pass(time.Second)
			item, _ := d.List.Current()
			return item.Key
		}
		if got := grow(6); got.Session != list[0].Key {
			t.Errorf("selected %v, want the newest session", got)
		}
		d.Press("down", "down")
		item, _ := d.List.Current()
		if got := grow(4); got != item.Key {
			t.Errorf("the selection left %v for %v", item.Key, got)
		}
	})
}

// TestLiveTime bounds how soon a change shows and how often a stream of changes
// is looked at.
func TestLiveTime(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Pass(time.Second)
		asked := func(act func()) int {
			before := len(e.Asked())
			act()
			return len(e.Asked()) - before
		}
		lone := func(when string) {
			t.Helper()
			if n := asked(func() { e.Change(); d.Settle() }); n != 1 {
				t.Errorf("a lone change %s was followed by %d searches at once, want 1", when, n)
			}
		}
		storm := func() {
			for range 1000 {
				e.Change()
				d.Pass(time.Millisecond)
			}
		}
		lone("at rest")
		d.Pass(100 * time.Millisecond)
		lone("soon after another")
		d.Pass(time.Second)
		if n := asked(storm); n < 9 || n > 11 {
			t.Errorf("%d searches in the first second of changes, want 10: after 50 ms, 100 ms, and 110 ms each", n)
		}
		if n := asked(storm); n < 8 || n > 10 {
			t.Errorf("%d searches in the second after, want one every 110 ms", n)
		}
		d.Pass(time.Second)
		lone("after a storm")
		d.Pass(100 * time.Millisecond)
		lone("soon after that")
	})
}

// TestLiveSlow sees that live changes neither pile up on a slow engine nor keep
// its answers from being shown.
func TestLiveSlow(t *testing.T) {
	slow := func(e *modeltest.Engine) {
		e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) {
			time.Sleep(300 * time.Millisecond)
			return modeltest.Answer("cache"), nil
		}
	}
	start(t, model.Options{Query: "cache"}, 120, 40, slow, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		for range 50 {
			e.Change()
			d.Pass(10 * time.Millisecond)
		}
		if d.Found.Query != "cache" {
			t.Error("no answer was shown while changes came in")
		}
		if e.MostAtOnce() > 1 {
			t.Error("live searches overlap")
		}
		d.Pass(time.Second)
	})
}

// TestFirstFrame checks that the model can be painted while the engine has not
// answered anything.
func TestFirstFrame(t *testing.T) {
	silent := func(e *modeltest.Engine) {
		e.OnSessions = func(ctx context.Context, _ recall.SessionFilter) ([]sessions.Session, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	start(t, model.Options{}, 80, 24, silent, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		if d.Ready || d.Layout.W != 80 || len(d.List.Items) != 0 {
			t.Errorf("ready %v, layout %v", d.Ready, d.Layout)
		}
		d.Type("still typing")
		if line, _ := d.Line(); line != "still typing" {
			t.Errorf("the box says %q", line)
		}
	})
}

// TestEsc goes down the ladder: reader, list, box with a query, empty box, out.
func TestEsc(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("tab", "enter", "/", "x", "f1")
		for i, want := range []model.Focus{model.Find, model.Reading, model.List, model.Query} {
			d.Press("esc")
			if d.Focus != want {
				t.Fatalf("after Esc %d the focus is the %v, want the %v", i+1, d.Focus, want)
			}
		}
		if line, _ := d.Line(); line != "cache" {
			t.Fatalf("coming back cleared the query")
		}
		d.Press("esc")
		if line, _ := d.Line(); line != "" || d.Gone || !d.Found.Recent() {
			t.Fatalf("line %q, gone %v: Esc has to clear the query first", line, d.Gone)
		}
		d.Press("esc")
		if !d.Gone {
			t.Error("Esc on an empty box did not leave")
		}
	})
}

// TestLeave checks the keys that work whatever has the focus.
func TestLeave(t *testing.T) {
	for _, keys := range [][]string{{}, {"tab"}, {"tab", "tab"}, {"enter"}, {"enter", "/"}, {"f1"}} {
		start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			d.Press(append(keys, "ctrl+z")...)
			if !d.Suspended {
				t.Errorf("%v: ctrl+z does not suspend", keys)
			}
			d.Press("ctrl+c")
			if !d.Gone {
				t.Errorf("%v: ctrl+c does not leave", keys)
			}
		})
	}
}

// TestResize keeps the selection in view through a storm of sizes.
func TestResize(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 200, 60, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for range 11 {
			d.Press("down")
		}
		item, _ := d.List.Current()
		for i := range 200 {
			d.Send(tea.WindowSizeMsg{Width: 10 + i*37%291, Height: 5 + i*13%96})
			l := &d.List
			if d.Layout.Small || d.Layout.List.H == 0 {
				continue
			}
			if at := l.Start(l.Selected); at < l.Scroll.Top || at+2 > l.Scroll.Top+l.Scroll.Height {
				t.Fatalf("%dx%d: rows %d,%d of the selection are not within %+v", d.Layout.W, d.Layout.H, at, at+1, l.Scroll)
			}
		}
		d.Settle()
		if again, _ := d.List.Current(); again.Key != item.Key {
			t.Errorf("the selection went from %v to %v", item.Key, again.Key)
		}
	})
}

// TestHeadings never selects a heading, and shows the one above what it selects.
func TestHeadings(t *testing.T) {
	start(t, model.Options{}, 80, 14, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("tab", "G")
		for range d.List.Items {
			if item, _ := d.List.Current(); item.Heading != "" {
				t.Fatalf("the heading %q is selected", item.Heading)
			}
			d.Press("k")
		}
		if d.List.Selected != 1 || d.List.Scroll.Top != 0 {
			t.Errorf("at the top item %d is selected, the first row is %d: its day does not show", d.List.Selected, d.List.Scroll.Top)
		}
	})
}

// TestMore asks for further hits when the selection nears the end.
func TestMore(t *testing.T) {
	pages := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			a.Hits = nil
			for n := range min(q.Limit, 120) {
				h := modeltest.Hit(n)
				h.Session.ID = fmt.Sprint(n)
				a.Hits = append(a.Hits, h)
			}
			if len(a.Hits) < 120 {
				a.Cursor = "more"
			}
			return a, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 120, 40, pages, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		for range 4 {
			d.Press("tab", "G", "esc")
		}
		item, _ := d.List.Current()
		if len(d.List.Items) != 120 || item.Key.Session.ID != "119" {
			t.Errorf("%d hits, the last one selected is %v", len(d.List.Items), item.Key)
		}
		if n := len(e.Asked()); n != 3 {
			t.Errorf("%d searches, want 3", n)
		}
	})
}

// TestHostileInput keeps controls that are typed or pasted out of the box.
func TestHostileInput(t *testing.T) {
	start(t, model.Options{Query: "a\x1b]52;c;aGk=\x07b\u202ec"}, 80, 24, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Send(tea.PasteMsg{Content: " x\x1b[2Jy\r\nz\u2066 w"})
		if line, _ := d.Line(); line != "abc xy z w" {
			t.Errorf("the box says %q", line)
		}
	})
}

// F3 turns what the time in the query does: prefer, require, drop, prefer again. Each
// is a question of its own; without a time it says so (W9).
func TestTimeOfTheQueryTurns(t *testing.T) {
	start(t, model.Options{Query: "cache layout last week"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		var uses []recall.TimeUse
		for range 4 {
			asked := e.Asked()
			uses = append(uses, asked[len(asked)-1].Time)
			d.Press("f3")
		}
		want := []recall.TimeUse{recall.TimePreferred, recall.TimeRequired, recall.TimeIgnored, recall.TimePreferred}
		if !slices.Equal(uses, want) {
			t.Errorf("asked with %v, want %v", uses, want)
		}
		d.Press("ctrl+u")
		d.Type("cache")
		d.Settle()
		before := len(e.Asked())
		d.Press("f3")
		if asked := e.Asked(); len(asked) != before || asked[before-1].Time != recall.TimePreferred || d.Notice == "" {
			t.Errorf("without a time: %d questions more, the last with %v, notice %q", len(asked)-before, asked[len(asked)-1].Time, d.Notice)
		}
	})
}
