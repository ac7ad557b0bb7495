package harnesstest

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// followed: what the harness adds while the program runs appears by itself, and
// a database that is deleted leaves its sessions marked.
func (d Database) followed(t *testing.T) {
	home, path := d.home(t)
	l := Follow(t, d.New(), Env(home, nil))
	l.Await(d.Session, "the session", func(s Told) bool { return s.Text != "" })
	skipped := l.Library.Skipped()
	Exec(t, path, append([]string{"PRAGMA wal_autocheckpoint=0"}, d.Say...)...)
	l.Await(d.Session, "what is new", func(s Told) bool { return strings.Contains(s.Text, "something new") })
	if n := l.Of(d.Session).Resets; n > 0 {
		t.Errorf("the session was told anew %d times", n)
	}
	if diff := cmp.Diff(skipped, l.Library.Skipped()); diff != "" {
		t.Errorf("skipped (-before +after reading on):\n%s", diff)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.RemoveAll(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	l.Await(d.Session, "that it is gone", func(s Told) bool { return s.Gone || s.Removed })
}

// counting counts how often a source is listed.
type counting struct {
	sessions.Source
	lists atomic.Int64
}

func (c *counting) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	c.lists.Add(1)
	return c.Source.List(ctx, root, send)
}

// quiet: reading a database that nobody else has open touches files beside it,
// which must not be taken for changes without end.
func (d Database) quiet(t *testing.T) {
	t.Parallel()
	home, _ := d.alone(t)
	src := &counting{Source: d.New()}
	l := sessions.NewLibrary(sessions.Options{Sources: []sessions.Source{src}, Env: Env(home, nil), Watch: true})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_ = l.Run(ctx, func([]sessions.Update) {}) // it is that the context ended
	roots := int64(len(src.Roots(Env(home, nil))))
	if n := src.lists.Load(); n > 4*roots {
		t.Errorf("%d roots were listed %d times while nothing changed", roots, n)
	}
}
