package sessions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"yore/sessions/watch"
)

// Options say what a Library reads, and how.
type Options struct {
	Sources []Source
	Env     Env
	Workers int           // goroutines that read; one a processor when 0
	Watch   bool          // follow changes after the first reading
	Poll    time.Duration // how often roots that cannot be watched are looked at; watch's default when 0
	Exclude []string      // directories that are neither read nor watched
	// Brief is for who asks once: sub-agents that ended are taken to be as they were as long
	// as neither their folder nor the transcript of their session changed, for a day.
	Brief bool
	// Unhurried has changes read together, a second late, for less work.
	Unhurried bool
	// Forgotten tells of which sessions nothing is to be sent or kept; nil: of none.
	// Parent is the session for which the one with the key works, "" when it is not
	// known or there is none. It is asked at every Update, by several goroutines. What
	// it says may change: see Library.Reconsider.
	Forgotten func(key Key, parent string) bool
	// Forgets tells whether Forgotten names any session; nil: it may.
	Forgets func() bool
}

// Library reads all transcripts of all sources and says what their sessions
// are, as Updates.
type Library struct {
	o         Options
	wandering wandering
	hashed    *hashed

	shelf    shelf
	vigil    vigil
	sleepers sleepers
	looks    looks
	fetching sync.Mutex // held while sleepers are read that were left on disk
	// unfetched: some of them cannot be read, so that what is listed cannot be told from
	// what is known.
	unfetched atomic.Bool
	lulling   sync.Mutex // held to put to rest, and while it is worked out which of what was listed is at rest
	laidDown  []uint64   // numbers that were saved of what is at rest now; with lulling
	applied   *Applied   // nil without Restore: then nothing is put to rest
	queue     *queue
	claims    claims
	notes     notes
	skips     skips

	transcripts, transcriptsDone atomic.Int64
	bytes, bytesDone             atomic.Int64
	outstanding                  atomic.Int64  // what is to be read for the first time, and was not applied
	recalled                     atomic.Int64  // what holds something that was called back, and was not applied since
	idle                         chan struct{} // there is no more of it
	loaded                       chan struct{}

	steady   sync.RWMutex // held to read while something is read and not applied
	unsaved  unsaved
	restored []*transcript // until Run begins

	mu      sync.Mutex
	homes   []home         // only ever added to
	watcher *watch.Watcher // nil while nothing is followed
}

// NewLibrary prepares a Library; nothing is read before Run.
func NewLibrary(o Options) *Library {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	l := &Library{o: o, queue: newQueue(), idle: make(chan struct{}, 1), loaded: make(chan struct{})}
	l.wandering.wake = make(chan struct{}, 1)
	l.hashed = newHashed(o.Sources)
	l.hashed.name(o.Env.Dir)
	sides := windowsSide(o.Env, windowsUsers)
	for _, source := range o.Sources {
		for _, root := range rootsOf(source, o.Env, sides) {
			root.Harness, root.Path = source.Name(), filepath.Clean(root.Path)
			l.homes = append(l.homes, home{root, source})
		}
	}
	return l
}

// Run reads every transcript, newest first, and calls apply with batches of
// Updates as they come; then it follows changes until ctx ends, if told so by
// Options.Watch. Apply is called from several goroutines at once, but the
// Updates of one session never overlap in time. The error is nil, or that of
// ctx. What cannot be read is no error: see Roots and Skipped. Run is to be
// called once.
func (l *Library) Run(ctx context.Context, apply func([]Update)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, l.queue.close)
	defer stop()

	// Watching begins before listing, so that nothing is missed in between.
	w := l.startWatching()
	if w != nil {
		defer w.Close()
	}
	l.begin(ctx)
	go l.roam(ctx) // it is not waited for: a directory that is named may be on a disk that does not answer
	var workers sync.WaitGroup
	for range l.o.Workers {
		workers.Go(func() { (&worker{l: l, apply: apply}).run(ctx) })
	}
	if w != nil {
		l.follow(ctx, w)
	} else {
		select {
		case <-l.loaded:
		case <-ctx.Done():
		}
	}
	err := ctx.Err()
	l.queue.close()
	workers.Wait()
	return err
}

func (l *Library) startWatching() *watch.Watcher {
	if !l.o.Watch {
		return nil
	}
	var roots []string
	for _, h := range l.places() {
		if info, err := os.Stat(h.Path); err != nil || !info.IsDir() || !wanders(h.source) {
			roots = append(roots, h.Path)
		}
	}
	w := watch.New(roots, watch.Options{Poll: l.o.Poll, Exclude: l.o.Exclude, Unhurried: l.o.Unhurried})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watcher = w
	return w
}

// places are the homes that are known by now.
func (l *Library) places() []home {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.homes)
}

