package model

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/render"
	"yore/render/fold"
	"yore/render/scrollback"
)

// tailFrame is the time between two looks at what has come: more than some thirty
// pictures a second nobody can read.
const tailFrame = 33 * time.Millisecond

// TailState is the view of what is followed.
type TailState struct {
	Feeds     []Feed
	Following bool // its end is kept in view
	Wrap      bool
	All       bool // every run is expanded
	Folded    fold.Options
	Lines     []TailLine
	Came      int64 // lines, so far
	Bytes     int64
	New       int64 // of these, since it was paused
	Left      int   // cells of long lines that are out of view
	Missed    bool  // the text to be found is nowhere
	Running   int   // feeds that may still write
	Err       string

	log    *scrollback.Log
	gen    uint64
	ctx    context.Context // ends with the following
	cancel context.CancelFunc
	pokes  []chan struct{} // of feeds that wait for the engine

	width, height int
	top, cursor   tailPlace
	came          int64 // lines when it was paused
	before        Focus // where it was opened
	exact         exactRows
	folds         foldState
	seek          seekState
}

// tailMsg says that something came.
type tailMsg struct{ gen uint64 }

// Open tells whether something is followed.
func (t *TailState) Open() bool { return t.log != nil }

// openTail follows feeds, in place of what is followed now.
func (m *Model) openTail(feeds []Feed) tea.Cmd {
	t := &m.Tail
	m.closeTail()
	ctx, cancel := context.WithCancel(m.ctx)
	*t = TailState{
		Feeds: slices.Clone(feeds), Following: true, Wrap: t.Wrap, Running: len(feeds), before: m.Focus,
		log: scrollback.New(scrollback.Options{}), gen: t.gen + 1, ctx: ctx, cancel: cancel,
		exact: exactRows{rows: map[int64]bool{}}, seek: seekState{line: lineInput(), slot: t.seek.slot},
	}
	m.Focus = Tail
	cmds := []tea.Cmd{m.tailChanges(0), m.relayout()}
	for id, f := range feeds {
		t.Feeds[id].Title, t.Feeds[id].Badge = listText(f.Title), listText(f.Badge)
		cmds = append(cmds, m.follow(ctx, id, f))
	}
	return tea.Batch(cmds...)
}

// closeTail ends the following and gives back what it holds.
func (m *Model) closeTail() {
	t := &m.Tail
	if t.log == nil {
		return
	}
	t.cancel()
	t.seek.slot.drop()
	_ = t.log.Close() // nothing that is kept is lost with it
	t.log, t.Lines, t.exact.laid = nil, nil, nil
}

// Close gives back what the model holds, at the end.
func (m *Model) Close() { m.closeTail() }

// tailSessions follows the sessions in question.
func (m *Model) tailSessions() tea.Cmd {
	var feeds []Feed
	for _, s := range m.toFollow() {
		feeds = append(feeds, SessionFeed(s))
	}
	if len(feeds) == 0 {
		return nil // it is said why
	}
	return m.openTail(feeds)
}

// tailChanges waits for something to come, and before that for pause.
func (m *Model) tailChanges(pause time.Duration) tea.Cmd {
	ctx, log, gen := m.Tail.ctx, m.Tail.log, m.Tail.gen
	return func() tea.Msg {
		if !sleep(ctx, pause) || !await(ctx, log.Changed()) {
			return nil
		}
		return tailMsg{gen}
	}
}

// followed hears of what is followed.
func (m *Model) followed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tailMsg:
		return m.tailGrown(msg)
	case runningMsg:
		return m.followRunning(msg)
	case foldedMsg:
		return m.folded(msg)
	case tailFoundMsg:
		return m.rowFound(msg)
	case feedEndedMsg:
		m.feedEnded(msg)
	}
	return nil
}

// tailGrown shows what came.
func (m *Model) tailGrown(msg tailMsg) tea.Cmd {
	if msg.gen != m.Tail.gen || !m.Tail.Open() {
		return nil
	}
	return tea.Batch(m.showCome(), m.tailChanges(tailFrame))
}

// feedEnded takes note that a feed ended.
func (m *Model) feedEnded(msg feedEndedMsg) {
	t := &m.Tail
	if msg.gen != t.gen || !t.Open() {
		return
	}
	t.Running--
	if msg.err != nil && m.ctx.Err() == nil {
		t.log.Note(msg.id, "cannot be followed: "+render.Reason(msg.err))
	}
}

// pokeFeeds has the feeds of sessions look for more.
func (m *Model) pokeFeeds() {
	for _, poke := range m.Tail.pokes {
		select {
		case poke <- struct{}{}:
		default:
		}
	}
}

// tailing tells whether what is followed has the focus, also to find something in it.
func (m *Model) tailing() bool {
	return m.Focus == Tail || m.Focus == Find && m.finding == Tail
}

// pause keeps what is shown in place.
func (t *TailState) pause() {
	if t.Following {
		t.Following = false
		t.came, _ = t.log.Size()
	}
}

func (m *Model) togglePause() tea.Cmd {
	t := &m.Tail
	if !t.Following {
		return m.followEnd()
	}
	t.pause()
	t.refresh()
	return nil
}

func (m *Model) followEnd() tea.Cmd {
	m.Tail.Following, m.Tail.New = true, 0
	m.Tail.refresh()
	return nil
}

// leaveTail goes back to where it was opened, or out.
func (m *Model) leaveTail() tea.Cmd {
	m.closeTail()
	if m.opts.Tail != nil {
		return tea.Quit
	}
	return m.focus(m.Tail.before)
}

// initTail follows what the program was started for, and asks the engine nothing but
// what changed.
func (m *Model) initTail() tea.Cmd {
	return tea.Batch(m.openTail(m.opts.Tail), m.changes(0), tea.RequestBackgroundColor)
}
