package model

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/sessions"
)

// choice is the hits that were chosen for the digest, in the order of choosing, and
// the sessions that were chosen to be followed together. It outlives the query that
// found them.
type choice struct {
	hits     []recall.Hit
	keys     []ItemKey
	sessions []sessions.Session
	version  uint64
}

func (c *choice) session(k sessions.Key) int {
	return slices.IndexFunc(c.sessions, func(s sessions.Session) bool { return s.Key == k })
}

// Marked tells whether an item was chosen.
func (m *Model) Marked(it Item) bool {
	if it.Hit < 0 {
		return m.choice.session(it.Key.Session) >= 0
	}
	return slices.Contains(m.choice.keys, it.Key)
}

// Marks counts the passages chosen for the digest.
func (m *Model) Marks() int { return len(m.choice.keys) }

// toggleMark chooses the selected passage for the digest or the selected session to
// be followed, or no longer, and goes on to the next one.
func (m *Model) toggleMark() tea.Cmd {
	item, ok := m.List.Current()
	if !ok || item.Hit >= len(m.Found.Answer.Hits) {
		m.Notice = "there is nothing to mark"
		return nil
	}
	switch c := &m.choice; {
	case item.Hit < 0:
		if i := c.session(item.Key.Session); i >= 0 {
			c.sessions = slices.Delete(c.sessions, i, i+1)
		} else {
			c.sessions = append(c.sessions, m.itemSession(item))
		}
	case slices.Contains(c.keys, item.Key):
		i := slices.Index(c.keys, item.Key)
		c.keys, c.hits = slices.Delete(c.keys, i, i+1), slices.Delete(c.hits, i, i+1)
	default:
		c.keys = append(c.keys, item.Key)
		c.hits = append(c.hits, m.Found.Answer.Hits[item.Hit])
	}
	m.choice.version++
	return tea.Batch(m.selectDown(), m.refreshPane())
}

// unmarkAll has the digest show the answer again.
func (m *Model) unmarkAll() tea.Cmd {
	if len(m.choice.keys)+len(m.choice.sessions) == 0 {
		m.Notice = "nothing is marked: space marks passages for the digest, and sessions to follow"
		return nil
	}
	m.choice = choice{version: m.choice.version + 1}
	return m.refreshPane()
}

// toFollow are the sessions that were marked, themselves or by their passages; the one
// in question when none was.
func (m *Model) toFollow() []sessions.Session {
	all := slices.Clone(m.choice.sessions)
	for _, h := range m.choice.hits {
		if !slices.ContainsFunc(all, func(s sessions.Session) bool { return s.Key == h.Session.Key }) {
			all = append(all, h.Session)
		}
	}
	if len(all) > 0 && m.Focus != Reading {
		return all
	}
	if s, ok := m.subject(); ok {
		return []sessions.Session{s}
	}
	return nil
}

// digestAnswer is what the digest is made of: the marked hits, else the first
// ones of the answer. Going down the list fetches more; the digest is not to
// change by it.
func (m *Model) digestAnswer() recall.Answer {
	answer := m.Found.Answer
	if len(m.choice.hits) > 0 {
		answer.Hits, answer.Notes = slices.Clone(m.choice.hits), nil
		return m.graded(answer)
	}
	answer.Hits = answer.Hits[:min(len(answer.Hits), firstLimit)]
	return m.graded(answer)
}
