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
	"yore/recall/query"
	"yore/sessions"
)

func last(e *modeltest.Engine) recall.Query {
	asked := e.Asked()
	return asked[len(asked)-1]
}

// TestHere: the toggle narrows searches and the list of sessions alike, and says
// why it cannot.
func TestHere(t *testing.T) {
	var listed recall.SessionFilter
	watch := func(e *modeltest.Engine) {
		e.OnSessions = func(_ context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
			listed = f
			return modeltest.Sessions(), nil
		}
	}
	start(t, model.Options{Query: "cache", Here: []string{"/home/ada/shop"}}, 120, 40, watch, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("f5")
		if f := last(e).Within; len(f) != 1 || f[0] != "/home/ada/shop" {
			t.Errorf("asked with %v", f)
		}
		d.Press("ctrl+u")
		if len(listed.Within) != 1 || listed.Within[0] != "/home/ada/shop" {
			t.Errorf("listed %q", listed.Within)
		}
		d.Press("f5")
		if listed.Within != nil {
			t.Errorf("listed %q after it was undone", listed.Within)
		}
	})
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("f5")
		if d.Listing.Here || !strings.Contains(d.Notice, "not started in") || last(e).Within != nil {
			t.Errorf("%v, %q", d.Listing, d.Notice)
		}
	})
}

// A query of filters alone lists the sessions that pass; one with a mistake in it is
// asked as any other, so that the mistake is told.
func TestFiltersAloneListSessions(t *testing.T) {
	var listed []query.Filter
	watch := func(e *modeltest.Engine) {
		e.OnSessions = func(_ context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
			if listed = f.Filters; len(listed) > 0 && listed[0].Value == "co" {
				return nil, recall.ErrFilter
			}
			return modeltest.Sessions()[:3], nil
		}
	}
	start(t, model.Options{Query: "agent:codex"}, 120, 40, watch, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		if len(e.Asked()) > 0 || len(listed) != 1 || listed[0].Name != query.Agent || len(d.Found.Sessions) != 3 {
			t.Errorf("asked %v, listed by %v", e.Asked(), listed)
		}
		d.Press(" ", "x")
		if last(e).Text != "agent:codex x" || d.Found.Recent() {
			t.Errorf("asked %v", e.Asked())
		}
	})
	start(t, model.Options{Query: "agent:co"}, 120, 40, watch, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		if len(e.Asked()) == 0 || d.Found.Recent() {
			t.Error("the mistake is not told")
		}
	})
}

func TestNewest(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("f6")
		if last(e).Sort != recall.Newest {
			t.Error("not the newest first")
		}
		d.Press("f6")
		if last(e).Sort != recall.ByRelevance {
			t.Error("not by relevance again")
		}
	})
}

// TestGrouped puts each session's passages under its title, in the order of the
// best ones, with the selection where it was.
func TestGrouped(t *testing.T) {
	mixed := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := recall.Answer{Query: q.Text, Complete: true}
			for i, n := range []int{0, 1, 0, 1} {
				h := modeltest.Hit(n)
				h.Passage = 10 * i
				h.Span = [2]int{h.Passage, h.Passage}
				a.Hits = append(a.Hits, h)
			}
			return a, nil
		}
	}
	start(t, model.Options{Query: "cache"}, 120, 40, mixed, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("f7")
		if !last(e).Uncapped {
			t.Error("the cap a session still holds")
		}
		var got []int
		for _, it := range d.List.Items {
			if it.Heading != "" {
				got = append(got, -1)
			} else {
				got = append(got, it.Key.Passage)
			}
		}
		if want := "[-1 0 20 -1 10 30]"; fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	})
}

// TestNews counts what comes while the selection stands elsewhere, and leaves the
// selection alone.
func TestNews(t *testing.T) {
	var answer recall.Answer
	grows := func(e *modeltest.Engine) {
		answer = modeltest.Answer("cache")
		e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) { return answer, nil }
	}
	start(t, model.Options{Query: "cache"}, 120, 40, grows, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("down", "down")
		was, _ := d.List.Current()
		for i := range 3 {
			h := modeltest.Hit(0)
			h.Session.ID, h.Passage = "new", 90+i
			answer.Hits = append([]recall.Hit{h}, answer.Hits...)
			e.Change()
			d.Pass(time.Second)
		}
		if is, _ := d.List.Current(); d.News != 3 || is.Key != was.Key {
			t.Errorf("%d new; selected %v, was %v", d.News, is.Key, was.Key)
		}
		for range 20 {
			d.Press("up")
		}
		if d.News != 0 {
			t.Error("what is new was seen, and is still counted")
		}
	})
}

func TestMoreOfSessionAndDropFilter(t *testing.T) {
	start(t, model.Options{Query: "cache since:3d"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		id := d.Found.Answer.Hits[0].Short // the box has little room
		d.Press("alt+m")
		if want := "cache since:3d session:" + id; last(e).Text != want {
			t.Errorf("asked %q, want %q", last(e).Text, want)
		}
		d.Press("tab", "m")
		if want := "cache since:3d"; last(e).Text != want {
			t.Errorf("asked %q, want %q", last(e).Text, want)
		}
		d.Press("shift+tab", "ctrl+x")
		if last(e).Text != "cache" {
			t.Errorf("asked %q", last(e).Text)
		}
		d.Press("ctrl+x")
		if !strings.Contains(d.Notice, "no filter") {
			t.Errorf("it says %q", d.Notice)
		}
	})
}

func TestSimilar(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		item, _ := d.List.Current()
		text := ""
		for _, p := range item.Line {
			text += p.Text
		}
		d.Press("tab", "l")
		if last(e).Text != text || d.Focus != model.Query {
			t.Errorf("asked %q, want %q", last(e).Text, text)
		}
	})
}

// TestComplete: Tab completes what is begun as a filter, by what there is, and
// goes on to the list otherwise.
func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"cache ag":       "cache agent:",
		"role:u":         "role:user",
		"-role:as":       "-role:assistant",
		"agent:cl":       "agent:claude",
		"dir:~/sh":       "dir:~/shop",
		"since:y":        "since:yesterday",
		"cache si":       "cache since:",
		"ROLE:U":         "ROLE:User",
		"a":              "",
		"cache":          "",
		"cache ag ":      "",
		"nothing:x":      "",
		"agent:unheard":  "",
		"branch:feature": "branch:feature/cache",
	} {
		start(t, model.Options{}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			d.Send(tea.PasteMsg{Content: typed})
			d.Settle()
			d.Press("tab")
			line, _ := d.Line()
			switch {
			case want == "" && (d.Focus != model.List || line != typed):
				t.Errorf("%q: became %q with the focus on the %v", typed, line, d.Focus)
			case want != "" && !strings.EqualFold(line, want):
				t.Errorf("%q: became %q, want %q", typed, line, want)
			}
		})
	}
}

// TestHistory goes back over the queries of before and of this run, and returns
// to what was being typed.
func TestHistory(t *testing.T) {
	start(t, model.Options{Past: []string{"one", "two\x1b[31m"}, Query: "thr"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		var got []string
		for _, key := range []string{"alt+up", "alt+up", "alt+up", "alt+down", "alt+down", "alt+down"} {
			d.Press(key)
			line, _ := d.Line()
			got = append(got, line)
		}
		if want := "two one one two thr thr"; strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
		d.Type("ee")
		d.Settle()
		d.Press("enter", "esc", "enter", "esc", "alt+up")
		if line, _ := d.Line(); line != "two" || strings.Join(d.Queries(), ",") != "three" {
			t.Errorf("%q before it; kept %q", line, d.Queries())
		}
	})
}
