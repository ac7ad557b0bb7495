package sessions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// homeless reads an invented harness whose transcripts lie where it is used.
type homeless struct{ fake }

func (h *homeless) Name() string { return "homeless" }

func (h *homeless) Roots(env Env) []Root {
	var roots []Root
	for _, path := range env.Extra["homeless"] {
		roots = append(roots, Root{Path: path, From: "config"})
	}
	return roots
}

func (h *homeless) In(dir string) []Root {
	return []Root{{Path: filepath.Join(dir, "talk.log"), From: "default"}}
}

func (h *homeless) List(ctx context.Context, root Root, send func(Transcript)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return nil
	}
	if info.IsDir() {
		return h.fake.List(ctx, root, send)
	}
	send(Transcript{Path: root.Path, ID: filepath.Base(filepath.Dir(root.Path)), Stamp: StampOf(info)})
	return nil
}

// wander runs a Library over a fake and a homeless harness.
func wander(t *testing.T, o Options) (c *corpus, l *Library, end func()) {
	t.Helper()
	c, l = newCorpus(t), NewLibrary(o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx, c.apply) }()
	select {
	case <-l.Loaded():
	case <-time.After(patience):
		t.Fatal("the first reading does not end")
	}
	return c, l, func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	}
}

// at is a line of a session at work in a directory.
func at(dir, text string) line { return line{ID: text, Kind: Reply, Text: text, Dir: dir} }

// Transcripts are found in the directories that sessions name, in that of use,
// in those above them, and below configured folders, before everything counts as
// loaded.
func TestTranscriptsAreFoundWhereSessionsWorked(t *testing.T) {
	base := t.TempDir()
	f, h := &fake{dir: filepath.Join(base, "home")}, &homeless{fake{dir: base}}
	f.put(t, "a.log", at(filepath.Join(base, "named", "deep", "below"), "a"))
	f.put(t, "b.log", at(filepath.Join(base, "excluded"), "b"))
	for _, dir := range []string{"named", "excluded", "used", "elsewhere", "code/x"} {
		h.put(t, dir+"/talk.log", says("said in "+dir))
	}
	c, l, end := wander(t, Options{
		Sources: []Source{f, h}, Exclude: []string{filepath.Join(base, "excluded")},
		Env: Env{Dir: filepath.Join(base, "used"), Extra: map[string][]string{"homeless": {filepath.Join(base, "code")}}},
	})
	end()
	if diff := cmp.Diff([]string{"a", "b", "named", "talk", "used"}, c.ids()); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	if p := l.Progress(); !p.Complete || p.Transcripts != 5 || p.TranscriptsDone != 5 {
		t.Errorf("%+v", p)
	}
}

// While the program runs, a session may name a directory where nothing was
// looked for yet; what is found is followed, also in folders that are not.
func TestFoundTranscriptsAreFollowed(t *testing.T) {
	base := t.TempDir()
	f, h := &fake{dir: filepath.Join(base, "home")}, &homeless{fake{dir: base}}
	f.put(t, "a.log", at(filepath.Join(base, "code", "x"), "a"))
	h.put(t, "code/x/talk.log", says("one"))
	h.put(t, "named/talk.log", says("one"))
	c, l, end := wander(t, Options{
		Sources: []Source{f, h}, Watch: true,
		Env: Env{Extra: map[string][]string{"homeless": {filepath.Join(base, "code")}}},
	})
	defer end()
	f.add(t, "a.log", at(filepath.Join(base, "named"), "b"))
	c.awaitText("named", "one")
	for name, id := range map[string]string{"named/talk.log": "named", "code/x/talk.log": "talk"} {
		h.add(t, name, says("two"))
		c.awaitText(id, "one\n\ntwo")
		if err := os.Remove(filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
		c.await(name+" is gone", func() bool { return c.session(id).Gone })
	}
	if got := len(l.Roots()); got != 3 {
		t.Errorf("%d roots", got)
	}
}

// After a new start it is known where transcripts lay, whatever sessions name by
// then, and which directories they name, though nothing is read.
func TestFoundTranscriptsAreKnownAfterANewStart(t *testing.T) {
	base := t.TempDir()
	f, h := &fake{dir: filepath.Join(base, "home")}, &homeless{fake{dir: base}}
	f.put(t, "a.log", at(filepath.Join(base, "named"), "a"))
	f.put(t, "b.log", at(filepath.Join(base, "later"), "b"))
	h.put(t, "named/talk.log", says("one"))
	o := Options{Sources: []Source{f, h}}
	c, l, end := wander(t, o)
	end()
	var saved []Saved
	l.Save(func(s []Saved) { saved = s })

	if err := os.Remove(filepath.Join(base, "named", "talk.log")); err != nil {
		t.Fatal(err)
	}
	h.put(t, "later/talk.log", says("two"))
	again := NewLibrary(o)
	err := again.Restore(t.Context(), saved, Applied{Session: c.applied})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Run(t.Context(), c.apply); err != nil {
		t.Fatal(err)
	}
	if !c.session("named").Gone || c.text("later") != "two" {
		t.Errorf("gone: %v, found: %q", c.session("named").Gone, c.text("later"))
	}
}

// Directories come from transcripts: looking at them asks no other machine, and
// there are not too many.
func TestPlaces(t *testing.T) {
	w := wandering{wake: make(chan struct{}, 1)}
	root := string(filepath.Separator)
	if runtime.GOOS == "windows" {
		root = `C:\`
	}
	now := time.Now()
	for _, dir := range []string{"", "relative", "//host/share", `\\host\share`, "/net/host/dir", filepath.Join(root, "old", "work")} {
		w.note(dir, now)
	}
	w.note(filepath.Join(root, "new", "work"), now.Add(time.Hour))
	want := []string{filepath.Join(root, "here"), root, filepath.Join(root, "new", "work"), filepath.Join(root, "new"), filepath.Join(root, "old", "work"), filepath.Join(root, "old")}
	if diff := cmp.Diff(want, w.places(filepath.Join(root, "here"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for n := range 2 * dirsMost {
		w.note(filepath.Join(root, strconv.Itoa(n)), now)
	}
	if n := len(w.places("")); n != dirsMost {
		t.Errorf("%d places", n)
	}
}
