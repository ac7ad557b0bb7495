package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"yore/recall/index"
	"yore/recall/topic"
	"yore/sessions"
)

// Config says what an Engine reads. Sources and Env are required.
type Config struct {
	Sources []sessions.Source
	Env     sessions.Env
	Watch   bool // follow changes after the first reading
	// Unhurried has them followed together, a second late, for less work: where
	// nobody looks.
	Unhurried bool
	Workers   int              // readers; 0 chooses
	Zone      *time.Location   // of the reader, for "last week"; nil is time.Local
	Now       func() time.Time // nil is time.Now
	// DataDir is where the index is kept, so that the next start need not read
	// everything again. "" keeps it in memory alone.
	DataDir string
	Dir     string // the reader's directory: what dir:. means
	// Early has Open return before what DataDir holds is there, for who shows something
	// meanwhile: with a hundred thousand transcripts that takes a second.
	Early bool
	// Model makes the vectors; nil is the embedded table.
	Model topic.Model
	// Adapt has the embedded table adapted to what is read, in the background.
	Adapt bool
	// Exclude is kept out of the index, also what is there of earlier runs.
	Exclude Exclude
}

func (c Config) model() topic.Model {
	if c.Model == nil {
		return topic.Embedded()
	}
	return c.Model
}

// Engine holds the corpus and answers from it. All its methods are safe for
// concurrent use.
type Engine struct {
	cfg     Config
	index   *index.Index
	library library
	archive *archive // nil: in memory alone
	columns *columnCache
	worth   *weights
	models  *models

	changes chan struct{}
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	waiting sync.WaitGroup // for what goes on in the background beside reading
	loaded  chan struct{}  // closed when all that was there at the start is read and has words
	done    chan struct{}  // closed when reading has ended
	failed  error          // why reading ended; valid once done is closed
	closed  sync.Once
	unkept  error // why not all is in the directory; of closed

	tools sync.Once // waits for the words of tools and thinking in the background

	mu     sync.Mutex // makes one corpus and one shortener at a time
	known  [corpora]atomic.Pointer[corpus]
	shorts atomic.Pointer[shortener]
}

// library is what the Engine needs of sessions.Library.
type library interface {
	Run(ctx context.Context, apply func([]sessions.Update)) error
	Progress() sessions.Progress
	Roots() []sessions.RootState
	Skipped() []sessions.Skipped
	Holdings() map[sessions.Root]sessions.Holding
	Loaded() <-chan struct{}
}

// Open starts reading in the background and returns at once.
//
// What Config.DataDir holds of earlier runs is there when it returns, or with
// Config.Early soon after: Changes is signalled then. If nothing can be kept there,
// answers and Status say so, and all goes on in memory.
func Open(cfg Config) *Engine {
	o := sessions.Options{Sources: cfg.Sources, Env: cfg.Env, Workers: cfg.Workers, Watch: cfg.Watch, Unhurried: cfg.Unhurried}
	if cfg.DataDir == "" {
		return open(cfg, sessions.NewLibrary(o))
	}
	m := newModels(cfg.model())
	m.find = func(hash uint64) topic.Model { return adaptedTable(cfg.DataDir, m.base, hash) }
	if t := adaptedTable(cfg.DataDir, m.base, anyHash); t != nil {
		m.use(t)
	}
	x := index.New(m.options())
	o.Exclude = append(o.Exclude, cfg.DataDir)
	o.Exclude = append(o.Exclude, cfg.Exclude.Paths...)
	f := &forgotten{dir: cfg.DataDir}
	f.refresh()
	o.Forgotten = f.holds
	a := newArchive(cfg.DataDir, x, newExclusion(cfg.Exclude, f), sessions.NewLibrary(o))
	return start(cfg, m, x, a.library, a)
}

// open starts an engine in memory.
func open(cfg Config, lib library) *Engine {
	m := newModels(cfg.model())
	return start(cfg, m, index.New(m.options()), lib, nil)
}

