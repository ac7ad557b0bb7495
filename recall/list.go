package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/recall/query"
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
	Filters       []query.Filter  // as of a Query; times are those of LastActive, role: and in: say nothing of a session
	Limit         int             // 0: all
}

// SessionFilters are the filters of a query that has no words but says which sessions
// are meant, as "agent:codex since:3d" does; nil for any other.
func SessionFilters(text string) []query.Filter {
	q := query.Parse(text)
	if filters := aboutSessions(q.Filters); len(q.Terms) == 0 && len(filters) > 0 {
		return filters
	}
	return nil
}

// aboutSessions are the filters that say something of a session as a whole.
func aboutSessions(filters []query.Filter) []query.Filter {
	return slices.DeleteFunc(slices.Clone(filters), func(f query.Filter) bool { return f.Name == query.Role || f.Name == query.In })
}

// Sessions lists sessions, the one last active first; those of unknown time last. The
// error wraps ErrFilter when the value of one of Filters makes no sense.
func (e *Engine) Sessions(ctx context.Context, f SessionFilter) ([]sessions.Session, error) {
	if f.Dir != "" {
		f.Dir = e.reader().path(f.Dir)
	}
	snap := e.snapshot()
	filters, bad := compileFilter(aboutSessions(f.Filters), e.reader(), knownIn(snap))
	if len(bad) > 0 {
		return nil, bad[0]
	}
	if slices.ContainsFunc(f.Filters, func(f query.Filter) bool { return f.Name == query.Agents || f.Name == query.Session }) {
		f.Subagents = "on" // those that pass
	}
	var chosen []*index.Entry
	for ord := range uint32(snap.Sessions()) {
		if b, ok := snap.Brief(ord); !ok || !f.mayChoose(&b) {
			continue
		}
		if entry := snap.Session(ord); f.chooses(&entry.Session) && filters.choose(entry) {
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

// choose tells whether a session passes by what is said of it as a whole.
func (f *filter) choose(entry *index.Entry) bool {
	last := sessions.Span{At: entry.LastActive}
	return !slices.ContainsFunc(f.rules, func(r narrowing[*index.Entry]) bool { return !r.pass(entry) }) &&
		!slices.ContainsFunc(f.turns, func(r narrowing[sessions.Span]) bool { return !r.pass(last) })
}

// mayChoose tells whether a session can be chosen at all, from the least that is known
// of it.
func (f *SessionFilter) mayChoose(b *index.Brief) bool {
	switch f.Subagents {
	case "only":
		if !b.Subagent {
			return false
		}
	case "on":
	default:
		if b.Subagent {
			return false
		}
	}
	return f.Of == nil || b.Parent != "" && slices.Contains(f.Of, b.Parent)
}

func (f *SessionFilter) chooses(s *sessions.Session) bool {
	switch {
	case f.Among != nil && !f.Among[s.ID] && !f.Among[s.Path],
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
