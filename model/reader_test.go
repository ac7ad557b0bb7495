package model_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// TestReader walks through a session: to the neighbours, wider, narrower, and
// past neither end.
func TestReader(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		top := func() int { p, _ := r.Doc.AnchorAt(r.Scroll.Top); return p }
		if r.Passage != 7 || top() != 7 || len(r.Reading.Passages) != 5 {
			t.Fatalf("the reader stands on %d, shows %d at its top, and holds %d passages", r.Passage, top(), len(r.Reading.Passages))
		}
		d.Press("]", "right")
		if r.Passage != 9 || top() != 9 {
			t.Errorf("two passages on it stands on %d and shows %d", r.Passage, top())
		}
		d.Press("+", "j", "j", "j")
		if n := len(r.Reading.Passages); n != 7 || r.Scroll.Top != r.Doc.Anchors[3].Line+3 {
			t.Errorf("wider it holds %d passages, row %d", n, r.Scroll.Top)
		}
		d.Press("-", "-", "-", "-")
		if n := len(r.Reading.Passages); n != 1 || d.Notice == "" {
			t.Errorf("at its narrowest it holds %d passages and says %q", n, d.Notice)
		}
		for range 12 {
			d.Press("[")
		}
		if r.Passage != 0 || d.Notice == "" {
			t.Errorf("before the first passage: %d, %q", r.Passage, d.Notice)
		}
		for range 45 {
			d.Press("]")
		}
		if r.Passage != 39 || d.Notice == "" {
			t.Errorf("after the last passage: %d, %q", r.Passage, d.Notice)
		}
	})
}

// What was scrolled to is the passage that is counted and copied, and the text goes on
// there without a jump, to both ends of the session.
func TestReaderFollowsScrolling(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		top := func() string { return r.Doc.Lines[r.Scroll.Top] }
		for range 40 {
			below := r.Doc.Lines[min(r.Scroll.Top+1, len(r.Doc.Lines)-1)]
			d.Press("j")
			if got := top(); got != below {
				t.Fatalf("a row down it shows %q, want %q", got, below)
			}
		}
		if at := r.Doc.PassageAt(r.Scroll.Top); r.Passage < 9 || r.Passage-at > 1 || r.Passage > r.Reading.Passages[len(r.Reading.Passages)-1].Number {
			t.Fatalf("it stands on %d, and shows %d", r.Passage, at)
		}
		d.Press("y")
		if want := fmt.Sprintf("Question %d:", r.Passage); !strings.HasPrefix(d.Clipboard, want) {
			t.Errorf("on passage %d it copied %q", r.Passage, d.Clipboard)
		}
		was := r.Passage
		for range 12 {
			d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
			d.Settle()
		}
		if r.Passage >= was {
			t.Errorf("the wheel led back to %d", r.Passage)
		}
		d.Press("G")
		if r.Passage != 39 || r.Scroll.Top != r.Scroll.Max() {
			t.Errorf("at the bottom it stands on %d, row %d of %d", r.Passage, r.Scroll.Top, r.Scroll.Max())
		}
		d.Press("g")
		if r.Passage != 0 || r.Scroll.Top != 0 {
			t.Errorf("at the top it stands on %d, row %d", r.Passage, r.Scroll.Top)
		}
	})
}

// A session that has fewer passages than it is said to have is not read for ever.
func TestReaderEndsWhereNothingFollows(t *testing.T) {
	reads := 0
	short := func(e *modeltest.Engine) {
		e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
			reads++
			l.Passage = min(l.Passage, 39)
			r := modeltest.Reading(l, around)
			r.Of = 100
			return r, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 100, 20, short, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		before := reads
		d.Send(modeltest.Key("G"))
		d.Pass(time.Second)
		if reads > before+3 {
			t.Errorf("it was read %d times", reads-before)
		}
	})
}

// A passage that is left again before it was read does not come after all.
func TestReaderTurnsBackWhileItReads(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 20, slowReads, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		d.Pass(time.Second)
		was := d.Reader.Passage
		d.Press("]", "[")
		d.Pass(time.Second)
		if d.Reader.Passage != was {
			t.Errorf("it stands on %d, want %d", d.Reader.Passage, was)
		}
	})
}

