package model

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
)

const (
	// firstLimit is how many hits are asked for at first: what the highest
	// window shows. More are asked for when the selection comes near the end.
	firstLimit = 50
	// sessionLimit is how many of the newest sessions an empty query lists.
	sessionLimit = 300
	// livePause is the shortest time between two looks at a changing corpus.
	livePause = 50 * time.Millisecond
	// readingPause is the same during the first reading, when all is new all
	// the time and the processor has better things to do.
	readingPause = 250 * time.Millisecond
)

// trimmed is a query as it is asked; blank when there is nothing to ask.
func trimmed(line string) string {
	if strings.TrimSpace(line) == "" {
		return ""
	}
	return line
}

// typing tells whether the last word may be unfinished.
func typing(query string) bool {
	r, n := utf8.DecodeLastRuneInString(query)
	return n > 0 && !unicode.IsSpace(r)
}

// edited asks again when the line has changed.
func (m *Model) edited(before string) tea.Cmd {
	if trimmed(before) == trimmed(m.input.Value()) {
		return nil
	}
	m.limit = firstLimit
	if m.Found.Answer.Time == nil {
		m.time = recall.TimePreferred
	}
	return m.search(false)
}

// turnTime goes on to the next use of the time that the query names: prefer what was
// said then, find nothing else, take its words as words.
func (m *Model) turnTime() tea.Cmd {
	if m.Found.Answer.Time == nil {
		m.Notice = "the query names no time, such as: last week, in May, 3 days ago, since monday"
		return nil
	}
	m.time = (m.Found.Answer.Time.Use + 1) % (recall.TimeIgnored + 1)
	m.limit = firstLimit
	return m.search(false)
}

// search asks for what the line says now. live says that the corpus changed and
// not the line.
func (m *Model) search(live bool) tea.Cmd {
	ctx, gen, now := m.ask.begin(m.ctx)
	if !now {
		return nil
	}
	f := Found{Query: trimmed(m.input.Value()), Time: m.time, Limit: m.limit, Live: live}
	engine, w := m.engine, m.wording()
	return func() tea.Msg { return inquire(ctx, engine, gen, f, w) }
}

// inquire asks the engine and words what it found.
func inquire(ctx context.Context, e Engine, gen uint64, f Found, w wording) tea.Msg {
	msg := answerMsg{gen: gen}
	if f.Recent() {
		msg.complete = e.Status().Progress.Complete
		f.Sessions, f.Err = e.Sessions(ctx, recall.SessionFilter{Subagents: "off", Limit: sessionLimit})
		msg.items = sessionItems(f.Sessions, w)
	} else {
		f.Answer, f.Err = e.Ask(ctx, recall.Query{Text: f.Query, Limit: f.Limit, Typing: typing(f.Query), Lenient: true, Time: f.Time})
		msg.items, msg.complete = hitItems(f.Answer, w), f.Answer.Complete
	}
	msg.found = f
	return msg
}

// answered shows an answer if it is the newest query's.
func (m *Model) answered(msg answerMsg) tea.Cmd {
	current, again := m.ask.done(msg.gen)
	if !current {
		return m.search(false)
	}
	same := m.Ready && msg.found.Query == m.Found.Query && msg.found.Time == m.Found.Time
	if same {
		// The time that counts is the one the typed query took.
		msg.found.Answer.Took = m.Found.Answer.Took
	} else {
		m.moved = false
	}
	// What came first out of a part of the corpus need not be first in all of
	// it: until the user selects something, the best stays selected.
	if same && (m.moved || !m.partial) {
		m.List.update(msg.items)
	} else {
		m.List.set(msg.items)
	}
	m.Found, m.foundGen, m.Ready, m.partial = msg.found, msg.gen, true, !msg.complete
	cmd := m.refreshPane()
	if again {
		return tea.Batch(cmd, m.search(true))
	}
	return cmd
}

// more asks for further hits when the selection nears the end of those shown.
func (m *Model) more() tea.Cmd {
	f := m.Found
	if f.Recent() || f.Answer.Cursor == "" || f.Limit < m.limit || m.List.Selected < len(m.List.Items)-m.List.page() {
		return nil
	}
	m.limit += firstLimit
	return m.search(true)
}

// status looks at the engine once, at the start.
func (m *Model) status() tea.Cmd {
	engine := m.engine
	return func() tea.Msg { return statusMsg{engine.Status()} }
}

// changes waits for the next change, and before that for pause, so that a
// stream of changes is looked at in steps.
func (m *Model) changes(pause time.Duration) tea.Cmd {
	engine, ctx := m.engine, m.ctx
	return func() tea.Msg {
		if pause > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(pause):
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-engine.Changes():
			return changedMsg{engine.Status()}
		}
	}
}

// changed follows the corpus: the same question is asked again, and an open
// reader reads again.
func (m *Model) changed(msg changedMsg) tea.Cmd {
	m.Status = msg.status
	pause := livePause
	if !m.Status.Progress.Complete {
		pause = readingPause
	}
	cmds := []tea.Cmd{m.changes(pause)}
	if m.ask.refresh() {
		cmds = append(cmds, m.search(true))
	}
	if m.Reader.slot.refresh() {
		cmds = append(cmds, m.refreshReader())
	}
	return tea.Batch(cmds...)
}
