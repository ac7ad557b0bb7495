package sessions

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// placed is a fake with roots of its own.
type placed struct {
	*fake
	roots []Root
}

func (r placed) Roots(Env) []Root { return r.roots }

// What lies in a root that is looked at no more, as one that is configured no longer, is
// gone when its file is, also where it was at rest, and only then; it is there again when
// its root is looked at again.
func TestRootsThatAreLookedAtNoMore(t *testing.T) {
	for _, resting := range []bool{false, true} {
		d := newDiary(t)
		own, other := filepath.Join(d.f.dir, "own"), filepath.Join(d.f.dir, "other")
		roots := []Root{{Path: own, From: "default"}, {Path: other, From: "config"}}
		paths := map[string]string{}
		for id, dir := range map[string]string{"a": "own", "deleted": "other", "left": "other", "back": "other"} {
			path := d.f.put(t, filepath.Join(dir, id+".log"), says("words of "+id))
			if paths[id] = path; resting {
				old := time.Now().Add(-2 * sleepsAfter)
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
		d.source = placed{d.f, roots}
		for range 2 {
			d.run(t)
		}
		for _, id := range []string{"deleted", "back"} {
			if err := os.Remove(paths[id]); err != nil {
				t.Fatal(err)
			}
		}
		d.source = placed{d.f, roots[:1]}
		for range 2 {
			if read := d.run(t); len(read) > 0 {
				t.Errorf("resting %v: read %v", resting, read)
			}
			for id, gone := range map[string]bool{"a": false, "deleted": true, "left": false, "back": true} {
				if s := d.corpus.session(id); s.Gone != gone || d.corpus.text(id) != "words of "+id {
					t.Errorf("resting %v, %s: gone %v, %q", resting, id, s.Gone, d.corpus.text(id))
				}
			}
		}
		d.f.put(t, "other/back.log", says("words of back"))
		d.source = placed{d.f, roots}
		d.run(t)
		for id, gone := range map[string]bool{"deleted": true, "left": false, "back": false} {
			if s := d.corpus.session(id); s.Gone != gone {
				t.Errorf("resting %v, looked at again, %s: gone %v", resting, id, s.Gone)
			}
		}
	}
}

// A root of which only is told otherwise why it is looked at is the same: what is deleted
// there is gone.
func TestARootThatIsConfiguredOtherwise(t *testing.T) {
	d := newDiary(t)
	path := d.f.put(t, "a.log", says("words"))
	for _, from := range []string{"default", "config"} {
		d.source = placed{d.f, []Root{{Path: d.f.dir, From: from}}}
		d.run(t)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d.run(t); !d.corpus.session("a").Gone {
		t.Error("it is not gone")
	}
}

// A file that goes while its root comes to be configured otherwise is gone, at rest too.
func TestGoneWhileItsRootIsConfiguredOtherwise(t *testing.T) {
	for _, resting := range []bool{false, true} {
		d := newDiary(t)
		path := d.f.put(t, "a.log", says("words"))
		if resting {
			old := time.Now().Add(-2 * sleepsAfter)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		d.source = placed{d.f, []Root{{Path: d.f.dir, From: "default"}}}
		for range 2 {
			d.run(t)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		d.source = placed{d.f, []Root{{Path: d.f.dir, From: "config"}}}
		for range 2 {
			d.run(t)
		}
		if !d.corpus.session("a").Gone {
			t.Errorf("resting %v: not gone", resting)
		}
	}
}
