package sessions

import (
	"context"
	"errors"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"yore/sessions/packed"
)

// told is what a transcript says of one session, as far as it takes to see whether
// another transcript says all of it too.
type told struct {
	spoken []toldTurn
	at     map[turnKey]int // in spoken
	beside map[uint64]int  // how often each turn is told that is no conversation
	undone int             // how many turns were taken back, or restored
	dated  bool            // a turn says when it was written
	dir    string
}

// toldTurn is one turn of the conversation.
type toldTurn struct {
	hash  uint64 // of all that it says
	key   turnKey
	bytes int
}

// covers tells whether everything that other says stands here as well, in its order:
// other is the same, or was copied before more was written. An answer that was still
// being written then may be longer here.
func (a *told) covers(other *told) bool {
	if len(other.spoken) > len(a.spoken) || other.undone > a.undone || !a.akin(other) {
		return false
	}
	for i, t := range other.spoken {
		if here := a.spoken[i]; here.hash != t.hash && (i < len(other.spoken)-1 || !here.extends(t)) {
			return false
		}
	}
	for turn, n := range other.beside {
		if n > a.beside[turn] {
			return false
		}
	}
	return true
}

// akin tells whether equal texts are of one session: without a time, two that only begin
// alike are told apart by where they were at work.
func (a *told) akin(other *told) bool {
	return len(other.spoken) == 0 || a.dated && other.dated || a.dir == other.dir
}

// extends tells whether t was still being written.
func (a toldTurn) extends(t toldTurn) bool {
	return t.key != turnKey{} && a.key == t.key && t.key.kind != Prompt && a.bytes >= t.bytes
}

// size orders what is told of copies of one session by how much that is.
func (a *told) size() int { return len(a.spoken) + len(a.beside) }

// errDamaged is why what a transcript tells cannot be compared.
var errDamaged = errors.New("a part cannot be read")

// tell reads what a transcript says, by the reader's own ids.
func tell(ctx context.Context, source Source, at Transcript) (map[string]*told, error) {
	to := newTelling(at)
	_, err := readBy(ctx, &transcript{source: source, at: at}, Mark{}, to)
	if err == nil && to.damaged {
		err = errDamaged
	}
	return to.sessions, err
}

// telling is the Sink of tell.
type telling struct {
	at       Transcript
	sessions map[string]*told
	damaged  bool
}

func newTelling(at Transcript) *telling {
	return &telling{at: at, sessions: make(map[string]*told)}
}

func (y *telling) session(id string) *told {
	id = y.at.idOf(id)
	if y.sessions[id] == nil {
		y.sessions[id] = &told{at: make(map[turnKey]int), beside: make(map[uint64]int)}
	}
	return y.sessions[id]
}

func (y *telling) Facts(s Session) { y.session(s.ID).dir = s.Directory }

func (y *telling) Turn(id string, t Turn, replace bool) {
	s, key := y.session(id), keyOf(t)
	if t.Undone {
		s.undone++
	}
	if !t.Kind.Conversation() {
		if turn := hashBeside(t, key); key == (turnKey{}) {
			s.beside[turn]++
		} else {
			s.beside[turn] = 1
		}
		return
	}
	if from, to := textWithin(t.Text); from == to {
		return
	}
	s.dated = s.dated || !t.At.IsZero()
	turn := toldTurn{hashSpoken(t), key, len(t.Text)}
	if at, known := s.at[key]; known && replace {
		s.spoken[at] = turn
		return
	}
	if key != (turnKey{}) {
		s.at[key] = len(s.spoken)
	}
	s.spoken = append(s.spoken, turn)
}

func (y *telling) Undo(id string, turns []string, _ bool) { y.session(id).undone += len(turns) }

func (y *telling) Skip(string, string) {}

func (y *telling) SawAll() {}

func (y *telling) Damaged() { y.damaged = true }

// hashSpoken is the hash of all that a turn of the conversation says. Whether it is a
// copy depends on what lies beside its transcript.
func hashSpoken(t Turn) uint64 {
	var buffer [64]byte
	b := append(buffer[:0], byte(t.Kind), byte(t.Role))
	b = packed.AppendString(packed.AppendTime(b, t.At), t.ID)
	return xxhash.Sum64(b) ^ bits.RotateLeft64(xxhash.Sum64String(t.Text), 1)
}

// hashBeside is the hash of a turn that is no conversation: of its key where it has one,
// since an output may grow.
func hashBeside(t Turn, key turnKey) uint64 {
	if key != (turnKey{}) {
		return key.hash()
	}
	return hashSpoken(t)
}
