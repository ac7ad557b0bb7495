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
	"yore/render"
	"yore/sessions"
)

// TestEmptySaysWhatToDo: an empty list names the way out of it.
func TestEmptySaysWhatToDo(t *testing.T) {
	engine := func() *modeltest.Engine {
		e := titled()
		e.OnSessions = func(_ context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
			if len(f.Within) > 0 {
				return nil, nil
			}
			return modeltest.Sessions(), nil
		}
		return e
	}
	const unclosed = "the second one is missing"
	for _, c := range []struct {
		query string
		keys  []string
		says  string
		not   string
	}{
		{"", []string{"f5"}, "F5 looks everywhere.", "No sessions to show"},
		{"/un(closed", nil, unclosed, ""},
		{"cache -/retr(y|", nil, unclosed, ""},
		{`/(foo|bar/`, nil, "Try fewer words", unclosed},
		{"/home/ada/shop", nil, "Try fewer words", unclosed},
		{"why/(not", nil, "Try fewer words", unclosed},
		{"/colou?r ", nil, unclosed, ""},
		{"/a b[0]", nil, "Try fewer words", unclosed},
		{"a /c:x?", nil, "Try fewer words", unclosed},
		{"see /help what?", nil, "Try fewer words", unclosed},
		{`"of /items[0]"`, nil, "Try fewer words", unclosed},
	} {
		on(t, engine, model.Options{Query: c.query, Here: []string{"/home/ada/shop"}}, 120, 40, func(t *testing.T, s stage) {
			s.Press(c.keys...)
			text := ansi.Strip(s.frame())
			if !strings.Contains(text, c.says) || c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("%q %v:\n%s", c.query, c.keys, text)
			}
		})
	}
}

// TestAdviceStaysInSight: in the smallest window, whatever is said about a query, what to
// do about it is read as well.
func TestAdviceStaysInSight(t *testing.T) {
	for n := 1; n <= 3; n++ {
		engine := func() *modeltest.Engine {
			e := modeltest.New()
			e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
				return recall.Answer{Query: q.Text, Complete: true, Notes: slices.Repeat([]string{strings.Repeat("known are claude, codex ", 40)}, n)}, nil
			}
			e.OnSessions = nothing
			return e
		}
		on(t, engine, model.Options{Query: "agent:nobody cache"}, model.MinWidth, model.MinHeight, func(t *testing.T, s stage) {
			if text := ansi.Strip(s.frame()); !strings.Contains(text, "Esc clears the") {
				t.Errorf("%d notes:\n%s", n, text)
			}
		})
	}
}

// TestNotesComeBeforeAdvice: in the smallest window, what is said about this query is read
// whole before what may help with any.
func TestNotesComeBeforeAdvice(t *testing.T) {
	const first, second = "Found nowhere: \"flux\", \"capacitors\".", "Only this was searched: another way looks into all that there is and into more of it too."
	engine := func() *modeltest.Engine {
		e := modeltest.New()
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			return recall.Answer{Query: q.Text, Complete: true, Notes: []string{first, second}}, nil
		}
		e.OnSessions = nothing
		return e
	}
	on(t, engine, model.Options{Query: "flux capacitors"}, model.MinWidth, model.MinHeight, func(t *testing.T, s stage) {
		text := strings.Join(strings.Fields(ansi.Strip(s.frame())), " ")
		for _, said := range []string{first, second, "Esc clears the query."} {
			if !strings.Contains(text, said) {
				t.Errorf("%q is not in\n%s", said, text)
			}
		}
	})
}

// TestEmptySaysWhatWasForgotten: the screen says as the commands do that there is nothing
// but what was forgotten.
func TestEmptySaysWhatWasForgotten(t *testing.T) {
	status := bare()
	status.Subagents, status.Forgotten = 0, 12
	on(t, empty(status), model.Options{}, 80, 24, func(t *testing.T, s stage) {
		text := strings.Join(strings.Fields(ansi.Strip(s.frame())), " ")
		if said := render.NothingRead(status); !strings.Contains(said, render.NotFound(status)) || !strings.Contains(text, render.NotFound(status)) {
			t.Errorf("the screen says\n%s\nand a command\n%s", text, said)
		}
	})
}

// TestOfflineIsNoNetwork: on a machine without any folder of transcripts it is said what
// being offline means.
func TestOfflineIsNoNetwork(t *testing.T) {
	status := bare()
	for i := range status.Roots {
		status.Roots[i].State = "absent"
	}
	on(t, empty(status), model.Options{}, 80, 24, func(t *testing.T, s stage) {
		if text := ansi.Strip(s.frame()); !strings.Contains(text, "offline, nothing is watched ○") {
			t.Error(text)
		}
	})
}
