package sessions

import "time"

// sleepAfter is how long a sub-agent's transcript must not have changed to be
// taken for ended: then what reading on needs is dropped, which is most of what
// is kept of a transcript. There may be a hundred thousand. One that changes all
// the same is read from its beginning.
const sleepAfter = time.Minute

// rest drops what only reading on needs, when the transcript is a sub-agent's
// that seems to have ended and all that is known of it was sent.
func (t *transcript) rest(now time.Time) {
	if !t.at.Side || t.gone || !t.at.Same(t.stamp) || now.Sub(t.at.Mtime) < sleepAfter {
		return
	}
	for _, b := range t.sessions {
		if !b.asleep() && !b.spent() {
			return
		}
	}
	for id, b := range t.sessions {
		if !b.asleep() {
			t.sessions[id] = b.sleeper(t.at.Mtime)
		}
	}
	t.mark, t.print = Mark{}, fingerprint{}
}

// asleep tells whether only the facts of the session are left: then they say how
// many passages it has, which those of a reader never do.
func (b *builder) asleep() bool { return b.facts.Passages > 0 }

// spent tells whether all that is known was sent.
func (b *builder) spent() bool {
	return b.live && !b.void && len(b.pending)+len(b.hung)+len(b.changed) == 0 && !b.numbers.touched && b.numbers.cut.Count() > 0
}

// sleeper is the builder with nothing but the facts, as far as they do not come
// from outside the transcript.
func (b *builder) sleeper(modified time.Time) *builder {
	s := &builder{key: b.key, id: b.id, facts: b.facts, sent: b.sent, live: true}
	b.tally.fill(&s.facts, modified)
	s.facts.Path = "" // it is the transcript's
	s.facts.Passages = b.numbers.cut.Count()
	return s
}

// stir is the Update of a session of which nothing but what stands outside its
// transcript can have changed.
func (b *builder) stir(complete func(*Session)) (Update, bool) {
	u := Update{Session: b.facts, From: b.facts.Passages}
	u.Key = b.key
	complete(&u.Session)
	if sameFacts(&u.Session, &b.sent) {
		return Update{}, false
	}
	b.sent = u.Session
	return u, true
}
