package model

import tea "charm.land/bubbletea/v2"

// readOn has the passage that the reader stands on follow what was scrolled to, and
// reads on around it: what is counted, copied and resumed is what is seen.
func (m *Model) readOn() tea.Cmd {
	r := &m.Reader
	to := r.inSight()
	if to == r.Passage {
		return nil
	}
	r.Passage, r.scrolled = to, true
	return m.refreshReader()
}

// inSight is the passage that is read at this place: the one it stands on while its
// heading is in view, or nothing but it; else the one at the first row, and at the
// end of all the last, which may never come up to the first row.
func (r *ReaderState) inSight() int {
	top := r.Doc.PassageAt(r.Scroll.Top)
	switch n := len(r.Doc.Anchors); {
	case n == 0 || !r.Doc.has(r.Passage):
		return r.Passage
	case r.inView(r.Doc.line(r.Passage)) || top < 0:
		return r.Passage
	case r.Scroll.Top == r.Scroll.Max():
		return r.Doc.Anchors[n-1].Passage
	}
	return top
}

// readLast goes to the end of the session, which is not among what was read.
func (m *Model) readLast() tea.Cmd {
	r := &m.Reader
	if !r.Loaded() {
		return nil
	}
	r.Scroll.to(r.Scroll.Max())
	r.Passage, r.scrolled, r.chasing = r.Reading.Of-1, true, true
	return m.refreshReader()
}
