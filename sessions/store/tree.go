package store

// Tree is how the records of a transcript follow each other, where each names
// the one before it. A record that names an older one begins a branch; the
// thread that stands is the way from the newest record to the first.
type Tree struct {
	parent map[string]string
	order  []string
	leaf   string
}

// Add notes a record that follows parent, "" for one that begins a thread. One
// that follows an unknown record, as when that is damaged, is taken to follow
// the one before it in the file.
func (t *Tree) Add(id, parent string) {
	if t.parent == nil {
		t.parent = map[string]string{}
	}
	if _, known := t.parent[parent]; !known && parent != "" {
		parent = t.leaf
	}
	if _, known := t.parent[id]; !known {
		t.order = append(t.order, id)
	}
	t.parent[id] = parent
	t.leaf = id
}

// Leaf is the newest record.
func (t *Tree) Leaf() string { return t.leaf }

// Abandoned are the records that the newest one does not descend from.
func (t *Tree) Abandoned() map[string]bool {
	stands := map[string]bool{}
	for id := t.leaf; id != "" && !stands[id]; id = t.parent[id] { // twice: a cycle
		stands[id] = true
	}
	left := map[string]bool{}
	for _, id := range t.order {
		if !stands[id] {
			left[id] = true
		}
	}
	return left
}

// Moved is what changed between two answers of Abandoned: the records that were
// left since, and those that stand again, in the order of the transcript.
func (t *Tree) Moved(before, now map[string]bool) (undone, redone []string) {
	for _, id := range t.order {
		switch {
		case now[id] && !before[id]:
			undone = append(undone, id)
		case before[id] && !now[id]:
			redone = append(redone, id)
		}
	}
	return undone, redone
}
