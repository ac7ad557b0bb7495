package watch

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How long changes are collected. The first one after a quiet time is told at
// once, so that a lone line appears without delay; what follows within
// quietTime is told together, and nothing waits longer than longestWait, so that
// what is written without rest, a thousand lines a second in fifty files, is told
// ten times a second and found within about 100 ms.
const (
	quietTime   = 60 * time.Millisecond
	longestWait = 100 * time.Millisecond
	// logQuiet is how long a database's log must have been quiet to be told once more.
	logQuiet = 250 * time.Millisecond
	// gatherTime is how long changes are collected where nobody waits for them
	// (Options.Unhurried): what twenty lines bring is then read once.
	gatherTime = time.Second
)

// The defaults of Options, and how many paths a Change holds before it becomes
// a full one.
const (
	defaultPoll   = 2 * time.Second
	defaultRescan = time.Minute
	pathsMost     = 8192
)

// Options say how to watch. The zero value is the default.
type Options struct {
	Poll    time.Duration // how often a root that cannot be watched is looked at; 2 s when 0
	Rescan  time.Duration // how often a full change is told whatever was seen; 1 min when 0
	Exclude []string      // directories whose changes are not told
	// Unhurried has changes told together, a second late, for less work.
	Unhurried bool

	open   func() (notifier, error) // the system's notifications; tests put others in
	shared func(path string) bool   // whether others write where path is, untold; likewise
}

// Change is a hint that something may have changed.
type Change struct {
	Paths []string // files, or directories, as seen from their root, each once
	Full  bool     // anything may have changed: look at everything
}

// Mode is how a root is kept.
type Mode string

// The modes.
const (
	Watched Mode = "watched" // the system tells
	Polled  Mode = "polled"  // it is looked at every Options.Poll
	Absent  Mode = "absent"  // it is not there yet; its appearance is told
)

// State is how a root is kept, and why it is polled.
type State struct {
	Mode Mode
	Err  error
}

// errShared is why a root is polled that others may write to.
var errShared = errors.New("another system may write to this file system, which is not told")

// notifier is what is needed of fsnotify.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
	Changes() (<-chan fsnotify.Event, <-chan error)
}

type system struct{ *fsnotify.Watcher }

func (s system) Changes() (<-chan fsnotify.Event, <-chan error) { return s.Events, s.Errors }

func openSystem() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return system{w}, nil
}

func (o Options) withDefaults() Options {
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.Rescan <= 0 {
		o.Rescan = defaultRescan
	}
	if o.open == nil {
		o.open = openSystem
	}
	if o.shared == nil {
		o.shared = shared
	}
	return o
}

// ignored tells whether changes of path are never told: files that come and go
// beside those that count, among them the shared memory of a database, which
// changes when it is merely read.
func (o Options) ignored(path string) bool {
	for _, end := range []string{"-shm", ".tmp", ".lock", "~"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return o.excluded(path)
}

func (o Options) excluded(path string) bool {
	for _, dir := range o.Exclude {
		if Within(dir, path) {
			return true
		}
	}
	return false
}

// Within tells whether path is dir or lies below it, by their names alone.
func Within(dir, path string) bool {
	dir = filepath.Clean(dir)
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || dir == string(filepath.Separator))
}
