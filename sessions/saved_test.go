package sessions

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"yore/sessions/packed"
)

// diary is what is kept between the runs of Libraries over one corpus.
type diary struct {
	f      *fake
	corpus *corpus
	states map[uint64]Saved
	lost   string // a session of which text is missing
	// doubtful: of any session text may be missing.
	doubtful   bool
	source     Source // another than f
	brief      bool   // it asks once
	exclude    []string
	unreadable error // why states cannot be read again
}

func newDiary(t *testing.T) *diary {
	return &diary{
		f: &fake{dir: t.TempDir()}, corpus: newCorpus(t), states: make(map[uint64]Saved),
	}
}

func (d *diary) save(l *Library) {
	l.Save(func(saved []Saved) {
		for _, s := range saved {
			if d.states[s.Number] = s; s.State == nil {
				delete(d.states, s.Number)
			}
		}
	})
}

// start makes a Library that goes on where the last one ended.
func (d *diary) start(t *testing.T) *Library {
	t.Helper()
	o := Options{Sources: []Source{d.f}, Workers: 2, Brief: d.brief, Exclude: d.exclude}
	if d.source != nil {
		o.Sources[0] = d.source
	}
	l := NewLibrary(o)
	saved := slices.Collect(maps.Values(d.states))
	var unreadable error // not before it has begun
	for i, s := range saved {
		if s.Many {
			saved[i].State = s.State[:min(len(s.State), SavedBeginning)]
		}
		saved[i].Later = func() ([]byte, error) { return s.State, unreadable }
	}
	applied := Applied{Session: d.corpus.applied, Doubtful: d.doubtful}
	if d.lost != "" {
		applied.Partial = map[Key]bool{{"fake", d.lost}: true}
	}
	if err := l.Restore(t.Context(), saved, applied); err != nil {
		t.Fatal(err)
	}
	unreadable = d.unreadable
	return l
}

// run reads what changed and saves it; it returns the marks from which
// transcripts were read, by name.
func (d *diary) run(t *testing.T) map[string]int64 {
	t.Helper()
	read := make(map[string]int64)
	d.f.onRead = func(tr Transcript, from Mark) { read[filepath.Base(tr.Path)] = from.Offset }
	l := d.start(t)
	l.o.Workers = 1
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	d.save(l)
	return read
}

// runUntil does as run, but ends when so many were read.
func (d *diary) runUntil(t *testing.T, many int) (read map[string]bool) {
	t.Helper()
	read = make(map[string]bool)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d.f.onRead = func(tr Transcript, _ Mark) {
		if read[filepath.Base(tr.Path)] = true; len(read) == many {
			cancel()
		}
	}
	l := d.start(t)
	l.o.Workers = 1
	if err := l.Run(ctx, d.corpus.apply); err == nil {
		t.Fatal("it was not cancelled")
	}
	d.save(l)
	return read
}

