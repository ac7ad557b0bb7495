package model

import (
	tea "charm.land/bubbletea/v2"

	"yore/recall"
)

// Purge is how many sessions a harness is going to delete within a week.
type Purge struct {
	Harness  string
	Sessions int
}

// purgesMsg is what harnesses are going to delete.
type purgesMsg struct{ purges []Purge }

// know takes down how the engine stands. Once everything was read it looks, a
// single time, for what harnesses are going to delete.
func (m *Model) know(s recall.Status) tea.Cmd {
	m.Status = s
	if !s.Progress.Complete || m.looked {
		return nil
	}
	m.looked = true
	engine, ctx := m.engine, m.ctx
	return func() tea.Msg {
		health, err := engine.Health(ctx)
		if err != nil {
			return nil // nothing depends on it, and yore doctor says what fails
		}
		var msg purgesMsg
		for _, h := range health.Harnesses {
			if n := len(h.Purges); n > 0 {
				msg.purges = append(msg.purges, Purge{listText(h.Harness), n})
			}
		}
		return msg
	}
}
