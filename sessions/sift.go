package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"yore/sessions/packed"
)

// A folder that was synced or mounted from another machine, or copied, holds sessions
// that stand elsewhere too. Of the transcripts of one session that tell the same, or of
// which one tells the beginning of what the other does, the longest stands, the others
// are copies: nothing of them is sent, and they are read again when they change or when
// what stands does. The one that stands has the id without a number where it can.

// sift finds out which of t's sessions are copies of what another transcript tells, and
// has t take the names of those that give way to it. What it has to send for that is read
// again from the beginning.
func (l *Library) sift(ctx context.Context, t *transcript, send func(Update)) error {
	if t.held = false; !l.claims.contested(t) || t.siftedOut(time.Now()) {
		return l.sendWithheld(ctx, t, send)
	}
	was := l.claims.copies(t)
	if doubted, surely := l.claims.doubted(t); doubted || t.stirred {
		if now, known := l.weigh(ctx, t, was, surely); known && !maps.Equal(was, now) {
			l.claims.setCopies(t, now)
			t.stirred = true
		}
		t.changed = true
	}
	anew := false
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		b := t.sessions[id]
		if _, copied := l.claims.copyOf(b.key); copied || b.forgotten || !b.live && !b.hidden && b.passages() == 0 {
			continue // what tells nothing needs no other name
		}
		anew = anew || b.hidden || b.withheld && !t.held
		before, said := l.claims.stood(t, b, was[b.key.ID])
		if b.less(said, t.at.Mtime) {
			continue // what that said is nowhere else
		}
		if name, ok := l.claims.succeed(t, id, before, !b.live); ok {
			if b.live {
				send(Update{Session: Session{Key: b.key}, Removed: true})
			}
			heir := newBuilder(Key{b.key.Harness, name}, id, nil)
			heir.live = true // with what its predecessor sent
			t.sessions[id], anew = heir, true
		}
	}
	if !anew {
		return nil
	}
	return l.readWeighed(ctx, t, send)
}

// readWeighed reads a transcript from its beginning to send what is no copy.
func (l *Library) readWeighed(ctx context.Context, t *transcript, send func(Update)) error {
	t.mark, t.changed, t.stirred, t.weighed = Mark{}, true, true, true
	defer func() { t.weighed = false }()
	return l.read(ctx, t, send)
}

// withholds drops what is collected of a session in the midst of a reading, where it is a
// copy or may turn out to be one, and tells whether it did. What is no copy is read again.
func (l *Library) withholds(t *transcript, b *builder) bool {
	if _, copied := l.claims.copyOf(b.key); !copied {
		first := numberOf(b.key.ID, b.id) == 0
		if b.live || first || t.weighed || !l.claims.contested(t) {
			return false
		}
	}
	b.withheld, b.hung = true, nil
	b.numbers.take()
	return true
}

// sendWithheld reads again what was withheld of a transcript that nothing is compared with.
func (l *Library) sendWithheld(ctx context.Context, t *transcript, send func(Update)) error {
	for _, b := range t.sessions {
		if b.withheld {
			return l.readWeighed(ctx, t, send)
		}
	}
	return nil
}

// A transcript is sifted no more than siftsMost times in siftsWithin: readers that tell
// something else of the same bytes each time would keep two at it for ever.
const (
	siftsMost   = 1000
	siftsWithin = time.Minute
)

// siftedOut counts one more time, and tells whether that is one too many.
func (t *transcript) siftedOut(now time.Time) bool {
	if now.Sub(t.sifting) > siftsWithin {
		t.sifting, t.sifts = now, 0
	}
	t.sifts++
	return t.sifts > siftsMost
}

