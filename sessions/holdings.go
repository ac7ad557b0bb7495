package sessions

import "time"

// Holding is what a Library found below one root.
type Holding struct {
	Transcripts int       // that are there now
	Copies      int       // of them: those that tell only what another does, which stands for them
	Changed     time.Time // when the newest of them changed; zero when there is none
}

// Holdings says what lies below each root in which there is something, as it was
// listed last. It looks at every transcript.
func (l *Library) Holdings() map[Root]Holding {
	found := make(map[Root]Holding)
	l.fetch(true, nil)
	l.sleepers.holdings(found)
	l.shelf.mu.Lock()
	defer l.shelf.mu.Unlock()
	for _, t := range l.shelf.byUnit {
		j, _ := l.queue.state(t)
		if j.gone {
			continue
		}
		h := found[j.at.Root]
		h.Transcripts++
		if l.claims.onlyCopies(t) {
			h.Copies++
		}
		if j.at.Mtime.After(h.Changed) {
			h.Changed = j.at.Mtime
		}
		found[j.at.Root] = h
	}
	return found
}
