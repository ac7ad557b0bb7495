package gemini

import (
	"slices"
	"strings"

	"yore/sessions/jsonl"
)

// ledger is the list of messages as the updates of a transcript leave it. It
// grows with the transcript and so is no part of a Mark's state: where it is
// needed, which is rare, the beginning is read again.
type ledger struct {
	list   []string        // ids of the messages that stand
	seen   map[string]bool // ids of all that were ever there
	undone map[string]bool // those that a rewind took back
}

func newLedger() *ledger { return &ledger{seen: map[string]bool{}, undone: map[string]bool{}} }

// apply takes a record of any kind.
func (l *ledger) apply(json string) {
	e := decode(json)
	switch {
	case e.rewind != "":
		l.rewound(jsonl.Text(e.rewind))
	case e.set != "":
		if list := jsonl.Field(e.set, "messages"); strings.HasPrefix(list, "[") {
			var ids []string
			for message := range jsonl.Elements(list) {
				ids = append(ids, jsonl.Text(jsonl.Field(message, "id")))
			}
			l.replaced(ids)
		}
	case e.kind != "":
		l.add(e.id)
	}
}

// add takes a message, or a newer version of one.
func (l *ledger) add(id string) {
	if id != "" && !l.seen[id] {
		l.seen[id] = true
		l.list = append(l.list, id)
	}
}

// replaced takes a new list, and returns the messages in it that were taken back
// and stand again.
func (l *ledger) replaced(ids []string) (redone []string) {
	l.list = l.list[:0]
	for _, id := range ids {
		if id == "" {
			continue
		}
		l.seen[id] = true
		l.list = append(l.list, id)
		if l.undone[id] {
			delete(l.undone, id)
			redone = append(redone, id)
		}
	}
	return redone
}

// rewound takes back a message and all behind it; all of the list when it has no
// such message. It returns what was taken back.
func (l *ledger) rewound(id string) (undone []string) {
	at := max(0, slices.Index(l.list, id))
	undone = slices.Clone(l.list[at:])
	l.list = l.list[:at]
	for _, id := range undone {
		l.undone[id] = true
	}
	return undone
}
