package harnesstest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"yore/sessions"
)

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

// Live is what a Library told that runs, and follows what changes, until the test ends.
type Live struct {
	t       testing.TB
	env     sessions.Env
	Library *sessions.Library
	Exclude []string // paths that are excluded from the next restart on
	end     func()   // ends it, and waits
	saved   map[uint64]sessions.Saved

	mu      sync.Mutex
	told    map[string]Told
	changed chan struct{}
}

// Told is what is known of one session.
type Told struct {
	sessions.Session
	Removed bool
	Text    string // of its passages
	Own     string // of those what is no copy
	Resets  int    // how often it was told anew

	passages []sessions.Passage
}

// says are the texts of its passages, and what is no copy in them.
func (t Told) says() (text, own string) {
	var all, owned []string
	for _, p := range t.passages {
		all = append(all, p.Text)
		for _, s := range p.Spans {
			if !s.Copied {
				owned = append(owned, p.Text[s.From:s.To])
			}
		}
	}
	return strings.Join(all, "\n"), strings.Join(owned, "\n")
}

// Follow runs a Library over a source, and waits until everything there is was read.
func Follow(t testing.TB, src sessions.Source, env sessions.Env) *Live {
	t.Helper()
	l := &Live{t: t, env: env, told: map[string]Told{}, saved: map[uint64]sessions.Saved{}, changed: make(chan struct{}, 1)}
	l.run(src)
	return l
}

// Restart ends the Library, and has another one go on with what that saved, over a source
// that knows nothing yet. It waits until everything that changed meanwhile was read.
func (l *Live) Restart(src sessions.Source, meanwhile func()) {
	l.t.Helper()
	for deadline := time.Now().Add(patience); l.save() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.t.Fatal("there is always something to save")
		}
	}
	l.end()
	l.save()
	meanwhile()
	l.run(src)
}

// save keeps what changed since it was asked last, or is just being read, and tells of how
// many transcripts that is.
func (l *Live) save() (changed int) {
	l.Library.Save(func(saved []sessions.Saved) {
		changed = len(saved)
		for _, s := range saved {
			s.Later = func() ([]byte, error) { return s.State, nil }
			if l.saved[s.Number] = s; s.State == nil {
				delete(l.saved, s.Number)
			}
		}
	})
	return changed
}

// run starts a Library, with what earlier ones saved.
func (l *Live) run(src sessions.Source) {
	l.t.Helper()
	l.Library = sessions.NewLibrary(sessions.Options{Sources: []sessions.Source{src}, Env: l.env, Exclude: l.Exclude, Watch: true})
	known := func(key sessions.Key) (sessions.Session, bool, error) {
		told := l.Of(key.ID)
		return told.Session, told.Session.ID != "" && !told.Removed, nil
	}
	if err := l.Library.Restore(context.Background(), slices.Collect(maps.Values(l.saved)), sessions.Applied{Session: known}); err != nil {
		l.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = l.Library.Run(ctx, l.apply) }) // its error is that the context ended
	l.end = func() {
		cancel()
		running.Wait()
	}
	l.t.Cleanup(l.end)
	select {
	case <-l.Library.Loaded():
	case <-time.After(patience):
		l.t.Fatal("the first reading does not end")
	}
}

func (l *Live) apply(updates []sessions.Update) {
	l.mu.Lock()
	for _, u := range updates {
		told := l.told[u.ID]
		told.Session, told.Removed = u.Session, u.Removed
		if u.Reset {
			told.Resets++
			told.passages = nil
		}
		if len(u.Passages) > 0 {
			told.passages = slices.Clone(told.passages[:u.From])
		}
		told.passages = append(told.passages, u.Passages...)
		told.Text, told.Own = told.says()
		l.told[u.ID] = told
	}
	l.mu.Unlock()
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Of is what was told of a session.
func (l *Live) Of(id string) Told {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.told[id]
}

// All is what was told of every session, by id.
func (l *Live) All() map[string]Told {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.told)
}

// Await waits until what was told of a session is so.
func (l *Live) Await(id, what string, holds func(Told) bool) {
	l.t.Helper()
	for deadline := time.After(patience); ; {
		if holds(l.Of(id)) {
			return
		}
		select {
		case <-l.changed:
		case <-deadline:
			l.t.Fatalf("never happened: %s; last was %+v", what, l.Of(id))
		}
	}
}
