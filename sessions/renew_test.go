package sessions

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// upgraded makes all that is kept that of a program that reads the same bytes
// differently.
func (d *diary) upgraded() {
	for _, s := range d.states {
		s.State[0] = readingRevision - 1
	}
}

// After an upgrade sleepers are read anew, but never more of them awake than need be, after
// all others, and the rest on the next start where reading ends early.
func TestSleepersAreReadAnewBlockByBlock(t *testing.T) {
	d := newDiary(t)
	old := time.Now().Add(-2 * sleepsAfter)
	if err := os.Chtimes(d.f.put(t, "main.log", line{ID: "1", Text: "words"}), old, old); err != nil {
		t.Fatal(err)
	}
	names := d.sides(t, "one", 6*blockMembers)
	d.run(t)
	d.upgraded()

	l := d.start(t)
	l.o.Workers = 1
	if n := len(l.shelf.all()); n != 1 {
		t.Fatalf("%d transcripts at the start", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := make(map[string]bool)
	d.f.onRead = func(tr Transcript, _ Mark) {
		if read[filepath.Base(tr.Path)] = true; len(read) == 1 && filepath.Base(tr.Path) != "main.log" {
			t.Errorf("%s is read before the main session", tr.Path)
		}
		if awake := len(l.shelf.all()); awake > len(read)+blockMembers {
			t.Fatalf("%d are awake after %d", awake, len(read))
		}
		if p := l.Progress(); p.Transcripts != len(names)+1 || p.Complete {
			t.Errorf("progress %+v", p)
		}
		if len(read) == 200 {
			cancel()
		}
	}
	applied := 0
	if err := l.Run(ctx, func(us []Update) {
		applied += len(us)
		d.corpus.apply(us)
	}); err == nil {
		t.Fatal("it was not cancelled")
	}
	d.save(l)
	if rest := d.run(t); applied >= 200 || len(rest) != len(names)+1-applied {
		t.Errorf("applied %d, then read %d of %d", applied, len(rest), len(names)+1)
	}
	if again := d.run(t); len(again) != 0 {
		t.Errorf("read %d again", len(again))
	}
	for _, name := range names {
		if got := d.text(name); got != "task of "+name {
			t.Fatalf("%s says %q", name, got)
		}
	}
	if many, single := d.kinds(); many > 7 || single > 0 {
		t.Errorf("%d blocks and %d others are kept", many, single)
	}
}

// One that wakes before its turn, since its file is deleted, another has its name or it
// changed, is right as well, and so is one that is gone for long.
func TestWhatWakesBeforeItIsReadAnew(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 20)
	d.run(t)
	if err := os.Remove(filepath.Join(d.f.dir, names[3])); err != nil {
		t.Fatal(err)
	}
	d.run(t)
	d.upgraded()
	if err := os.Remove(filepath.Join(d.f.dir, names[4])); err != nil {
		t.Fatal(err)
	}
	d.f.add(t, names[5], line{ID: "2", Text: "more"})
	if err := os.Mkdir(filepath.Join(d.f.dir, "two"), 0o700); err != nil {
		t.Fatal(err)
	}
	aged(t, d.f.put(t, "two/"+filepath.Base(names[6]), line{ID: "1", Text: "a copy", Parent: "main"}))
	if read := d.run(t); len(read) != 18 {
		t.Errorf("read %d", len(read))
	}
	aged(t, filepath.Join(d.f.dir, names[5]))
	for range 2 {
		d.run(t)
		for i, name := range names {
			want := "task of " + name
			if i == 5 {
				want += "\n\nmore"
			}
			if s := d.corpus.session(filepath.Base(name)[:len("side-one-000")]); s.Gone != (i == 3 || i == 4) || d.text(name) != want {
				t.Errorf("%d is %+v and says %q", i, s, d.text(name))
			}
		}
		if got := d.corpus.text("side-one-006~2"); got != "a copy" {
			t.Errorf("the copy says %q", got)
		}
	}
	if many, single := d.kinds(); many != 1 || single > 1 { // what is gone was not put to rest anew
		t.Errorf("%d blocks and %d others are kept", many, single)
	}
}

// What wakes while all is saved is saved, too: its block may be written without it.
func TestWhatWakesDuringASave(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", 2)
	d.run(t)
	aged(t, d.f.put(t, "one/side-new.log", line{ID: "1", Text: "a new one", Parent: "main"}))
	l := d.start(t)
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	known := l.applied.Session
	l.applied.Session = func(key Key) (Session, bool, error) {
		l.applied.Session = known
		l.wakeAt(filepath.Join(d.f.dir, names[0]))
		return known(key)
	}
	d.save(l)
	if read := d.run(t); len(read) != 0 {
		t.Errorf("read %v as if it were new", read)
	}
}

// What a listing wakes may be read before the listing is done with it (run with -race).
func TestWhatAListingWakesIsReadAtOnce(t *testing.T) {
	d := newDiary(t)
	d.sides(t, "one", 100)
	d.run(t)
	d.upgraded()
	for i := range 100 {
		name := fmt.Sprintf("two/side-one-%03d.log", i)
		aged(t, d.f.put(t, name, line{ID: "1", Text: "a copy", Parent: "main"}))
	}
	l := d.start(t)
	l.beginRenewal()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for t, j := l.queue.pop(true); t != nil; t, j = l.queue.pop(true) {
			_ = l.refresh(context.Background(), t, j, func(Update) {})
		}
	}()
	l.list(t.Context(), l.places())
	l.queue.close()
	<-done
}

