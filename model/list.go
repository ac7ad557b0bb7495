package model

import "sort"

// ListState is the list: its items, the selected one, and the rows in view.
type ListState struct {
	Items    []Item
	Selected int // index of an item that is no heading; -1 when there is none
	Scroll   Scroll

	starts []int // first row of each item
}

// Current is the selected item.
func (l *ListState) Current() (Item, bool) {
	if l.Selected < 0 || l.Selected >= len(l.Items) {
		return Item{Hit: -1}, false
	}
	return l.Items[l.Selected], true
}

// Start is the first row of item i.
func (l *ListState) Start(i int) int { return l.starts[i] }

// At is the item that covers a row, -1 for none.
func (l *ListState) At(row int) int {
	if row < 0 || row >= l.Scroll.Total {
		return -1
	}
	return sort.SearchInts(l.starts, row+1) - 1
}

// set shows items from the top with the first one selected.
func (l *ListState) set(items []Item) {
	l.fill(items)
	l.Selected = -1
	l.Scroll.to(0)
	l.step(1)
}

func (l *ListState) fill(items []Item) {
	l.Items = items
	l.starts = make([]int, len(items))
	total := 0
	for i, it := range items {
		l.starts[i] = total
		total += it.rows()
	}
	l.Scroll.resize(total, l.Scroll.Height)
}

// update shows new items and keeps the selection on what it stands on, and
// that at its row of the window. A list that stands at its top stays there, so
// that what is new is seen.
func (l *ListState) update(items []Item) {
	old, ok := l.Current()
	if !ok {
		l.set(items)
		return
	}
	row, top := l.starts[l.Selected]-l.Scroll.Top, l.Scroll.Top
	index := l.Selected
	l.fill(items)
	l.Selected = find(items, old, index)
	if l.Selected < 0 {
		l.set(items)
		return
	}
	if top > 0 {
		l.Scroll.to(l.starts[l.Selected] - row)
	} else {
		l.Scroll.to(0)
	}
	l.reveal()
}

// find is where old stands among items: the same passage, else one that holds
// it, else (a session that has grown) the same session, else what stands at its
// place.
func find(items []Item, old Item, index int) int {
	same, holds := -1, -1
	for i, it := range items {
		if it.Heading != "" || it.Key.Session != old.Key.Session {
			continue
		}
		if it.Key.Passage == old.Key.Passage && it.hung == old.hung {
			return i
		}
		if holds < 0 && it.span[0] <= old.Key.Passage && old.Key.Passage <= it.span[1] {
			holds = i
		}
		if same < 0 {
			same = i
		}
	}
	if holds >= 0 {
		return holds
	}
	if same >= 0 && old.Hit < 0 {
		return same
	}
	for i := min(index, len(items)-1); i >= 0; i-- {
		if items[i].Heading == "" {
			return i
		}
	}
	return -1
}

// step moves the selection by n items that are no headings.
func (l *ListState) step(n int) {
	dir := 1
	if n < 0 {
		dir, n = -1, -n
	}
	for i := l.Selected + dir; n > 0 && i >= 0 && i < len(l.Items); i += dir {
		if l.Items[i].Heading == "" {
			l.Selected = i
			n--
		}
	}
	l.reveal()
}

// choose selects item i unless it is a heading.
func (l *ListState) choose(i int) {
	if i >= 0 && i < len(l.Items) && l.Items[i].Heading == "" {
		l.Selected = i
		l.reveal()
	}
}

// reveal brings the selected item into view, with the heading right above it.
func (l *ListState) reveal() {
	if l.Selected < 0 || l.Selected >= len(l.Items) {
		return
	}
	from := l.starts[l.Selected]
	to := from + l.Items[l.Selected].rows()
	if l.Selected > 0 && l.Items[l.Selected-1].Heading != "" {
		from--
	}
	l.Scroll.show(from, to)
}

// resize gives the list another height and keeps the selection in view.
func (l *ListState) resize(height int) {
	l.Scroll.resize(l.Scroll.Total, height)
	l.reveal()
}

// page is how many items fill the window.
func (l *ListState) page() int { return max(1, l.Scroll.Height/itemRows) }
