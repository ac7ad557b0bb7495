package sessions

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// restful tells whether nothing of a transcript is needed but what sleepers keep: the
// rest is what was applied of its sessions.
func (l *Library) restful(t *transcript) bool {
	if l.applied == nil || len(t.sessions) == 0 || t.source == nil || l.claims.isDoubted(t) {
		return false
	}
	for _, b := range t.sessions {
		if b.hidden {
			if !l.restfulCopy(t, b) {
				return false
			}
			continue
		}
		if !b.asleep() || b.forgotten || !b.live || b.void {
			return false
		}
		facts := *b.facts // apart from what stands outside the transcript
		facts.Gone, facts.Path = b.sent.Gone, b.sent.Path
		if facts.Parent != "" {
			facts.Parent = b.sent.Parent
		}
		if facts.Directory == "" {
			facts.Directory = b.sent.Directory
		}
		if facts.Resume == nil {
			facts.Resume = b.sent.Resume
		}
		if known, ok, err := l.applied.Session(b.key); !ok || err != nil || !sameFacts(&known, b.sent) || !sameFacts(&facts, b.sent) {
			return false
		}
	}
	return true
}

// endVigils lets rest the sub-agents that ended by now, or are too many. Nothing is read
// meanwhile.
func (l *Library) endVigils(now time.Time) {
	for _, t := range l.vigil.over(now) {
		t.rest()
		l.unsaved.touch(t)
	}
}

// lull makes sleepers of those of which nothing more is needed, takes them from unsaved,
// adds what woke meanwhile, whose block may be void by now, and gives what is to be saved
// of all sleepers. Nothing is read meanwhile.
func (l *Library) lull(unsaved map[*transcript]bool) (states []Saved) {
	l.lulling.Lock()
	defer l.lulling.Unlock()
	var tired []*transcript
	for t, settled := range unsaved {
		if settled && l.restful(t) {
			tired = append(tired, t)
		}
	}
	// Those that lie side by side have most of their texts in common.
	slices.SortFunc(tired, inPlace)
	for _, t := range tired {
		if l.layDown(t) {
			delete(unsaved, t)
		}
	}
	for _, number := range l.laidDown {
		states = append(states, Saved{Number: number})
	}
	l.laidDown = nil
	states = append(states, l.sleepers.written(l.unsaved.next, func() { maps.Copy(unsaved, l.unsaved.take()) })...)
	return append(states, l.looks.written(&l.sleepers, l.unsaved.next)...)
}

// inPlace orders transcripts by where they lie.
func inPlace(a, b *transcript) int {
	return cmp.Or(strings.Compare(a.at.Path, b.at.Path), strings.Compare(a.at.Unit, b.at.Unit))
}

// layDown makes a sleeper of a transcript that is restful, and tells whether it did.
func (l *Library) layDown(t *transcript) bool {
	if !l.shelf.withdraw(t, l.queue) {
		return false
	}
	if t.number > 0 {
		l.laidDown = append(l.laidDown, t.number)
	}
	k := &kept{transcript: *t, revision: readingRevision, skipped: l.skips.of(t), copies: l.claims.copies(t)}
	k.names, k.owned = l.claims.withdraw(t)
	l.sleepers.take(k, l.unsaved.next)
	return true
}

// rouse wakes the sleepers that a listing of some homes found changed, that are on disk
// no more, or whose names or places it found taken. It is false when they cannot be told.
func (l *Library) rouse(homes []home, now *listing) bool {
	asked := func(root Root) bool {
		return slices.ContainsFunc(homes, func(h home) bool { return h.place() == root.place() })
	}
	if l.fetchUnseen(now, asked); l.unfetched.Load() {
		return false
	}
	l.sleepers.in(now.skipped, &now.asleep)
	linked := l.sleepers.linked(now.found, now.asleep)
	at := -1
	now.found = slices.DeleteFunc(now.found, func(found) bool { at++; return linked[at] })
	for _, f := range now.found {
		if l.shelf.holds(unitOf(f.Transcript)) {
			continue
		}
		l.sleepers.find(func(s *sleepers) uint64 { return s.byPlace(f.Path, f.Unit) }, l.waken)
		if f.ID != "" {
			l.sleepers.find(func(s *sleepers) uint64 { return s.byGoneID(Key{f.Root.Harness, f.ID}) }, l.waken)
			l.wakeTwins(f.Root.Harness, f.ID, 0, l.waken)
		}
	}
	l.sleepers.missing(asked, now.asleep, func(t Transcript) bool { return !onDisk(t, now.failed[t.Root.place()]) }, l.waken)
	return true
}

