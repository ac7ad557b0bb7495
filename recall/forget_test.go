package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"yore/recall/index"
	"yore/recall/tombstone"
	"yore/sessions"
)

// What cannot be noted is not forgotten, and the error says so and why.
func TestWhatCannotBeNotedIsNotForgotten(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	e := loadedEngine(t, keptConfig(dir, data))
	defer end(t, e)
	file := filepath.Join(data, tombstone.Name)
	all, err := e.Choose(t.Context(), Choice{Sessions: []string{"a"}})
	if err := errors.Join(err, os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	_, err = e.Forget(t.Context(), all)
	if want := "nothing was forgotten: " + file + " is no plain file: remove it"; !errors.Is(err, ErrNotForgotten) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if got := sorted(ask(t, e, Query{Text: "lattice", All: true})); got != "a" {
		t.Errorf("found are %q", got)
	}
}

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

// What is forgotten is in no answer and no file, stays so while its transcript grows and
// after new starts, and what is called back is there again, whole.
func TestForgottenForGood(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	for _, id := range []string{"a", "b", "side1"} {
		write(t, dir, id, "the lattice of "+id, "$ its output", "more of it")
	}
	write(t, dir, "gone", "the lattice of old")
	e := loadedEngine(t, keptConfig(dir, data))
	if err := e.Keep(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "gone.log")); err != nil {
		t.Fatal(err)
	}
	forget(t, e, "a", "side1", "gone")
	for start := range 3 {
		sameAsFresh(t, e, dir)
		saysNothing(t, e)
		if got := ids(ask(t, e, Query{Text: "lattice", All: true})); !slices.Equal(got, []string{"b"}) {
			t.Errorf("start %d: %q answer", start, got)
		}
		end(t, e)
		write(t, dir, "a", "added", "$ output added")
		write(t, dir, "b", "added")
		e = loadedEngine(t, keptConfig(dir, data))
	}
	end(t, e)
	if keys, err := CallBack(data, Choice{}); err != nil || len(keys) != 3 {
		t.Fatalf("%v, %v", keys, err)
	}
	e = loadedEngine(t, keptConfig(dir, data))
	defer e.Close()
	sameAsFresh(t, e, dir)
	if got := ids(ask(t, e, Query{Text: "lattice", All: true})); len(got) != 3 || slices.Contains(got, "gone") {
		t.Errorf("%q answer", got)
	}
}

// Whatever happens to the file that names what is forgotten, nothing of it comes back,
// neither in a process that runs nor in the next ones, and it is said; it can be called
// back by its whole id.
func TestForgottenThoughTheFileIsLost(t *testing.T) {
	for what, harm := range map[string]func(path string) error{
		"cut":      func(path string) error { return os.Truncate(path, 40) },
		"empty":    func(path string) error { return os.Truncate(path, 0) },
		"gone":     os.Remove,
		"changed":  func(path string) error { return os.WriteFile(path, []byte("nothing of that\n"), 0o600) },
		"a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		for _, running := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, running %v", what, running), func(t *testing.T) {
				dir, data := t.TempDir(), t.TempDir()
				for _, id := range []string{"a", "b", "side1"} {
					write(t, dir, id, "the lattice of "+id)
				}
				e := loadedEngine(t, keptConfig(dir, data))
				forget(t, e, "a", "side1")
				path := filepath.Join(data, tombstone.Name)
				if !running {
					end(t, e)
				}
				if err := harm(path); err != nil {
					t.Fatal(err)
				}
				for start := range 3 {
					if !running || start > 0 {
						e = loadedEngine(t, keptConfig(dir, data))
					}
					awaitAnswers(t, e, "b")
					if err := e.Keep(); err != nil {
						t.Fatal(err)
					}
					if said := strings.Join(e.Status().Notes, " ") + strings.Join(e.Status().Kept.Notes, " ") + e.edition().archive.unwanted.forgotten.note(); start != 1 && strings.Contains(said, path) != (start == 0) { // what stood there in its place is set aside by the second
						t.Errorf("start %d said: %q", start, said)
					}
					end(t, e)
					write(t, dir, "a", "more of the lattice")
				}
				if keys, err := CallBack(data, Choice{Sessions: []string{"plain/a"}}); err != nil || len(keys) != 1 {
					t.Fatalf("%v, %v", keys, err)
				}
				e = loadedEngine(t, keptConfig(dir, data))
				awaitAnswers(t, e, "a", "b")
				end(t, e)
			})
		}
	}
}

