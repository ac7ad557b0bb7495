package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// TestHelpIsReadWhole pages through the help of the box: in a window of any size every
// key and every word of what it does can be read.
func TestHelpIsReadWhole(t *testing.T) {
	for _, size := range sizes {
		on(t, modeltest.New, model.Options{}, size.w, size.h, func(t *testing.T, s stage) {
			s.Press("f1")
			read := ""
			for range 40 {
				read += ansi.Strip(s.frame()) + "\n"
				s.Press("space")
			}
			if strings.Contains(read, "…\n") {
				t.Errorf("%s: a row is cut:\n%s", size.name, read)
			}
			words := strings.Join(strings.Fields(read), " ")
			for _, b := range s.Bindings(model.Query) {
				for _, word := range append(strings.Fields(b.Help().Key), strings.Fields(b.Help().Desc)...) {
					if !strings.Contains(words, word) {
						t.Errorf("%s: %q of %s is missing", size.name, word, b.ID)
					}
				}
			}
		})
	}
}

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
