package model

import (
	"context"
	"errors"
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

// StreamFeed reads r to its end. It can be followed anew: what r gives next then comes
// there, though a read of before still waits for it.
func StreamFeed(title string, r io.Reader) Feed {
	s := &stream{r: r, buf: make([]byte, streamBytes), turn: make(chan struct{}, 1), came: make(chan chunk, 1)}
	return Feed{Title: title, Badge: title, Run: s.follow}
}

// streamBytes is how much of a stream is read at once.
const streamBytes = 256 << 10

// stream is a reader that one after the other follows.
type stream struct {
	r       io.Reader
	buf     []byte
	turn    chan struct{} // holds one while somebody follows
	reading bool          // a read goes on, or what it gave was not taken yet
	came    chan chunk
}

// chunk is what a read gave: so many bytes of the buffer.
type chunk struct {
	n   int
	err error
}

// follow writes what comes, until there is no more or ctx ends.
func (s *stream) follow(ctx context.Context, to *scrollback.Log, id int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case s.turn <- struct{}{}:
	}
	defer func() { <-s.turn }()
	for {
		if !s.reading {
			s.reading = true
			go func() {
				n, err := s.r.Read(s.buf)
				s.came <- chunk{n, err}
			}()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c := <-s.came:
			if ctx.Err() != nil { // it is for whoever follows next
				s.came <- c
				return ctx.Err()
			}
			s.reading = false
			to.Write(id, s.buf[:c.n])
			if errors.Is(c.err, io.EOF) {
				to.End(id)
				return nil
			}
			if c.err != nil {
				return c.err
			}
		}
	}
}
