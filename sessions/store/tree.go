package store

import (
	"context"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
)

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
	if _, known := t.parent[parent]; parent == id || !known && parent != "" {
		parent = t.leaf
	}
	if _, known := t.parent[id]; !known {
		t.order = append(t.order, id)
	} else if parent == id {
		return // the newest once more
	}
	t.parent[id] = parent
	t.leaf = id
}

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

// Thread notices, while a transcript is read in steps, that a branch begins. It
// is part of a Mark's state.
type Thread struct {
	Leaf  string `json:",omitempty"` // the newest record
	moved bool
}

// Follow notes a record.
func (t *Thread) Follow(id, parent string) {
	t.moved = t.moved || parent != t.Leaf
	t.Leaf = strings.Clone(id)
}

// Left are the records that were abandoned by what was read between two offsets,
// and those that stand again. The transcript is read once more for it, which is
// rare: only where a branch began. Link tells a record's id and the one that it
// follows; a record without id is no part of the tree.
func (t *Thread) Left(ctx context.Context, tr sessions.Transcript, from, to int64, starts []string, link func(json string, leaf string) (id, parent string)) (undone, redone []string) {
	if !t.moved {
		return nil, nil
	}
	t.moved = false
	var tree Tree
	var before map[string]bool
	Again(ctx, tr, to, starts, func(rec jsonl.Record) {
		if before == nil && rec.Offset >= from {
			before = tree.Abandoned()
		}
		if id, parent := link(rec.JSON(), tree.leaf); id != "" {
			tree.Add(strings.Clone(id), strings.Clone(parent))
		}
	})
	now := tree.Abandoned()
	for _, id := range tree.order {
		switch {
		case now[id] && !before[id]:
			undone = append(undone, id)
		case before[id] && !now[id]:
			redone = append(redone, id)
		}
	}
	return undone, redone
}
