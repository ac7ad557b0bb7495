package model

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/recall/query"
	"yore/sessions"
)

// Listing is how the list is narrowed and ordered beside what the query says.
type Listing struct {
	Here    bool // only sessions of the repository that the program was started in
	Newest  bool // by time, not by relevance
	Grouped bool // each session's passages together, as many as there are
}

// within is where the listing looks, when there is a repository of those folders.
func (l Listing) within(here []string) []string {
	if !l.Here {
		return nil
	}
	return here
}

func (l Listing) sort() recall.Sort {
	if l.Newest {
		return recall.Newest
	}
	return recall.ByRelevance
}

// relist asks again with another listing.
func (m *Model) relist() tea.Cmd {
	m.limit = firstLimit
	return m.search(false)
}

func (m *Model) toggleHere() tea.Cmd {
	if !m.HasHere() {
		m.Notice = "yore was not started in a folder of a project: everything is searched"
		return nil
	}
	m.Listing.Here = !m.Listing.Here
	return m.relist()
}

func (m *Model) toggleNewest() tea.Cmd {
	m.Listing.Newest = !m.Listing.Newest
	return m.relist()
}

func (m *Model) toggleGrouped() tea.Cmd {
	m.Listing.Grouped = !m.Listing.Grouped
	return m.relist()
}

// HasHere tells whether there is a repository to narrow the list to.
func (m *Model) HasHere() bool { return len(m.opts.Here) > 0 }

// moreOfSession narrows the query to the selected session, or widens it again.
func (m *Model) moreOfSession() tea.Cmd {
	s, ok := m.subject()
	if !ok {
		return nil
	}
	before := m.input.Value()
	if without, had := dropPlace(before, func(text string) bool { return names(text, s) }); had {
		m.input.SetValue(without)
	} else {
		m.input.SetValue(joinQuery(before, query.Filter{Name: query.Session, Value: m.shortID(s)}.String()))
	}
	m.input.CursorEnd()
	return m.edited(before)
}

// names tells whether a filter as it is typed asks for a session by its id or the
// beginning of it.
func names(text string, s sessions.Session) bool {
	filters := query.Parse(text).Filters
	return len(filters) == 1 && filters[0].Name == query.Session && !filters[0].Not && strings.HasPrefix(s.ID, filters[0].Value)
}

// shortID is the beginning of a session's id that no other one has, where the answer
// says so: the box has little room.
func (m *Model) shortID(s sessions.Session) string {
	for _, h := range m.Found.Answer.Hits {
		if h.Session.Key == s.Key && h.Short != "" {
			return h.Short
		}
	}
	return s.ID
}

// similar asks for what is like the selected passage: its best line becomes the
// query, and the topic does the rest.
func (m *Model) similar() tea.Cmd {
	item, ok := m.List.Current()
	if !ok {
		m.Notice = "nothing is selected"
		return nil
	}
	before := m.input.Value()
	m.input.SetValue(typed(item.text()))
	m.input.CursorEnd()
	return tea.Batch(m.focus(Query), m.edited(before))
}

// dropFilter takes the last filter out of the query.
func (m *Model) dropFilter() tea.Cmd {
	before := m.input.Value()
	without, had := dropPlace(before, func(string) bool { return true })
	if !had {
		m.Notice = "the query has no filter, such as: agent:claude, since:3d, dir:shop"
		return nil
	}
	m.input.SetValue(without)
	m.input.CursorEnd()
	return m.edited(before)
}

// dropPlace takes the last filter that is meant out of a query, with an OR that joins it
// to another: left alone, that would be a word.
func dropPlace(text string, meant func(string) bool) (string, bool) {
	places := query.Places(text)
	joined := func(from, to int) bool { return strings.TrimSpace(text[from:to]) == "OR" }
	for i, place := range slices.Backward(places) {
		from, to := place[0], place[1]
		if !meant(text[from:to]) {
			continue
		}
		switch {
		case i > 0 && joined(places[i-1][1], from):
			from = places[i-1][1]
		case i+1 < len(places) && joined(to, places[i+1][0]):
			to = places[i+1][0]
		}
		return joinQuery(text[:from], text[to:]), true
	}
	return text, false
}

// joinQuery joins two parts of a query by one blank.
func joinQuery(a, b string) string {
	for len(a) > 0 && a[len(a)-1] == ' ' {
		a = a[:len(a)-1]
	}
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// grouped puts the items of each session together under its title, the session
// of the best hit first.
func grouped(items []Item, hits []recall.Hit) []Item {
	var order []sessions.Key
	by := map[sessions.Key][]Item{}
	for _, it := range items {
		if by[it.Key.Session] == nil {
			order = append(order, it.Key.Session)
		}
		by[it.Key.Session] = append(by[it.Key.Session], it)
	}
	out := make([]Item, 0, len(items)+len(order))
	for _, key := range order {
		first := by[key][0]
		title := listText(hits[first.Hit].Session.Title)
		if title == "" {
			title = "untitled"
		}
		out = append(out, Item{Heading: title, Hit: -1})
		for _, it := range by[key] {
			it.Rest = "" // the heading says it
			out = append(out, it)
		}
	}
	return out
}
