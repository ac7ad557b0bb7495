package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"
)

// The reasons under which a transcript counts as skipped that could not be opened, or
// not read to its end.
const (
	unreadable = "transcript cannot be read"
	shut       = "transcript may not be read now" // another program holds it, or it is not for this user
)

// reading is the Sink of one reading of a transcript.
type reading struct {
	l     *Library
	t     *transcript
	whole bool // from the beginning
	all   bool // not from there, but all of it was looked at
	send  func(Update)

	skipped  skipping
	sessions map[string]*builder
	earlier  map[string]*builder // in a whole reading: what was known before it
	begun    bool                // something was read
	damaged  bool                // a part could not be read
	sent     bool                // some of it was sent before the end
	again    bool                // a turn beyond reach was replaced: only a whole reading will do

	concerned []string // files of which it said something

	telling *telling // where it is going to be compared; nil else
}

func (r *reading) Facts(s Session) {
	b := r.builder(s.ID)
	b.facts = &s
	if r.telling != nil {
		r.telling.Facts(s)
	}
}

func (r *reading) Turn(id string, t Turn, replace bool) {
	if r.again {
		return
	}
	if r.telling != nil {
		r.telling.Turn(id, t, replace)
	}
	t.ID, t.Call, t.Tool = printableID(t.ID), CapName(t.Call), CapName(t.Tool)
	b := r.builder(id)
	b.turn(t, replace)
	if b.full() {
		if r.again = !b.place(r.whole); !r.again && !r.l.withholds(r.t, b) {
			r.sent = true
			r.l.emit(r.t, b, r.send)
		}
	}
}

func (r *reading) Undo(id string, turns []string, undone bool) {
	shown := make([]string, len(turns))
	for i, turn := range turns {
		shown[i] = printableID(turn)
	}
	r.builder(id).undo(shown, undone)
	if r.telling != nil {
		r.telling.Undo(id, turns, undone)
	}
}

func (r *reading) Skip(reason, at string) { r.skipped.add(reason, at) }

func (r *reading) SawAll() { r.all = true }

func (r *reading) Damaged() { r.damaged = true }

func (r *reading) Concerns(path string) { r.concerned = append(r.concerned, path) }

func (r *reading) Known(path string) bool {
	if r.l.sleepers.knows(path) { // asked first: what wakes is on the shelf then
		return true
	}
	return slices.ContainsFunc(r.l.shelf.at(path), func(t *transcript) bool { return t.known })
}

// poorer tells whether a store that is damaged, or was not read to its end, gave less of
// a session than is known of it.
func (r *reading) poorer(err error) bool {
	if !r.damaged && err == nil || !r.whole || r.sent {
		return false
	}
	for id, earlier := range r.earlier {
		if now := r.sessions[id]; earlier.live && (err != nil || now == nil || now.passages() < earlier.passages()) {
			return true
		}
	}
	return false
}

// builder is the one of the session with the reader's id, or with the one that
// the transcript's name tells when the reader has none.
func (r *reading) builder(id string) *builder {
	r.begun = true
	id = r.t.at.idOf(id)
	b := r.sessions[id]
	if b == nil {
		b = newBuilder(Key{r.t.at.Root.Harness, r.l.claim(r.t, id)}, id, r.earlier[id])
		r.sessions[id] = b
	}
	return b
}

// place gives all that was read its passages.
func (r *reading) place() bool {
	for _, b := range r.sessions {
		if r.again || !b.place(r.whole) {
			return false
		}
	}
	return true
}

// refresh brings a transcript up to date: it reads what is new in it and sends
// what follows. It fails when the transcript cannot be read.
func (l *Library) refresh(ctx context.Context, t *transcript, j job, send func(Update)) (err error) {
	was, copies, anew := t.gone, l.claims.copies(t), false
	t.changed = t.changed || j.again || j.at.Root != t.at.Root || j.at.Path != t.at.Path || !j.gone && !j.at.Same(t.stamp)
	tell := send
	send = func(u Update) {
		t.changed = true
		tell(u)
	}
	if t.changed || j.gone != was {
		l.wakeRivals(t) // before it gives up a name, or tells something else
	}
	t.gone = j.gone
	if j.gone {
		l.skips.forget(t, "")
	} else {
		if lost, owned := l.claims.regain(t); lost {
			t.readAnew(owned)
			t.stirred, anew = true, true
		}
		t.at = j.at
		switch {
		case t.emptied():
			t.gone, t.mark, t.stamp = true, Mark{}, t.at.Stamp
		case j.again, !t.at.Same(t.stamp):
			err = l.read(ctx, t, send)
		}
	}
	t.changed, t.stirred = t.changed || t.gone != was, t.stirred || t.gone != was
	if err == nil && !t.gone {
		err = l.sift(ctx, t, send)
	}
	t.tells = nil
	if !was && !t.gone && !anew && !t.held && l.claims.stillCopies(t, copies) {
		t.stirred = false // what covers it covers what it covers
	}
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		l.emit(t, t.sessions[id], send)
	}
	if t.ended(time.Now()) {
		t.rest()
	}
	return err
}

// read reads what changed, from where the last reading ended if it can.
func (l *Library) read(ctx context.Context, t *transcript, send func(Update)) error {
	l.skips.forget(t, unreadable)
	l.skips.forget(t, shut)
	from := t.mark
	if !from.zero() && t.rewritten() {
		from = Mark{}
	}
	again, err := l.readFrom(ctx, t, from, send)
	if again {
		_, err = l.readFrom(ctx, t, Mark{}, send)
	}
	if err != nil && ctx.Err() == nil {
		reason := unreadable
		if errors.Is(err, ErrHeld) || errors.Is(err, fs.ErrPermission) {
			reason = shut
		}
		l.skips.add(t, reason, naming(t.at.Path, err))
	}
	return err
}

