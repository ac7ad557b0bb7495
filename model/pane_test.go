package model_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// shown is a text without its looks.
func shown(d model.Doc) string { return ansi.Strip(strings.Join(d.Lines, "\n")) }

// slowReads makes every reading take a while, whether it is cancelled or not.
func slowReads(e *modeltest.Engine) {
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		time.Sleep(200 * time.Millisecond)
		return modeltest.Reading(l, around), nil
	}
}

// TestPaneFollows shows the selected passage in a plain form at once, then set,
// and never one that is no longer selected.
func TestPaneFollows(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, slowReads, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("f2", "down", "down")
		if got := shown(d.Pane.Doc); !strings.Contains(got, "分片缓存") || strings.Contains(got, "Question") {
			t.Errorf("at once the pane shows %q, want the plain passage", got)
		}
		for range 100 {
			d.Pass(10 * time.Millisecond)
			// The plain form is passage 9 alone, the set one 8 to 10.
			if a := d.Pane.Doc.Anchors; len(a) == 0 || a[len(a)/2].Passage != 9 {
				t.Fatalf("the pane shows %v while passage 9 is selected", a)
			}
		}
		if got := shown(d.Pane.Doc); !strings.Contains(got, "Question 9") || !strings.Contains(got, "Question 10") {
			t.Errorf("the pane shows %q, want passage 9 with its neighbours", got)
		}
		d.Press("up")
		d.Pass(time.Second)
		d.Press("down")
		if got := shown(d.Pane.Doc); !strings.Contains(got, "Question 9") {
			t.Errorf("going back the pane shows %q, want the passage as it was set", got)
		}
	})
}

// The digest shows the hit that is selected, also of one that was joined to another or
// is one line, begins with its headline, and stays where somebody scrolled it.
func TestDigestFollowsTheSelection(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 20, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		if d.Pane.Scroll.Top != 0 || !strings.Contains(shown(d.Pane.Doc), "rank 5 ") {
			t.Fatalf("begins at row %d", d.Pane.Scroll.Top)
		}
		for n := range d.Found.Answer.Hits {
			p := &d.Pane
			rows := ansi.Strip(strings.Join(p.Doc.Lines[p.Scroll.Top:p.Scroll.Top+p.Scroll.Height], "\n"))
			if !strings.Contains(rows, fmt.Sprintf("rank %d ", n+1)) {
				t.Errorf("hit %d is selected, and the digest shows\n%s", n, rows)
			}
			d.Press("down")
		}
		d.Press("tab", "tab", "g", "j")
		if d.Pass(time.Second); d.Pane.Scroll.Top != 1 {
			t.Errorf("it does not stay where it was scrolled, but is at row %d", d.Pane.Scroll.Top)
		}
	})
}

// TestPaneStays sees that only its key switches the pane, and that a live change
// keeps its scroll position.
func TestPaneStays(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 20, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		if !d.ShowsDigest() {
			t.Fatal("the pane does not begin with the digest")
		}
		d.Press("tab", "tab", "j", "j", "j", "j")
		e.Change()
		d.Pass(time.Second)
		if d.Pane.Scroll.Top != 4 {
			t.Errorf("a live change scrolled the digest to %d", d.Pane.Scroll.Top)
		}
		d.Press("d")
		for _, act := range []func(){
			func() { d.Press("esc", "x") }, func() { d.Press("down") }, func() { d.Press("ctrl+u") }, func() { d.Press("y") },
			func() { e.Change(); d.Pass(time.Second) },
		} {
			act()
			if d.Pane.Digest {
				t.Fatal("the pane went back to the digest by itself")
			}
		}
		d.Press("f2")
		if !d.ShowsDigest() {
			t.Error("F2 does not show the digest")
		}
	})
}

// TestNarrow reaches the pane by tab where there is room for one of the two.
func TestNarrow(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 80, 24, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		if d.Layout.Pane.H != 0 {
			t.Fatal("list and pane both stand in 80 by 24")
		}
		d.Press("tab", "tab")
		if d.Layout.Pane.H == 0 || d.Layout.List.H != 0 || len(d.Pane.Doc.Lines) == 0 {
			t.Errorf("tab does not show the pane: %+v", d.Layout)
		}
		d.Press("f1", "esc", "esc")
		if d.Layout.List.H == 0 {
			t.Error("Esc does not come back to the list")
		}
	})
}