// weigh compares what t tells of its sessions with what others tell of them. It gives the
// names of those that are copies, with the names of what stands for them; known is false
// when nothing is to be said now: nothing changed (unless something surely did), or
// something cannot be read.
func (l *Library) weigh(ctx context.Context, t *transcript, was map[string]string, surely bool) (copies map[string]string, known bool) {
	l.wakeRivals(t)
	rivals, now, settled := l.rivals(t)
	if !settled {
		t.held = true
		l.claims.doubt(t, surely)
		return nil, false
	}
	if now == t.compared && !surely {
		return nil, false
	}
	scales := scales{l: l, t: t, read: make(map[*transcript]map[string]*told)}
	copies = make(map[string]string)
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		b := t.sessions[id]
		if before := was[b.key.ID]; !surely && before != "" && l.begins(ctx, t, before, rivals[id]) {
			b.covered, copies[b.key.ID] = true, before
			continue
		}
		name, err := scales.weigh(ctx, id, was[b.key.ID], rivals[id])
		if err != nil {
			t.held = errors.Is(err, fs.ErrNotExist)
			l.claims.doubt(t, surely)
			return nil, false
		}
		b.covered = b.covered || name != "" && !scales.shut
		if stood, said := l.claims.stood(t, b, was[b.key.ID]); name == "" && stood != "" && b.lags(said, t.at.Mtime) {
			name = stood
		}
		if name != "" {
			copies[b.key.ID] = name
		}
	}
	if t.compared = now; scales.shut {
		t.compared = 0
		l.claims.doubt(t, surely)
	}
	return copies, true
}

// begins tells whether what stands for a copy has its bytes at the beginning, as it does
// where a copy lags behind: then neither is parsed to see that it is one still.
func (l *Library) begins(ctx context.Context, t *transcript, stands string, rivals []rival) bool {
	if t.at.Unit != "" || t.print.offset == 0 || t.print.offset != t.at.Size {
		return false
	}
	at := slices.IndexFunc(rivals, func(r rival) bool { return r.name == stands })
	if at < 0 || rivals[at].at.Unit != "" {
		return false
	}
	_, copied := l.claims.copyOf(Key{t.at.Root.Harness, stands})
	return !copied && beginsWith(ctx, rivals[at].at.Path, t.at.Path, t.at.Size)
}

// rivals are the transcripts that are there and tell of the same sessions as t, by the
// reader's ids, and a hash of what can change what a comparison with them says. They are
// not settled while one is about to be gone, or to be read for the first time, which has t
// compared again.
func (l *Library) rivals(t *transcript) (all map[string][]rival, now uint64, settled bool) {
	all = l.claims.rivals(t)
	b := appendStamp(nil, &t.stamp)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		own, _ := l.claims.named(t, id)
		b = packed.AppendString(b, own)
		for i := range all[id] {
			r := &all[id][i]
			j, _ := l.queue.state(r.t)
			if r.at = j.at; j.gone || j.at.Path == "" { // it was just listed, and is not in line yet
				return nil, 0, false
			}
			b = appendPlace(packed.AppendString(b, r.name), &r.at)
		}
	}
	return all, xxhash.Sum64(b), true
}

// rival is another transcript of a session, with the name that it has for it.
type rival struct {
	t    *transcript
	name string
	at   Transcript
}

// scales weigh transcripts, each of which is read once.
type scales struct {
	l    *Library
	t    *transcript
	read map[*transcript]map[string]*told
	shut bool // one cannot be read now
}