// X2: after a new start a transcript that did not change is not opened, one that
// grew is read from its mark, one that was rewritten from its beginning, and one
// that is gone keeps its text.
func TestANewStartReadsWhatChanged(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "same.log", line{ID: "1", Text: "as it was"})
	d.f.put(t, "grown.log", line{ID: "1", Text: "first"}, line{ID: "2", Kind: ToolCall, Text: "ls"})
	d.f.put(t, "rewritten.log", line{ID: "1", Text: "before"})
	d.f.put(t, "deleted.log", line{ID: "1", Text: "lives on"}, "not a line\n")
	if read := d.run(t); len(read) != 4 {
		t.Fatalf("read %v", read)
	}
	if read := d.run(t); len(read) != 0 {
		t.Fatalf("read again: %v", read)
	}
	info, _ := os.Stat(filepath.Join(d.f.dir, "grown.log"))
	d.f.add(t, "grown.log", line{ID: "2", Kind: ToolOutput, Text: "file"}, line{ID: "1", Text: "first, longer"}, line{ID: "3", Text: "second"})
	d.f.put(t, "rewritten.log", line{ID: "1", Text: "quite another text"})
	if err := os.Remove(filepath.Join(d.f.dir, "deleted.log")); err != nil {
		t.Fatal(err)
	}
	d.f.put(t, "notes", "same a new title\n")
	want := map[string]int64{"grown.log": info.Size(), "rewritten.log": 0}
	if read := d.run(t); !reflect.DeepEqual(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
	for id, text := range map[string]string{
		"same": "as it was", "grown": "first, longer\n\nsecond", "rewritten": "quite another text", "deleted": "lives on",
	} {
		if got := d.corpus.text(id); got != text {
			t.Errorf("%s says %q, want %q", id, got, text)
		}
	}
	if h := d.corpus.known["grown"].hung; len(h) != 2 || h[0].Index != h[1].Index {
		t.Errorf("the output does not hang where its call does: %+v", h)
	}
	if !d.corpus.session("deleted").Gone || d.corpus.session("same").Title != "a new title" {
		t.Errorf("%+v", d.corpus.session("same"))
	}
	if s := d.start(t).Skipped(); len(s) != 0 {
		t.Errorf("skipped %v of a transcript that is gone", s)
	}
	if err := os.Remove(filepath.Join(d.f.dir, "notes")); err != nil {
		t.Fatal(err)
	}
	d.run(t)
	if title := d.corpus.session("same").Title; title == "a new title" {
		t.Error("a title that is noted no longer is kept")
	}
	d.lost = "same"
	if read := d.run(t); len(read) != 1 || d.corpus.text("same") != "as it was" {
		t.Errorf("read %v; the lost one says %q", read, d.corpus.text("same"))
	}
	d.lost = ""
	for number := range d.states {
		d.states[number].State[0] = readingRevision - 1
	}
	if read := d.run(t); len(read) != 3 || d.corpus.text("deleted") != "lives on" {
		t.Errorf("after a change of how transcripts are read, read %v", read)
	}
	if read := d.run(t); len(read) != 0 {
		t.Errorf("and again: %v", read)
	}
	for number := range d.states {
		d.states[number].State[0] = readingRevision + 1
	}
	if read := d.run(t); len(read) != 0 {
		t.Errorf("what a newer version has read is read back: %v", read)
	}
}

// A transcript of which nothing is left is gone, and not found so anew at each start.
func TestAnEmptiedTranscriptIsKeptOnce(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "a.log", line{ID: "1", Text: "words"})
	d.run(t)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	d.run(t)
	if s := d.corpus.session("a"); !s.Gone {
		t.Errorf("%+v", s)
	}
	l := d.start(t)
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	l.Save(func(saved []Saved) {
		if len(saved) > 0 {
			t.Errorf("%d states are kept again", len(saved))
		}
	})
}

// A session that is gone and was left out is looked at by each start, and kept once.
func TestWhatIsGoneAndLeftOutIsKeptOnce(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "a.log", line{ID: "1", Text: "words"})
	d.run(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	d.run(t)
	delete(d.corpus.known, "a")
	d.lost = "a"
	d.run(t)
	d.lost = ""
	d.run(t)
	l := d.start(t)
	if err := l.Run(t.Context(), d.corpus.apply); err != nil {
		t.Fatal(err)
	}
	l.Save(func(saved []Saved) {
		if len(saved) > 0 {
			t.Errorf("%d states are kept again", len(saved))
		}
	})
}

// Two copies of one session keep their names over new starts.
func TestTwinsKeepTheirNames(t *testing.T) {
	d := newDiary(t)
	d.f.put(t, "one/a.log", line{ID: "1", Text: "in one"})
	d.f.put(t, "two/a.log", line{ID: "1", Text: "in two"})
	d.run(t)
	before := []string{d.corpus.text("a"), d.corpus.text("a~2")}
	d.f.add(t, "one/a.log", line{ID: "2", Text: "more"})
	d.f.add(t, "two/a.log", line{ID: "2", Text: "more"})
	d.run(t)
	after := []string{d.corpus.text("a"), d.corpus.text("a~2")}
	for i := range before {
		if after[i] != before[i]+"\n\nmore" {
			t.Errorf("%q became %q", before, after)
		}
	}
}

// Whatever happens to the files between runs and during them, and whenever a run
// is cut short, the next ones make everything true.
func TestAfterAStormOfStartsEverythingIsTrue(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := newDiary(t)
			s := &storm{t: t, f: d.f, rand: rand.New(rand.NewPCG(seed, 1)), old: seed%2 == 0}
			for range 30 {
				for range s.rand.IntN(12) {
					s.step()
				}
				d.interrupted(t, s)
			}
			l := d.start(t)
			if err := l.Run(t.Context(), d.corpus.apply); err != nil {
				t.Fatal(err)
			}
			fresh, _ := readOnce(t, d.f, 1)
			if !agrees(d.corpus, fresh) {
				for _, id := range d.corpus.ids() {
					t.Errorf("%s: known %.40q, gone %v, %s; on disk %.40q, %s", id, d.corpus.text(id), d.corpus.session(id).Gone,
						d.corpus.session(id).Path, fresh.text(id), fresh.session(id).Path)
				}
			}
			for _, id := range fresh.ids() {
				got, want := d.corpus.session(id), fresh.session(id)
				if !sameFacts(&got, &want) {
					t.Errorf("%s is\n%+v, want\n%+v", id, got, want)
				}
				if got, want := len(d.corpus.known[id].hung), len(fresh.known[id].hung); got != want {
					t.Errorf("%s: %d turns hang, want %d", id, got, want)
				}
			}
		})
	}
}

