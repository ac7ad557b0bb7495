package sqlite

import (
	"errors"
	"fmt"
	"sync"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"yore/sessions"
)

// How long a locked database is waited for. Three seconds are about what a harness needs
// that migrates its schema. Once one was waited for in vain, others are waited for less for a
// while, and as long once more all together: waiting that long for one after the other, as
// while a backup holds them all, took a first start with eleven of them half a minute. One
// that was waited for itself is only asked shortly, since it may be held for good, which is
// not to cost the others their wait.
const (
	patient   = 3 * time.Second
	hasty     = 500 * time.Millisecond // most writes take less
	impatient = 100 * time.Millisecond
	vainFor   = 20 * time.Second
	hastyMost = int(patient / hasty)
)

// patience is how long the next locked database is waited for.
type patience struct {
	mu    sync.Mutex
	since time.Time       // when one was waited for patiently in vain
	vain  map[string]bool // those that were waited for in vain since, by path
}

// waits is that of all databases that this process reads.
var waits patience

// now is how long to wait for the database at path.
func (p *patience) now(path string, at time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case at.Sub(p.since) >= vainFor:
		return patient
	case p.vain[path] || len(p.vain) > hastyMost:
		return impatient
	}
	return hasty
}

// note says what became of a wait that was as long as now told.
func (p *patience) note(path string, err error, waited time.Duration, at time.Time) {
	if waited == impatient || !locked(err) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if waited == patient {
		if at.Sub(p.since) >= vainFor {
			p.vain = nil
		}
		p.since = at
	}
	if p.vain == nil {
		p.vain = make(map[string]bool)
	}
	p.vain[path] = true
}

// failed is the error of what was done with the database at path.
func failed(doing, path string, err error) error {
	if locked(err) {
		return fmt.Errorf("%s %s: %w: %w", doing, path, sessions.ErrHeld, err)
	}
	return fmt.Errorf("%s %s: %w", doing, path, err)
}

// locked tells the error of a database that another program holds.
func locked(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff // the primary of an extended code
	return code == lib.SQLITE_BUSY || code == lib.SQLITE_LOCKED
}