// TestReaderGrows reads again when the session grows, without moving.
func TestReaderGrows(t *testing.T) {
	of := 8
	grows := func(e *modeltest.Engine) {
		e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
			r := modeltest.Reading(l, around)
			r.Of = of
			for len(r.Passages) > 0 && r.Passages[len(r.Passages)-1].Number >= of {
				r.Passages = r.Passages[:len(r.Passages)-1]
			}
			return r, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 100, 30, grows, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("enter", "k", "k")
		top := d.Reader.Scroll.Top
		of = 9
		e.Change()
		d.Pass(time.Second)
		if d.Reader.Reading.Of != 9 || d.Reader.Scroll.Top != top {
			t.Errorf("of %d at row %d, want 9 at row %d", d.Reader.Reading.Of, d.Reader.Scroll.Top, top)
		}
	})
}

// TestReaderFind goes from match to match, also to those of passages that were not
// read at first, and forgets them with Esc.
func TestReaderFind(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "/")
		d.Type("QUESTION")
		d.Settle()
		r := &d.Reader
		if len(r.Matches) != 5 || r.Match != 2 {
			t.Fatalf("%d matches, on %d; want 5, and on the first below the top row", len(r.Matches), r.Match)
		}
		wantAt := func(text string) {
			t.Helper()
			line := r.Matches[r.Match].Line
			if got := shown(r.Doc); !strings.Contains(strings.Split(got, "\n")[line], text) || line < r.Scroll.Top || line >= r.Scroll.Bottom() {
				t.Errorf("the match is at line %d of %d to %d, want %q of\n%s", line, r.Scroll.Top, r.Scroll.Bottom(), text, got)
			}
		}
		d.Press("enter", "n", "n", "n")
		wantAt("Question 10")
		d.Press("N")
		wantAt("Question 9")
		d.Press("G")
		for range 20 {
			if r.Match < len(r.Matches)-1 {
				d.Press("n")
			}
		}
		wantAt("Question 39")
		d.Press("n")
		wantAt("Question 3") // the first of those that are read there
		if r.Passage == 39 {
			t.Error("nothing comes after the session's last match")
		}
		d.Press("/", "esc")
		if len(r.Matches) != 0 || d.Focus != model.Reading {
			t.Errorf("Esc left %d matches and the %v", len(r.Matches), d.Focus)
		}
	})
}

// After a jump, n and N go on from what is seen, not from the match of before: for what
// was typed to be found, and for the query's own words.
func TestReaderFindsFromWhereItIs(t *testing.T) {
	long := func(e *modeltest.Engine) {
		e.OnRead = func(_ context.Context, l recall.Locator, _ int) (recall.Reading, error) {
			r := modeltest.Reading(l, 0)
			var b strings.Builder
			for i := range 400 {
				word := "line"
				if i%20 == 0 {
					word = "cache needle"
				}
				fmt.Fprintf(&b, "%s %d\n\n", word, i)
			}
			r.Passages = r.Passages[:1]
			r.Passages[0].Turns = []recall.ReadTurn{{Text: b.String()}}
			return r, nil
		}
	}
	for _, typed := range []string{"needle", ""} {
		start(t, model.Options{Query: "cache"}, 100, 30, long, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			d.Press("enter", "g")
			r := &d.Reader
			if typed != "" {
				d.Press("/")
				d.Type(typed)
				d.Press("enter")
			}
			sees := func(key string, n int) {
				t.Helper()
				d.Press(key)
				top, bottom := r.Scroll.Top, min(r.Scroll.Bottom(), len(r.Doc.Lines))
				if got := ansi.Strip(strings.Join(r.Doc.Lines[top:bottom], "\n")); !strings.Contains(got, fmt.Sprintf("needle %d\n", n)) && !strings.HasSuffix(strings.TrimRight(got, " "), fmt.Sprintf("needle %d", n)) {
					t.Errorf("%q: %s shows rows %d to %d, without match %d:\n%s", typed, key, top, bottom, n, got)
				}
			}
			d.Press("G")
			sees("N", 380)
			sees("N", 360)
			d.Press("g")
			sees("n", 0)
			sees("n", 20)
			sees("n", 40)
			if d.Press("g", "N"); typed != "" {
				sees("N", 380) // the last comes before the first
			}
		})
	}
}

