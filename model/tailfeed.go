package model

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/render"
	"yore/render/scrollback"
	"yore/sessions"
)

// Feed is something that is followed.
type Feed struct {
	Title   string           // what it is
	Badge   string           // the same, short, beside its lines when there are several
	Session sessions.Session // that is followed, when Run is nil

	// Run writes what comes as source id, until there is no more or ctx ends.
	Run func(ctx context.Context, to *scrollback.Log, id int) error
}

// SessionFeed follows a session.
func SessionFeed(s sessions.Session) Feed {
	title := s.Title
	if listText(title) == "" {
		title = "untitled"
	}
	return Feed{Title: title + " · " + s.Harness, Badge: title, Session: s}
}

// feedEndedMsg says that there will be no more of a feed.
type feedEndedMsg struct {
	gen uint64
	id  int
	err error
}

// follow begins a feed.
func (m *Model) follow(ctx context.Context, id int, f Feed) tea.Cmd {
	t := &m.Tail
	run, log, gen := f.Run, t.log, t.gen
	if run == nil {
		poke := make(chan struct{}, 1)
		t.pokes = append(t.pokes, poke)
		run = sessionTurns(m.engine, f.Session, m.opts.Zone, poke)
	}
	return func() tea.Msg { return feedEndedMsg{gen, id, run(ctx, log, id)} }
}

// sessionTurns writes the turns of a session, and looks for more whenever it is
// poked; one that is gone from disk ends with what there is.
func sessionTurns(e Engine, s sessions.Session, zone *time.Location, poke <-chan struct{}) func(context.Context, *scrollback.Log, int) error {
	return func(ctx context.Context, to *scrollback.Log, id int) error {
		turns := render.TurnLog{Session: s.ID, Zone: zone}
		for {
			text, err := turns.Next(ctx, e.Read)
			to.Write(id, []byte(text))
			if err != nil {
				return err
			}
			if s.Gone {
				to.End(id)
				return nil
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-poke:
			}
		}
	}
}

// StreamFeed reads r to its end.
func StreamFeed(title string, r io.Reader) Feed {
	return Feed{Title: title, Badge: title, Run: func(ctx context.Context, to *scrollback.Log, id int) error {
		buf := make([]byte, streamBytes)
		for ctx.Err() == nil {
			n, err := r.Read(buf)
			to.Write(id, buf[:n])
			if err == io.EOF {
				to.End(id)
				return nil
			}
			if err != nil {
				return err
			}
		}
		return ctx.Err()
	}}
}

// streamBytes is how much of a stream is read at once.
const streamBytes = 256 << 10
