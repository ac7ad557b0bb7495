package model

import "context"

// slot is one kind of request to the engine: at most one is in flight, and only
// the newest one's result counts. A newer request cancels the one in flight and
// starts when that has returned, so a slow engine is never asked twice at once.
type slot struct {
	gen    uint64 // of the newest request
	busy   bool
	again  bool // start once more when the one in flight returns
	cancel context.CancelFunc
}

// begin asks for a new request. It returns its context and generation and true
// when it may start now.
func (s *slot) begin(parent context.Context) (context.Context, uint64, bool) {
	s.gen++
	if s.busy {
		s.again = true
		s.cancel()
		return nil, 0, false
	}
	s.busy = true
	ctx, cancel := context.WithCancel(parent)
	s.cancel = cancel
	return ctx, s.gen, true
}

// refresh asks for a repetition without disturbing what is in flight; it
// reports whether begin is to be called now.
func (s *slot) refresh() bool {
	if s.busy {
		s.again = true
		return false
	}
	return true
}

// drop makes the result of what is in flight void.
func (s *slot) drop() {
	s.gen++
	s.again = false
	if s.busy {
		s.cancel()
	}
}

// done takes note that the request of generation gen has returned. current
// says that its result counts, again that another one is due.
func (s *slot) done(gen uint64) (current, again bool) {
	s.cancel()
	s.busy = false
	again, s.again = s.again, false
	return gen == s.gen, again
}
