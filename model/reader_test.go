package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

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

// TestReaderFind goes from match to match and round, and forgets them with Esc.
func TestReaderFind(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "/")
		d.Type("QUESTION")
		d.Settle()
		r := &d.Reader
		if len(r.Matches) != 5 || r.Match != 2 {
			t.Fatalf("%d matches, on %d; want 5, and on the first below the top row", len(r.Matches), r.Match)
		}
		d.Press("enter", "n", "n", "n")
		if r.Match != 0 {
			t.Errorf("after the last match comes %d", r.Match)
		}
		at := r.Matches[0]
		if line := at.Line; line < r.Scroll.Top || line >= r.Scroll.Top+r.Scroll.Height {
			t.Errorf("line %d of the match is out of view", line)
		}
		d.Press("N")
		if r.Match != 4 {
			t.Errorf("before the first match comes %d", r.Match)
		}
		d.Press("/", "esc")
		if len(r.Matches) != 0 || d.Focus != model.Reading {
			t.Errorf("Esc left %d matches and the %v", len(r.Matches), d.Focus)
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
