package recall

import (
	"fmt"
	"slices"
	"strings"

	"yore/recall/index"
	"yore/recall/query"
)

// nothingAsked says why a query asks for nothing.
func (s *search) nothingAsked() string {
	if s.bounded {
		return "There is nothing to search for in what was heeded of the query: it only says what to leave out."
	}
	if len(s.asked) > 0 && !slices.ContainsFunc(s.asked, func(t query.Term) bool { return !t.Not }) {
		return "There is nothing to search for in the query: it only says what to leave out."
	}
	if len(s.asked) == 0 && len(s.filters) > 0 {
		return "There is nothing to search for in the query: it has filters alone."
	}
	return "There is nothing to search for in the query: it has no letter, digit or symbol."
}

// outcome says what was left out and what emptied the answer.
func (s *search) outcome(ranked *ranking, a *Answer) (notes []string) {
	if note := s.exclusions(); note != "" {
		notes = append(notes, note)
	}
	if note := s.looked.note(s.patience, s.zone); note != "" {
		notes = append(notes, note)
	} else if a.AtLeast {
		notes = append(notes, "There may be more: the search for a pattern stops when it has enough while you type.")
	}
	if slices.ContainsFunc(a.Hits, func(h Hit) bool { return h.Partly }) {
		most := "Few passages hold"
		if a.PassagesMatched == 0 {
			most = "No passage holds"
		}
		notes = append(notes, most+" enough of the words: others that hold some of them fill up the answer.")
	}
	if ranked.held {
		notes = append(notes, "Of the sub-agents of one session two hits are shown at most: agents:only shows those of each.")
	}
	if ranked.total > 0 {
		return notes
	}
	notes = append(notes, s.unquotedPlaces()...)
	if note := emptied(s.drops()); note != "" {
		return append(notes, note)
	}
	if scopeOf(s.filters) == (scope{talk: true}) && s.corpus.snap.Live(index.Tools) > 0 {
		notes = append(notes, "Only the conversation was searched: in:all looks into tool calls, their outputs and thinking too.")
	}
	return notes
}

// unquotedPlaces say which directories of several words sessions worked in, had they quotes
// around them: dir:~/my shop.
func (s *search) unquotedPlaces() (notes []string) {
	for _, f := range s.followed {
		if f.Name != query.Dir {
			continue
		}
		whole := f.Filter
		whole.Value += " " + f.Next[0]
		want := s.reader.path(whole.Value)
		for _, e := range s.corpus.snap.Entries() {
			if inDirectory(e.Session, want) {
				notes = append(notes, fmt.Sprintf("A value of several words stands in quotes: %s.", whole.Brief()))
				break
			}
		}
	}
	return notes
}

// drops are what each condition kept out.
func (s *search) drops() []drop {
	out := s.filter.drops()
	for _, c := range s.conditions {
		out = append(out, drop{c.label, c.dropped})
	}
	return out
}

// countDrops takes what each condition kept out from an earlier drops.
func (s *search) countDrops(drops []drop) {
	drops = s.filter.countDrops(drops)
	for i, c := range s.conditions {
		c.dropped = drops[i].n
	}
}

// exclusions says in a sentence what is left out; "" when nothing is.
func (s *search) exclusions() string {
	var parts []string
	for _, c := range s.conditions {
		if c.not {
			parts = append(parts, strings.TrimPrefix(c.label, "-"))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Left out: passages with " + listed(parts, " or ") + "."
}