// The row right out of view is out of it, too: a step goes to no other match on it.
func TestReaderFindsNothingOutOfView(t *testing.T) {
	twice := func(e *modeltest.Engine) {
		e.OnRead = func(_ context.Context, l recall.Locator, _ int) (recall.Reading, error) {
			r := modeltest.Reading(l, 0)
			r.Passages = r.Passages[:1]
			text := strings.Repeat("line\n\n", 60) + "needle and needle\n\n"
			r.Passages[0].Turns = []recall.ReadTurn{{Text: strings.Repeat(text, 4)}}
			return r, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 100, 30, twice, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "g", "/")
		d.Type("needle")
		d.Press("enter")
		r := &d.Reader
		if len(r.Matches) != 8 {
			t.Fatalf("%d matches", len(r.Matches))
		}
		r.Match = 2
		r.Scroll.Top = r.Matches[2].Line + 1
		if d.Press("n"); r.Match != 4 {
			t.Errorf("n went to match %d", r.Match)
		}
		r.Match = 5
		r.Scroll.Top = r.Matches[5].Line - r.Scroll.Height
		if d.Press("N"); r.Match != 3 {
			t.Errorf("N went to match %d", r.Match)
		}
	})
}

// TestReaderFails tells why a passage cannot be read.
func TestReaderFails(t *testing.T) {
	fails := func(e *modeltest.Engine) {
		e.OnRead = func(context.Context, recall.Locator, int) (recall.Reading, error) {
			return recall.Reading{}, errors.New("the disk is gone")
		}
	}
	start(t, model.Options{Query: "cache"}, 100, 20, fails, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("f2")
		if got := shown(d.Pane.Doc); !strings.Contains(got, "the disk is gone") {
			t.Errorf("the pane says %q", got)
		}
		d.Press("enter")
		if d.Reader.Err == nil {
			t.Error("the reader does not tell the error")
		}
	})
}

// TestCopy sends the selected passage, cleaned, to the terminal's clipboard.
func TestCopy(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 30, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for range 7 {
			d.Press("down")
		}
		d.Press("ctrl+y")
		if want := "No: red cache esrever and a bell."; !strings.Contains(d.Clipboard, want) || strings.Contains(d.Clipboard, "\x1b") {
			t.Errorf("copied %q", d.Clipboard)
		}
		d.Press("enter", "[", "y")
		if !strings.HasPrefix(d.Clipboard, "Question 13") {
			t.Errorf("the reader copied %q", d.Clipboard)
		}
	})
}

// A long passage opens where the query found most, and n goes on to the next
// place, though nothing was typed to be found.
func TestReaderOpensAtTheMatch(t *testing.T) {
	long := func(e *modeltest.Engine) {
		e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
			r := modeltest.Reading(l, around)
			for i := range r.Passages {
				lines := strings.Repeat("one line of many\n\n", 40)
				r.Passages[i].Turns = []recall.ReadTurn{{Text: lines + "the cache is here\n\n" + lines + "the cache again"}}
			}
			return r, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 100, 30, long, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		inView := func() (line string, n int) {
			for i := r.Scroll.Top; i < min(r.Scroll.Top+r.Scroll.Height, len(r.Doc.Lines)); i++ {
				if strings.Contains(r.Doc.Lines[i], "the cache") {
					line, n = r.Doc.Lines[i], n+1
				}
			}
			return line, n
		}
		if line, n := inView(); n != 1 || !strings.Contains(line, "is here") {
			t.Fatalf("the reader opens at row %d, where %q is seen", r.Scroll.Top, line)
		}
		d.Press("n")
		if line, _ := inView(); !strings.Contains(line, "again") {
			t.Errorf("n shows row %d with %q", r.Scroll.Top, line)
		}
		d.Press("N")
		if line, _ := inView(); !strings.Contains(line, "is here") {
			t.Errorf("N shows row %d with %q", r.Scroll.Top, line)
		}
	})
}
