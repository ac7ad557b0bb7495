package sessions

import (
	"maps"
	"slices"
)

// Of a session that Options.Forgotten names, nothing but its name stays: its
// transcript is still read as it grows, since others may stand in it, and what comes
// of this one is dropped before it is sent. What is saved of such a transcript says how
// far it was read by its stamp alone, so that it is opened again only when it changed,
// and then read from its beginning.

func (l *Library) forgets(s Session) bool { return l.o.Forgotten != nil && l.o.Forgotten(s) }

// identity is what tells whose session it is, as far as that is known.
func (b *builder) identity() Session {
	s := Session{Key: b.key, Parent: b.facts.Parent}
	if b.sent.Parent != "" {
		s.Parent = b.sent.Parent // which may stand outside the transcript
	}
	return s
}

// forget drops all that is known of the session but its name.
func (b *builder) forget() {
	*b = builder{
		key: b.key, id: b.id, forgotten: true,
		facts: &Session{Parent: b.identity().Parent}, sent: &Session{}, workings: &workings{},
	}
}

// forget drops a session of the transcript, and sends that it is no more.
func (t *transcript) forget(b *builder, send func(Update)) {
	live := b.live
	t.changed = t.changed || !b.forgotten
	b.forget()
	if live {
		send(Update{Session: Session{Key: b.key}, Removed: true})
	}
}

// forgotten are the reader's own ids of the forgotten sessions.
func (t *transcript) forgotten() []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		if t.sessions[id].forgotten {
			ids = append(ids, id)
		}
	}
	return ids
}

// Reconsider brings what is kept of all transcripts in line with what
// Options.Forgotten says by now. Of sessions that are forgotten, nothing is left when
// it returns, and all Updates of them have been applied; that they are no more, it
// does not send. Sessions that are not forgotten any more are read again while Run
// runs, if their transcripts are still there. It waits for what is just being read.
func (l *Library) Reconsider() {
	l.steady.Lock()
	defer l.steady.Unlock()
	for _, t := range l.shelf.all() {
		again := false
		for _, b := range t.sessions {
			switch l.forgets(b.identity()) {
			case b.forgotten:
			case true:
				b.forget()
				l.unsaved.touch(t)
			default:
				again = true
			}
		}
		if again && !t.gone {
			_, owned, _, _ := l.claims.of(t)
			t.readAnew(owned)
			l.queue.push(t, nil)
		}
	}
}