// begin lists everything for the first time and lines it up for reading.
func (l *Library) begin(ctx context.Context) {
	l.outstanding.Add(1)
	defer l.arrived()
	l.remember(l.restored)
	homes := l.places()
	for _, h := range homes {
		l.annotate(ctx, h)
	}
	changes := l.list(ctx, homes)
	lined := make(map[*transcript]bool, len(changes))
	for _, c := range changes {
		lined[c.t] = true
	}
	l.lineUp(changes)
	// What did not change is not opened, but what is noted beside it may have.
	var line []change
	for _, t := range l.restored {
		if !lined[t] && t.source != nil {
			line = append(line, change{t: t, first: new(int64)})
		}
	}
	l.restored = nil
	l.await(line)
	l.beginRenewal()
}

// lineUp has transcripts read for the first time.
func (l *Library) lineUp(changes []change) {
	slices.SortStableFunc(changes, inReadingOrder)
	for i := range changes {
		size := changes[i].at.Size
		l.bytes.Add(size)
		changes[i].first = &size
	}
	l.await(changes)
}

// await puts transcripts in line, without which not everything is loaded.
func (l *Library) await(line []change) {
	l.transcripts.Add(int64(len(line)))
	l.outstanding.Add(int64(len(line)))
	l.queue.line(line)
}

// arrived notes that something that was outstanding is there.
func (l *Library) arrived() {
	if l.outstanding.Add(-1) == 0 {
		l.idle <- struct{}{}
	}
}

// list lists the homes and returns what changed.
func (l *Library) list(ctx context.Context, homes []home) []change {
	listing := list(ctx, homes, l.o.Exclude, l.o.Workers, l.sleepers.unchanged, l.skim)
	if ctx.Err() != nil {
		return nil // half a listing would look like deleted files
	}
	for _, h := range homes {
		l.skips.root(h.Root, unlistable, listing.failed[h.place()])
	}
	l.followFound(listing.found)
	l.lulling.Lock()
	defer l.lulling.Unlock()
	if !l.rouse(homes, &listing) {
		l.leavesOut(listing.found)
		return nil // what is known and was not read would be taken for new
	}
	return l.shelf.reconcile(homes, listing, l.queue, &l.claims)
}

// followFound follows the transcripts that were found in folders which are not
// followed themselves.
func (l *Library) followFound(found []found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range found {
		if l.watcher != nil && f.Path != f.Root.Path && wanders(f.source) {
			l.watcher.Add(f.Path)
		}
	}
}

// settle notes that a transcript was read and its Updates applied.
func (l *Library) settle(o outcome) {
	if o.t.gone {
		l.claims.release(o.t)
	}
	first, owing := o.t.first, o.t.owing
	o.t.first = nil
	l.passOn(o.t, first != nil || owing)
	l.unsaved.settle(o.t, o.t.changed || l.claims.isDoubted(o.t))
	o.t.changed = false
	l.vigil.note(o.t)
	l.queue.done(o.t, o.failed)
	if o.awaited {
		l.arrived()
	}
	if owing {
		l.arrived()
	}
	if o.recalled {
		l.recalled.Add(-1)
	}
	if first == nil {
		return
	}
	l.bytesDone.Add(*first)
	l.transcriptsDone.Add(1)
	l.arrived()
}

// Progress says how far the first reading is. It is cheap.
func (l *Library) Progress() Progress {
	p := Progress{
		Transcripts: int(l.transcripts.Load()), TranscriptsDone: int(l.transcriptsDone.Load()),
		Bytes: l.bytes.Load(), BytesDone: l.bytesDone.Load(),
	}
	select {
	case <-l.loaded:
		p.Complete = true
	default:
	}
	p.Complete = p.Complete && !l.unfetched.Load() && l.recalled.Load() == 0
	return p
}

// Loaded is closed when everything that was there at the start is read and
// applied.
func (l *Library) Loaded() <-chan struct{} { return l.loaded }

// Skipped counts what could not be read, the most frequent reason first.
func (l *Library) Skipped() []Skipped { return l.skips.list() }

// Roots says how each root is kept up to date. A Library that does not watch
// looks at its roots when it is run, and calls that polled.
func (l *Library) Roots() []RootState {
	l.mu.Lock()
	defer l.mu.Unlock()
	var watched map[string]watch.State
	if l.watcher != nil {
		watched = l.watcher.States()
	}
	states := make([]RootState, 0, len(l.homes))
	for _, h := range l.homes {
		states = append(states, rootState(h.Root, watched[h.Path], l.skips.unlisted(h.Root)))
	}
	return states
}

// errNowhere is why a root is absent although its name is there.
var errNowhere = errors.New("it is a link that leads to nothing")

func rootState(root Root, watched watch.State, unlisted error) RootState {
	if unlisted != nil {
		var nothing errNothing
		if errors.As(unlisted, &nothing) || errors.Is(unlisted, syscall.ENOTDIR) || opens(root.Path) != nil {
			return RootState{Root: root, State: "unreadable", Err: unlisted}
		}
	}
	if _, err := os.Stat(root.Path); os.IsNotExist(err) {
		state := RootState{Root: root, State: string(watch.Absent), Err: watched.Err}
		if _, err := os.Lstat(root.Path); err == nil {
			state.Err = errNowhere
		}
		return state
	}
	if watched.Mode != "" {
		return RootState{Root: root, State: string(watched.Mode), Err: watched.Err}
	}
	return RootState{Root: root, State: string(watch.Polled)}
}
