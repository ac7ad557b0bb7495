package claude

import (
	"fmt"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

// chain is a sub-agent whose records stand in its parent's file, as releases
// before 2.0 wrote them.
type chain struct {
	facts
	ID    string
	Call  string   `json:",omitempty"` // the parent's call that started it
	Links []uint64 // hashes of its latest records, which the next one follows

	touched bool
}

// chain finds the sub-agent that a record belongs to: the one with the record
// it follows, or a new one where it follows none.
func (r *reader) chain(e record) *chain {
	var c *chain
	if e.parent != "" {
		h := store.Hash(e.parent)
		for _, other := range r.st.Chains {
			if slices.Contains(other.Links, h) {
				c = other
			}
		}
		if c == nil && len(r.st.Chains) > 0 {
			c = r.st.Chains[len(r.st.Chains)-1]
		}
	}
	if c == nil && e.uuid != "" { // the root of a known one, written again
		for _, other := range r.st.Chains {
			if slices.Contains(other.Links, store.Hash(e.uuid)) {
				c = other
			}
		}
	}
	if c == nil {
		r.st.Chained++
		// Its parent's id stands last: a beginning of that has to name the parent.
		c = &chain{ID: "sidechain@" + r.id}
		if r.st.Chained > 1 {
			c.ID = fmt.Sprintf("sidechain%d@%s", r.st.Chained, r.id)
		}
		r.st.Chains = store.Bounded(r.st.Chains, c, keptChains)
	}
	c.touched = true
	if e.uuid != "" {
		c.Links = store.Bounded(c.Links, store.Hash(e.uuid), keptLinks)
	}
	return c
}

// task joins a sub-agent to the call that gave it its prompt.
func (r *reader) task(c *chain, prompt string) {
	if c.Call != "" {
		return
	}
	h := store.Hash(prompt)
	for _, call := range r.st.Calls {
		if call.Task == h {
			c.Call = strings.Clone(call.Raw)
		}
	}
}

// chainFacts are the facts of such a sub-agent.
func (r *reader) chainFacts(c *chain) sessions.Session {
	s := r.sessionFacts(c.ID, &c.facts)
	s.Subagent, s.Parent, s.ParentCall = true, r.id, c.Call
	return s
}
