package sessions

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forgetting is a set of ids as Options.Forgotten wants it: of sessions, with their
// sub-agents and their copies.
type forgetting struct{ atomic.Pointer[[]string] }

func (f *forgetting) set(ids ...string) { f.Store(&ids) }

func (f *forgetting) holds(key Key, parent string) bool {
	ids := f.Load()
	named := func(id string) bool {
		id, _, _ = strings.Cut(id, "~")
		return slices.Contains(*ids, id)
	}
	return ids != nil && (named(key.ID) || named(parent))
}

// run reads what changed as somebody who forgets does, and saves it. It returns the
// names of what was read.
func (f *forgetting) run(t *testing.T, d *diary) []string {
	t.Helper()
	read := map[string]bool{}
	d.f.onRead = func(tr Transcript, _ Mark) { read[filepath.Base(tr.Path)] = true }
	l := NewLibrary(Options{Sources: []Source{d.f}, Workers: 1, Forgotten: f.holds})
	saved := slices.Collect(maps.Values(d.states))
	maps.DeleteFunc(d.corpus.known, func(_ string, k *known) bool { return f.holds(k.session.Key, k.session.Parent) })
	if err := l.Restore(t.Context(), saved, Applied{Session: d.corpus.applied}); err != nil {
		t.Fatal(err)
	}
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	d.save(l)
	return slices.Sorted(maps.Keys(read))
}

func (d *diary) holds(word string) bool {
	for _, state := range d.states {
		if bytes.Contains(state.State, []byte(word)) {
			return true
		}
	}
	return false
}

// What is forgotten is neither sent nor kept, also not what its sub-agents said and
// what is added later; its transcript is opened again when it changed, and only then.
// Called back, it is there again, whole.
func TestNothingIsKeptOfWhatIsForgotten(t *testing.T) {
	d, f := newDiary(t), &forgetting{}
	d.f.put(t, "a.log", line{ID: "1", Text: "xyzzy one"}, line{ID: "2", Kind: ToolCall, Text: "xyzzy --call"})
	d.f.put(t, "b.log", line{ID: "1", Text: "kept"}, line{Session: "a", ID: "9", Text: "xyzzy elsewhere"})
	d.f.put(t, "side-c.log", line{Parent: "a", ID: "1", Text: "xyzzy of the sub-agent"})
	f.run(t, d)
	if !d.holds("xyzzy") || d.corpus.text("a") == "" || d.corpus.text("side-c") == "" {
		t.Fatal("there is nothing to forget")
	}
	f.set("a")
	for _, want := range []string{"", "", "a.log b.log side-c.log", ""} {
		if want != "" {
			d.f.add(t, "a.log", line{ID: "3", Text: "xyzzy added"}, line{ID: "3", Kind: Thinking, Text: "xyzzy thought"})
			d.f.add(t, "b.log", line{ID: "2", Text: "more"})
			d.f.add(t, "side-c.log", line{ID: "2", Text: "xyzzy again"})
		}
		if read := strings.Join(f.run(t, d), " "); read != want {
			t.Errorf("read %q, want %q", read, want)
		}
		if ids := d.corpus.ids(); !slices.Equal(ids, []string{"b"}) {
			t.Errorf("known are %q", ids)
		}
		if d.holds("xyzzy") {
			t.Error("words of it are kept")
		}
	}
	f.set()
	f.run(t, d)
	if got := d.corpus.text("a"); got != "xyzzy one\n\nxyzzy added" || d.corpus.text("side-c") == "" || d.corpus.text("b") != "kept\n\nmore" {
		t.Errorf("called back: a says %q, b %q", got, d.corpus.text("b"))
	}
	if read := f.run(t, d); len(read) != 0 {
		t.Errorf("read again: %q", read)
	}
}

// What is forgotten while a Library runs is gone when Reconsider returns, whatever is
// being read, and comes back when it is called back.
func TestForgettingWhileTranscriptsGrow(t *testing.T) {
	d, f := newDiary(t), &forgetting{}
	d.f.put(t, "a.log", line{ID: "1", Text: "xyzzy one"})
	d.f.put(t, "b.log", line{ID: "1", Text: "kept"})
	l := NewLibrary(Options{Sources: []Source{d.f}, Watch: true, Forgotten: f.holds})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.Run(ctx, d.corpus.apply) // it ends with that of ctx
	}()
	defer func() {
		cancel()
		<-ended
	}()
	d.corpus.awaitText("a", "xyzzy one")
	f.set("a")
	d.f.add(t, "a.log", line{ID: "2", Text: "xyzzy two"})
	l.Reconsider()
	d.corpus.mu.Lock()
	delete(d.corpus.known, "a")
	d.corpus.mu.Unlock()
	d.f.add(t, "a.log", line{ID: "3", Text: "xyzzy three"})
	d.f.add(t, "b.log", line{ID: "2", Text: "more"})
	d.corpus.awaitText("b", "kept\n\nmore")
	d.save(l)
	if d.corpus.text("a") != "" || d.holds("xyzzy") {
		t.Errorf("a says %q", d.corpus.text("a"))
	}
	f.set()
	l.Reconsider()
	d.corpus.awaitText("a", "xyzzy one\n\nxyzzy two\n\nxyzzy three")
	if err := os.Remove(filepath.Join(d.f.dir, "a.log")); err != nil {
		t.Fatal(err)
	}
	d.corpus.await("that a is gone", func() bool { return d.corpus.session("a").Gone })
}

