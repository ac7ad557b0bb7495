package sessions

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"yore/sessions/packed"
)

// Saved is what a Library has to know of a transcript, or of many that are at rest, to
// go on with them after a new start, without opening those that did not change.
type Saved struct {
	Number uint64 // names what it is of, from the first Save on
	State  []byte // the Library's own form; none when what was saved under the number is void
	First  bool   // State has the form of before builders slept: it is read, and written no more
	Many   bool   // it is of many transcripts
	Folder bool   // it is of a folder of sub-agents, as a listing found it
	// Later reads State, of which there need be no more than SavedBeginning then; nil: State
	// is all that there is.
	Later func() ([]byte, error)
}

// SavedBeginning is how many bytes of what is read later are known at once: so many that
// they say by which program it was read, and of how many transcripts it is.
const SavedBeginning = 2 * binary.MaxVarintLen64

// Applied says what the Updates applied so far made of the sessions.
type Applied struct {
	// Session is what is known of one now. Its error is why no more can be told of one that
	// is there than what s has, as where a part of the disk cannot be read. It is asked at
	// any time, by several goroutines.
	Session func(Key) (s Session, ok bool, err error)
	// Partial are those of which some text was missing at the start.
	Partial map[Key]bool
	// Doubtful: it may be missing of any.
	Doubtful bool
}

// Whole is what is known of a session, and whether that is all, and all of its text was
// there at the start. Its error is Session's.
func (a *Applied) Whole(key Key) (s Session, whole bool, err error) {
	s, ok, err := a.Session(key)
	return s, ok && err == nil && !a.Doubtful && !a.Partial[key], err
}

// readingRevision is raised whenever a reader, the cutter or the counts make
// something else of the same bytes than before: then every transcript that is
// still there is read anew. Text of those that are gone stays as it was.
const readingRevision = 53

// Revision is the readingRevision of this program. What a program with a higher one has
// read is left as it is: one with a lower one, which would read all back, is to write
// nothing where that is kept.
func Revision() uint32 { return readingRevision }

// errSaved is what Restore ends with when a state is not one.
var errSaved = errors.New("what was kept of the transcripts cannot be read")

// Restore takes over what Save gave in an earlier run: of each number the last. Of a
// session of which not all is applied any more, the transcript is read from the
// beginning, and the first Update makes what was applied void. Restore is to be
// called before Run, once. Its error is that of ctx, after which the Library is of no use,
// or says that a state is none; then it is as new.
func (l *Library) Restore(ctx context.Context, saved []Saved, applied Applied) error {
	all, err := l.load(ctx, saved, &applied)
	if err != nil {
		l.sleepers.clear()
		l.looks.clear()
		l.skips.clear()
		return err
	}
	now := time.Now()
	l.applied = &applied
	l.shelf.expect(len(all))
	l.claims.owner = make(map[Key]*transcript, len(all))
	l.meet(func(yield func(*transcript) bool) {
		for _, k := range all {
			if !yield(&k.transcript) {
				return
			}
		}
	})
	// Those that lie side by side have most of their texts in common.
	slices.SortFunc(all, func(a, b *kept) int { return inPlace(&a.transcript, &b.transcript) })
	for i, k := range all {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.restore(k, now)
		if t := &k.transcript; !l.layDownAgain(t) {
			t.due = true // until Run has it looked at
			l.restored = append(l.restored, t)
		}
		all[i] = nil
	}
	return nil
}

// load reads what was saved. Of the sleepers it gives those that are forgotten, and those
// to be read anew that are no sub-agents: of others there are too many.
func (l *Library) load(ctx context.Context, saved []Saved, applied *Applied) (all []*kept, err error) {
	wakes := false
	early := func(b *block, d *dormant) bool {
		return !d.side && (b.stale || d.among(applied.Partial)) || l.forgetsSleeper(d)
	}
	for _, s := range saved {
		l.unsaved.last = max(l.unsaved.last, s.Number)
		if s.Folder {
			l.looks.restore(s)
		}
	}
	var left []Saved
	if l.mayLeave(applied) {
		left, saved = leftOut(saved, l.looks.accounted())
	}
	l.sleepers.expect(saved)
	l.sleepers.leaveOut(left)
	for _, s := range saved {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s.Many {
			if s.Later != nil {
				if s.State, err = s.Later(); err != nil {
					return nil, fmt.Errorf("%w: %w", errSaved, err)
				}
			}
			if !l.sleepers.load(s, applied.Doubtful, func(b *block, d *dormant) {
				l.meetSleeper(d)
				wakes = wakes || early(b, d)
			}) {
				return nil, errSaved
			}
			continue
		}
		if s.Folder {
			continue
		}
		r := packed.NewReader(s.State)
		k := readTranscript(r, s.First)
		if r.Bad() || r.Rest() > 0 {
			return nil, errSaved
		}
		k.number, k.former = s.Number, s.First
		all = append(all, &k)
	}
	if wakes {
		l.sleepers.every(early, func(k *kept) { all = append(all, k) })
	}
	if len(applied.Partial) > 0 {
		l.sleepers.doubt(func(d *dormant) bool { return d.among(applied.Partial) }, l.unsaved.next)
	}
	return all, nil
}

