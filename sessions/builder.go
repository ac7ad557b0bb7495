package sessions

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"yore/sessions/clean"
)

// pendingLimit is how many bytes of text are collected of one session before
// they are cut into passages. Up to there a turn that is written again
// replaces the first one in place; beyond it, it becomes a turn of its own.
const pendingLimit = 32 << 20

// seekManyFrom is from how many turns on it is worth the while to index the
// keys of the earlier ones.
const seekManyFrom = 32

// builder makes Updates of what a reader says about one session.
type builder struct {
	key   Key      // the name it is known by
	id    string   // the reader's own name for it
	facts *Session // as the reader sent them last
	sent  *Session // what the last Update said; never changed
	live  bool     // an Update was sent, and none that removed the session
	void  bool     // the next Update makes all earlier ones void
	// unknown: sent is not all that was applied. What would go on from it is not sent, since
	// it would take away what cannot be told now; another builder is to read all anew.
	unknown bool
	// forgotten: nothing is kept of it (Options.Forgotten).
	forgotten bool
	// hidden: nothing is kept of it, since it is a copy. It is live when what was sent of it
	// is another's to make void.
	hidden bool
	// withheld: some of it was dropped instead of sent, since it may be a copy.
	withheld bool
	// covered: what stands for it was seen to tell all that was read of it.
	covered bool
	// within is what it said when it was covered, where the same bytes are read again; nil
	// when that is not known.
	within *Session
	*workings
}

// workings are what a builder needs to read on; nil in one that is asleep.
type workings struct {
	pending []pendingTurn
	at      map[turnKey]int // where in pending a turn may be replaced
	bytes   int             // of the texts in pending

	numbers numbering
	places  hanging
	tally   tally
	hung    []Hung // placed since the last Update

	undone  map[string]bool // what Undo said last, by turn id
	changed map[string]bool // the same, since the last Update
}

type pendingTurn struct {
	Turn
	replace bool
}

// unsent is what the last Update of a session said of which none was sent: one for all,
// since there may be many copies.
var unsent Session

// newBuilder begins a session anew: key is the name that it is known by, id the
// reader's own. Earlier is the builder that knew it until now, nil when there
// was none.
func newBuilder(key Key, id string, earlier *builder) *builder {
	b := &builder{key: key, id: id, facts: &Session{}, sent: &unsent, workings: &workings{}}
	if earlier != nil {
		b.live, b.void, b.sent = earlier.live, earlier.live, earlier.sent
		b.recall(earlier)
	}
	return b
}

// turn takes the next turn.
func (b *builder) turn(t Turn, replace bool) {
	if !utf8.ValidString(t.Text) { // which is much quicker to see than to mend
		t.Text = strings.ToValidUTF8(t.Text, "\ufffd")
	}
	if t.Kind == ToolOutput {
		var cut bool
		t.Text, cut = CapOutput(t.Text)
		t.Cut = t.Cut || cut
	}
	t.Text = withoutSequences(withoutBlobs(t.Text))
	b.tally.time(t)
	key := keyOf(t)
	if at, ok := b.at[key]; ok && replace {
		b.bytes += len(t.Text) - len(b.pending[at].Text)
		b.pending[at].Turn = inPlaceOf(b.pending[at].Turn, t)
		return
	}
	if key != (turnKey{}) {
		if b.at == nil {
			b.at = make(map[turnKey]int)
		}
		b.at[key] = len(b.pending)
	}
	b.bytes += len(t.Text)
	b.pending = append(b.pending, pendingTurn{t, replace})
}

// withoutSequences cleans a text that holds escape sequences: where a word is
// coloured, nobody looks for its colour, nor for the word with a sequence in it.
func withoutSequences(text string) string {
	if strings.IndexByte(text, '\x1b') < 0 {
		return text
	}
	return clean.Text(text)
}

func (b *builder) undo(turns []string, undone bool) {
	for _, id := range turns {
		if was, known := b.undone[id]; id == "" || known && was == undone {
			continue
		}
		if b.undone == nil {
			b.undone = make(map[string]bool)
		}
		if b.changed == nil {
			b.changed = make(map[string]bool)
		}
		b.undone[id], b.changed[id] = undone, undone
	}
}

// full tells whether the pending turns must be placed now.
func (b *builder) full() bool { return b.bytes > pendingLimit }

