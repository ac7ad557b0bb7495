package sessions

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hashing is a fake of which transcripts may lie in a folder called by the hash of the
// directory in which they were made.
type hashing struct{ *fake }

func (h hashing) Hashed(path string) string {
	if name := filepath.Base(filepath.Dir(path)); strings.HasPrefix(name, "hash-") {
		return name
	}
	return ""
}

func (h hashing) Hash(dir string) string {
	sum := sha1.Sum([]byte(dir))
	return "hash-" + hex.EncodeToString(sum[:])
}

// putIn writes a transcript that was made in a directory and does not say so.
func (h hashing) putIn(t *testing.T, dir, id string) string {
	t.Helper()
	return h.put(t, filepath.Join(h.Hash(dir), id+".log"), says("said in "+id))
}

// A directory that is known by its hash is the one that another session names, or the
// program is used in, or one above those, before everything counts as loaded; another
// stays unknown.
func TestDirectoriesAreFoundByTheirHashes(t *testing.T) {
	h := hashing{&fake{dir: t.TempDir()}}
	work, used := filepath.FromSlash("/home/dev"), filepath.FromSlash("/used/here")
	want := map[string]string{"own": filepath.Join(work, "a", "b"), "above": filepath.Join(work, "a"), "used": used, "usedabove": filepath.Dir(used), "unknown": ""}
	for id, dir := range want {
		if dir == "" {
			dir = filepath.Join(work, "else")
		}
		aged(t, h.putIn(t, dir, id))
	}
	aged(t, h.put(t, "z.log", at(want["own"], "z")))
	c, _, end := wander(t, Options{Sources: []Source{h}, Env: Env{Dir: used}, Workers: 1})
	end()
	for id, dir := range want {
		if got := c.session(id).Directory; got != dir {
			t.Errorf("%s was made in %q, want %q", id, got, dir)
		}
	}
}

// It is told when somebody names it while the program runs.
func TestDirectoriesAreFoundLater(t *testing.T) {
	h := hashing{&fake{dir: t.TempDir()}}
	dir := filepath.FromSlash("/home/dev/a")
	h.putIn(t, dir, "s")
	h.put(t, "z.log", says("z"))
	c, _, end := wander(t, Options{Sources: []Source{h}, Watch: true})
	defer end()
	if got := c.session("s").Directory; got != "" {
		t.Fatalf("it is %q already", got)
	}
	h.add(t, "z.log", at(dir, "there"))
	c.await("its directory", func() bool { return c.session("s").Directory == dir })
}

// After a start it stays known though nobody names it any more, and one that is named
// only then is told of a transcript that did not change: it is not read, and both rest.
func TestDirectoriesByHashAfterAStart(t *testing.T) {
	for _, id := range []string{"s", "side-s"} {
		dir := filepath.FromSlash("/home/dev/a")
		d, h := restingIn(t, dir, id)
		check := func(what, want string) {
			t.Helper()
			if got := d.corpus.session(id).Directory; got != want {
				t.Errorf("%s, %s: %q, want %q", id, what, got, want)
			}
		}
		d.run(t)
		d.run(t)
		check("nobody names it", "")
		naming := h.put(t, "z.log", at(dir, "there"))
		if read := d.run(t); len(read) != 1 {
			t.Errorf("%s: read %v", id, read)
		}
		check("named", dir)
		if err := os.WriteFile(naming, records(t, says("rewritten")), 0o600); err != nil {
			t.Fatal(err)
		}
		d.run(t)
		check("named no more", dir)
		if read := d.run(t); len(read) != 0 {
			t.Errorf("%s: read %v again", id, read)
		}
		check("after another start", dir)
		l := d.start(t)
		if n := len(l.shelf.all()); n > 1 {
			t.Errorf("%s: %d transcripts do not rest", id, n)
		}
	}
}

// One that rests gets its directory also where that was known before it was met.
func TestADirectoryKnownBeforeWhatRests(t *testing.T) {
	for _, id := range []string{"s", "side-s"} {
		dir := filepath.FromSlash("/home/dev/a")
		d, h := restingIn(t, dir, id)
		l := NewLibrary(Options{Sources: []Source{h}, Workers: 1, Env: Env{Dir: dir}})
		var states []Saved
		for _, s := range d.states {
			s.Later = func() ([]byte, error) { return s.State, nil }
			states = append(states, s)
		}
		if err := l.Restore(t.Context(), states, Applied{Session: d.corpus.applied}); err != nil {
			t.Fatal(err)
		}
		if err := l.Run(t.Context(), d.corpus.apply); err != nil {
			t.Fatal(err)
		}
		if got := d.corpus.session(id).Directory; got != dir {
			t.Errorf("%s was made in %q, told %q", id, dir, got)
		}
	}
}

// Everything counts as loaded once, and not before all is read that lies in directories
// which were named while others were found by their hashes.
func TestLoadedWithWhatIsNamedAndWhatIsFound(t *testing.T) {
	const many = 200
	base := t.TempDir()
	h, h2 := hashing{&fake{dir: filepath.Join(base, "home")}}, &homeless{fake{dir: base}}
	want := []string{"s"}
	for i := range many {
		dir := fmt.Sprintf("named/d%04d", i)
		h2.put(t, dir+"/talk.log", says("one"))
		name := fmt.Sprintf("a%04d", i)
		aged(t, h.put(t, name+".log", at(filepath.Join(base, filepath.FromSlash(dir)), "a")))
		want = append(want, name, filepath.Base(dir))
	}
	h.putIn(t, filepath.Join(base, "named"), "s")
	slices.Sort(want)
	for range 10 {
		c, _, end := wander(t, Options{Sources: []Source{h, h2}, Watch: true, Poll: time.Hour, Workers: 1})
		got := slices.Compact(slices.Sorted(slices.Values(c.ids())))
		end()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// restingIn is a diary with a session that rests, and of whose directory only the hash is
// known.
func restingIn(t *testing.T, dir, id string) (*diary, hashing) {
	t.Helper()
	d := newDiary(t)
	h := hashing{d.f}
	d.source = h
	long := time.Now().Add(-2 * sleepsAfter)
	if err := os.Chtimes(h.putIn(t, dir, id), long, long); err != nil {
		t.Fatal(err)
	}
	d.run(t)
	d.run(t)
	return d, h
}
