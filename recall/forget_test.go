package recall

import (
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

// Another process calls sessions back: until one that runs has read them, it says of
// every answer that something is missing, and afterwards no more, also where nothing
// came back.
func TestCalledBackByAnotherIsMissed(t *testing.T) {
	for _, gone := range []bool{false, true} {
		dir, data := t.TempDir(), t.TempDir()
		write(t, dir, "a", "the lattice of a")
		cfg := keptConfig(dir, data)
		cfg.Watch = true
		e := loadedEngine(t, cfg)
		forget(t, e, "a")
		awaitAnswers(t, e)
		if a := ask(t, e, Query{Text: "lattice"}); !a.Complete {
			t.Error("what is forgotten is missed")
		}
		if gone {
			if err := os.Remove(filepath.Join(dir, "a.log")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := CallBack(data, Choice{Sessions: []string{"a"}}); err != nil {
			t.Fatal(err)
		}
		for deadline := time.After(time.Minute); ; {
			a := ask(t, e, Query{Text: "lattice"})
			if a.Complete && (gone || len(a.Hits) > 0) {
				break
			}
			if a.Complete {
				t.Fatal("the answer lacks what was called back, and does not say so")
			}
			select {
			case <-e.Changes():
			case <-time.After(5 * time.Millisecond):
			case <-deadline:
				t.Fatal("it is missed for good")
			}
		}
		end(t, e)
	}
}
