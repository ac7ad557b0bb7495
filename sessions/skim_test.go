package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// skimmer is the invented harness with the sub-agents of main.log in the folder main, and
// in folders within it.
type skimmer struct {
	*fake
	sent []string // names of sub-agents
}

func (s *skimmer) Skim(_ context.Context, root Root, skim Skim, send func(Transcript)) error {
	s.sent = nil
	entries, err := os.ReadDir(root.Path)
	for _, e := range entries {
		path := filepath.Join(root.Path, e.Name())
		info, statErr := e.Info()
		switch {
		case errors.Join(err, statErr) != nil:
			return errors.Join(err, statErr)
		case !e.IsDir() && filepath.Ext(path) == ".log":
			send(Transcript{Path: path, ID: e.Name()[:len(e.Name())-len(".log")], Stamp: StampOf(info)})
		case e.IsDir():
			parent, err := os.Stat(path + ".log")
			if err != nil {
				return err
			}
			s.folder(Folder{Path: path, Stamp: StampOf(info), Parent: StampOf(parent)}, skim, send)
		}
	}
	return nil
}

func (s *skimmer) folder(f Folder, skim Skim, send func(Transcript)) {
	within, rests := skim.Rests(f)
	if !rests {
		entries, _ := os.ReadDir(f.Path)
		for _, e := range entries {
			if e.IsDir() {
				within = append(within, e.Name())
				continue
			}
			info, err := e.Info()
			if err != nil {
				return
			}
			s.sent = append(s.sent, e.Name())
			send(Transcript{Path: filepath.Join(f.Path, e.Name()), ID: e.Name()[:len(e.Name())-len(".log")], Stamp: StampOf(info), Side: true})
		}
		skim.Listed(f, within)
	}
	for _, name := range within {
		path := filepath.Join(f.Path, name)
		if info, err := os.Stat(path); err == nil {
			s.folder(Folder{Path: path, Stamp: StampOf(info), Parent: f.Parent}, skim, send)
		}
	}
}

// skimmed is a diary of a session with quiet sub-agents, all of which sleep.
func skimmed(t *testing.T) (*diary, *skimmer) {
	t.Helper()
	d := newDiary(t)
	s := &skimmer{fake: d.f}
	d.source = s
	d.f.put(t, "main.log", line{ID: "1", Text: "words"})
	for _, name := range []string{"main/side-a.log", "main/side-b.log", "main/run/side-c.log"} {
		d.f.put(t, name, line{ID: "1", Text: "task of " + name, Parent: "main"})
	}
	d.quiet(t, "main/side-a.log", "main/side-b.log", "main/run/side-c.log", "main/run", "main")
	d.run(t)
	d.brief = true
	return d, s
}

// quiet makes files and folders such that did not change for long.
func (d *diary) quiet(t *testing.T, names ...string) {
	t.Helper()
	old := time.Now().Add(-2 * sidesQuiet)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(d.f.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// skimming is what changes after a program that asks once has read a session with two
// sub-agents and a run of another, and what the next one then does.
type skimming struct {
	change     func(d *diary) error
	sent, read []string // sub-agents that it looks at; transcripts
	gone       []string // ids
}

// askedOnce checks what is looked at then, and that nothing is known otherwise than by
// looking at all.
func askedOnce(t *testing.T, cases map[string]skimming) {
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d, s := skimmed(t)
			if err := tc.change(d); err != nil {
				t.Fatal(err)
			}
			read := slices.Sorted(maps.Keys(d.run(t)))
			slices.Sort(s.sent)
			slices.Sort(tc.read)
			if !slices.Equal(s.sent, tc.sent) || !slices.Equal(read, tc.read) {
				t.Errorf("looked at %q and read %q, want %q and %q", s.sent, read, tc.sent, tc.read)
			}
			for _, id := range d.corpus.ids() {
				if got := d.corpus.session(id).Gone; got != slices.Contains(tc.gone, id) {
					t.Errorf("%s: gone %v", id, got)
				}
			}
			d.sameAsFresh(t)
			d.run(t)
			d.sameAsFresh(t)
		})
	}
}

