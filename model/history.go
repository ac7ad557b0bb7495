package model

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// history is the queries of before, oldest first, and the place in them.
type history struct {
	past  []string
	at    int    // len(past) for the line being typed
	draft string // that line
	used  []string
}

func newHistory(past []string) history {
	h := history{}
	for _, q := range past {
		if q = trimmed(typed(q)); q != "" {
			h.past = append(h.past, q)
		}
	}
	h.at = len(h.past)
	return h
}

// remember takes down a query that led to something.
func (h *history) remember(q string) {
	if q = trimmed(q); q == "" || len(h.past) > 0 && h.past[len(h.past)-1] == q {
		return
	}
	h.past = append(slices.DeleteFunc(h.past, func(old string) bool { return old == q }), q)
	h.used = append(h.used, q)
	h.at = len(h.past)
}

// Queries are the queries of this run that led to something, in order.
func (m *Model) Queries() []string { return m.history.used }

// recallQuery puts the query d steps from the current one into the box.
func (m *Model) recallQuery(d int) tea.Cmd {
	h := &m.history
	to := h.at + d
	if to >= 0 && to < len(h.past) && h.past[to] == m.input.Value() {
		to += d // it is there already
	}
	if to < 0 || to > len(h.past) {
		m.Notice = "there is no older query"
		if d > 0 {
			m.Notice = "this is the newest query"
		}
		return nil
	}
	if h.at == len(h.past) {
		h.draft = m.input.Value()
	}
	h.at = to
	before, now := m.input.Value(), h.draft
	if to < len(h.past) {
		now = h.past[to]
	}
	m.input.SetValue(now)
	m.input.CursorEnd()
	return m.edited(before)
}

func (m *Model) olderQuery() tea.Cmd { return m.recallQuery(-1) }
func (m *Model) newerQuery() tea.Cmd { return m.recallQuery(1) }
