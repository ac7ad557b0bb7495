package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/recall/query"
	"yore/recall/words"
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
	Within        []string        // as of a Query
	Exclude       []string        // as of a Query
	Filters       []query.Filter  // as of a Query; times are those of LastActive, role: and in: say nothing of a session
	Limit         int             // 0: all
}

// SessionFilters are the filters of a query that has no words, as "agent:codex since:3d";
// nil for any other. The sessions that pass are listed then.
func SessionFilters(text string) []query.Filter {
	if q := query.Parse(text); len(q.Terms) == 0 && len(q.Filters) > 0 {
		return q.Filters
	}
	return nil
}

// Titled chooses the sessions that pass the filters of a query, and whose titles have all
// its words, apart from patterns, from what is left out and from a time in plain words
// that counts as one: what a session was renamed to may be said nowhere in it. ok is false
// for a query without words.
func (q Query) Titled() (f SessionFilter, ok bool) {
	var asked, unquoted []string
	parsed := query.Parse(q.Text)
	take := func() {
		asked = append(asked, untimed(strings.Join(unquoted, " "), q.Time))
		unquoted = nil
	}
	for _, t := range parsed.Terms {
		switch {
		case t.Not || t.Kind == query.Pattern:
		case t.Kind == query.Phrase:
			take()
			asked = append(asked, t.Text)
		default:
			unquoted = append(unquoted, t.Text)
		}
	}
	take()
	title := strings.Join(strings.Fields(strings.Join(asked, " ")), " ")
	filters := slices.Concat([]query.Filter{{Name: query.Title, Value: title}}, parsed.Filters, q.Filters)
	return SessionFilter{Filters: filters, Within: q.Within, Exclude: q.Exclude}, len(words.Parse(title).Words) > 0
}

// untimed is a text without the times that it names in plain words, unless they are to be
// ignored.
func untimed(text string, use TimeUse) string {
	if use == TimeIgnored {
		return text
	}
	// Where they stand is the same whenever it is asked.
	for _, d := range slices.Backward(dateWishes(text, time.Now())) {
		before := strings.TrimRight(text[:d.from], " ")
		if word := before[strings.LastIndexByte(before, ' ')+1:]; leadsToDate[strings.ToLower(word)] {
			before = strings.TrimSuffix(before, word)
		}
		text = before + " " + text[d.to:]
	}
	return text
}

// AboutWords tells whether a filter waits for words, of which it says where they are
// to stand: it says nothing of a session as a whole.
func AboutWords(f query.Filter) bool { return f.Name == query.Role || f.Name == query.In }

// compileSessions makes rules of those filters that say something of sessions.
func compileSessions(filters []query.Filter, r reader, known func(string) (sessions.Key, error)) (*filter, error) {
	if _, bad := compileFilter(filters, r, known); len(bad) > 0 {
		return nil, bad[0]
	}
	f, _ := compileFilter(slices.DeleteFunc(slices.Clone(filters), AboutWords), r, known)
	return f, nil
}

// Sessions lists sessions, the one last active first; those of unknown time last. The
// error wraps ErrFilter when the value of one of Filters makes no sense.
func (e *Engine) Sessions(ctx context.Context, f SessionFilter) ([]sessions.Session, error) {
	if f.Dir != "" {
		f.Dir = e.reader().path(f.Dir)
	}
	n := e.edition()
	snap := n.snapshot()
	filters, err := compileSessions(f.Filters, e.reader(), knownIn(snap))
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(f.Filters, func(f query.Filter) bool { return f.Name == query.Agents || f.Name == query.Session }) {
		f.Subagents = "on" // those that pass
	}
	var chosen []*index.Entry
	for ord := range n.titles.among(snap, f.Filters) {
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
		f.Dir != "" && !inDirectory(*s, f.Dir),
		f.Within != nil && !within(*s, f.Within):
		return false
	case f.Since.IsZero() && f.Before.IsZero():
		return true
	}
	at := s.LastActive
	return !at.IsZero() && !at.Before(f.Since) && (f.Before.IsZero() || at.Before(f.Before))
}