// A program that asks once looks at no sub-agent of a session that did not change.
func TestAskingOnceLeavesOutWhatRests(t *testing.T) {
	main, a, b, c := "main.log", "side-a.log", "side-b.log", "side-c.log"
	askedOnce(t, map[string]skimming{
		"nothing": {change: func(*diary) error { return nil }},
		"a line of the session": {
			func(d *diary) error { d.f.add(t, main, line{ID: "2", Text: "more"}); return nil },
			[]string{a, b, c},
			[]string{main},
			nil,
		},
		"a line of the session and of a sub-agent": {
			func(d *diary) error {
				d.f.add(t, main, line{ID: "2", Text: "more"})
				d.f.add(t, "main/"+a, line{ID: "2", Text: "more"})
				return nil
			},
			[]string{a, b, c},
			[]string{main, a},
			nil,
		},
		"what was read last was long ago": {
			func(d *diary) error { d.lookedAgo(lookTrusted); return nil },
			[]string{a, b, c},
			nil,
			nil,
		},
		"the clock was put back": {
			func(d *diary) error { d.lookedAgo(-time.Hour); return nil },
			[]string{a, b, c},
			nil,
			nil,
		},
	})
}

// It sees what comes to a folder.
func TestAskingOnceSeesWhatComes(t *testing.T) {
	a, b, c := "side-a.log", "side-b.log", "side-c.log"
	askedOnce(t, map[string]skimming{
		"a new sub-agent": {
			func(d *diary) error { d.f.put(t, "main/side-d.log", line{ID: "1", Text: "new"}); return nil },
			[]string{a, b, "side-d.log"},
			[]string{"side-d.log"},
			nil,
		},
		"a new sub-agent of a run": {
			func(d *diary) error { d.f.put(t, "main/run/side-d.log", line{ID: "1", Text: "new"}); return nil },
			[]string{c, "side-d.log"},
			[]string{"side-d.log"},
			nil,
		},
		"a new run": {
			func(d *diary) error { d.f.put(t, "main/other/side-d.log", line{ID: "1", Text: "new"}); return nil },
			[]string{a, b, "side-d.log"},
			[]string{"side-d.log"},
			nil,
		},
	})
}

// It sees what goes, and what moves.
func TestAskingOnceSeesWhatGoes(t *testing.T) {
	main, a, b, c := "main.log", "side-a.log", "side-b.log", "side-c.log"
	askedOnce(t, map[string]skimming{
		"a sub-agent that goes": {
			func(d *diary) error { return os.Remove(filepath.Join(d.f.dir, "main", a)) },
			[]string{b},
			nil,
			[]string{"side-a"},
		},
		"a run that goes": {
			func(d *diary) error { return os.RemoveAll(filepath.Join(d.f.dir, "main", "run")) },
			[]string{a, b},
			nil,
			[]string{"side-c"},
		},
		"a folder that goes": {
			func(d *diary) error { return os.RemoveAll(filepath.Join(d.f.dir, "main")) },
			nil,
			nil,
			[]string{"side-a", "side-b", "side-c"},
		},
		"a sub-agent that moves": {
			func(d *diary) error {
				return os.Rename(filepath.Join(d.f.dir, "main", a), filepath.Join(d.f.dir, "main", "run", a))
			},
			[]string{a, b, c},
			nil,
			nil,
		},
		"a session with all that is its own": {
			func(d *diary) error {
				return errors.Join(os.Rename(filepath.Join(d.f.dir, "main"), filepath.Join(d.f.dir, "moved")),
					os.Rename(filepath.Join(d.f.dir, main), filepath.Join(d.f.dir, "moved.log")))
			},
			[]string{a, b, c},
			[]string{"moved.log"},
			[]string{"main"},
		},
	})
}

// lookedAgo has all looks be so old.
func (d *diary) lookedAgo(age time.Duration) {
	var l looks
	for n, saved := range d.states {
		if saved.Folder {
			l.restore(saved)
			for _, k := range l.all {
				k.at = time.Now().Add(-age)
				saved.State = k.form()
			}
			d.states[n] = saved
			l.clear()
		}
	}
}

// A clock that was ahead once costs one look: the next one counts from the time that it is.
func TestALookFromAClockThatWasAhead(t *testing.T) {
	d, s := skimmed(t)
	d.lookedAgo(-365 * 24 * time.Hour)
	for range 2 {
		d.run(t)
	}
	if len(s.sent) > 0 {
		t.Errorf("it still looks at %q", s.sent)
	}
}

// sameAsFresh checks that what is known is what a program would read that starts now.
func (d *diary) sameAsFresh(t *testing.T) {
	t.Helper()
	if fresh, _ := readOnce(t, d.f, 1); !agrees(d.corpus, fresh) {
		for _, id := range d.corpus.ids() {
			t.Errorf("%s says %q, gone %v; on disk %q", id, d.corpus.text(id), d.corpus.session(id).Gone, fresh.text(id))
		}
	}
}

