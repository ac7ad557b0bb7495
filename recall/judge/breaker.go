package judge

import (
	"fmt"
	"sync"
	"time"
)

const (
	// failures in a row after which an endpoint is left alone.
	failures = 3
	// cooling is for how long; then one request tries again.
	cooling = 30 * time.Second
)

// breaker leaves an endpoint alone for a while that has failed several times in
// a row, so that a dead one does not cost its timeout at each question.
type breaker struct {
	mu     sync.Mutex
	now    func() time.Time
	failed int
	until  time.Time
}

// allow tells whether the endpoint may be asked now.
func (b *breaker) allow() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.until.Sub(b.now()); left > 0 {
		return fmt.Errorf("it failed %d times and is left alone for %s", b.failed, (left + time.Second - 1).Truncate(time.Second))
	}
	return nil
}

// took notes how a request ended. After the pause one more failure is enough
// for another one.
func (b *breaker) took(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.failed = 0
		return
	}
	if b.failed++; b.failed >= failures {
		b.until = b.now().Add(cooling)
	}
}
