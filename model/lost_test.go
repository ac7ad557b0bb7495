package model_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
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

// A folder is completed though the program began with a query, and no more once the
// sessions that had it are forgotten.
func TestCompletionGoesWithWhatIsForgotten(t *testing.T) {
	list := modeltest.Sessions()[:1]
	start(t, model.Options{Query: "cache", Home: "/home/ada"}, 100, 20, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) { return list, nil }
		d.Type(" dir:~/s")
		d.Settle()
		if d.Ghost() != "hop" {
			t.Fatalf("%q is offered", d.Ghost())
		}
		list = nil
		e.Change()
		d.Pass(10 * time.Second)
		if d.Ghost() != "" {
			t.Errorf("%q is still offered", d.Ghost())
		}
	})
}

// What comes on stdin after a session beside it was forgotten is shown, though the read
// that takes it began before.
func TestStdinGoesOnBesideWhatIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		defer out.Close()
		session := model.SessionFeed(modeltest.Sessions()[0])
		e := modeltest.New()
		d := modeltest.Start(t.Context(), e, model.Options{Tail: []model.Feed{model.StreamFeed("stdin", in), session}}, 100, 20)
		d.Settle()
		forgetting(e, session.Session.ID)
		d.Pass(10 * time.Second)
		if len(d.Tail.Feeds) != 1 {
			t.Fatalf("followed are %v", d.Tail.Feeds)
		}
		for _, line := range []string{"first", "second"} {
			if _, err := io.WriteString(out, line+"\n"); err != nil {
				t.Fatal(err)
			}
			d.Pass(time.Second)
		}
		wantTailed(t, d, "first", "second")
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