// waken makes a sleeper a transcript like others. The caller holds the mutex of the
// sleepers.
func (l *Library) waken(k *kept) {
	k.due = true // until it is put in line
	reads := !k.gone && l.reads(k.at.Root)
	anew := reads && l.sleepers.renewing.Load() && k.revision < readingRevision
	if anew {
		l.expect(k)
	}
	unknown := l.restore(k, time.Now())
	switch {
	case anew:
		l.queue.push(&k.transcript, nil)
	case reads && unknown:
		l.press(&k.transcript, false) // what was applied of it stands until then
	}
}

// wakeAt wakes the sleeper that is the file with this path.
func (l *Library) wakeAt(path string) {
	l.sleepers.find(func(s *sleepers) uint64 { return s.byPlace(path, "") }, l.waken)
}

// wakeNamed wakes the sleeper whose session has this key.
func (l *Library) wakeNamed(key Key) {
	l.named(key, l.waken)
}

// wakeTwins wakes the sleepers that have the names which a session with this id could
// get, from a number on.
func (l *Library) wakeTwins(harness, id string, number int, waken func(*kept)) {
	key, shown := Key{harness, ""}, printableID(id)
	for ; ; number++ {
		key.ID = numbered(shown, number)
		if !l.named(key, waken) && l.claims.find(key) == nil {
			return
		}
	}
}

// claim is the id under which t's session id is known.
func (l *Library) claim(t *transcript, id string) string {
	if name, ok := l.claims.named(t, id); ok {
		return name
	}
	l.wakeTwins(t.at.Root.Harness, id, t.twin, l.wakenBeside)
	return l.claims.take(t, id)
}

// awake calls with with the transcript whose session has this key, again with the one
// that has taken its place where it was put to rest meanwhile.
func (l *Library) awake(key Key, with func(*transcript) bool) {
	for {
		l.wakeNamed(key)
		if t := l.claims.find(key); t == nil || with(t) {
			return
		}
	}
}

// meetSleeper takes over what is counted of a sleeper and where it was at work.
func (l *Library) meetSleeper(d *dormant) {
	for i := range d.skipped {
		s := &d.skipped[i]
		l.skips.restore(&transcript{at: Transcript{Root: Root{Harness: string(d.root[0])}}},
			map[string]Skipped{"": {Reason: string(s.reason), Count: s.count, Example: string(s.example)}})
	}
	for i := range d.sessions {
		s := &d.sessions[i]
		if s.copied.is {
			continue // nothing was sent of it
		}
		if s.moved {
			l.notice(&Session{Directory: string(s.directory), LastDirectory: string(s.lastDirectory), LastActive: d.at.Mtime})
		}
		if harness := string(d.root[0]); len(s.directory) == 0 && l.hashed.by[harness] != nil {
			l.hashed.nameless(Key{harness, string(s.key)}, "", string(d.path))
		}
	}
}

// forgetsSleeper tells whether one of its sessions is forgotten.
func (l *Library) forgetsSleeper(d *dormant) bool {
	if l.o.Forgotten == nil || l.o.Forgets != nil && !l.o.Forgets() {
		return false
	}
	for i := range d.sessions {
		s := &d.sessions[i]
		if l.forgets(Key{string(d.root[0]), string(s.key)}, string(s.parent)) {
			return true
		}
	}
	return false
}
