package sessions

import (
	"context"
	"errors"
	"sync"
	"time"

	"yore/sessions/packed"
)

// Saved is what a Library has to know of one transcript to go on with it after
// a new start, without opening it when nothing changed.
type Saved struct {
	Number uint64 // names the transcript, from the first Save on
	State  []byte // the Library's own form
	First  bool   // State has the form of before builders slept: it is read, and written no more
}

// readingRevision is raised whenever a reader, the cutter or the counts make
// something else of the same bytes than before: then every transcript that is
// still there is read anew. Text of those that are gone stays as it was.
const readingRevision = 9

// errSaved is what Restore ends with when a state is not one.
var errSaved = errors.New("what was kept of the transcripts cannot be read")

// Restore takes over what Save gave in an earlier run: of each transcript the
// last. Applied says what the Updates of that time made of a session, and
// whether all of it is still there; if not, its transcript is read from the
// beginning, and the first Update makes what was applied void. Restore is to be
// called before Run, once. Its error is that of ctx, after which the Library is of no use,
// or says that a state is none; then it is as new.
func (l *Library) Restore(ctx context.Context, saved []Saved, applied func(Key) (s Session, whole bool)) error {
	now := time.Now()
	all := make([]kept, len(saved))
	for i, s := range saved {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r := packed.NewReader(s.State)
		all[i] = readTranscript(r, s.First)
		if r.Bad() || r.Rest() > 0 {
			return errSaved
		}
		all[i].number = s.Number
	}
	l.shelf.expect(len(saved))
	l.claims.owner = make(map[Key]*transcript, len(saved))
	l.meet(func(yield func(*transcript) bool) {
		for i := range all {
			if !yield(&all[i].transcript) {
				return
			}
		}
	})
	for i := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.restore(&all[i], applied, now)
		if saved[i].First {
			l.unsaved.touch(&all[i].transcript) // so that it is written in the present form
		}
	}
	return nil
}

// restore takes over one transcript.
func (l *Library) restore(kept *kept, applied func(Key) (Session, bool), now time.Time) {
	t := &kept.transcript
	l.unsaved.last = max(l.unsaved.last, t.number)
	t.source = l.sourceOf(t.at.Root)
	whole := kept.revision == readingRevision
	if l.reconsider(t) {
		whole = false
	}
	for _, b := range t.sessions {
		if b.forgotten {
			continue
		}
		known, all := applied(b.key)
		whole = whole && (all || !b.live)
		b.note(known)
		b.share()
	}
	if !whole && !t.gone {
		t.readAnew(kept.owned)
		for _, b := range t.sessions {
			known, _ := applied(b.key)
			b.note(known)
		}
	}
	t.rest(now)
	t.job = job{at: t.at, gone: t.gone}
	t.failed = !t.gone && !t.at.Same(t.stamp)
	l.claims.restore(t, kept.owned)
	l.skips.restore(t, kept.skipped)
	l.shelf.restore(t)
	l.restored = append(l.restored, t)
}

// sourceOf is the source that reads transcripts of a root, nil when there is
// none.
func (l *Library) sourceOf(root Root) Source {
	for _, s := range l.o.Sources {
		if s.Name() == root.Harness {
			return s
		}
	}
	return nil
}

// readAnew has the transcript read from its beginning, where the first Update of
// each session whose name it owns makes all void that was applied of it.
func (t *transcript) readAnew(owned map[string]bool) {
	t.startOver()
	t.print = fingerprint{}
	t.sessions = make(map[string]*builder, len(owned))
	for id, name := range t.names {
		if owned[name] {
			t.sessions[id] = newBuilder(Key{t.at.Root.Harness, name}, id, nil)
			t.sessions[id].live = true
		}
	}
}

// Save gives what Restore needs of the transcripts that were read since the last
// Save, in a moment in which the Updates applied are those that the states
// speak of. While take runs, nothing is read. After Run has ended before
// everything was read, what was just being read is to be read anew.
func (l *Library) Save(take func([]Saved)) {
	l.steady.Lock()
	defer l.steady.Unlock()
	for _, t := range l.claims.takeLosers() {
		l.unsaved.settle(t, true)
	}
	var states []Saved
	for t, settled := range l.unsaved.take() {
		states = append(states, Saved{Number: t.number, State: l.formOf(t, settled)})
	}
	take(states)
}

// unsaved are the transcripts of which something changed since the last Save.
type unsaved struct {
	mu   sync.Mutex
	all  map[*transcript]bool // false: it is just being read
	last uint64               // the last number given
}

// begin notes that t is being read.
func (u *unsaved) begin(t *transcript) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = make(map[*transcript]bool)
	}
	t.changed = t.changed || u.all[t]
	u.all[t] = false
}

// settle notes that t was read and its Updates applied.
func (u *unsaved) settle(t *transcript, changed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = make(map[*transcript]bool)
	}
	if changed {
		u.all[t] = true
	} else {
		delete(u.all, t)
	}
}

// touch notes that something changed in t though it was not read.
func (u *unsaved) touch(t *transcript) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.all[t]; known {
		return
	}
	if u.all == nil {
		u.all = make(map[*transcript]bool)
	}
	u.all[t] = true
}

// take gives them all, each with a number, and forgets them.
func (u *unsaved) take() map[*transcript]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.all
	u.all = nil
	for t := range all {
		if t.number == 0 {
			u.last++
			t.number = u.last
		}
	}
	return all
}
