package harnesstest

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

// heard is what a running Library told of one session.
type heard struct {
	mu      sync.Mutex
	id      string
	text    strings.Builder
	resets  int
	gone    bool
	changed chan struct{}
}

func (h *heard) apply(updates []sessions.Update) {
	h.mu.Lock()
	for _, u := range updates {
		if u.ID != h.id {
			continue
		}
		h.gone = u.Gone || u.Removed
		if u.Reset {
			h.resets++
		}
		for _, p := range u.Passages {
			h.text.WriteString(p.Text + "\n")
		}
	}
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

func (h *heard) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.After(patience); ; {
		h.mu.Lock()
		ok := holds()
		h.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-h.changed:
		case <-deadline:
			t.Fatal("never happened: ", what)
		}
	}
}

// followed: what the harness adds while the program runs appears by itself, and
// a database that is deleted leaves its sessions marked.
func (d Database) followed(t *testing.T) {
	home, path := d.home(t)
	h := &heard{id: d.Session, changed: make(chan struct{}, 1)}
	l := sessions.NewLibrary(sessions.Options{Sources: []sessions.Source{d.New()}, Env: Env(home, nil), Watch: true})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = l.Run(ctx, h.apply) }) // its error is that the context ended
	defer running.Wait()
	defer cancel()
	select {
	case <-l.Loaded():
	case <-time.After(patience):
		t.Fatal("the first reading does not end")
	}
	h.await(t, "the session", func() bool { return h.text.Len() > 0 })
	skipped := l.Skipped()
	Exec(t, path, append([]string{"PRAGMA wal_autocheckpoint=0"}, d.Say...)...)
	h.await(t, "what is new", func() bool { return strings.Contains(h.text.String(), "something new") })
	if h.resets > 0 {
		t.Errorf("the session was told anew %d times", h.resets)
	}
	if diff := cmp.Diff(skipped, l.Skipped()); diff != "" {
		t.Errorf("skipped (-before +after reading on):\n%s", diff)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.RemoveAll(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	h.await(t, "that it is gone", func() bool { return h.gone })
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
