package sqlite

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions"
)

// A backup that holds all databases may not make a start wait for each of them.
func TestWaitingInVainMakesImpatient(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked.db")
	holder, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	holder.SetMaxOpenConns(1)
	defer func() { _ = holder.Close() }()
	for _, s := range []string{"CREATE TABLE t (a)", "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := holder.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	waits.mu.Lock()
	waits.since = time.Time{}
	waits.mu.Unlock()
	if w := waits.now(path, time.Now()); w != patient {
		t.Fatalf("the first locked database is waited for %v", w)
	}
	if _, _, err := Open(t.Context(), path); !errors.Is(err, sessions.ErrHeld) {
		t.Fatalf("a locked database: %v", err)
	}
	if w := waits.now(path, time.Now()); w != impatient {
		t.Errorf("after a wait in vain it is waited for %v", w)
	}
	if w := waits.now("another", time.Now()); w != hasty {
		t.Errorf("after a wait in vain another one is waited for %v", w)
	}
}

func TestPatience(t *testing.T) {
	began := time.Unix(1e9, 0)
	held := lockedError(t)
	for name, c := range map[string]struct {
		err         error
		waited      time.Duration
		later       time.Duration
		want, other time.Duration // for the same one, and for another
	}{
		"nothing was locked":            {nil, patient, 0, patient, patient},
		"something else failed":         {errors.New("gone"), patient, 0, patient, patient},
		"one was waited for in vain":    {held, patient, time.Second, impatient, hasty},
		"a while after that":            {held, patient, vainFor, patient, patient},
		"one was asked shortly in vain": {held, impatient, 0, patient, patient}, // else one that stays locked would make all impatient for ever
	} {
		var p patience
		p.note("a", c.err, c.waited, began)
		if got, other := p.now("a", began.Add(c.later)), p.now("b", began.Add(c.later)); got != c.want || other != c.other {
			t.Errorf("%s: the next wait is %v, and for another one %v, not %v and %v", name, got, other, c.want, c.other)
		}
	}
}

// One database that is held for good takes nothing of the others' wait, and many that are
// held cost as long as two.
func TestPatienceIsShared(t *testing.T) {
	at, held := time.Unix(1e9, 0), lockedError(t)
	var p patience
	ask := func(path string) time.Duration {
		wait := p.now(path, at)
		p.note(path, held, wait, at)
		return wait
	}
	total := ask("held")
	for range 20 {
		if wait := ask("held"); wait != impatient {
			t.Fatalf("the one that is held is waited for %v", wait)
		}
	}
	for i := range 20 {
		wait := ask(string(rune('a' + i)))
		if i == 0 && wait != hasty {
			t.Errorf("another one is waited for %v", wait)
		}
		if wait > impatient {
			total += wait
		}
	}
	if total != 2*patient {
		t.Errorf("21 that are held cost %v", total)
	}
}

// lockedError is what a connection that does not wait says of a locked database.
func lockedError(t *testing.T) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "locked.db")
	holder, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	holder.SetMaxOpenConns(1)
	defer func() { _ = holder.Close() }()
	if _, err := holder.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	_, err = other.ExecContext(t.Context(), "CREATE TABLE t (a)")
	if !locked(err) {
		t.Fatalf("a locked database: %v", err)
	}
	return err
}
