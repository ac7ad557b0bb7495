package recall

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"yore/recall/index"
	"yore/recall/tombstone"
	"yore/sessions"
)

// wordOf is the word that every line of a session holds, and no other's does.
func wordOf(id string) string { return "said" + id + "here" }

// forget forgets a session, or calls one back, now and then.
func (b *busy) forget(ctx context.Context, e *Engine) error {
	id := []string{"s1", "side2", "s3"}[b.rand.IntN(3)]
	choice := Choice{Sessions: []string{id}}
	switch b.rand.IntN(8) {
	case 0:
		all, err := e.Choose(ctx, choice)
		if errors.Is(err, ErrNoSession) {
			return nil
		}
		if err == nil {
			_, err = e.Forget(ctx, all)
		}
		return err
	case 1:
		if _, err := CallBack(e.cfg.DataDir, choice); !errors.Is(err, ErrNoSession) {
			return err
		}
	}
	return nil
}

// without drops what is forgotten.
func (all told) without(t *testing.T, data string) {
	t.Helper()
	for key := range forgottenIn(t, data) {
		delete(all.sessions, key.ID)
		delete(all.passages, key.ID)
		delete(all.hung, key.ID)
	}
}

func forgottenIn(t *testing.T, data string) map[sessions.Key]tombstone.Stone {
	t.Helper()
	if data == "" {
		return nil
	}
	list, err := tombstone.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return list.Stones
}

// saysNothing looks for what is forgotten wherever an engine and its directory could
// hold it, also where it counts no more.
func saysNothing(t *testing.T, e *Engine) {
	t.Helper()
	stones := forgottenIn(t, e.cfg.DataDir)
	var all [][]byte
	paths, _ := filepath.Glob(filepath.Join(e.cfg.DataDir, "*"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	snap := e.edition().index.Snapshot()
	for _, scope := range []index.Scope{index.Talk, index.Agents, index.Tools} {
		for _, s := range snap.Segments(scope) {
			for doc := range uint32(s.Len()) {
				all = append(all, []byte(s.Passage(doc).Text), []byte(s.Hung(doc).Text))
			}
		}
	}
	for key := range stones {
		if slices.ContainsFunc(all, func(b []byte) bool { return bytes.Contains(b, []byte(wordOf(key.ID))) }) {
			t.Errorf("words of %s are kept", key.ID)
		}
	}
}

func write(t *testing.T, dir, id string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, id+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, line := range lines {
		if _, err := f.WriteString(line + " " + wordOf(id) + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func loadedEngine(t *testing.T, cfg Config) *Engine {
	t.Helper()
	e := Open(cfg)
	if err := e.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

func forget(t *testing.T, e *Engine, ids ...string) {
	t.Helper()
	all, err := e.Choose(t.Context(), Choice{Sessions: ids})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := e.Forget(t.Context(), all); !done || err != nil {
		t.Fatalf("done %v, %v", done, err)
	}
}

func end(t *testing.T, e *Engine) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// awaitAnswers waits until the sessions that say "lattice" are these.
func awaitAnswers(t *testing.T, e *Engine, want ...string) {
	t.Helper()
	var got []string
	for deadline := time.After(time.Minute); !slices.Equal(got, want); {
		got = matched(t, e, "lattice")
		select {
		case <-e.Changes():
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			t.Fatalf("%q answer, want %q", got, want)
		}
	}
}
