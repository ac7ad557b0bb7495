package claude

import (
	"context"
	"io"
	"slices"

	"yore/sessions"
)

// typedAt notes the record that a prompt follows. Two prompts that follow the
// same one are branches: the user went back and asked anew.
func (r *reader) typedAt(parent uint64) {
	r.typed, r.moved = true, true
	if slices.Contains(r.st.Forks, parent) {
		r.st.Branched = true
		return
	}
	r.st.Forks = appendBounded(r.st.Forks, parent, keptForks)
}

// review reads the file up to offset again where later records change the
// meaning of earlier ones: when a branch may have been abandoned, and when a
// summary came behind what it may be about. Both are rare.
func (r *reader) review(offset int64) {
	branches := r.st.Branched && r.moved
	if titles := r.late && len(r.st.Leaves) > 0; !branches && !titles {
		return
	}
	again := &reader{
		t: r.t, file: r.file, to: nobody{}, id: r.id, agent: r.agent, st: &state{},
		tree: &tree{nodes: map[uint64]*node{}},
	}
	if _, err := again.lines(context.Background(), io.NewSectionReader(r.file, 0, offset), 0); err != nil {
		return
	}
	for leaf := range r.st.Leaves {
		if again.tree.nodes[hash(leaf)] != nil {
			r.summaryAt(leaf)
		}
	}
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
	turns  []string // ids of the turns it brought
	prompt bool
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

// add notes a record. Bookkeeping and sub-agents are no part of the tree.
func (t *tree) add(e record, turns []string, prompt bool) {
	if e.kind == "last-prompt" && t.nodes[hash(e.leaf)] != nil {
		t.leaf = hash(e.leaf)
	}
	if e.uuid == "" || e.side {
		return
	}
	h := hash(e.uuid)
	n := t.nodes[h]
	if n == nil {
		n = &node{}
		t.nodes[h] = n
		t.order = append(t.order, h)
	}
	n.parent = 0
	if parent := e.parent; parent != "" {
		n.parent = hash(parent)
	} else if e.logical != "" { // behind a compaction the chain goes on in thought
		n.parent = hash(e.logical)
	}
	n.turns = append(n.turns, turns...)
	n.prompt = n.prompt || prompt
	t.leaf = h
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
		if n := t.nodes[h]; n.prompt && t.nodes[n.parent] != nil {
			siblings[n.parent] = append(siblings[n.parent], h)
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

// nobody is a Sink for a reading of which only the tree is wanted.
type nobody struct{}

func (nobody) Facts(sessions.Session)           {}
func (nobody) Turn(string, sessions.Turn, bool) {}
func (nobody) Undo(string, []string, bool)      {}
func (nobody) Skip(string, string)              {}
