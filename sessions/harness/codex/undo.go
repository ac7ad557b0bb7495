package codex

import (
	"context"

	"yore/sessions"
)

// ledger lists the ids of the turns that each turn of the user led to, so that
// the last ones can be undone. It grows with the rollout and so is no part of
// the state that a Mark keeps: when a rollout is read on and then rolled back,
// which is rare, its beginning is read again.
type ledger struct {
	whole bool // it begins with the rollout
	turns [][]string
}

func (l *ledger) begin() {
	if l.whole {
		l.turns = append(l.turns, nil)
	}
}

// add notes a turn. What precedes the first prompt cannot be rolled back.
func (l *ledger) add(id string) {
	if n := len(l.turns); n > 0 {
		l.turns[n-1] = append(l.turns[n-1], id)
	}
}

// pop takes the last n turns of the user off.
func (l *ledger) pop(n int64) []string {
	from := len(l.turns) - int(min(n, int64(len(l.turns))))
	var ids []string
	for _, turn := range l.turns[from:] {
		ids = append(ids, turn...)
	}
	l.turns = l.turns[:from]
	return ids
}

// rollback undoes the last n turns of the user and all that followed them.
func (r *rollout) rollback(n int64) {
	r.flushPrompts()
	r.flush()
	if r.dropping() || n <= 0 {
		return
	}
	if !r.ledger.whole {
		r.ledger = r.source.recount(r.ctx, r.file, r.offset)
	}
	if ids := r.ledger.pop(n); len(ids) > 0 {
		r.to.Undo(r.id(), ids, true)
	}
	r.Last = lastPrompt{Any: r.Last.Any}
}

// recount reads a rollout's lines before the offset for their turns' ids alone.
func (s *Source) recount(ctx context.Context, t sessions.Transcript, before int64) ledger {
	r := s.rollout(ctx, t, nowhere{})
	// An error leaves the ids that were found: what could be read is undone.
	_, _ = r.readLines(0, before)
	r.end() // as a rollback does first: what was held back can be undone too
	return r.ledger
}

// nowhere takes what is read again.
type nowhere struct{}

func (nowhere) Facts(sessions.Session)           {}
func (nowhere) Turn(string, sessions.Turn, bool) {}
func (nowhere) Undo(string, []string, bool)      {}
func (nowhere) Skip(string, string)              {}
