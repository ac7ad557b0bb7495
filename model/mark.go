package model

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
)

// choice is the hits that were chosen for the digest, in the order of choosing.
// It outlives the query that found them.
type choice struct {
	hits    []recall.Hit
	keys    []ItemKey
	version uint64
}

// Marked tells whether an item was chosen for the digest.
func (m *Model) Marked(it Item) bool { return it.Hit >= 0 && slices.Contains(m.choice.keys, it.Key) }

// Marks counts the passages chosen for the digest.
func (m *Model) Marks() int { return len(m.choice.keys) }

// toggleMark chooses the selected passage for the digest, or no longer, and goes
// on to the next one.
func (m *Model) toggleMark() tea.Cmd {
	item, ok := m.List.Current()
	if !ok || item.Hit < 0 || item.Hit >= len(m.Found.Answer.Hits) {
		m.Notice = "passages are marked, not sessions: type a query"
		return nil
	}
	if i := slices.Index(m.choice.keys, item.Key); i >= 0 {
		m.choice.keys = slices.Delete(m.choice.keys, i, i+1)
		m.choice.hits = slices.Delete(m.choice.hits, i, i+1)
	} else {
		m.choice.keys = append(m.choice.keys, item.Key)
		m.choice.hits = append(m.choice.hits, m.Found.Answer.Hits[item.Hit])
	}
	m.choice.version++
	return tea.Batch(m.selectDown(), m.refreshPane())
}

// unmarkAll has the digest show the answer again.
func (m *Model) unmarkAll() tea.Cmd {
	if len(m.choice.keys) == 0 {
		m.Notice = "nothing is marked: space marks passages for the digest"
		return nil
	}
	m.choice = choice{version: m.choice.version + 1}
	return m.refreshPane()
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
