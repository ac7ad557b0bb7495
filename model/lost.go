package model

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/sessions"
)

// What is kept of sessions beyond an answer has to go with them when they are forgotten:
// marks, where the reader was before, and what is followed.

// lostMsg names sessions that are known no more.
type lostMsg struct{ keys map[sessions.Key]bool }

// lookForLost looks which of the sessions of which something is kept are known no more.
func (m *Model) lookForLost() tea.Cmd {
	kept := m.keptSessions()
	if len(kept) == 0 {
		return nil
	}
	engine, ctx := m.engine, m.ctx
	return func() tea.Msg {
		lost := map[sessions.Key]bool{}
		for key := range kept {
			if isLost(ctx, engine, key) {
				lost[key] = true
			}
		}
		if len(lost) == 0 {
			return nil
		}
		return lostMsg{lost}
	}
}

func isLost(ctx context.Context, e Engine, key sessions.Key) bool {
	r, err := e.Read(ctx, recall.Locator{Session: key.ID}, 0)
	return errors.Is(err, recall.ErrNoSession) || err == nil && r.Session.ID != key.ID
}

// keptSessions are those of which something is kept.
func (m *Model) keptSessions() map[sessions.Key]bool {
	kept := map[sessions.Key]bool{}
	for _, h := range m.choice.hits {
		kept[h.Session.Key] = true
	}
	for _, s := range m.choice.sessions {
		kept[s.Key] = true
	}
	for _, p := range m.Reader.trail {
		kept[p.session.Key] = true
	}
	for _, f := range m.Tail.Feeds {
		if m.Tail.Open() && f.Run == nil {
			kept[f.Session.Key] = true
		}
	}
	return kept
}

// dropLost drops what is kept of sessions.
func (m *Model) dropLost(msg lostMsg) tea.Cmd {
	is := func(s sessions.Session) bool { return msg.keys[s.Key] }
	c := &m.choice
	c.hits = slices.DeleteFunc(c.hits, func(h recall.Hit) bool { return is(h.Session) })
	c.keys = slices.DeleteFunc(c.keys, func(k ItemKey) bool { return msg.keys[k.Session] })
	c.sessions = slices.DeleteFunc(c.sessions, is)
	c.version++
	m.Reader.trail = slices.DeleteFunc(m.Reader.trail, func(p place) bool { return is(p.session) })
	return tea.Batch(m.dropFeeds(is), m.refreshPane())
}

// dropFeeds follows the other feeds alone: what was said in one cannot be taken out of
// what is shown of all.
func (m *Model) dropFeeds(lost func(sessions.Session) bool) tea.Cmd {
	t := &m.Tail
	is := func(f Feed) bool { return f.Run == nil && lost(f.Session) }
	if !t.Open() || !slices.ContainsFunc(t.Feeds, is) {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(t.Feeds), is)
	m.Notice = "a session that was followed is not known any more"
	if len(rest) == 0 {
		return m.leaveTail()
	}
	before := t.before
	cmd := m.openTail(rest)
	t.before = before
	return cmd
}
