package recall

import (
	"context"
	"fmt"
	"testing"
	"time"

	"yore/sessions"
)

// fakeLibrary hands over what a test says at once.
type fakeLibrary struct {
	updates []sessions.Update
	loaded  chan struct{}
	hold    chan struct{} // when set, the first reading goes on until it is closed
	more    chan []sessions.Update
}

func (l *fakeLibrary) Run(ctx context.Context, apply func([]sessions.Update)) error {
	apply(l.updates)
	if l.hold != nil {
		select {
		case <-l.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	close(l.loaded)
	for {
		select {
		case us, ok := <-l.more:
			if !ok {
				return nil
			}
			apply(us)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *fakeLibrary) Progress() sessions.Progress {
	select {
	case <-l.loaded:
		return sessions.Progress{Transcripts: 2, TranscriptsDone: 2, Complete: true}
	default:
		return sessions.Progress{Transcripts: 2, TranscriptsDone: 1}
	}
}
func (l *fakeLibrary) Roots() []sessions.RootState { return nil }
func (l *fakeLibrary) Skipped() []sessions.Skipped { return nil }

func (l *fakeLibrary) Holdings() map[sessions.Root]sessions.Holding { return nil }
func (l *fakeLibrary) Loaded() <-chan struct{}                      { return l.loaded }

// testNow is the present in tests: a Monday.
var testNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// day is noon, n days before testNow.
func day(n int) time.Time { return testNow.AddDate(0, 0, -n) }

// said is one turn of a talk: a prompt or, after "> ", a reply.
func said(id string, at time.Time, texts ...string) talk {
	t := talk{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}, Start: at, LastActive: at, Title: id}}
	for i, text := range texts {
		turn := sessions.Turn{Kind: sessions.Prompt, At: at.Add(time.Duration(i) * time.Minute), ID: fmt.Sprintf("%s-m%d", id, i), Text: text}
		if len(text) > 2 && text[:2] == "> " {
			turn.Kind, turn.Role, turn.Text = sessions.Reply, sessions.Assistant, text[2:]
		}
		t.turns = append(t.turns, turn)
	}
	return t
}

// talk is a session in the making.
type talk struct {
	sessions.Session
	turns []sessions.Turn
	hung  []sessions.Hung
}

func (t talk) with(change func(*talk)) talk {
	t.turns = append([]sessions.Turn(nil), t.turns...)
	change(&t)
	return t
}

// update cuts a talk into passages.
func (t talk) update() sessions.Update {
	var c sessions.Cutter
	u := sessions.Update{Session: t.Session, Reset: true, Hung: t.hung}
	for _, turn := range t.turns {
		u.Passages = append(u.Passages, c.Add(turn)...)
	}
	if p, ok := c.Open(); ok {
		u.Passages = append(u.Passages, p)
	}
	u.Session.Passages = len(u.Passages)
	return u
}

// engineOf is an Engine that has read the talks, in UTC and at testNow.
func engineOf(t testing.TB, talks ...talk) *Engine {
	t.Helper()
	lib := &fakeLibrary{loaded: make(chan struct{}), more: make(chan []sessions.Update)}
	for _, k := range talks {
		lib.updates = append(lib.updates, k.update())
	}
	e := open(Config{Zone: time.UTC, Now: func() time.Time { return testNow }}, lib)
	t.Cleanup(func() { e.Close() })
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

func ask(t testing.TB, e *Engine, q Query) Answer {
	t.Helper()
	a, err := e.Ask(t.Context(), q)
	if err != nil {
		t.Fatalf("Ask(%q): %v", q.Text, err)
	}
	return a
}

// ids are the sessions of an answer's hits, best first.
func ids(a Answer) []string {
	var out []string
	for _, h := range a.Hits {
		out = append(out, h.Session.ID)
	}
	return out
}
