package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// hide has of one session no more be told than its name, from then on, until shown.
func hide(l *Library, id string) (shown func()) {
	known := l.applied.Session
	l.applied.Session = func(key Key) (Session, bool, error) {
		s, ok, err := known(key)
		if key.ID == id {
			return Session{Key: key, Parent: s.Parent, Subagent: true}, ok, errors.New("the page cannot be read")
		}
		return s, ok, err
	}
	return func() { l.applied.Session = known }
}

// Of a sub-agent of which the index can tell no more than the name just now, nothing is sent
// that would take the place of all that it knows: a transcript that is there is read anew, and
// the text of one that was deleted stays as it is.
func TestWhatCannotBeToldIsNotReplaced(t *testing.T) {
	for what, change := range map[string]func(d *diary, path string) (text string){
		"deleted": func(_ *diary, path string) string {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			return "the task"
		},
		"grown": func(d *diary, path string) string {
			d.f.add(t, filepath.Base(path), line{ID: "2", Text: "more", Parent: "main", Dir: "/work"})
			aged(t, path)
			return "the task\n\nmore"
		},
		"as it was": func(*diary, string) string { return "the task" },
	} {
		d := newDiary(t)
		path := d.f.put(t, "side-a.log", line{ID: "1", Text: "the task", Parent: "main", Dir: "/work"})
		aged(t, path)
		d.run(t)
		want := change(d, path)
		l := d.start(t)
		shown := hide(l, "side-a")
		l.wakeNamed(Key{"fake", "side-a"})
		if err := l.Run(t.Context(), d.corpus.apply); err != nil {
			t.Fatal(err)
		}
		if s := d.corpus.session("side-a"); s.Directory != "/work" || s.Passages == 0 || d.corpus.text("side-a") != want {
			t.Errorf("%s: it is %+v and says %q", what, s, d.corpus.text("side-a"))
		}
		shown()
		d.save(l)
		d.run(t)
		if s := d.corpus.session("side-a"); s.Gone != (what == "deleted") || s.Directory != "/work" || d.corpus.text("side-a") != want {
			t.Errorf("%s, after a new start: it is %+v and says %q", what, s, d.corpus.text("side-a"))
		}
	}
}

// What was damaged of a session whose transcript is gone is read when that comes back, as it
// was or not.
func TestWhatWasDamagedAndComesBackIsRead(t *testing.T) {
	for _, name := range []string{"side-a.log", "a.log"} {
		for _, waits := range []bool{false, true} {
			d := newDiary(t)
			path := d.f.put(t, name, line{ID: "1", Text: "the task"})
			aged(t, path)
			d.run(t)
			if err := os.Rename(path, path+".away"); err != nil {
				t.Fatal(err)
			}
			d.run(t)
			id := name[:len(name)-len(".log")]
			d.corpus.known[id].passages = nil
			d.lost = id
			if waits {
				d.run(t)
			}
			if err := os.Rename(path+".away", path); err != nil {
				t.Fatal(err)
			}
			d.run(t)
			if got := d.corpus.text(id); got != "the task" {
				t.Errorf("%s, waits %v: says %q", name, waits, got)
			}
		}
	}
}
