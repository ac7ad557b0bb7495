package model_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// book is a session of n passages in which every third one begins with a prompt;
// the one on which a sub-agent hangs is the seventh.
func book(n *int, call int) func(context.Context, recall.Locator, int) (recall.Reading, error) {
	return func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		s := modeltest.Hit(0).Session
		r := recall.Reading{Session: s, Passage: max(0, l.Passage), Of: *n, Around: around}
		if l.Session == "sub" {
			r.Session = sessions.Session{Key: sessions.Key{Harness: "claude", ID: "sub"}, Title: "the sub-agent", Subagent: true, Parent: s.ID, ParentCall: "call"}
			r.Of = 2
		}
		from, to := max(0, r.Passage-around), min(r.Of-1, r.Passage+around)
		if around < 0 {
			from, to = 0, r.Of-1
		}
		for i := from; i <= to; i++ {
			turn := recall.ReadTurn{Role: sessions.Assistant, Kind: sessions.Reply, Text: fmt.Sprintf("passage %d says **so**", i)}
			if i%3 == 0 {
				turn.Role, turn.Kind = sessions.User, sessions.Prompt
			}
			p := recall.ReadPassage{Number: i, Turns: []recall.ReadTurn{turn}}
			if i == call && l.Session != "sub" {
				p.Tools = []recall.ReadTool{{Locator: "7.t0", Name: "Task", Call: "call", Subagent: "sub"}}
			}
			r.Passages = append(r.Passages, p)
		}
		return r, nil
	}
}

func reading(t *testing.T, n *int, test func(*testing.T, *modeltest.Driver, *modeltest.Engine)) {
	t.Helper()
	prepare := func(e *modeltest.Engine) { e.OnRead = book(n, 7) }
	start(t, model.Options{Query: "cache"}, 80, 24, prepare, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("enter")
		test(t, d, e)
	})
}

func TestStepPrompts(t *testing.T) {
	n := 700
	reading(t, &n, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for _, step := range []struct {
			key  string
			want int
		}{{"}", 9}, {"}", 12}, {"{", 9}, {"{", 6}, {"{", 3}, {"{", 0}, {"{", 0}} {
			d.Press(step.key)
			if d.Reader.Passage != step.want {
				t.Errorf("%s goes to %d, want %d", step.key, d.Reader.Passage, step.want)
			}
		}
		if !strings.Contains(d.Notice, "no prompt comes before") {
			t.Errorf("it says %q", d.Notice)
		}
	})
}

// Prompts within a passage are gone to one by one, also where they cannot be brought
// to the first row, and the passage that is entered backwards by its last one.
func TestStepPromptsInAPassage(t *testing.T) {
	talk := func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := recall.Reading{Session: modeltest.Hit(0).Session, Passage: l.Passage, Of: 4, Around: around}
		for n := max(0, l.Passage-around); n <= min(3, l.Passage+around); n++ {
			p := recall.ReadPassage{Number: n}
			for k := range 3 {
				p.Turns = append(p.Turns,
					recall.ReadTurn{Role: sessions.Assistant, Kind: sessions.Reply, Text: strings.Repeat("reply\n\n", 3)},
					recall.ReadTurn{Role: sessions.User, Kind: sessions.Prompt, Text: fmt.Sprintf("prompt %d.%d", n, k)})
			}
			r.Passages = append(r.Passages, p)
		}
		return r, nil
	}
	prepare := func(e *modeltest.Engine) {
		e.OnRead = talk
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			h := modeltest.Hit(0)
			h.Passage = 0
			return recall.Answer{Query: q.Text, Hits: []recall.Hit{h}, Complete: true}, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 80, 24, prepare, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "-", "-")
		want := func(key, text string) {
			t.Helper()
			d.Press(key)
			r := &d.Reader
			for _, line := range r.Doc.Lines[r.Scroll.Top:min(len(r.Doc.Lines), r.Scroll.Top+r.Scroll.Height)] {
				if strings.Contains(line, "prompt "+text) && strings.HasPrefix(text, fmt.Sprint(r.Passage)) {
					return
				}
			}
			t.Errorf("%s: %s is not in view, at %d of %v, passage %d", key, text, r.Scroll.Top, r.Doc.Prompts, r.Passage)
		}
		for _, text := range []string{"0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "2.0"} {
			want("}", text)
		}
		for _, text := range []string{"1.2", "1.1", "1.0", "0.2", "0.1", "0.0"} {
			want("{", text)
		}
		d.Press("{")
		if !strings.Contains(d.Notice, "no prompt comes before") {
			t.Errorf("it says %q", d.Notice)
		}
	})
}

