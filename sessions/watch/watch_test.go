package watch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what has to come.
const patience = 10 * time.Second

func start(t *testing.T, o Options, roots ...string) *Watcher {
	t.Helper()
	w := New(roots, o)
	t.Cleanup(w.Close)
	return w
}

// await takes Changes until every path has been told.
func await(t *testing.T, w *Watcher, paths ...string) {
	t.Helper()
	missing := slices.Clone(paths)
	for deadline := time.After(patience); len(missing) > 0; {
		select {
		case c := <-w.Changes():
			missing = slices.DeleteFunc(missing, func(p string) bool { return slices.Contains(c.Paths, p) })
		case <-deadline:
			t.Fatalf("never told: %q", missing)
		}
	}
}

func awaitFull(t *testing.T, w *Watcher) {
	t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case c := <-w.Changes():
			if c.Full {
				return
			}
		case <-deadline:
			t.Fatal("no full change")
		}
	}
}

// none fails when anything is told within a time that is long for an event.
func none(t *testing.T, w *Watcher) {
	t.Helper()
	select {
	case c := <-w.Changes():
		t.Errorf("told %+v, want nothing", c)
	case <-time.After(2 * logQuiet):
	}
}

func mkdir(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesAreTold(t *testing.T) {
	root := t.TempDir()
	old := write(t, filepath.Join(root, "a", "b", "old"), "x")
	w := start(t, Options{}, root)
	if got := w.States()[root]; got.Mode != Watched {
		t.Fatalf("state %+v", got)
	}
	write(t, old, "xy")
	await(t, w, old)
	await(t, w, write(t, filepath.Join(root, "a", "new"), ""))
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	await(t, w, old)
}

func TestWhatIsWrittenIntoANewDirectoryAtOnceIsTold(t *testing.T) {
	root := t.TempDir()
	w := start(t, Options{}, root)
	first := write(t, filepath.Join(root, "1", "2", "3", "file"), "x")
	await(t, w, first)
	write(t, first, "xy")
	await(t, w, first)
}

func TestRenameIntoPlace(t *testing.T) {
	root := t.TempDir()
	w := start(t, Options{}, root)
	temporary := write(t, filepath.Join(root, "s.jsonl.tmp"), "x")
	file := filepath.Join(root, "s.jsonl")
	if err := os.Rename(temporary, file); err != nil {
		t.Fatal(err)
	}
	select {
	case c := <-w.Changes():
		if !slices.Equal(c.Paths, []string{file}) {
			t.Errorf("told %q, want the final name alone", c.Paths)
		}
	case <-time.After(patience):
		t.Error("the rename was not told")
	}
}

func TestRenamedDirectoryTellsItsNewNames(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "old", "deep", "file"), "x")
	w := start(t, Options{}, root)
	if err := os.Rename(filepath.Join(root, "old"), filepath.Join(root, "new")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "new", "deep", "file")
	await(t, w, filepath.Join(root, "old"), file)
	write(t, file, "xy")
	await(t, w, file)
}

func TestSymlinkedDirectoriesAreFollowedOnce(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for name, to := range map[string]string{"link": elsewhere, "again": elsewhere, "loop": root} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := start(t, Options{}, root)
	write(t, filepath.Join(elsewhere, "file"), "x")
	want := filepath.Join(root, "again", "file")
	await(t, w, want)
	for quiet := time.After(2 * logQuiet); ; {
		select {
		case c := <-w.Changes(): // creating and writing can be told one after the other
			if !slices.Equal(c.Paths, []string{want}) {
				t.Errorf("told %q, want %q alone", c.Paths, want)
			}
		case <-quiet:
			return
		}
	}
}

func TestRootThatAppearsLater(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, ".agent", "projects")
	w := start(t, Options{}, root)
	if got := w.States()[root].Mode; got != Absent {
		t.Fatalf("state %q", got)
	}
	write(t, filepath.Join(home, "unrelated"), "x")
	none(t, w)
	file := write(t, filepath.Join(root, "p", "s.jsonl"), "x")
	await(t, w, file)
	write(t, file, "xy")
	await(t, w, file)
	if got := w.States()[root].Mode; got != Watched {
		t.Errorf("state %q", got)
	}
	if err := os.RemoveAll(filepath.Join(home, ".agent")); err != nil {
		t.Fatal(err)
	}
	await(t, w, root)
	await(t, w, write(t, file, "again"))
}

