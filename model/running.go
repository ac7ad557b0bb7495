package model

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// mostRunning is how many running sessions are followed together: more than somebody
// has, and few enough to watch.
const mostRunning = 16

// runningFor is how long after its last sign a session may still run, where its harness
// does not say.
const runningFor = 10 * time.Minute

// runningMsg is the sessions that are running, the one last active first.
type runningMsg struct {
	list []sessions.Session
	err  error
	from Focus // where it was asked
}

// tailRunning looks which sessions are running, to follow them all.
func (m *Model) tailRunning() tea.Cmd {
	ctx, engine, from, since := m.ctx, m.engine, m.Focus, m.opts.Now().Add(-runningFor)
	return func() tea.Msg {
		all, err := engine.Sessions(ctx, recall.SessionFilter{Subagents: "off"})
		msg := runningMsg{err: err, from: from}
		for _, s := range all {
			if (s.Running || s.LastActive.After(since)) && !s.Gone && len(msg.list) < mostRunning {
				msg.list = append(msg.list, s)
			}
		}
		return msg
	}
}

// followRunning follows what is running, unless the user went elsewhere meanwhile.
func (m *Model) followRunning(msg runningMsg) tea.Cmd {
	switch {
	case m.Focus != msg.from:
		return nil
	case msg.err != nil:
		m.Notice = "what is running cannot be told: " + render.Reason(msg.err)
		return nil
	case len(msg.list) == 0:
		m.Notice = "no session is running, as far as the transcripts tell"
		return nil
	}
	var feeds []Feed
	for _, s := range msg.list {
		feeds = append(feeds, SessionFeed(s))
	}
	return m.openTail(feeds)
}
