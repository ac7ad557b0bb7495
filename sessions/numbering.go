package sessions

import (
	"slices"

	"github.com/cespare/xxhash/v2"
)

// tailLimit is how many bytes a turn may have and still be kept for a later
// replacement. A longer one that is replaced costs a reading from the
// beginning instead of memory for every session.
const tailLimit = 64 << 10

// numbering is a Cutter that can take back the turns of the open part: those
// that reach into the last passage.
type numbering struct {
	cut    Cutter
	base   Cutter          // the cut as it was before tail[0]
	tail   []Turn          // the turns that reach into the open passage
	closed []uint64        // the keys of all turns before the tail, for replacements
	sought map[uint64]bool // the same while many are sought, else nil

	touched bool
	from    int       // the first passage that differs from what take gave last
	out     []Passage // passages closed since then, numbered from from
}

// turnKey names the turn that a later one with the same key replaces. The zero
// key names none.
type turnKey struct {
	id   string
	kind Kind
	role Role
}

func keyOf(t Turn) turnKey {
	switch {
	case t.Kind.Conversation() && t.ID != "":
		return turnKey{t.ID, t.Kind, t.Role}
	case (t.Kind == ToolCall || t.Kind == ToolOutput) && t.Call != "":
		return turnKey{t.Call, t.Kind, t.Role}
	}
	return turnKey{}
}

func (k turnKey) hash() uint64 {
	return xxhash.Sum64String(k.id) ^ (uint64(k.kind)<<8|uint64(k.role))*0x9e3779b97f4a7c15
}

// add puts a turn at the end.
func (n *numbering) add(t Turn) {
	if from, to := textWithin(t.Text); from == to {
		return
	}
	before := n.cut.save()
	closed := n.cut.Add(t)
	n.touched = true
	n.out = append(n.out, closed...)
	if len(closed) > 0 {
		n.close()
	}
	if len(n.tail) == 0 {
		n.base = before
	}
	n.tail = append(n.tail, t)
	if len(t.Text) > tailLimit {
		n.close()
	}
}

// close puts the tail's turns out of reach.
func (n *numbering) close() {
	for _, t := range n.tail {
		if key := keyOf(t); key != (turnKey{}) {
			n.closed = append(n.closed, key.hash())
		}
	}
	clear(n.tail) // or their texts would stay in memory
	n.tail = n.tail[:0]
	n.base = n.cut.save()
}

// replacement is what became of a turn that replaces an earlier one.
type replacement int

const (
	absent   replacement = iota // there is no earlier one
	replaced                    // its text is the new one's now
	beyond                      // it can no longer be reached; nothing changed
)

// replace puts t in place of the turn with its key.
func (n *numbering) replace(t Turn) replacement {
	key := keyOf(t)
	if key == (turnKey{}) {
		return absent
	}
	at := slices.IndexFunc(n.tail, func(old Turn) bool { return keyOf(old) == key })
	if at < 0 {
		if n.isClosed(key.hash()) {
			return beyond
		}
		return absent
	}
	turns := slices.Clone(n.tail)
	turns[at] = inPlaceOf(turns[at], t)
	if n.wouldShrink(turns, at) {
		return beyond
	}
	n.goBack()
	for _, turn := range turns {
		n.add(turn)
	}
	return replaced
}

// seekMany makes looking for many closed turns cheap, until it is told
// otherwise.
func (n *numbering) seekMany(many bool) {
	n.sought = nil
	if !many {
		return
	}
	n.sought = make(map[uint64]bool, len(n.closed))
	for _, key := range n.closed {
		n.sought[key] = true
	}
}

func (n *numbering) isClosed(key uint64) bool {
	if n.sought != nil {
		return n.sought[key]
	}
	return slices.Contains(n.closed, key)
}

// inPlaceOf is t where old stood: a text written again keeps the time at which
// it began.
func inPlaceOf(old, t Turn) Turn {
	if !old.At.IsZero() {
		t.At = old.At
	}
	return t
}

// wouldShrink tells whether the turns would end in an earlier passage than the
// open one, on which something may hang already.
func (n *numbering) wouldShrink(turns []Turn, changed int) bool {
	if from, to := textWithin(turns[changed].Text); from == to {
		return true
	}
	trial := n.base.save()
	for _, t := range turns {
		trial.Add(t)
	}
	return trial.Number() < n.cut.Number()
}

func (n *numbering) goBack() {
	n.cut = n.base
	number := n.cut.Number()
	n.out = n.out[:max(0, number-n.from)]
	n.from = min(n.from, number)
	n.tail = nil
}

// take is what changed since the last take: the passages from number from on.
func (n *numbering) take() (from int, passages []Passage) {
	if !n.touched {
		return n.cut.Count(), nil
	}
	from, passages = n.from, n.out
	if open, ok := n.cut.Open(); ok {
		passages = append(passages, open)
	}
	n.touched, n.from, n.out = false, n.cut.Number(), nil
	return from, passages
}