// TestDigestOfGrowingSessions shows a new digest at once after a lone change, one a
// second in a storm of them, and the newest when it is over; another query waits for
// none of them.
func TestDigestOfGrowingSessions(t *testing.T) {
	n := 0
	grows := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			n++
			a := modeltest.Answer(q.Text)
			a.Hits[0].Text = fmt.Sprintf("decision %d of %s", n, q.Text)
			a.Hits[0].Members = nil
			return a, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 120, 40, grows, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		newest := func(when string) {
			t.Helper()
			if want := fmt.Sprintf("decision %d of %s", n, d.Found.Query); !strings.Contains(shown(d.Pane.Doc), want) {
				t.Errorf("%s the digest is not of %q:\n%s", when, want, shown(d.Pane.Doc))
			}
		}
		d.Pass(2 * time.Second)
		e.Change()
		d.Settle()
		newest("after a lone change")
		d.Pass(2 * time.Second)
		different, last := 0, ""
		for range 300 {
			e.Change()
			d.Pass(10 * time.Millisecond)
			if now := shown(d.Pane.Doc); now != last {
				different, last = different+1, now
			}
		}
		if different < 3 || different > 5 {
			t.Errorf("%d digests in three seconds of changes, want one a second", different)
		}
		d.Press("x")
		d.Settle()
		newest("after a key in a storm")
		e.Change()
		d.Pass(2 * time.Second)
		newest("after the storm")
	})
}

// slowTerminal sets every text as it is, and takes its time.
type slowTerminal struct{}

func (slowTerminal) Render(markdown string, _ int) string {
	time.Sleep(300 * time.Millisecond)
	return markdown
}

// The digest of a query that was taken back before it was set is never shown, also
// where the one before it is shown again at once, of a newer answer.
func TestDigestOfAQueryTakenBack(t *testing.T) {
	named := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			a.Hits = a.Hits[:1]
			a.Hits[0].Text, a.Hits[0].Members = "found by "+q.Text, nil
			return a, nil
		}
	}
	o := model.Options{Query: "cache", Terminal: func(bool, colorprofile.Profile) model.Terminal { return slowTerminal{} }}
	start(t, o, 120, 40, named, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Pass(3 * time.Second)
		if got := shown(d.Pane.Doc); !strings.Contains(got, "found by cache") {
			t.Fatalf("the digest is %q", got)
		}
		d.Type("x")
		d.Pass(150 * time.Millisecond) // it is under way
		d.Press("backspace")
		for range 300 {
			d.Pass(10 * time.Millisecond)
			if got := shown(d.Pane.Doc); strings.Contains(got, "cachex") {
				t.Fatalf("the pane shows %q of a query that was taken back", got)
			}
		}
	})
}

// The pane follows the query also where the rows of its notes come and go.
func TestPaneFollowsBesideNotes(t *testing.T) {
	noted := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			if strings.Contains(q.Text, "nobody") {
				a.Notes = []string{strings.Repeat("It is said at length. ", 20)}
			}
			return a, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 160, 50, noted, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Pass(time.Second)
		for _, typed := range []string{" nobody", " layout"} {
			d.Type(typed)
			d.Pass(3 * time.Second)
			if got := shown(d.Pane.Doc); !strings.Contains(got, strings.TrimSpace(typed)) {
				t.Errorf("after %q the pane shows %.200q", typed, got)
			}
		}
	})
}

// What the answer says of itself is read in full: on rows of its own, from which list
// and pane begin, where the status line has no room for it.
func TestNotesHaveRoom(t *testing.T) {
	note := "Ignored: bad filter agent:nobody: no agent program is called \"nobody\"; known are claude, codex."
	noted := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			if strings.Contains(q.Text, "nobody") {
				a.Notes = []string{note, "It is said again. " + strings.Repeat("And again. ", 100)}
			}
			return a, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 80, 24, noted, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		if l := d.Layout; l.Notes.H != 0 || l.List.Y != 3 {
			t.Fatalf("without notes: %+v", l)
		}
		d.Type(" agent:nobody")
		d.Settle()
		rows := d.NoteRows()
		if l := d.Layout; len(rows) != 2 || l.Notes.H != 2 || l.List.Y != 5 || l.List.H != 18 || d.List.Scroll.Height != 18 {
			t.Fatalf("%q in %+v", rows, l)
		}
		if got := strings.Join(rows, " "); !strings.HasPrefix(got, note) || !strings.HasSuffix(got, "…") {
			t.Errorf("it says %q", got)
		}
		d.Press("ctrl+x")
		if d.Layout.Notes.H != 0 || d.Layout.List.Y != 3 {
			t.Errorf("the rows stay: %+v", d.Layout)
		}
	})
}