// What wakes just as all is saved is saved once: in its block, or by itself.
func TestNothingIsSavedTwice(t *testing.T) {
	d := newDiary(t)
	names := d.sides(t, "one", blockMembers)
	d.run(t)
	l := d.start(t)
	woken := make(chan struct{})
	go func() {
		defer close(woken)
		for _, name := range names {
			l.wakeAt(filepath.Join(d.f.dir, name))
		}
	}()
	var moments []map[uint64]Saved
	for awake := false; !awake; {
		select {
		case <-woken:
			awake = true
		default:
		}
		d.save(l)
		moments = append(moments, maps.Clone(d.states))
	}
	for _, d.states = range moments {
		if h := d.start(t).Holdings()[Root{"fake", d.f.dir, "default"}]; h.Transcripts != len(names) {
			t.Fatalf("%d of %d transcripts are saved", h.Transcripts, len(names))
		}
	}
}

// Where several workers have nothing to do, one block is woken for them all.
func TestOneBlockIsWokenForAllWorkers(t *testing.T) {
	d := newDiary(t)
	d.sides(t, "one", 3*blockMembers)
	d.run(t)
	d.upgraded()
	l := d.start(t)
	l.beginRenewal()
	for range 3 {
		if !l.renew(t.Context(), true) {
			t.Error("there is nothing to read")
		}
	}
	if n := len(l.shelf.all()); n != blockMembers {
		t.Errorf("%d are awake", n)
	}
}

// What was read is applied though a listing takes long, also while sleepers are read anew.
func TestALongListingIsNotWaitedForWithWhatWasRead(t *testing.T) {
	for _, renewing := range []bool{false, true} {
		f := &fake{dir: t.TempDir()}
		f.put(t, "a.log", line{ID: "1", Text: "first"})
		c, l := follow(t, f)
		c.awaitText("a", "first")
		func() {
			l.lulling.Lock()
			defer l.lulling.Unlock()
			l.sleepers.renewing.Store(renewing)
			f.add(t, "a.log", line{ID: "2", Text: "second"})
			c.awaitText("a", "first\n\nsecond")
			l.sleepers.renewing.Store(false)
		}()
	}
}

// Where reading ends early, each worker ends, also one that finds others' work in line.
func TestAWorkerEndsWhileSleepersAreReadAnew(t *testing.T) {
	d := newDiary(t)
	d.sides(t, "one", 2*blockMembers)
	d.run(t)
	d.upgraded()
	l := d.start(t)
	l.beginRenewal()
	ctx, cancel := context.WithCancel(t.Context())
	if !l.renew(ctx, true) {
		t.Fatal("nothing is in line")
	}
	cancel()
	l.queue.close()
	w := worker{l: l}
	if tr, _ := w.next(ctx); tr != nil {
		t.Errorf("it is to read %s", tr.at.Path)
	}
}
