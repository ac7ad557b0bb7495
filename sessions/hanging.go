package sessions

import "github.com/cespare/xxhash/v2"

// answeredKept is how many answered calls are remembered, for an output that
// comes in two records. Calls without an output are remembered for good.
const answeredKept = 64

// hanging gives each turn that is not conversation its place.
type hanging struct {
	passage         int
	thinking, tools int // the next indexes on passage

	calls    map[uint64]hook // by hash of the call's id
	answered []uint64        // the latest calls with an output, oldest first
}

// hook is where a call hangs.
type hook struct {
	passage, index int
	answered       bool
}

// hang places t, while passage is the open one.
func (h *hanging) hang(t Turn, passage int) Hung {
	if passage != h.passage {
		h.passage, h.thinking, h.tools = passage, 0, 0
	}
	if t.Kind == Thinking {
		h.thinking++
		return Hung{Turn: t, Passage: passage, Index: h.thinking - 1}
	}
	call := xxhash.Sum64String(t.Call)
	if place, ok := h.calls[call]; ok && t.Kind == ToolOutput {
		h.answer(call, place)
		return Hung{Turn: t, Passage: place.passage, Index: place.index}
	}
	h.tools++
	if t.Kind == ToolCall && t.Call != "" {
		if h.calls == nil {
			h.calls = make(map[uint64]hook)
		}
		h.calls[call] = hook{passage: passage, index: h.tools - 1}
	}
	return Hung{Turn: t, Passage: passage, Index: h.tools - 1}
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