func TestSingleFileRootAndItsLog(t *testing.T) {
	dir := t.TempDir()
	database := write(t, filepath.Join(dir, "db"), "x")
	w := start(t, Options{}, database)
	write(t, filepath.Join(dir, "other"), "x")
	write(t, database+"-shm", "x")
	none(t, w)
	await(t, w, write(t, database+"-wal", "x"))
}

func TestOwnAndPassingFilesAreNotTold(t *testing.T) {
	root := t.TempDir()
	own := mkdir(t, filepath.Join(root, "yore"))
	w := start(t, Options{Exclude: []string{own}}, root)
	for _, name := range []string{"yore/segment", "db-shm", "s.tmp", "s.lock", "s~"} {
		write(t, filepath.Join(root, name), "x")
	}
	none(t, w)
}

// fake is a system of notifications that fails on command.
type fake struct {
	mu     sync.Mutex
	added  []string
	refuse func(dir string) error
	events chan fsnotify.Event
	errors chan error
}

func newFake() *fake {
	return &fake{events: make(chan fsnotify.Event), errors: make(chan error), refuse: func(string) error { return nil }}
}

func (f *fake) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.added = append(f.added, dir)
	return f.refuse(dir)
}
func (f *fake) Remove(string) error                            { return nil }
func (f *fake) Close() error                                   { return nil }
func (f *fake) Changes() (<-chan fsnotify.Event, <-chan error) { return f.events, f.errors }
func (f *fake) with(o Options) Options                         { o.open = func() (notifier, error) { return f, nil }; return o }
func (f *fake) tell(op fsnotify.Op, path string)               { f.events <- fsnotify.Event{Name: path, Op: op} }

func TestRootIsPolledWhenWatchesRunOut(t *testing.T) {
	full, fine := t.TempDir(), t.TempDir()
	file := write(t, filepath.Join(full, "deep", "s.jsonl"), "x")
	f := newFake()
	f.refuse = func(dir string) error {
		if strings.HasSuffix(dir, "deep") {
			return syscall.ENOSPC
		}
		return nil
	}
	w := start(t, f.with(Options{Poll: 5 * time.Millisecond}), full, fine)
	if got := w.States(); got[full].Mode != Polled || !errors.Is(got[full].Err, syscall.ENOSPC) || got[fine].Mode != Watched {
		t.Fatalf("states %+v", got)
	}
	awaitFull(t, w) // polling knows now with what to compare
	write(t, file, "xy")
	await(t, w, file)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	await(t, w, file)
}

func TestWatchingResumesWhenItCan(t *testing.T) {
	root := t.TempDir()
	f := newFake()
	failed := false
	f.refuse = func(string) error {
		if failed {
			return nil
		}
		failed = true
		return syscall.EMFILE
	}
	w := start(t, f.with(Options{Poll: time.Hour, Rescan: 50 * time.Millisecond}), root)
	for deadline := time.Now().Add(patience); w.States()[root].Mode != Watched; awaitFull(t, w) {
		if time.Now().After(deadline) {
			t.Fatalf("state %+v", w.States()[root])
		}
	}
}

// A drive of Windows in its Subsystem for Linux, or a network's folder, tells only
// what is written here: the rest is found by looking.
func TestWhatOthersWriteToIsPolledToo(t *testing.T) {
	theirs, ours := t.TempDir(), t.TempDir()
	file := write(t, filepath.Join(theirs, "s.jsonl"), "x")
	f := newFake()
	o := f.with(Options{Poll: 5 * time.Millisecond, shared: func(path string) bool { return path == theirs }})
	w := start(t, o, theirs, ours)
	if got := w.States(); got[theirs].Mode != Polled || got[theirs].Err == nil || got[ours].Mode != Watched {
		t.Fatalf("states %+v", got)
	}
	awaitFull(t, w)
	write(t, file, "xy") // untold
	await(t, w, file)
	own := write(t, filepath.Join(ours, "own.jsonl"), "x")
	f.tell(fsnotify.Create, own)
	await(t, w, own)
}

func TestEverythingIsPolledWithoutNotifications(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(root, "link")
	target := write(t, filepath.Join(t.TempDir(), "s.jsonl"), "x")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	o := Options{Poll: 5 * time.Millisecond, open: func() (notifier, error) { return nil, syscall.EMFILE }}
	w := start(t, o, root)
	if got := w.States()[root]; got.Mode != Polled || !errors.Is(got.Err, syscall.EMFILE) {
		t.Fatalf("state %+v", got)
	}
	awaitFull(t, w)
	write(t, target, "xy")
	await(t, w, link)
}

