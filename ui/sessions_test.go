package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// TestSessionsAreMarked: the list of sessions says of one what a hit of it would say.
func TestSessionsAreMarked(t *testing.T) {
	engine := func() *modeltest.Engine {
		e := modeltest.New()
		e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
			list := modeltest.Sessions()[:2]
			list[0].Headless, list[1].Subagent = true, true
			return list, nil
		}
		return e
	}
	on(t, engine, model.Options{Query: "headless:only"}, 80, 24, func(t *testing.T, s stage) {
		for _, mark := range []string{"headless", "sub-agent"} {
			if text := ansi.Strip(s.frame()); !strings.Contains(text, " · "+mark) {
				t.Errorf("no %s in:\n%s", mark, text)
			}
		}
	})
}

// TestPurgesAreAboutAllSessions: what harnesses are going to delete is told beside all
// sessions, not beside some of them.
func TestPurgesAreAboutAllSessions(t *testing.T) {
	for query, told := range map[string]bool{"": true, "agent:claude": false} {
		on(t, purging, model.Options{Query: query}, 120, 40, func(t *testing.T, s stage) {
			if text := ansi.Strip(s.frame()); strings.Contains(text, "will be purged") != told {
				t.Errorf("with %q:\n%s", query, text)
			}
		})
	}
}

// TestSessionsAreCounted: a list of all that pass a filter is not one of the newest.
func TestSessionsAreCounted(t *testing.T) {
	many := func(n int) func() *modeltest.Engine {
		return func() *modeltest.Engine {
			e := modeltest.New()
			e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
				return slices.Repeat(modeltest.Sessions()[:1], n), nil
			}
			return e
		}
	}
	for _, c := range []struct {
		n     int
		query string
		says  string
	}{
		{1, "agent:claude", " 1 session "}, {2, "agent:claude", " 2 sessions "},
		{300, "agent:claude", " 300 newest sessions"}, {2, "", " 2 newest sessions"},
	} {
		on(t, many(c.n), model.Options{Query: c.query}, 80, 24, func(t *testing.T, s stage) {
			if row := strings.Split(ansi.Strip(s.frame()), "\n")[2]; !strings.HasPrefix(row, c.says) {
				t.Errorf("%d with %q: %q", c.n, c.query, row)
			}
		})
	}
}

// TestTheFolderGivesWayToMarks: where not all fits, a hit's folder is shortened and not
// what sets it apart.
func TestTheFolderGivesWayToMarks(t *testing.T) {
	engine := func() *modeltest.Engine {
		e := modeltest.New()
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			a := modeltest.Answer(q.Text)
			a.Hits[0].Session.Directory = "/srv/a/rather/long/path/to/shop"
			return a, nil
		}
		return e
	}
	on(t, engine, model.Options{Query: "cache layout"}, 100, 30, func(t *testing.T, s stage) {
		s.Press("ctrl+space")
		row := strings.Split(ansi.Strip(s.frame()), "\n")[4]
		if !strings.Contains(row, "marked") || !strings.Contains(row, "shop") {
			t.Errorf("%q", row)
		}
	})
}
