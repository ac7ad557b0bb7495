package model

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/sessions"
)

// place is where the reader stood before it went to another session.
type place struct {
	session sessions.Session
	passage int
}

// jumpMsg is where the reader is to go.
type jumpMsg struct {
	to     place
	back   bool    // to where it was before: it leaves no trace
	why    string  // why it cannot, "" when it can
	prompt landing // of the passage, to which it goes
}

// jumped goes there.
func (m *Model) jumped(msg jumpMsg) tea.Cmd {
	r := &m.Reader
	if msg.why != "" || !r.open {
		m.Notice = msg.why
		return nil
	}
	if msg.to.session.Key != r.Session.Key {
		if !msg.back {
			r.trail = append(r.trail, place{r.Session, r.Passage})
		}
		r.Doc, r.Reading = Doc{}, recall.Reading{}
		r.about(msg.to.session, m.opts.Home)
	}
	r.Passage, r.scrolled = msg.to.passage, false
	if r.Doc.has(r.Passage) {
		r.Scroll.to(r.Doc.line(r.Passage))
	}
	r.prompt, r.landing = noPrompt, msg.prompt
	return m.refreshReader()
}

// enterSubagent goes to the session that a tool call of this passage started.
func (m *Model) enterSubagent() tea.Cmd {
	for _, p := range m.Reader.Reading.Passages {
		if p.Number != m.Reader.Passage {
			continue
		}
		for _, t := range p.Tools {
			if t.Subagent != "" {
				key := sessions.Key{Harness: m.Reader.Session.Harness, ID: t.Subagent}
				return m.jumped(jumpMsg{to: place{session: sessions.Session{Key: key, Subagent: true}}})
			}
		}
	}
	m.Notice = "no sub-agent was called in this passage"
	return nil
}

// leaveSubagent goes back to where the reader was, or to the passage that called
// this sub-agent.
func (m *Model) leaveSubagent() tea.Cmd {
	r := &m.Reader
	if n := len(r.trail); n > 0 {
		to := r.trail[n-1]
		r.trail = r.trail[:n-1]
		return m.jumped(jumpMsg{to: to, back: true})
	}
	if r.Session.Parent == "" {
		m.Notice = "this session was called by no other"
		return nil
	}
	engine, ctx, sub := m.engine, m.ctx, r.Session
	return func() tea.Msg { return findCaller(ctx, engine, sub) }
}

// findCaller looks for the passage of the parent on which the call hangs.
func findCaller(ctx context.Context, e Engine, sub sessions.Session) tea.Msg {
	r, err := e.Read(ctx, recall.Locator{Session: sub.Parent, Passage: 0}, -1)
	if err != nil {
		return jumpMsg{why: "the session that called it cannot be read: " + err.Error()}
	}
	to := place{session: r.Session}
	for _, p := range r.Passages {
		for _, t := range p.Tools {
			if t.Subagent == sub.ID || t.Call != "" && t.Call == sub.ParentCall {
				to.passage = p.Number
				return jumpMsg{to: to, back: true}
			}
		}
	}
	return jumpMsg{to: to, back: true}
}