// restore takes over one transcript, and tells whether not all is known now that was applied
// of its sessions.
func (l *Library) restore(kept *kept, now time.Time) (unknown bool) {
	t := &kept.transcript
	t.source = l.sourceOf(t.at.Root)
	whole := kept.revision >= readingRevision
	if l.reconsider(t) {
		whole = false
	}
	lost := false
	for id, b := range t.sessions {
		if b.forgotten {
			continue
		}
		known, all := l.recollect(b)
		whole = whole && (all || !b.live)
		unknown = unknown || b.unknown
		switch {
		case kept.slept && b.hidden:
		case t.gone && b.live && known.ID == "" && !b.unknown:
			delete(t.sessions, id) // it was left out since, and cannot be read again
			lost = true
		case !kept.slept:
			b.share()
		case known.ID == "":
			delete(t.sessions, id) // nothing is left of it
		default:
			b.facts = b.sent
		}
	}
	if !whole && !t.gone {
		t.readAnew(kept.owned)
		for _, b := range t.sessions {
			known, _ := l.recollect(b)
			b.live = b.live || b.unknown || known.ID != ""
		}
	}
	if lost {
		l.unsaved.touch(t)
	}
	switch {
	case lost && len(t.sessions) == 0:
		t.startOver() // for the case that it comes back
		t.print = fingerprint{}
	case !whole && t.gone:
		t.mark, t.stamp, t.print = Mark{}, Stamp{}, fingerprint{} // the same
	}
	if t.ended(now) {
		t.rest()
	}
	t.known = whole && !t.gone
	t.job = job{at: t.at, gone: t.gone}
	t.failed = !t.gone && !t.at.Same(t.stamp)
	l.claims.restore(t, kept.owned)
	l.claims.setCopies(t, kept.copies)
	if kept.slept {
		l.skips.resume(t, kept.skipped)
	} else {
		l.skips.restore(t, kept.skipped)
	}
	l.shelf.restore(t)
	if kept.former || kept.slept {
		l.unsaved.touch(t) // so that it is written in the present form
	}
	kept.owned, kept.copies, kept.skipped = nil, nil, nil // they would stay as long as the transcript
	return unknown
}

// recollect has a session go on from what was applied of it, and tells whether that is all
// there.
func (l *Library) recollect(b *builder) (known Session, whole bool) {
	known, whole, err := l.applied.Whole(b.key)
	b.note(known)
	b.unknown = err != nil
	return known, whole
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
	earlier := t.sessions
	t.startOver()
	t.print = fingerprint{}
	t.sessions = make(map[string]*builder, len(owned))
	for id, name := range t.names {
		if owned[name] {
			b := newBuilder(Key{t.at.Root.Harness, name}, id, nil)
			before := earlier[id]
			b.live = before == nil || !before.forgotten // of that, nothing is there
			if before != nil {
				b.recall(before)
			}
			t.sessions[id] = b
		}
	}
}

// Save gives what Restore needs of the transcripts that were read since the last
// Save, in a moment in which the Updates applied are those that the states
// speak of. While take runs, nothing is read. After Run has ended before
// everything was read, what was just being read is to be read anew, as is what another
// transcript has said something of.
func (l *Library) Save(take func([]Saved)) {
	l.steady.Lock()
	defer l.steady.Unlock()
	for _, t := range l.claims.takeLosers() {
		l.unsaved.touch(t) // not more: one whose reading was cut short is to be read anew
	}
	l.endVigils(time.Now())
	unsaved := l.unsaved.take()
	l.unsaved.overdue(l.queue.isAgain, unsaved)
	states := l.lull(unsaved)
	for t, settled := range unsaved {
		if t.number == 0 {
			t.number = l.unsaved.next()
		}
		states = append(states, Saved{Number: t.number, State: l.formOf(t, settled)})
	}
	take(states)
}

// unsaved are the transcripts of which something changed since the last Save.
type unsaved struct {
	mu   sync.Mutex
	all  map[*transcript]bool // false: it is just being read
	due  map[*transcript]bool // to be read again though it did not change; true: that is saved
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

// awaits notes that t is to be read again though it did not change: at the next start,
// from its beginning, where it is not before.
func (u *unsaved) awaits(t *transcript) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.due == nil {
		u.due = make(map[*transcript]bool)
	}
	u.due[t] = false
}

// overdue adds those of which that still is true to what is saved now, where it is not
// saved yet or something else of them is, and forgets those that were read.
func (u *unsaved) overdue(still func(*transcript) bool, now map[*transcript]bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for t, saved := range u.due {
		_, changed := now[t]
		switch {
		case !still(t):
			delete(u.due, t)
		case !saved || changed:
			u.due[t], now[t] = true, false
		}
	}
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

// next is a number that nothing was saved under.
func (u *unsaved) next() uint64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last++
	return u.last
}

// take gives them all and forgets them.
func (u *unsaved) take() map[*transcript]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.all
	u.all = nil
	if all == nil {
		all = make(map[*transcript]bool)
	}
	return all
}