// place gives the pending turns their passages. It is false when one of them
// replaces a turn that is out of reach: then the transcript has to be read
// from its beginning, unless that is what goes on (whole), where the turn is
// added as one of its own.
func (b *builder) place(whole bool) bool {
	// In a first placing no turn can replace one: turn saw to that.
	first := len(b.numbers.closed)+len(b.numbers.tail) == 0
	b.numbers.seekMany(!first && len(b.pending) > seekManyFrom)
	defer b.numbers.seekMany(false)
	b.tally.undo(b.changed)
	for _, p := range b.pending {
		if undone, said := b.undone[p.ID]; said {
			p.Undone = undone
		}
		if !p.Kind.Conversation() {
			b.hang(p)
			continue
		}
		switch {
		case !p.replace || first:
			b.say(p.Turn)
		default:
			switch b.numbers.replace(p.Turn) {
			case absent:
				b.say(p.Turn)
			case beyond:
				if !whole {
					return false
				}
				b.numbers.add(p.Turn)
			case replaced:
			}
		}
		if open, ok := b.numbers.cut.Open(); ok {
			b.places.enter(open)
		}
	}
	b.pending, b.at, b.bytes = nil, nil, 0
	return true
}

func (b *builder) hang(p pendingTurn) {
	if p.replace && b.places.has(p.Turn) {
		return
	}
	b.tally.count(p.Turn)
	b.hung = append(b.hung, b.places.hang(p.Turn, b.numbers.cut.Number(), b.undone))
}

func (b *builder) say(t Turn) {
	if from, to := textWithin(t.Text); from < to {
		b.tally.count(t)
		b.numbers.add(t)
	}
}

// update is what changed since the last Update; false when nothing did, or
// when nobody has said anything yet: that is no session. Facts completes what
// the reader left open.
func (b *builder) update(modified time.Time, complete func(*Session)) (Update, bool) {
	if b.unknown {
		return Update{}, false
	}
	if b.asleep() {
		return b.stir(complete)
	}
	if b.numbers.cut.Count() == 0 {
		b.dropEarlyHung()
		return b.farewell(complete)
	}
	u := Update{Session: *b.facts, Reset: b.void, Hung: b.hung}
	u.Key = b.key
	b.tally.fill(&u.Session, modified)
	u.Session.Passages = b.numbers.cut.Count()
	complete(&u.Session)
	u.From, u.Passages = b.numbers.take()
	b.markUndone(&u)
	silent := len(u.Passages)+len(u.Hung)+len(u.Undone)+len(u.Redone) == 0
	if b.live && !b.void && silent && sameFacts(&u.Session, b.sent) {
		return Update{}, false
	}
	b.note(u.Session)
	b.live, b.void, b.hung, b.changed = true, false, nil, nil
	return u, true
}

// farewell is the Update of a session that was to be read anew and cannot be,
// since its transcript is gone: what was applied of it stays.
func (b *builder) farewell(complete func(*Session)) (Update, bool) {
	u := Update{Session: *b.sent, From: b.sent.Passages}
	complete(&u.Session)
	if !b.live || b.sent.ID == "" || b.sent.Gone || !u.Gone {
		return Update{}, false
	}
	b.note(u.Session)
	return u, true
}

// note remembers what an Update says.
func (b *builder) note(s Session) {
	if b.sent = &unsent; s.ID != "" {
		said := s
		b.sent = &said
	}
}

// dropEarlyHung bounds what is kept of a transcript in which only tools spoke
// so far.
func (b *builder) dropEarlyHung() {
	bytes := 0
	for i, h := range slices.Backward(b.hung) {
		if bytes += len(h.Text); bytes > pendingLimit {
			b.hung = slices.Clone(b.hung[i+1:])
			return
		}
	}
}

// markUndone brings what Undo said into the update: on the turns that it
// carries, and as ids for those that were sent before.
func (b *builder) markUndone(u *Update) {
	for _, id := range slices.Sorted(maps.Keys(b.changed)) {
		if b.changed[id] {
			u.Undone = append(u.Undone, id)
		} else {
			u.Redone = append(u.Redone, id)
		}
	}
	if len(b.undone) == 0 {
		return
	}
	for i := range u.Passages {
		spans := slices.Clone(u.Passages[i].Spans)
		for j := range spans {
			if undone, said := b.undone[spans[j].ID]; said {
				spans[j].Undone = undone
			}
		}
		u.Passages[i].Spans = spans
	}
	for i := range u.Hung {
		if undone, said := b.undone[u.Hung[i].ID]; said {
			u.Hung[i].Undone = undone
		}
	}
}
