package claude

import (
	"context"
	"io"
	"slices"

	"yore/sessions/store"
)

// thin is a record that brought no turn, or a command of the user's: a hook's,
// bookkeeping. The harness puts such records between what was said and the next
// prompt, new ones for each branch.
type thin struct {
	ID     uint64 // hash of its id
	Behind uint64 // the record with turns that it follows, over others like it
}

// isThin tells whether the current record, which brought these turns, is a thin
// one. Every record of the assistant is part of what was said.
func (r *reader) isThin(e record, turns []string) bool {
	return r.aside || len(turns) == 0 && e.kind != "assistant"
}

// solid is the record that one follows, over thin ones.
func (r *reader) solid(parent string) uint64 {
	h := store.Hash(parent)
	for _, t := range r.st.Thin {
		if t.ID == h {
			return t.Behind
		}
	}
	return h
}

// typedAt notes what a prompt follows. Two prompts that follow the same are
// branches: the user went back and asked anew.
func (r *reader) typedAt(parent string) {
	r.typed, r.moved = true, true
	at := r.solid(parent)
	if slices.Contains(r.st.Forks, at) {
		r.st.Branched = true
		return
	}
	r.st.Forks = store.Bounded(r.st.Forks, at, keptForks)
}

// link notes where a record stands in the tree of the file's own session.
func (r *reader) link(e record) {
	if e.kind == "last-prompt" && r.tree != nil {
		r.tree.goTo(store.Hash(e.leaf))
	}
	if e.uuid == "" || e.side || r.agent {
		return
	}
	if r.isThin(e, r.ids) && e.parent != "" {
		r.st.Thin = store.Bounded(r.st.Thin, thin{ID: store.Hash(e.uuid), Behind: r.solid(e.parent)}, keptThin)
	}
	if r.tree != nil {
		n := r.tree.add(e, r.ids, r.typed)
		n.thin = r.isThin(e, n.turns)
	}
}

// review reads the file up to offset again where later records change the
// meaning of earlier ones: when a branch may have been abandoned, and when a
// summary came behind what it may be about, here or in another file (overdue). All of it
// is rare.
func (r *reader) review(offset int64, overdue bool) {
	branches := r.st.Branched && r.moved
	if titles := r.late && len(r.st.Leaves) > 0 || overdue; !branches && !titles {
		return
	}
	again := &reader{
		t: r.t, file: r.file, to: store.Nobody{}, id: r.id, agent: r.agent, st: &state{},
		tree: &tree{nodes: map[uint64]*node{}},
	}
	if _, err := again.lines(context.Background(), io.NewSectionReader(r.file, 0, offset), 0); err != nil {
		return
	}
	r.summariesAmong(again.tree.order)
	if !branches || r.agent {
		return
	}
	undone := again.tree.abandoned()
	if redo := without(r.st.Undone, undone); len(redo) > 0 {
		r.to.Undo(r.id, redo, false)
	}
	if undo := without(undone, r.st.Undone); len(undo) > 0 {
		r.to.Undo(r.id, undo, true)
	}
	r.st.Undone = undone
}

// without is the strings of a that are not in b.
func without(a, b []string) []string {
	in := make(map[string]bool, len(b))
	for _, s := range b {
		in[s] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return in[s] })
}

// tree is how the records of one session follow each other.
type tree struct {
	nodes map[uint64]*node
	order []uint64
	leaf  uint64 // the newest record, or the one that a last-prompt names
}

// node is one record.
type node struct {
	parent uint64   // 0 at a root
	behind uint64   // the record that it follows, over thin ones
	turns  []string // ids of the turns it brought
	prompt bool
	thin   bool
	fate   fate
}

// fate is whether a record is on an abandoned branch, as far as that is known.
type fate uint8

const (
	undecided fate = iota
	asked          // on the way to its answer: met again, it is a cycle
	kept
	abandoned
)

// goTo makes a known record the active leaf.
func (t *tree) goTo(leaf uint64) {
	if t.nodes[leaf] != nil {
		t.leaf = leaf
	}
}

// add notes a record, which becomes the active leaf.
func (t *tree) add(e record, turns []string, prompt bool) *node {
	h := store.Hash(e.uuid)
	n := t.nodes[h]
	if n == nil {
		n = &node{}
		t.nodes[h] = n
		t.order = append(t.order, h)
	}
	n.parent = 0
	if parent := e.parent; parent != "" {
		n.parent = store.Hash(parent)
	} else if e.logical != "" { // behind a compaction the chain goes on in thought
		n.parent = store.Hash(e.logical)
	}
	n.turns = append(n.turns, turns...)
	n.prompt = n.prompt || prompt
	n.behind = n.parent
	if parent := t.nodes[n.parent]; parent != nil && parent.thin {
		n.behind = parent.behind
	}
	t.leaf = h
	return n
}

// abandoned lists the turns on branches that the user left: of prompts that
// follow the same record, those that the newest record does not descend from.
func (t *tree) abandoned() []string {
	active := map[uint64]bool{}
	for at := t.leaf; at != 0 && !active[at]; {
		active[at] = true
		n := t.nodes[at]
		if n == nil {
			break
		}
		at = n.parent
	}
	siblings := map[uint64][]uint64{}
	for _, h := range t.order {
		if n := t.nodes[h]; n.prompt && t.nodes[n.behind] != nil {
			siblings[n.behind] = append(siblings[n.behind], h)
		}
	}
	for _, prompts := range siblings {
		stays := prompts[len(prompts)-1] // where the chain is broken, the newest
		for _, h := range prompts {
			if active[h] {
				stays = h
			}
		}
		for _, h := range prompts {
			if h != stays {
				t.nodes[h].fate = abandoned
			}
		}
	}
	var turns []string
	for _, h := range t.order {
		if t.decide(h) == abandoned {
			for _, id := range t.nodes[h].turns {
				if id != "" && len(turns) < keptUndone {
					turns = append(turns, id)
				}
			}
		}
	}
	slices.Sort(turns)
	return slices.Compact(turns)
}

// decide finds a record's fate: its parent's, unless its own is known.
func (t *tree) decide(h uint64) fate {
	var path []*node
	end := kept
	for {
		n := t.nodes[h]
		if n == nil || n.fate == asked {
			break
		}
		if n.fate != undecided {
			end = n.fate
			break
		}
		n.fate = asked
		path = append(path, n)
		h = n.parent
	}
	for _, n := range path {
		n.fate = end
	}
	if len(path) == 0 && t.nodes[h] != nil {
		return t.nodes[h].fate
	}
	return end
}