// A sub-agent that is written to although its session rests is noticed by who looks at
// all, and from then on its folder is looked at until it is quiet.
func TestASubagentThatGrowsAlone(t *testing.T) {
	d, s := skimmed(t)
	d.f.add(t, "main/side-a.log", line{ID: "2", Text: "more"})
	if read := d.run(t); len(read) != 0 || len(s.sent) != 0 {
		t.Errorf("read %v, looked at %q", read, s.sent)
	}
	d.brief = false
	if read, want := d.run(t), map[string]int64{"side-a.log": 0}; !reflect.DeepEqual(read, want) {
		t.Errorf("who looks at all read %v", read)
	}
	d.brief = true
	d.f.add(t, "main/side-a.log", line{ID: "3", Text: "and more"})
	if read := d.run(t); len(read) != 1 || !slices.Equal(s.sent, []string{"side-a.log", "side-b.log"}) {
		t.Errorf("then it read %v, and looked at %q", read, s.sent)
	}
	d.quiet(t, "main/side-a.log")
	for range 2 { // it changed its time, and sleeps
		d.run(t)
	}
	if d.run(t); len(s.sent) != 0 {
		t.Errorf("in the end it looked at %q", s.sent)
	}
	d.sameAsFresh(t)
}

// A folder that changed just now may change again without another time, and one of which a
// transcript is not wanted is looked at again, since it may be wanted then.
func TestFoldersThatAreAlwaysLookedAt(t *testing.T) {
	d, s := skimmed(t)
	d.f.put(t, "main/side-d.log", line{ID: "1", Text: "new"})
	d.quiet(t, "main/side-d.log")
	for range 2 {
		if d.run(t); len(s.sent) != 3 {
			t.Errorf("looked at %q", s.sent)
		}
	}
	d.quiet(t, "main")
	for range 3 {
		d.run(t)
	}
	if len(s.sent) != 0 {
		t.Errorf("when it was quiet it looked at %q", s.sent)
	}

	all, s := skimmed(t)
	all.states = make(map[uint64]Saved)
	all.exclude = []string{filepath.Join(all.f.dir, "main", "side-a.log")}
	for _, want := range [][]string{{"side-a.log", "side-b.log", "side-c.log"}, {"side-a.log", "side-b.log"}} {
		all.run(t)
		if slices.Sort(s.sent); !slices.Equal(s.sent, want) {
			t.Errorf("with one that is not wanted it looked at %q, want %q", s.sent, want)
		}
	}
}

// However sub-agents and their sessions change, also who only ever asks once knows what a
// program knows that starts now, when each change shows in the folder or the session.
func TestAskingOnceEqualsFull(t *testing.T) {
	for seed := range uint64(6) {
		d, _ := skimmed(t)
		s := &storm{t: t, f: d.f, rand: rand.New(rand.NewPCG(seed, 2))}
		for range 100 * (seed % 3) { // enough that blocks stay on disk
			s.made++
			name := fmt.Sprintf("main/side-%d.log", s.made)
			d.f.put(t, name, s.words())
			d.quiet(t, name)
		}
		d.quiet(t, "main")
		for range 25 {
			for range s.rand.IntN(4) {
				s.family()
			}
			d.brief = s.rand.IntN(5) > 0
			d.run(t)
			d.sameAsFresh(t)
		}
	}
}

// family changes a sub-agent as its session does.
func (s *storm) family() {
	at := func(folder, name string) string { return filepath.Join("main", folder, name) }
	folder, other := "", "run"
	if s.rand.IntN(2) == 0 {
		folder, other = other, folder
	}
	there, err := filepath.Glob(filepath.Join(s.f.dir, at(folder, "side-*")))
	name := ""
	if len(there) > 0 {
		name = filepath.Base(there[s.rand.IntN(len(there))])
	}
	whole := func(name string) string { return filepath.Join(s.f.dir, name) }
	switch kind := s.rand.IntN(7); {
	case kind == 0 || name == "":
		s.made++
		s.f.put(s.t, at(folder, fmt.Sprintf("side-%d.log", s.made)), s.words())
	case kind == 1:
		err = os.Remove(whole(at(folder, name)))
	case kind == 2:
		err = os.Rename(whole(at(folder, name)), whole(at(other, name)))
	case kind == 3:
		s.f.add(s.t, at(folder, name), s.words())
		s.f.add(s.t, "main.log", s.words())
	case kind == 4:
		s.f.put(s.t, "new.tmp", s.words())
		err = os.Rename(whole("new.tmp"), whole(at(folder, name)))
	default:
		old := time.Now().Add(-2 * sidesQuiet)
		for _, path := range append(there, whole(at(folder, ""))) {
			err = errors.Join(err, os.Chtimes(path, old, old))
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
