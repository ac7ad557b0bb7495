package sessions

import (
	"iter"
	"maps"
	"slices"
)

// Of a session that Options.Forgotten names, nothing but its name stays: its
// transcript is still read as it grows, since others may stand in it, and what comes
// of this one is dropped before it is sent. What is saved of such a transcript says how
// far it was read by its stamp alone, so that it is opened again only when it changed,
// and then read from its beginning.

func (l *Library) forgets(key Key, parent string) bool {
	return l.o.Forgotten != nil && l.o.Forgotten(key, parent)
}

// parent is the session for which this one works, as far as that is known.
func (b *builder) parent() string {
	if b.sent.Parent != "" {
		return b.sent.Parent // which may stand outside the transcript
	}
	return b.facts.Parent
}

// forget drops all that is known of the session but its name.
func (b *builder) forget() {
	*b = builder{
		key: b.key, id: b.id, forgotten: true,
		facts: &Session{Parent: b.parent()}, sent: &unsent, workings: &workings{},
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
// runs, if their transcripts are still there; until they are applied, Progress is not
// complete. It waits for what is just being read.
func (l *Library) Reconsider() {
	l.steady.Lock()
	defer l.steady.Unlock()
	l.fetch(true, nil)
	all := l.shelf.all()
	l.meet(slices.Values(all))
	for l.sleepers.every(func(_ *block, d *dormant) bool { return l.forgetsSleeper(d) }, l.waken) > 0 {
		all = l.shelf.all()
		l.meet(slices.Values(all))
	}
	for _, t := range all {
		if l.reconsider(t) && !t.gone && t.source != nil {
			_, owned, _, _, _ := l.claims.of(t)
			t.readAnew(owned)
			l.claims.doubt(t, true) // what it was a copy of may be gone
			l.recalled.Add(1)       // before a worker can be done with it
			if !l.queue.recall(t) {
				l.recalled.Add(-1)
			}
		}
	}
}

// meet asks about all sessions until the answers stay: one is forgotten with the
// session for which it worked, which may be so with another.
func (l *Library) meet(all iter.Seq[*transcript]) {
	if l.o.Forgotten == nil {
		return
	}
	for before, now := -1, 0; now != before; {
		before, now = now, 0
		for t := range all {
			for _, b := range t.sessions {
				if l.forgets(b.key, b.parent()) {
					now++
				}
			}
		}
	}
}

// reconsider drops what is forgotten of a transcript by now, and tells whether
// something is no longer and has to be read again.
func (l *Library) reconsider(t *transcript) (again bool) {
	for _, b := range t.sessions {
		switch forgotten := l.forgets(b.key, b.parent()); {
		case forgotten == b.forgotten:
		case forgotten:
			b.forget()
			l.claims.hush(t, b.key)
			l.unsaved.touch(t)
		default:
			again = true
		}
	}
	return again
}
