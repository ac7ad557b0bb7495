package sessions

import (
	"slices"
	"sync"
	"time"
)

// How long a transcript must not have changed to be taken for ended: then what reading
// on needs is dropped, which is most of what is kept of a transcript. Of sub-agents there
// may be a hundred thousand, and hardly one is resumed; a session may be, on the next day
// at work. One that changes all the same is read from its beginning.
const (
	sideSleepsAfter = time.Minute
	sleepsAfter     = 36 * time.Hour
)

// sidesAwake is how many transcripts of sub-agents stay ready to be read on, those that
// changed last: more than run at the same time. A hundred thousand that were all written
// within a minute, as by copying them, would take 600 MB.
const sidesAwake = 512

// readWhole tells whether the transcript is there as it was read.
func (t *transcript) readWhole() bool {
	return !t.gone && t.at.Same(t.stamp) && !t.at.Mtime.IsZero()
}

// ended tells whether the transcript seems to be. Those that share a file change its
// stamp, and may be many: they stay ready to be read on, but for sub-agents.
func (t *transcript) ended(now time.Time) bool {
	if !t.readWhole() {
		return false
	}
	if t.at.Side {
		return now.Sub(t.at.Mtime) >= sideSleepsAfter
	}
	return t.at.Unit == "" && now.Sub(t.at.Mtime) >= sleepsAfter
}

// asleep tells whether nothing but facts are left of all sessions.
func (t *transcript) asleep() bool {
	for _, b := range t.sessions {
		if !b.asleep() {
			return false
		}
	}
	return true
}

// rest drops what only reading on needs, if all that is known of it was sent.
func (t *transcript) rest() {
	if len(t.sessions) > 0 && t.asleep() {
		return // of copies it stays known what was read
	}
	for _, b := range t.sessions {
		if !b.asleep() && !b.spent() {
			return
		}
	}
	for _, b := range t.sessions {
		if !b.asleep() {
			b.sleep(t)
		}
	}
	t.mark, t.print = Mark{}, fingerprint{}
}

// vigil are the sub-agents' transcripts that are ready to be read on.
type vigil struct {
	mu  sync.Mutex
	all map[*transcript]bool
}

// note takes one in, after it was read.
func (v *vigil) note(t *transcript) {
	if !t.at.Side || t.asleep() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.all == nil {
		v.all = make(map[*transcript]bool)
	}
	v.all[t] = true
}

// over takes out, and gives, those that ended by now and those that are too many. Nothing
// is read meanwhile.
func (v *vigil) over(now time.Time) (over []*transcript) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var on []*transcript
	for t := range v.all {
		switch {
		case t.asleep() || !t.readWhole(): // it comes again when it was read
			delete(v.all, t)
		case t.ended(now):
			over = append(over, t)
		default:
			on = append(on, t)
		}
	}
	if len(on) > sidesAwake {
		slices.SortFunc(on, func(a, b *transcript) int { return b.at.Mtime.Compare(a.at.Mtime) })
		over = append(over, on[sidesAwake:]...)
	}
	for _, t := range over {
		delete(v.all, t)
	}
	return over
}

// asleep tells whether only the facts of the session are left.
func (b *builder) asleep() bool { return b.workings == nil }

// passages is how many passages are known of the session, none of a copy.
func (b *builder) passages() int {
	switch {
	case b.hidden:
		return 0
	case b.asleep():
		return b.facts.Passages
	}
	return b.numbers.cut.Count()
}

// spent tells whether all that is known was sent.
func (b *builder) spent() bool {
	return b.live && !b.void && len(b.pending)+len(b.hung)+len(b.changed) == 0 && !b.numbers.touched && b.numbers.cut.Count() > 0
}

// sleep leaves nothing but the facts, as they are but for what stands outside
// the transcript. That is rarely anything: then they are what was sent, and kept
// once.
func (b *builder) sleep(t *transcript) {
	facts := *b.facts
	b.tally.fill(&facts, t.at.Mtime)
	facts.Key, facts.Path, facts.Passages = b.key, t.at.Path, b.numbers.cut.Count()
	b.facts, b.workings = &facts, nil
	b.share()
}

// share keeps the facts once, when they are what was sent.
func (b *builder) share() {
	if b.asleep() && sameFacts(b.facts, b.sent) {
		b.facts = b.sent
	}
}

// stir is the Update of a session of which nothing but what stands outside its
// transcript can have changed.
func (b *builder) stir(complete func(*Session)) (Update, bool) {
	u := Update{Session: *b.facts, From: b.facts.Passages}
	complete(&u.Session)
	if sameFacts(&u.Session, b.sent) {
		return Update{}, false
	}
	b.note(u.Session)
	return u, true
}