// weigh is the name of the rival that stands for the session with a reader's id of the
// transcript, "" when none tells all that it does. Of equal ones the first stands, and one
// that cannot be read where it stood until now (was) and has said as much. A rival of
// which something else is known by now is compared again.
func (s *scales) weigh(ctx context.Context, id, was string, rivals []rival) (name string, err error) {
	var best *told
	key := s.t.sessions[id].key
	own := numberOf(key.ID, id)
	for _, r := range rivals {
		mine, err := s.told(ctx, s.t, s.t.at, id)
		if err != nil {
			return "", err
		}
		if mine == nil || len(mine.spoken) == 0 {
			return "", nil
		}
		theirs, err := s.told(ctx, r.t, r.at, id)
		if err != nil && (ctx.Err() != nil || errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
		if err != nil {
			if s.shut = true; best == nil && r.name == was && s.stays(id, r) {
				name = was
			}
			continue
		}
		if theirs == nil {
			theirs = &told{}
		}
		covered, covers := theirs.covers(mine), mine.covers(theirs)
		before := numberOf(r.name, id) < own
		if stands := covered && (!covers || before); stands && (best == nil || cmp.Or(
			cmp.Compare(theirs.size(), best.size()), cmp.Compare(numberOf(name, id), numberOf(r.name, id))) > 0) {
			name, best = r.name, theirs
		}
		is := covers && (!covered || !before)
		s.revise(r, key.ID, is, len(theirs.spoken) > 0)
	}
	return name, nil
}

// revise has a rival compared again that is a copy of the transcript's session with a name
// and is not known as one, if it says anything, or is not and is known as one.
func (s *scales) revise(r rival, name string, is, speaks bool) {
	of, copied := s.l.claims.copyOf(Key{s.t.at.Root.Harness, r.name})
	if is && !copied && speaks || !is && of == name {
		s.l.doubt(r.t, true, s.t.first != nil || s.t.owing)
	}
}

// stays tells whether a copy of what cannot be read says no more than that did.
func (s *scales) stays(id string, r rival) bool {
	return !s.t.sessions[id].beyond(s.l.claims.saidBy(r.t, r.name), s.t.at.Mtime)
}

func (s *scales) told(ctx context.Context, t *transcript, at Transcript, id string) (*told, error) {
	all, known := s.read[t]
	if known {
		return all[id], nil
	}
	all, err := s.tell(ctx, t, at)
	if err != nil {
		return nil, err
	}
	if !at.still() { // what was read may be half of what is being written
		s.l.claims.doubt(s.t, false)
		s.l.claims.disquiet(t)
	}
	s.read[t] = all
	return all[id], nil
}

// tell reads what a transcript says, unless it was read just now.
func (s *scales) tell(ctx context.Context, t *transcript, at Transcript) (map[string]*told, error) {
	if t == s.t && t.tells != nil {
		return t.tells, nil
	}
	all, err := tell(ctx, t.source, at)
	if t != s.t && errors.Is(err, fs.ErrNotExist) {
		s.l.lose(t, at, s.t.first != nil || s.t.owing)
	}
	return all, err
}

// lose has a transcript that is not there any more found gone, where no listing would.
func (l *Library) lose(t *transcript, at Transcript, waited bool) {
	listed := slices.ContainsFunc(l.places(), func(h home) bool { return h.place() == at.Root.place() })
	if listed && !excluded(at.Path, l.o.Exclude) || onDisk(at, nil) {
		return
	}
	if l.queue.push(t, &job{at: at, gone: true}) && waited {
		l.press(t, true)
	}
}

// hide drops what is known of a session that is a copy. What was sent of it stays where
// the one that stands is going to have its name, and is void else.
func (t *transcript) hide(b *builder, yields bool, send func(Update)) {
	live, said := b.live, b.saying(t.at.Mtime)
	t.changed, t.mark = t.changed || !b.hidden, Mark{}
	hidden := builder{key: b.key, id: b.id, hidden: true, covered: b.covered, facts: &said, sent: &unsent}
	if hidden.live = live && yields; hidden.live {
		hidden.sent, hidden.workings = b.sent, &workings{}
	}
	if *b = hidden; live && !yields {
		send(Update{Session: Session{Key: b.key}, Removed: true})
	}
}

// passOn has the others that tell of t's sessions compared again, if what t tells or
// whether it is there has changed. They are waited for before everything is loaded where t
// was.
func (l *Library) passOn(t *transcript, waited bool) {
	for _, heir := range l.claims.yield(t) {
		l.press(heir, waited)
	}
	if restless := l.claims.calm(t); !t.stirred && !restless {
		return
	}
	t.stirred = false
	for _, rivals := range l.claims.rivals(t) {
		for _, r := range rivals {
			l.doubt(r.t, false, waited)
		}
	}
}

// doubt has a transcript compared with the others again, also after another start. It is
// surely when it is known that something else comes of it, though no stamp may tell.
func (l *Library) doubt(t *transcript, surely, waited bool) {
	l.claims.doubt(t, surely)
	l.unsaved.touch(t)
	l.press(t, waited)
}

// press has a transcript looked at again; where it is waited for, not everything is loaded
// before. What asks for it is not loaded itself.
func (l *Library) press(t *transcript, waited bool) {
	if waited {
		l.outstanding.Add(1)
	}
	if awaited := l.queue.press(t, waited); waited && !awaited {
		l.outstanding.Add(-1)
	}
}