func TestOverflowIsAFullChange(t *testing.T) {
	f := newFake()
	w := start(t, f.with(Options{}), t.TempDir())
	for _, err := range []error{fsnotify.ErrEventOverflow, syscall.EIO} {
		f.errors <- err
		awaitFull(t, w)
	}
}

func TestSafetyRescan(t *testing.T) {
	f := newFake()
	w := start(t, f.with(Options{Rescan: 10 * time.Millisecond}), t.TempDir())
	awaitFull(t, w)
	awaitFull(t, w)
}

// The first change is told at once; those that follow closely come together.
func TestFirstAtOnceRestTogether(t *testing.T) {
	root := t.TempDir()
	f := newFake()
	w := start(t, f.with(Options{}), root)
	path := func(name string) string { return filepath.Join(root, name) }
	f.tell(fsnotify.Write, path("a"))
	if c := <-w.Changes(); !slices.Equal(c.Paths, []string{path("a")}) {
		t.Fatalf("first %+v", c)
	}
	for _, name := range []string{"b", "c", "b"} {
		f.tell(fsnotify.Write, path(name))
	}
	if c := <-w.Changes(); !slices.Equal(c.Paths, []string{path("b"), path("c")}) {
		t.Errorf("then %+v, want what followed, each once", c)
	}
}

func TestAttributesAreNoChange(t *testing.T) {
	root := t.TempDir()
	f := newFake()
	w := start(t, f.with(Options{}), root)
	f.tell(fsnotify.Chmod, filepath.Join(root, "a"))
	none(t, w)
}

// Where nobody waits, even the first change waits for what follows it.
func TestUnhurriedChangesAreToldTogether(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	f := newFake()
	w := start(t, f.with(Options{Unhurried: true}), root)
	for _, name := range []string{"a", "b", "a"} {
		f.tell(fsnotify.Write, path(name))
	}
	if c := <-w.Changes(); !slices.Equal(c.Paths, []string{path("a"), path("b")}) {
		t.Errorf("%+v, want both files, each once", c)
	}
}

func TestTooManyPathsAreAFullChange(t *testing.T) {
	c := newCollector(false)
	for i := range pathsMost + 1 {
		c.add(strings.Repeat("x", i))
	}
	if change, ok := c.ready(); !ok || !change.Full || len(change.Paths) > 0 {
		t.Errorf("%d paths, full %v", len(change.Paths), change.Full)
	}
}

func TestWithin(t *testing.T) {
	tests := []struct {
		dir, path string
		want      bool
	}{
		{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a/", "/a/b", true}, {"/a", "/ab", false}, {"/", "/a", true}, {"/a/b", "/a", false},
	}
	for _, test := range tests {
		if got := Within(test.dir, test.path); got != test.want {
			t.Errorf("Within(%q, %q) = %v", test.dir, test.path, got)
		}
	}
}

// A database's log is told once more when it has been quiet, because what was
// written to it may count only then; not for ever.
func TestLogsAreToldTwice(t *testing.T) {
	dir := t.TempDir()
	f := newFake()
	w := start(t, f.with(Options{}), dir)
	log := filepath.Join(dir, "x.db-wal")
	f.tell(fsnotify.Write, log)
	await(t, w, log)
	await(t, w, log)
	none(t, w)
}

// A link to a folder that contains the root, or to what the kernel makes up, is not
// followed; one to a folder elsewhere is.
func TestFollows(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	for _, dir := range []string{filepath.Join(root, "below"), t.TempDir()} {
		if !Follows(root, dir) {
			t.Errorf("%s is not followed", dir)
		}
	}
	for _, dir := range []string{"/", root, filepath.Dir(root)} {
		if Follows(root, dir) {
			t.Errorf("%s is followed", dir)
		}
	}
	if runtime.GOOS == "linux" && (Follows(root, "/proc") || !KernelMade("/proc/kmsg")) {
		t.Error("/proc is followed")
	}
}

// A root can be added while others are watched: a file alone, of whose folder
// nothing else is told.
func TestAddedRootsAreWatched(t *testing.T) {
	base := t.TempDir()
	w := start(t, Options{}, mkdir(t, filepath.Join(base, "first")))
	file := write(t, filepath.Join(base, "second", "talk"), "x")
	for range 2 {
		w.Add(file)
	}
	await(t, w, file)
	none(t, w)
	write(t, filepath.Join(base, "second", "other"), "x")
	write(t, file, "xy")
	await(t, w, file)
	if got := w.States()[file]; got.Mode != Watched {
		t.Errorf("%+v", got)
	}
	w.Close()
	w.Add(file) // nobody takes it any more
}
