package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// SessionFilter chooses sessions. The zero value chooses all but sub-agents.
type SessionFilter struct {
	Agents        []string        // harness names; any of them
	Since, Before time.Time       // of LastActive, Since inclusive, Before exclusive
	Subagents     string          // "off" (also ""), "on", "only"
	Of            []string        // ids of sessions: only their sub-agents
	Among         map[string]bool // ids of sessions and paths of transcripts: only those; nil for any
	Dir           string          // as of the filter dir:, "" for any
	Exclude       []string        // as of a Query
	Limit         int             // 0: all
}

// Sessions lists sessions, the one last active first; those of unknown time last.
func (e *Engine) Sessions(ctx context.Context, f SessionFilter) ([]sessions.Session, error) {
	if f.Dir != "" {
		f.Dir = e.reader().path(f.Dir)
	}
	var chosen []*index.Entry
	for _, entry := range entries(e.snapshot()) {
		if f.chooses(&entry.Session) {
			chosen = append(chosen, entry)
		}
	}
	slices.SortFunc(chosen, func(a, b *index.Entry) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), strings.Compare(a.Harness, b.Harness), strings.Compare(a.ID, b.ID))
	})
	if f.Limit > 0 && len(chosen) > f.Limit {
		chosen = chosen[:f.Limit]
	}
	var out []sessions.Session
	for _, entry := range chosen {
		out = append(out, entry.Session)
	}
	return out, ctx.Err()
}

func (f *SessionFilter) chooses(s *sessions.Session) bool {
	switch {
	case f.Subagents == "only" && !s.Subagent,
		f.Subagents != "only" && f.Subagents != "on" && s.Subagent,
		f.Of != nil && (s.Parent == "" || !slices.Contains(f.Of, s.Parent)),
		f.Among != nil && !f.Among[s.ID] && !f.Among[s.Path],
		len(f.Exclude) > 0 && belongs(*s, f.Exclude),
		len(f.Agents) > 0 && !slices.Contains(f.Agents, s.Harness),
		f.Dir != "" && !inDirectory(*s, f.Dir):
		return false
	case f.Since.IsZero() && f.Before.IsZero():
		return true
	}
	at := s.LastActive
	return !at.IsZero() && !at.Before(f.Since) && (f.Before.IsZero() || at.Before(f.Before))
}