// What is called back is counted as not read until it is, also where there is nothing
// more to read: its transcript is gone or cannot be read, or it is forgotten again.
func TestCalledBackIsUnreadUntilItIsRead(t *testing.T) {
	for what, harm := range map[string]func(path string, f *forgetting) error{
		"there":           func(string, *forgetting) error { return nil },
		"gone":            func(path string, _ *forgetting) error { return os.Remove(path) },
		"unreadable":      func(path string, _ *forgetting) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"forgotten again": func(_ string, f *forgetting) error { f.set("a"); return nil },
	} {
		t.Run(what, func(t *testing.T) {
			d, f := newDiary(t), &forgetting{}
			d.f.put(t, "a.log", line{ID: "1", Text: "xyzzy one"})
			d.f.put(t, "b.log", line{ID: "1", Text: "kept"})
			f.set("a")
			l := NewLibrary(Options{Sources: []Source{d.f}, Watch: true, Forgotten: f.holds})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = l.Run(ctx, d.corpus.apply) // it ends with that of ctx
			}()
			defer func() {
				cancel()
				<-ended
			}()
			<-l.Loaded()
			hold := make(chan struct{})
			d.f.onRead = func(Transcript, Mark) { <-hold }
			f.set()
			l.Reconsider()
			if l.Progress().Complete {
				t.Error("all is read at once")
			}
			if err := harm(filepath.Join(d.f.dir, "a.log"), f); err != nil {
				t.Fatal(err)
			}
			close(hold)
			d.corpus.await("that all is read", func() bool { return l.Progress().Complete })
			if what == "there" && d.corpus.text("a") != "xyzzy one" {
				t.Errorf("a says %q", d.corpus.text("a"))
			}
		})
	}
}

// What is gone and forgotten stands in the way of nothing: called back, a copy that lagged
// behind it is told, in the same program and at the next start.
func TestACopyOfWhatIsForgottenAndGone(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		d, f := newDiary(t), &forgetting{}
		d.f.put(t, "a/s.log", conversation(4)...)
		d.f.put(t, "b/s.log", conversation(2)...)
		var l *Library
		stop := func() {}
		begin := func() {
			l = NewLibrary(Options{Sources: []Source{d.f}, Watch: true, Forgotten: f.holds})
			if err := l.Restore(t.Context(), slices.Collect(maps.Values(d.states)), Applied{Session: d.corpus.applied}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = l.Run(ctx, d.corpus.apply) // it ends with that of ctx
			}()
			stop = func() {
				cancel()
				<-ended
			}
		}
		again := func() {
			if d.corpus.await("that all is read", func() bool { return l.Progress().Complete }); restarted {
				stop()
				d.save(l)
				begin()
			}
		}
		begin()
		again()
		remove(t, d.f, "a/s.log")
		d.corpus.await("that it is gone", func() bool { return d.corpus.session("s").Gone })
		again()
		f.set("s")
		l.Reconsider()
		d.corpus.mu.Lock()
		clear(d.corpus.known)
		d.corpus.mu.Unlock()
		again()
		f.set()
		l.Reconsider()
		d.corpus.awaitText("s", spoken(2))
		stop()
	}
}

// The same where all that happens between programs, in any order.
func TestACopyOfWhatWasForgottenBetweenPrograms(t *testing.T) {
	for _, steps := range []string{"gone, forgotten", "forgotten, gone", "forgotten and gone"} {
		d, f := newDiary(t), &forgetting{}
		is := func(what string, want map[string]string) {
			t.Helper()
			for range 2 {
				f.run(t, d)
				if diff := cmp.Diff(want, d.corpus.texts()); diff != "" {
					t.Errorf("%s, %s: %s", steps, what, diff)
				}
			}
		}
		d.f.put(t, "a/s.log", conversation(4)...)
		d.f.put(t, "b/s.log", conversation(2)...)
		is("both there", map[string]string{"s": spoken(4)})
		for step := range strings.SplitSeq(steps, ", ") {
			if strings.HasSuffix(step, "gone") {
				remove(t, d.f, "a/s.log")
			}
			want := map[string]string{"s": spoken(4)}
			if strings.HasPrefix(step, "forgotten") {
				f.set("s")
			}
			if f.Load() != nil {
				clear(want)
			}
			is(step, want)
		}
		f.set()
		is("called back", map[string]string{"s": spoken(2)})
	}
}