// One process forgets, another writes the index: that one removes the text, and answers
// without it at once. Called back, it answers with it again.
func TestForgottenByAnother(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, "a", "the lattice of a")
	write(t, dir, "b", "the lattice of b")
	cfg := keptConfig(dir, data)
	cfg.Watch = true
	writer := loadedEngine(t, cfg)
	defer writer.Close()
	if err := writer.Keep(); err != nil {
		t.Fatal(err)
	}
	reader := loadedEngine(t, cfg)
	defer reader.Close()
	third := loadedEngine(t, keptConfig(dir, data))
	forget(t, third, "a")
	end(t, third)
	saysNothing(t, writer)
	for _, e := range []*Engine{writer, reader} {
		awaitAnswers(t, e, "b")
	}
	write(t, dir, "a", "more")
	write(t, dir, "c", "the lattice of c")
	for _, e := range []*Engine{writer, reader} {
		awaitAnswers(t, e, "b", "c")
	}
	if _, err := CallBack(data, Choice{Sessions: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	for _, e := range []*Engine{writer, reader} {
		awaitAnswers(t, e, "a", "b", "c")
		sameAsFresh(t, e, dir)
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

// Copies and sub-agents go with a session, and come back with it, not without.
func TestFamiliesAreForgottenTogether(t *testing.T) {
	data := t.TempDir()
	session := func(id, parent string) sessions.Update {
		return sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}, Parent: parent, Subagent: parent != ""}}
	}
	e := engineOf(t)
	e.edition().index.Apply([]sessions.Update{session("grandchild", "child"), session("a", ""), session("a~2", ""), session("child", "a~2"), session("b", ""), session("ab~x", "")})
	for _, id := range []string{"a", "a~2"} {
		all, err := e.Choose(t.Context(), Choice{Sessions: []string{id}})
		if err != nil {
			t.Fatal(err)
		}
		var stones []tombstone.Stone
		for _, s := range all {
			stones = append(stones, tombstone.Stone{Key: s.Key, With: s.With})
		}
		if len(all) != 4 || all[0].ID != id {
			t.Fatalf("with %s go %+v", id, all)
		}
		if err := tombstone.Forget(data, stones); err != nil {
			t.Fatal(err)
		}
		f := &forgotten{dir: data}
		f.refresh()
		for key, parent := range map[sessions.Key]string{{Harness: "claude", ID: "a~3"}: "", {Harness: "claude", ID: "new"}: "a~3", {Harness: "claude", ID: "newer"}: "grandchild"} {
			if !f.holds(key, parent) {
				t.Errorf("%s is not forgotten with %s", key.ID, id)
			}
		}
		if f.holds(sessions.Key{Harness: "claude", ID: "ab~x"}, "") || f.holds(sessions.Key{Harness: "codex", ID: "a"}, "") {
			t.Error("others are forgotten")
		}
		if _, err := CallBack(data, Choice{Sessions: []string{"child"}}); !errors.Is(err, ErrNoSession) || !strings.Contains(err.Error(), "with a") {
			t.Errorf("a sub-agent alone: %v", err)
		}
		if keys, err := CallBack(data, Choice{Sessions: []string{"a"}}); err != nil || len(keys) != 4 {
			t.Fatalf("%v, %v", keys, err)
		}
		if f.refresh(); !f.none() || f.holds(all[0].Key, "") {
			t.Error("they are still forgotten")
		}
	}
}

// What others forget while a process opens the index, or while several questions look
// for what was forgotten, is no damage to the file that names it.
func TestForgottenMeanwhileIsNoDamage(t *testing.T) {
	data := t.TempDir()
	add := func(id string) {
		if err := tombstone.Forget(data, []tombstone.Stone{{Key: sessions.Key{Harness: "plain", ID: id}}}); err != nil {
			t.Error(err)
		}
	}
	add("a")
	f := &forgotten{dir: data}
	f.refresh()
	add("b")
	other := &forgotten{dir: data}
	other.refresh()
	f.remember(other.clean()) // the other one has written the index
	if note := f.note(); note != "" {
		t.Error(note)
	}
	var all sync.WaitGroup
	over := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for !isClosed(over) {
				f.refresh()
			}
		})
	}
	for n := range 100 {
		add(strconv.Itoa(n))
	}
	close(over)
	all.Wait()
	if note := f.note(); note != "" {
		t.Error(note)
	}
}

// What is forgotten is chosen by directory and program, and called back so.
func TestCallBackByDirectoryAndProgram(t *testing.T) {
	data := t.TempDir()
	for harness, dir := range map[string]string{"claude": "/home/me/app", "codex": "/home/me/app/sub", "pi": "/home/me/apple"} {
		if err := tombstone.Forget(data, []tombstone.Stone{{Key: sessions.Key{Harness: harness, ID: "0a" + harness}, Directory: dir}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := CallBack(data, Choice{Sessions: []string{"0a"}}); !errors.Is(err, ErrAmbiguous) {
		t.Errorf("three begin so: %v", err)
	}
	for _, want := range []struct {
		Choice
		n int
	}{{Choice{Dir: "/home/me/app", Agents: []string{"codex"}}, 1}, {Choice{Dir: "/home/me/app"}, 1}, {Choice{Agents: []string{"claude"}}, 0}, {Choice{Sessions: []string{"0ap"}}, 1}} {
		if keys, err := CallBack(data, want.Choice); err != nil || len(keys) != want.n {
			t.Errorf("%+v: %v, %v", want.Choice, keys, err)
		}
	}
}
