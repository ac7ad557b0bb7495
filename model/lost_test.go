package model_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// forgetting has an engine know nothing of a session from then on.
func forgetting(e *modeltest.Engine, id string) {
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		if l.Session == id {
			return recall.Reading{}, fmt.Errorf("%w with the id %s", recall.ErrNoSession, id)
		}
		return modeltest.Reading(l, around), nil
	}
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		for i := range a.Hits {
			if a.Hits[i].Session.ID == id {
				a.Hits = append(a.Hits[:i:i], a.Hits[i+1:]...)
				break
			}
		}
		return a, nil
	}
	e.Change()
}

// The reader shows neither text nor title nor folder of a session that was forgotten
// while it was open, and both once it is called back.
func TestReaderBlanksWhatIsForgotten(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("enter")
		r := &d.Reader
		title, folder, id, read := r.Title, r.Folder, r.Session.ID, e.OnRead
		if title != "Cache layout" || folder == "" {
			t.Fatalf("it reads %q in %q", title, folder)
		}
		forgetting(e, id)
		d.Pass(10 * time.Second)
		if r.Title == title || r.Session.Title != "" || r.Folder != "" || r.Loaded() || len(r.Reading.Passages) > 0 || r.Err == nil {
			t.Errorf("of the forgotten session it shows %q, %q, %d lines; %v", r.Title, r.Folder, len(r.Doc.Lines), r.Err)
		}
		e.OnRead = read
		e.Change()
		d.Pass(10 * time.Second)
		if r.Title != title || !r.Loaded() {
			t.Errorf("called back it shows %q, %d lines", r.Title, len(r.Doc.Lines))
		}
	})
}

// Marks go with the sessions that were forgotten, so that their text leaves the digest.
func TestMarksGoWithWhatIsForgotten(t *testing.T) {
	start(t, model.Options{Query: "cache"}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("ctrl+space", "ctrl+space")
		if d.Marks() != 2 {
			t.Fatalf("%d are marked", d.Marks())
		}
		forgetting(e, modeltest.Hit(0).Session.ID)
		d.Pass(10 * time.Second)
		digest := strings.Join(d.Pane.Doc.Lines, "\n")
		if d.Marks() != 1 || !strings.Contains(digest, "moved to config") || strings.Contains(digest, "single file grew") {
			t.Errorf("%d are marked, and the digest says\n%s", d.Marks(), digest)
		}
	})
}

// What is followed of a session leaves the screen when that is forgotten, and the other
// sessions are followed on.
func TestTailGoesWithWhatIsForgotten(t *testing.T) {
	of := func(n int) model.Feed {
		return model.SessionFeed(modeltest.Sessions()[n])
	}
	holds := func(d *modeltest.Driver, s sessions.Session) bool {
		for _, f := range d.Tail.Feeds {
			if f.Session.Key == s.Key {
				return true
			}
		}
		return false
	}
	start(t, model.Options{Tail: []model.Feed{of(0), of(1)}}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		first, second := modeltest.Sessions()[0], modeltest.Sessions()[1]
		if !holds(d, first) || !holds(d, second) {
			t.Fatal("they are not followed")
		}
		forgetting(e, first.ID)
		d.Pass(10 * time.Second)
		if holds(d, first) || !holds(d, second) || !d.Tail.Open() {
			t.Errorf("followed are %v", d.Tail.Feeds)
		}
	})
}