// TestSubagentAndBack goes to the session that a call started and back to the
// passage it hangs on, also when the reader began in the sub-agent.
func TestSubagentAndBack(t *testing.T) {
	n := 12
	reading(t, &n, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Reader.Passage = 5
		d.Press("]", "a") // 6 calls none
		if !strings.Contains(d.Notice, "no sub-agent") {
			t.Errorf("it says %q", d.Notice)
		}
		d.Press("]")
		parent := d.Reader.Session.ID
		d.Press("a")
		if d.Reader.Session.ID != "sub" || d.Reader.Passage != 0 || !strings.Contains(strings.Join(d.Reader.Doc.Lines, " "), "passage 0 says") {
			t.Fatalf("stands on passage %d of %s", d.Reader.Passage, d.Reader.Session.ID)
		}
		d.Press("b")
		if d.Reader.Session.ID != parent || d.Reader.Passage != 7 {
			t.Fatalf("came back to passage %d of %s", d.Reader.Passage, d.Reader.Session.ID)
		}
		d.Press("b")
		if !strings.Contains(d.Notice, "no other") {
			t.Errorf("it says %q", d.Notice)
		}
	})
	subagents := func(e *modeltest.Engine) {
		e.OnRead = book(&n, 7)
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			h := modeltest.Hit(0)
			h.Session.ID, h.Passage = "sub", 1
			return recall.Answer{Query: q.Text, Hits: []recall.Hit{h}, Complete: true}, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 80, 24, subagents, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("enter", "b")
		if d.Reader.Session.ID == "sub" || d.Reader.Passage != 7 {
			t.Errorf("the caller is passage %d of %s", d.Reader.Passage, d.Reader.Session.ID)
		}
	})
}

func TestSource(t *testing.T) {
	n := 700
	reading(t, &n, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		set := strings.Join(d.Reader.Doc.Lines, "\n")
		d.Press("v")
		if source := strings.Join(d.Reader.Doc.Lines, "\n"); source == set || !d.Reader.Source {
			t.Errorf("the source looks like what is set: %q", source)
		} else if strings.Contains(source, "**user**") || !strings.Contains(source, "\nuser\n") {
			t.Errorf("who spoke is shown as if it were written: %q", source)
		}
		d.Press("v")
		if strings.Join(d.Reader.Doc.Lines, "\n") != set {
			t.Error("it is not set again")
		}
	})
}

// TestFollowsGrowth: a reader at the end goes on with the session, by little and
// by more than it had read; one that stands elsewhere stays.
func TestFollowsGrowth(t *testing.T) {
	n := 40
	reading(t, &n, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		grow := func(by int) {
			n += by
			s := e.Status()
			s.Generation++
			e.Set(s)
			e.Change()
			d.Pass(time.Second)
		}
		d.Reader.Passage = 39
		d.Send(tea.WindowSizeMsg{Width: 81, Height: 12})
		d.Settle()
		d.Press("G")
		for _, by := range []int{1, 1, 30} {
			grow(by)
			if d.Reader.Passage != n-1 || d.Reader.Scroll.Top != d.Reader.Scroll.Max() {
				t.Errorf("after %d more it stands on %d of %d, row %d of %d", by, d.Reader.Passage, n, d.Reader.Scroll.Top, d.Reader.Scroll.Max())
			}
		}
		d.Press("k", "k", "k")
		was := d.Reader.Passage
		grow(2)
		if d.Reader.Passage != was || d.Reader.Scroll.Top == d.Reader.Scroll.Max() {
			t.Error("it did not stay where it was")
		}
	})
}