// interrupted runs a Library that follows changes for a moment.
func (d *diary) interrupted(t *testing.T, s *storm) {
	l := d.start(t)
	l.o.Watch = true
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.Run(ctx, d.corpus.apply) // it ends with that of ctx
	}()
	for range s.rand.IntN(4) {
		s.step()
		time.Sleep(time.Duration(s.rand.IntN(3)) * time.Millisecond)
		if s.rand.IntN(2) == 0 {
			d.save(l)
		}
	}
	cancel()
	<-ended
	d.save(l)
}

// No bytes make reading a state panic.
func FuzzSaved(f *testing.F) {
	l := NewLibrary(Options{})
	b := newBuilder(Key{"fake", "a"}, "a", nil)
	b.turn(Turn{ID: "1", Text: "said"}, true)
	b.turn(Turn{ID: "2", Kind: ToolCall, Call: "c", Text: "ls"}, true)
	b.place(true)
	tr := &transcript{sessions: map[string]*builder{"a": b}, names: map[string]string{"a": "a"}}
	f.Add(l.formOf(tr, true))
	f.Add(l.formOf(tr, false))
	f.Add((&look{Folder: Folder{Path: "/r/s"}, sleeping: gathering{count: 1}, within: []string{"w"}}).form())
	b.forget()
	f.Add(l.formOf(tr, true))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := NewLibrary(Options{Forgotten: func(Key, string) bool { return len(data)%2 == 0 }})
		for _, kind := range []Saved{{}, {Many: true}, {Folder: true}} {
			kind.Number, kind.State = 1, data
			applied := Applied{Session: func(k Key) (Session, bool, error) { return Session{Key: k}, true, nil }, Doubtful: len(data)%3 == 0}
			_ = l.Restore(t.Context(), []Saved{kind}, applied)
			l = NewLibrary(l.o)
		}
		l.o.Brief, l.o.Forgets = true, func() bool { return false }
		fetchAny(t, l, data)
		readTranscript(packed.NewReader(data), false)
		readTranscript(packed.NewReader(data), true)
	})
}

// fetchAny has a Library that asks once leave a block on disk that says something else when
// it is read: nothing of it is taken over, or all.
func fetchAny(t *testing.T, l *Library, state []byte) {
	k := &look{Folder: Folder{Path: "/r/s"}, shares: []share{{1, blockMembers}}}
	block := binary.AppendUvarint(binary.AppendUvarint(nil, readingRevision), blockMembers)
	saved := []Saved{
		{Number: 1, State: block, Many: true, Later: func() ([]byte, error) { return state, nil }},
		{Number: 2, State: k.form(), Folder: true},
	}
	applied := Applied{Session: func(k Key) (Session, bool, error) { return Session{Key: k}, true, nil }}
	if err := l.Restore(t.Context(), saved, applied); err != nil || !l.sleepers.leaves() {
		t.Fatalf("nothing is left: %v", err)
	}
	l.fetch(true, nil)
	if failed, s := l.unfetched.Load(), &l.sleepers; failed != s.leaves() || failed && len(s.rows)+len(s.byHash)+len(s.flocks) > 0 {
		t.Errorf("cannot be read: %v, and %d rows are there", failed, len(s.rows))
	}
}

// What is to be read again stays so at the next start when something else of it is saved
// before it was.
func TestWhatIsToBeReadAgainIsSavedAgain(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "a.log", line{ID: "1", Text: "words"})
	for range 2 {
		d.run(t)
	}
	l := d.start(t)
	l.readAgain(path, false)
	d.save(l)
	l.unsaved.touch(l.shelf.at(path)[0])
	d.save(l)
	if read := d.run(t); !reflect.DeepEqual(read, map[string]int64{"a.log": 0}) {
		t.Errorf("read %v", read)
	}
}