// readFrom reads from the mark on. It is told by again that only a reading
// from the beginning tells what the transcript says now.
func (l *Library) readFrom(ctx context.Context, t *transcript, from Mark, send func(Update)) (again bool, err error) {
	r := &reading{l: l, t: t, whole: from.zero(), send: send, skipped: skipping{}, sessions: t.sessions}
	if r.whole {
		r.sessions, r.earlier = make(map[string]*builder), t.sessions
	} else if r.sessions == nil {
		r.sessions = make(map[string]*builder)
	}
	if t.tells = nil; r.whole && l.claims.contested(t) {
		r.telling = newTelling(t.at)
	}
	unchanged := t.at.Same(t.stamp)
	mark, err := readBy(ctx, t, from, r)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if errors.Is(err, ErrRewritten) && !r.whole {
		return true, nil
	}
	if err != nil && !r.begun {
		return false, err
	}
	if !r.place() {
		return true, nil
	}
	l.skips.read(t, r.skipped, r.whole || r.all)
	if r.poorer(err) { // it is said, and what is known stays until the store changes, or can be read
		if t.stamp = t.at.Stamp; err != nil {
			t.stamp = Stamp{}
		}
		return false, err
	}
	t.sessions, t.mark, t.stamp = r.sessions, mark, t.at.Stamp
	t.stirred = t.stirred || r.whole
	if r.telling != nil && err == nil && !r.damaged {
		t.tells = r.telling.sessions
	}
	before := t.print
	if t.print = takeFingerprint(t.at.Path, mark.Offset); before.taken && t.print != before {
		for _, b := range t.sessions {
			b.within = nil // it says something else
		}
	}
	if err != nil {
		t.stamp = Stamp{}
	}
	l.remove(r)
	if unchanged { // it had each of these read again when it first said so
		return false, err
	}
	for _, path := range r.concerned {
		l.readAgain(path, t.first != nil)
	}
	return false, err
}

// readAgain has the transcripts in a file read though it did not change; where they are
// awaited, not everything is loaded before. What asks for it is not loaded itself.
func (l *Library) readAgain(path string, awaited bool) {
	for again := true; again; {
		again = false
		l.wakeAt(path)
		for _, t := range l.shelf.at(path) {
			if awaited {
				l.outstanding.Add(1)
			}
			taken, inForce := l.queue.again(t, awaited)
			if taken {
				l.unsaved.awaits(t)
			}
			if awaited && !taken {
				l.outstanding.Add(-1)
			}
			again = again || !inForce
		}
	}
}

// readBy has the transcript's source read it. A reader that panics costs this transcript
// alone, of which what was known stays: not the others, and not a terminal that is left
// in the screen's modes.
func readBy(ctx context.Context, t *transcript, from Mark, to Sink) (mark Mark, err error) {
	defer func() {
		if p := recover(); p != nil {
			mark, err = Mark{}, fmt.Errorf("the reader failed, which is a fault of this program: %v", p)
		}
	}()
	return t.source.Read(ctx, t.at, from, to)
}

// remove takes back the sessions that a whole reading no longer found.
func (l *Library) remove(r *reading) {
	for _, id := range slices.Sorted(maps.Keys(r.earlier)) {
		earlier, now := r.earlier[id], r.sessions[id]
		if !earlier.live || now != nil && now.numbers.cut.Count() > 0 {
			continue
		}
		r.send(Update{Session: Session{Key: earlier.key}, Removed: true})
		if now != nil {
			now.live, now.void = false, false
		}
	}
}

// emit sends what changed in a session.
func (l *Library) emit(t *transcript, b *builder, send func(Update)) {
	if !l.claims.owns(t, b.key) {
		return
	}
	if b.forgotten || l.forgets(b.key, b.parent()) {
		t.forget(b, send)
		return
	}
	if _, copied := l.claims.copyOf(b.key); copied {
		t.hide(b, l.claims.yielded(b), send)
		return
	}
	if b.withheld { // it is read again
		t.mark, t.stamp = Mark{}, Stamp{}
		return
	}
	if !b.live && (t.held || b.hidden) {
		return
	}
	before := *b
	u, ok := b.update(t.at.Mtime, func(s *Session) { l.complete(t, s, b.id) })
	switch {
	case !ok:
	case l.forgets(u.Key, u.Parent): // whose sub-agent it is may stand outside the transcript
		b.live = before.live
		t.forget(b, send)
	default:
		l.notice(&u.Session)
		send(u)
	}
}

// complete adds to a session's facts what the reader cannot know. Id is the
// reader's own, by which the harness goes on with the session.
func (l *Library) complete(t *transcript, s *Session, id string) {
	s.Path = t.at.Path
	if s.Parent != "" {
		if t.twin > 0 {
			l.wakeNamed(Key{s.Harness, numbered(printableID(s.Parent), t.twin)})
		}
		s.Parent = l.claims.name(t, s.Parent)
	}
	s.ForkedFrom = printableID(s.ForkedFrom)
	l.notes.apply(s)
	if s.Directory == "" {
		s.Directory = l.hashed.directory(s.Key, t.at.Path)
	}
	s.ParentCall = CapName(s.ParentCall)
	s.Title = clipTitle(s.Title)
	s.Gone = t.gone
	s.Running = s.Running && !s.Gone
	if s.Resume == nil {
		own := *s
		own.ID = id
		s.Resume = t.source.Resume(own)
	}
}
