package sessions

import (
	"slices"

	"github.com/cespare/xxhash/v2"
)

// answeredKept is how many answered calls are remembered, for an output that
// comes in two records. Calls without an output are remembered for good.
const answeredKept = 64

// hanging gives each turn that is not conversation its place.
type hanging struct {
	passage         int
	thinking, tools int // the next indexes on passage

	calls    map[uint64]hook // by hash of the call's id
	answered []uint64        // the latest calls with an output, oldest first

	// grounds are the latest passages, the open one last. They are not kept with a
	// transcript's state: behind a rollback that is read in a later run, what hangs
	// before the next prompt hangs on what was rolled back.
	grounds []ground
}

// groundsKept is how many passages can be rolled back and what follows still hang on
// the one before them.
const groundsKept = 16

// ground is a passage, and the turns by which it is known whether it was undone.
type ground struct {
	passage, thinking, tools int
	first, last              said
}

// said is a turn: its id, and whether it was undone from the beginning.
type said struct {
	id     string
	undone bool
}

// enter notes what the open passage is now.
func (h *hanging) enter(open Passage) {
	first, last := open.Spans[0], open.Spans[len(open.Spans)-1]
	if n := len(h.grounds); n > 0 && h.grounds[n-1].passage == open.Number {
		h.grounds[n-1].last = said{last.ID, last.Undone}
		return
	}
	if len(h.grounds) == groundsKept {
		h.grounds = append(h.grounds[:0], h.grounds[1:]...)
	}
	h.grounds = append(h.grounds, ground{
		passage: open.Number, first: said{first.ID, first.Undone}, last: said{last.ID, last.Undone},
	})
}

// leave remembers how much hangs on a passage, when another one opens.
func (h *hanging) leave() {
	for i := range h.grounds {
		if g := &h.grounds[i]; g.passage == h.passage {
			g.thinking, g.tools = h.thinking, h.tools
		}
	}
}

// before is the passage to go back to where the open one was undone: the latest that
// was not. Nil where the open one stands, or none before it is known to.
func (h *hanging) before(undone map[string]bool) *ground {
	stands := func(turn said) bool {
		is, known := undone[turn.id]
		return !is && (known || !turn.undone)
	}
	for i := range slices.Backward(h.grounds) {
		g := &h.grounds[i]
		switch open := i == len(h.grounds)-1; {
		case !stands(g.first) && !stands(g.last):
		case open:
			return nil
		default:
			return g
		}
	}
	return nil
}

// hook is where a call hangs.
type hook struct {
	passage, index int
	answered       bool
}

// hang places t, while passage is the open one. What stands does not hang on what
// undone tells of, by turn id.
func (h *hanging) hang(t Turn, passage int, undone map[string]bool) Hung {
	if passage != h.passage {
		h.leave()
		h.passage, h.thinking, h.tools = passage, 0, 0
	}
	thinking, tools := &h.thinking, &h.tools
	if g := h.before(undone); g != nil && !t.Undone {
		passage, thinking, tools = g.passage, &g.thinking, &g.tools
	}
	if t.Kind == Thinking {
		*thinking++
		return Hung{Turn: t, Passage: passage, Index: *thinking - 1}
	}
	call := xxhash.Sum64String(t.Call)
	if place, ok := h.calls[call]; ok && t.Kind == ToolOutput {
		h.answer(call, place)
		return Hung{Turn: t, Passage: place.passage, Index: place.index}
	}
	*tools++
	if t.Kind == ToolCall && t.Call != "" {
		if h.calls == nil {
			h.calls = make(map[uint64]hook)
		}
		h.calls[call] = hook{passage: passage, index: *tools - 1}
	}
	return Hung{Turn: t, Passage: passage, Index: *tools - 1}
}

// has tells whether t, a call or an output, already hangs somewhere.
func (h *hanging) has(t Turn) bool {
	place, ok := h.calls[xxhash.Sum64String(t.Call)]
	return ok && t.Call != "" && (t.Kind == ToolCall || t.Kind == ToolOutput && place.answered)
}

func (h *hanging) answer(call uint64, place hook) {
	if place.answered {
		return
	}
	place.answered = true
	h.calls[call] = place
	h.answered = append(h.answered, call)
	if len(h.answered) > answeredKept {
		delete(h.calls, h.answered[0])
		h.answered = h.answered[1:]
	}
}
