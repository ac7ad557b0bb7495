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
	waits.vain = time.Time{}
	waits.mu.Unlock()
	if w := waits.now(time.Now()); w != patient {
		t.Fatalf("the first locked database is waited for %v", w)
	}
	if _, _, err := Open(t.Context(), path); !errors.Is(err, sessions.ErrHeld) {
		t.Fatalf("a locked database: %v", err)
	}
	if w := waits.now(time.Now()); w != impatient {
		t.Errorf("after a wait in vain the next one is waited for %v", w)
	}
}

func TestPatience(t *testing.T) {
	began := time.Unix(1e9, 0)
	held := lockedError(t)
	for name, c := range map[string]struct {
		err    error
		waited time.Duration
		later  time.Duration
		want   time.Duration
	}{
		"nothing was locked":            {nil, patient, 0, patient},
		"something else failed":         {errors.New("gone"), patient, 0, patient},
		"one was waited for in vain":    {held, patient, time.Second, impatient},
		"a while after that":            {held, patient, vainFor, patient},
		"one was asked shortly in vain": {held, impatient, 0, patient}, // else one that stays locked would make all impatient for ever
	} {
		var p patience
		p.note(c.err, c.waited, began)
		if got := p.now(began.Add(c.later)); got != c.want {
			t.Errorf("%s: the next wait is %v, not %v", name, got, c.want)
		}
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
