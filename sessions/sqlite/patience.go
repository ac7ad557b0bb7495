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
// that migrates its schema. Once one was waited for in vain, as while a backup holds them
// all, each is only asked shortly for a while: waiting that long for one after the other
// took a first start with eleven of them half a minute.
const (
	patient   = 3 * time.Second
	impatient = 100 * time.Millisecond
	vainFor   = 20 * time.Second
)

// patience is how long the next locked database is waited for.
type patience struct {
	mu   sync.Mutex
	vain time.Time // when one was last waited for in vain
}

// waits is that of all databases that this process reads.
var waits patience

// now is how long to wait at a time.
func (p *patience) now(at time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.Sub(p.vain) < vainFor {
		return impatient
	}
	return patient
}

// note says what became of a wait that was as long as now told.
func (p *patience) note(err error, waited time.Duration, at time.Time) {
	if waited == patient && locked(err) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.vain = at
	}
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