func start(cfg Config, m *models, x *index.Index, lib library, a *archive) *Engine {
	if cfg.Zone == nil {
		cfg.Zone = time.Local
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &Engine{
		cfg:     cfg,
		index:   x,
		columns: newColumnCache(),
		worth:   &recipe,
		models:  m,
		library: lib,
		archive: a,
		changes: make(chan struct{}, 1),
		ctx:     ctx,
		cancel:  cancel,
		loaded:  make(chan struct{}),
		done:    make(chan struct{}),
	}
	if a != nil {
		if !cfg.Early {
			a.open(ctx, e.signal)
		}
		go a.run(ctx)
		go a.heed(ctx, e.signal)
		if cfg.Adapt {
			e.waiting.Go(func() { e.keepAdapting(ctx) })
		}
	}
	go e.read(ctx)
	return e
}

// read runs the library until it ends, and says so when the first reading is done.
func (e *Engine) read(ctx context.Context) {
	defer close(e.done)
	if e.archive != nil && e.cfg.Early {
		if e.archive.open(ctx, e.signal); ctx.Err() != nil {
			return
		}
	}
	finished := make(chan struct{})
	announced := make(chan struct{})
	go func() {
		defer close(announced)
		select {
		case <-e.library.Loaded():
		case <-finished:
		}
		if isClosed(e.library.Loaded()) && e.awaitWords(ctx, index.Talk, index.Agents) == nil {
			close(e.loaded)
			e.signal()
		}
	}()
	unwanted := newExclusion(e.cfg.Exclude, nil)
	if e.archive != nil {
		unwanted = e.archive.unwanted
	}
	err := e.library.Run(ctx, func(us []sessions.Update) {
		unwanted.strike(us)
		e.index.Apply(us)
		if e.archive != nil {
			e.archive.signal()
		}
		e.signal()
	})
	close(finished)
	<-announced
	if ctx.Err() == nil {
		e.failed = err
	}
	e.signal()
}

func (e *Engine) signal() {
	select {
	case e.changes <- struct{}{}:
	default:
	}
}

// Changes is signalled when the corpus or the progress changed. It holds one
// signal: a receiver that was away gets one for all it missed.
func (e *Engine) Changes() <-chan struct{} { return e.changes }

// Wait returns when everything that was there at the start is read: nil then, or
// why the reading ended early, or ctx's error.
func (e *Engine) Wait(ctx context.Context) error {
	select {
	case <-e.loaded:
		return nil
	case <-e.done:
		if isClosed(e.loaded) {
			return nil
		}
		if e.failed != nil {
			return e.failed
		}
		return errors.New("the transcripts were not read to the end")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// progress is how far the first reading is, which is not complete before all
// conversation has words.
func (e *Engine) progress() sessions.Progress {
	p := e.library.Progress()
	p.Complete = p.Complete && e.unread(index.Talk, index.Agents) == 0
	return p
}

// Keep writes what is new to Config.DataDir now, and removes what was forgotten. It
// does nothing without one, or while another process writes there.
func (e *Engine) Keep() error {
	if e.archive == nil || !e.archive.ready(e.ctx) || e.archive.note != "" {
		return nil
	}
	if _, err := e.archive.obey(e.ctx, e.signal); err != nil {
		return err
	}
	return e.archive.store.Publish(e.archive.library.Save)
}

// Close ends all reading, waits for it, and writes what is new to
// Config.DataDir. Its error says why reading ended early, or what could not be
// written. It may be called again.
func (e *Engine) Close() error {
	e.cancel()
	<-e.done
	e.waiting.Wait()
	e.closed.Do(func() {
		e.index.Close()
		if e.archive != nil {
			e.unkept = e.archive.close()
		}
	})
	return errors.Join(e.failed, e.unkept)
}

// healed tells whether not all of a snapshot could be read, so that what was made of
// it is to be made anew, of the next.
func (e *Engine) healed(snap *index.Snapshot) bool {
	if snap.Err() == nil {
		return false
	}
	e.index.Heal()
	return true
}

func (e *Engine) now() time.Time { return e.cfg.Now().In(e.cfg.Zone) }

// opening tells whether what Config.DataDir holds is not there yet.
func (e *Engine) opening() bool { return e.archive != nil && !isClosed(e.archive.shown) }

// nothing is what there is to see meanwhile: what is being opened may still hold what
// is not wanted any more.
var nothing = index.New(index.Options{}).Snapshot()

// snapshot is the corpus as it stands, without what was forgotten by whatever process.
func (e *Engine) snapshot() *index.Snapshot {
	if e.opening() {
		return nothing
	}
	e.archive.glance()
	return e.index.Snapshot()
}

// The corpora that an engine keeps: of the conversation, of what hangs on it, of both.
const corpora = 3

// corpus is the ranking's view of the newest snapshot, made once for each.
func (e *Engine) corpus(where scope) *corpus {
	snap := e.snapshot()
	known := &e.known[0]
	switch {
	case where.talk && where.hung():
		known = &e.known[2]
	case where.hung():
		known = &e.known[1]
	}
	if c := known.Load(); c != nil && c.snap == snap {
		return c
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := known.Load(); c != nil && c.snap == snap {
		return c
	}
	c := newCorpus(snap, where.scopes()...)
	e.columns.bound(min(columnCacheBytes+columnPassageBytes*c.passages, columnMostBytes))
	for i := range e.known { // what is out of date keeps no old snapshot in memory
		if old := e.known[i].Load(); old != nil && old.snap != snap {
			e.known[i].Store(nil)
		}
	}
	known.Store(c)
	return c
}

// wordsPause is how often somebody who waits for words that are cut in the background
// looks for them.
const wordsPause = 20 * time.Millisecond

// unread is how many documents of some scopes have no words yet.
func (e *Engine) unread(of ...index.Scope) int {
	snap, n := e.snapshot(), 0
	for _, scope := range of {
		n += snap.Unread(scope)
	}
	return n
}

// awaitWords returns when all documents of some scopes have words.
func (e *Engine) awaitWords(ctx context.Context, of ...index.Scope) error {
	if e.unread(of...) == 0 {
		return nil
	}
	tick := time.NewTicker(wordsPause)
	defer tick.Stop()
	for e.unread(of...) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// readTools has the words of tools and thinking read, which are left out until
// somebody searches them. With wait it returns when that is done; without, the end
// of it is signalled as a change.
func (e *Engine) readTools(ctx context.Context, wait bool) error {
	e.index.IndexTools()
	if wait {
		return e.awaitWords(ctx, index.Tools)
	}
	if e.unread(index.Tools) > 0 {
		e.tools.Do(func() {
			e.waiting.Go(func() {
				if e.awaitWords(e.ctx, index.Tools) == nil {
					e.signal()
				}
			})
		})
	}
	return nil
}

// reader is who asks.
func (e *Engine) reader() reader {
	return reader{now: e.now(), home: e.cfg.Env.Home, dir: e.cfg.Dir}
}

// Status is how far the reading is and what the corpus holds.
func (e *Engine) Status() Status {
	opening := e.opening()
	snap := e.snapshot()
	s := Status{
		Passages:   snap.Live(index.Talk) + snap.Live(index.Agents),
		Progress:   e.progress(),
		Roots:      e.library.Roots(),
		Skipped:    e.library.Skipped(),
		Generation: snap.Generation,
		Notes:      e.archive.notes(),
		Opening:    opening,
	}
	if e.archive != nil && !opening {
		s.Kept = e.archive.store.Kept()
	}
	for _, entry := range entries(snap) {
		if entry.Subagent {
			s.Subagents++
		} else {
			s.Sessions++
		}
	}
	return s
}

func entries(snap *index.Snapshot) []*index.Entry {
	var all []*index.Entry
	for ord := range uint32(snap.Sessions()) {
		if entry := snap.Session(ord); entry != nil {
			all = append(all, entry)
		}
	}
	return all
}

// SessionFilter chooses sessions. The zero value chooses all but sub-agents.
type SessionFilter struct {
	Agents        []string  // harness names; any of them
	Since, Before time.Time // of LastActive, Since inclusive, Before exclusive
	Subagents     string    // "off" (also ""), "on", "only"
	Dir           string    // as of the filter dir:, "" for any
	Exclude       []string  // as of a Query
	Limit         int       // 0: all
}

// Sessions lists sessions, the one last active first; those of unknown time last.
func (e *Engine) Sessions(ctx context.Context, f SessionFilter) ([]sessions.Session, error) {
	var out []sessions.Session
	if f.Dir != "" {
		f.Dir = e.reader().path(f.Dir)
	}
	for _, entry := range entries(e.snapshot()) {
		if f.chooses(entry.Session) {
			out = append(out, entry.Session)
		}
	}
	slices.SortFunc(out, func(a, b sessions.Session) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), strings.Compare(a.Harness, b.Harness), strings.Compare(a.ID, b.ID))
	})
	if f.Limit > 0 && len(out) > f.Limit {
		out = out[:f.Limit]
	}
	return out, ctx.Err()
}

func (f SessionFilter) chooses(s sessions.Session) bool {
	switch f.Subagents {
	case "on":
	case "only":
		if !s.Subagent {
			return false
		}
	default:
		if s.Subagent {
			return false
		}
	}
	if len(f.Exclude) > 0 && belongs(s, f.Exclude) {
		return false
	}
	if len(f.Agents) > 0 && !slices.Contains(f.Agents, s.Harness) {
		return false
	}
	if f.Dir != "" && !inDirectory(s, f.Dir) {
		return false
	}
	if f.Since.IsZero() && f.Before.IsZero() {
		return true
	}
	at := s.LastActive
	return !at.IsZero() && !at.Before(f.Since) && (f.Before.IsZero() || at.Before(f.Before))
}
