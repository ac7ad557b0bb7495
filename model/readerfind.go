package model

import (
	"sort"

	tea "charm.land/bubbletea/v2"
)

// Finding tells where the text is looked for that is typed now: in the reader, or in
// what is followed.
func (m *Model) Finding() Focus { return m.finding }

func (m *Model) openFind() tea.Cmd {
	m.finding, m.Focus = m.Focus, Find
	m.Tail.seek.from = m.Tail.cursor
	return nil
}

func (m *Model) acceptFind() tea.Cmd {
	m.Focus = m.finding
	if m.Focus == Reading {
		return m.readOn()
	}
	return nil
}

// search finds the text anew and goes to the first match from the top row on.
func (r *ReaderState) search() {
	r.match()
	for i, at := range r.Matches {
		if at.Line >= r.Scroll.Top {
			r.Match = i
			break
		}
	}
	r.toMatch()
}

// match finds every place that holds the text, letter case aside.
func (r *ReaderState) match() {
	r.Matches = nil
	term := findTerm(r.find.Value())
	for n, line := range r.plain {
		for _, at := range findCells(line, term) {
			r.Matches = append(r.Matches, Match{n, at[0], at[1]})
		}
	}
	r.Match = min(r.Match, max(0, len(r.Matches)-1))
}

func (r *ReaderState) toMatch() {
	if r.Match < len(r.Matches) {
		line := r.Matches[r.Match].Line
		r.Scroll.show(line, line+1)
	}
}

func (m *Model) stepMatch(d int) tea.Cmd {
	if m.tailing() {
		return m.stepRow(d)
	}
	r := &m.Reader
	switch n := len(r.Matches); {
	case r.find.Value() == "":
		if !r.stepTerm(d) {
			m.Notice = "nothing to find: / begins"
		}
	case n == 0:
		m.Notice = "no match in what is shown"
	default:
		r.Match = r.nextFrom(d)
		r.toMatch()
	}
	return m.readOn()
}

// stepFrom is the line from which a step goes on: the one where the last one came to, or,
// when that is out of view, the line before what is seen, or behind it.
func (r *ReaderState) stepFrom(line, d int) (from int, inView bool) {
	switch {
	case line >= r.Scroll.Top && line < max(r.Scroll.Bottom(), r.Scroll.Top+1):
		return line, true
	case d > 0:
		return r.Scroll.Top - 1, false
	}
	return r.Scroll.Bottom(), false
}

// nextFrom is the match that follows, or goes before; the first comes after the last.
func (r *ReaderState) nextFrom(d int) int {
	n := len(r.Matches)
	next := (r.Match + d + n) % n
	if from, inView := r.stepFrom(r.Matches[r.Match].Line, d); !inView {
		behind := sort.Search(n, func(i int) bool { return r.Matches[i].Line > from })
		if next = behind % n; d < 0 {
			before := sort.Search(n, func(i int) bool { return r.Matches[i].Line >= from })
			next = (before - 1 + n) % n
		}
	}
	return next
}

// stepTerm goes to the next line, or the one before, that holds something of the
// query by which the passage was found.
func (r *ReaderState) stepTerm(d int) bool {
	from, _ := r.stepFrom(r.termLine, d)
	for i := from + d; i >= 0 && i < len(r.plain); i += d {
		if r.Doc.termsAt(i, r.Terms) > 0 {
			r.termLine = i
			r.Scroll.show(i, i+1)
			return true
		}
	}
	return false
}

func (m *Model) nextMatch() tea.Cmd     { return m.stepMatch(1) }
func (m *Model) previousMatch() tea.Cmd { return m.stepMatch(-1) }
