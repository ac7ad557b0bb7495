package recall

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/recall/words"
	"yore/sessions"
)

// filter is what a query leaves out. It acts on every ranking alike, never on
// what one of them has already cut.
type filter struct {
	since, before time.Time
	agents        []string
	sessions      []bool // by ordinal: passes Agents and Exclude
	excluded      []bool // by ordinal: is in Exclude
	dropped       map[string]int
}

// The filters as a note names them.
const (
	bySince  = "since"
	byBefore = "before"
	byAgent  = "agent"
	bySelf   = "exclude"
)

func newFilter(q Query, c *corpus) *filter {
	n := c.snap.Sessions()
	f := &filter{
		since: q.Since, before: q.Before, agents: q.Agents,
		sessions: make([]bool, n), excluded: make([]bool, n), dropped: map[string]int{},
	}
	for ord := range n {
		entry := c.snap.Session(uint32(ord))
		if entry == nil {
			continue
		}
		f.excluded[ord] = slices.Contains(q.Exclude, entry.ID)
		f.sessions[ord] = !f.excluded[ord] && (len(q.Agents) == 0 || slices.Contains(q.Agents, entry.Harness))
	}
	return f
}

// session tells whether a session passes, and notes which filter kept a match out.
func (f *filter) session(ord uint32) bool {
	switch {
	case f.sessions[ord]:
		return true
	case f.excluded[ord]:
		f.dropped[bySelf]++
	default:
		f.dropped[byAgent]++
	}
	return false
}

func (f *filter) timed() bool { return !f.since.IsZero() || !f.before.IsZero() }

// moment tells whether a turn of this time passes. A turn without time does not.
func (f *filter) moment(t time.Time) bool {
	return !f.timed() || !t.IsZero() && !t.Before(f.since) && (f.before.IsZero() || t.Before(f.before))
}

// turns tells whether the whole of a passage passes, and whether some of it does.
func (f *filter) turns(p sessions.Passage) (whole, some bool) {
	whole = true
	for _, s := range p.Spans {
		ok := f.moment(s.At)
		whole, some = whole && ok, some || ok
	}
	return whole && some, some
}

// dropTime notes that the times kept a match out.
func (f *filter) dropTime(p sessions.Passage) {
	late := slices.ContainsFunc(p.Spans, func(s sessions.Span) bool { return !s.At.IsZero() && !s.At.Before(f.since) })
	if f.since.IsZero() || !f.before.IsZero() && late {
		f.dropped[byBefore]++
	} else {
		f.dropped[bySince]++
	}
}

// note names the filters that left nothing of what matched.
func (f *filter) note() string {
	var parts []string
	total := 0
	name := func(filter, value string) {
		if n := f.dropped[filter]; n > 0 {
			parts, total = append(parts, value), total+n
		}
	}
	name(bySince, "since: "+f.since.Format(time.DateOnly))
	name(byBefore, "before: "+f.before.Format(time.DateOnly))
	name(byAgent, "agent: "+strings.Join(f.agents, ", "))
	name(bySelf, "leaving your own session out")
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s emptied the answer: %s would match without.", strings.Join(parts, " and "), count(total, "passage"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// heldInTurns is which words of mask stand in the turns of p that pass.
func (s *search) heldInTurns(p sessions.Passage) (found, near uint32) {
	m := s.marker()
	for _, span := range p.Spans {
		if !s.filter.moment(span.At) {
			continue
		}
		words.Scan(p.Text[span.From:span.To], m.token)
	}
	return m.held()
}
