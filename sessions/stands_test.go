package sessions

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rooted is a fake whose roots are some folders of its own.
type rooted struct {
	*fake
	roots []string
}

func (r *rooted) Roots(Env) (roots []Root) {
	for _, name := range r.roots {
		roots = append(roots, Root{Path: filepath.Join(r.dir, name)})
	}
	return roots
}

// Where what stood is not looked for any more, and deleted, its copy is told with what is
// added to it, and so is one that is found only then.
func TestWhatStoodIsNotLookedForAnyMore(t *testing.T) {
	for name, leave := range map[string]func(d *diary, r *rooted){
		"another root": func(_ *diary, r *rooted) { r.roots = []string{"b"} },
		"excluded":     func(d *diary, _ *rooted) { d.exclude = []string{filepath.Join(d.f.dir, "a")} },
	} {
		for _, early := range []bool{true, false} {
			d := newDiary(t)
			r := &rooted{d.f, []string{"a", "b"}}
			d.source = r
			d.f.put(t, "a/s.log", conversation(3)...)
			if early {
				d.f.put(t, "b/s.log", conversation(2)...)
			}
			d.run(t)
			leave(d, r)
			remove(t, d.f, "a/s.log")
			d.run(t)
			d.f.put(t, "b/s.log", conversation(4)...)
			d.run(t)
			d.run(t)
			if diff := cmp.Diff(map[string]string{"s": spoken(4)}, d.corpus.texts()); diff != "" {
				t.Errorf("%s, early %t: %s", name, early, diff)
			}
		}
	}
}
