package codex

import (
	"strconv"

	"yore/sessions"
)

// numbering makes ids for turns that have none on disk. An id is made of the
// turn of Codex that the message belongs to, and of its place among the
// messages of its kind there; so it is the same however the rollout is read,
// and the same in the replay at the beginning of a fork, which keeps the ids of
// turns and renews only the times.
type numbering struct {
	Origin string // session that the lines come from: one's own, or the replayed one
	Turn   string // id of the turn, "" before the first one that has any
	Counts [sessions.ToolOutput + 1]int
}

// shortTurn is the length below which the id of a turn is taken for a counter,
// which is unique only within its session. Newer ones are UUIDs.
const shortTurn = 16

var kindLetters = [...]string{"p", "r", "s", "h", "t", "o"}

func (n *numbering) next(k sessions.Kind) string {
	id := n.Turn
	switch {
	case id == "":
		id = n.Origin
	case len(id) < shortTurn:
		id = n.Origin + "/" + id
	}
	id += "/" + kindLetters[k] + strconv.Itoa(n.Counts[k])
	n.Counts[k]++
	return id
}

// enter begins to count anew where another turn begins. A turn is begun more
// than once: when it starts, and again after a compaction.
func (n *numbering) enter(turn string) {
	if turn != n.Turn {
		*n = numbering{Origin: n.Origin, Turn: turn}
	}
}

// from begins to count anew where the lines of another session begin.
func (n *numbering) from(session string) {
	if session != n.Origin {
		*n = numbering{Origin: session}
	}
}
