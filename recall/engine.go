package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	Home    string // what dir:~ means; "" is Env.Home
	// Early has Open return before what DataDir holds is there, for who shows something
	// meanwhile: with a hundred thousand transcripts that takes a second.
	Early bool
	// Brief is for who asks once and closes the Engine: see index.Options and
	// sessions.Options.
	Brief bool
	// Model makes the vectors; nil is the embedded table.
	Model topic.Model
	// Adapt has the embedded table adapted to what is read, in the background.
	Adapt bool
	// Exclude is kept out of the index, also what is there of earlier runs.
	Exclude Exclude

	table      uint32        // the revision of the embedded table, where it is to be another in a test
	renewAgain time.Duration // another than the constant in a test
	toolsWait  time.Duration // the same of toolsPatience
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
	cfg    Config
	worth  *weights
	models *models

	current atomic.Pointer[edition]
	reopen  func() *edition // nil: in memory alone

	changes chan struct{}
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	waiting sync.WaitGroup // for what goes on in the background beside reading
	closed  sync.Once
	unkept  error // why not all is in the directory; of closed
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
	o := sessions.Options{Sources: cfg.Sources, Env: cfg.Env, Workers: cfg.Workers, Watch: cfg.Watch, Unhurried: cfg.Unhurried, Brief: cfg.Brief}
	if cfg.DataDir == "" {
		return open(cfg, sessions.NewLibrary(o))
	}
	m := newModels(cfg.model())
	m.find = func(hash uint64) topic.Model { return adaptedTable(cfg.DataDir, m.base, hash) }
	if t := adaptedTable(cfg.DataDir, m.base, anyHash); t != nil {
		m.use(t)
	}
	o.Exclude = append(o.Exclude, cfg.DataDir)
	o.Exclude = append(o.Exclude, cfg.Exclude.Paths...)
	return start(cfg, m, func() *edition {
		of := m.options()
		of.Brief, of.Table = cfg.Brief, cmp.Or(cfg.table, topic.Revision)
		x, f, o := index.New(of), &forgotten{dir: cfg.DataDir}, o
		f.refresh()
		o.Forgotten, o.Forgets = f.holds, func() bool { return !f.none() }
		a := newArchive(cfg.DataDir, x, newExclusion(cfg.Exclude, f), sessions.NewLibrary(o))
		return newEdition(x, a.library, a)
	})
}

// open starts an engine in memory.
func open(cfg Config, lib library) *Engine {
	m := newModels(cfg.model())
	return start(cfg, m, func() *edition { return newEdition(index.New(m.options()), lib, nil) })
}

// start begins with the edition that reopen makes.
func start(cfg Config, m *models, reopen func() *edition) *Engine {
	if cfg.Zone == nil {
		cfg.Zone = time.Local
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &Engine{
		cfg:     cfg,
		worth:   &recipe,
		models:  m,
		reopen:  reopen,
		changes: make(chan struct{}, 1),
		ctx:     ctx,
		cancel:  cancel,
	}
	first := reopen()
	e.current.Store(first)
	first.begin(ctx, cfg.Early, cfg, e.signal)
	if first.archive != nil {
		e.waiting.Go(e.heed)
		if cfg.Adapt {
			e.waiting.Go(func() { e.keepAdapting(ctx) })
		}
	}
	return e
}

// edition is the one that is answered from.
func (e *Engine) edition() *edition { return e.current.Load() }

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
	for {
		n := e.edition()
		select {
		case <-n.loaded:
			return nil
		case <-n.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		switch {
		case isClosed(n.loaded):
			return nil
		case n != e.edition(): // it made room for the next
		case n.failed != nil:
			return n.failed
		default:
			return errors.New("the transcripts were not read to the end")
		}
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

// Settle merges what was read into few segments, as is done in the background anyway, and
// returns when that is done or ctx has ended: who closes the Engine after a large reading
// would else leave the rest of it to the next start.
func (e *Engine) Settle(ctx context.Context) { e.edition().index.Settle(ctx) }

// Keep writes what is new to Config.DataDir now, and removes what was forgotten. It
// does nothing without one, or while another process writes there.
func (e *Engine) Keep() error {
	a := e.edition().archive
	if a == nil || !a.ready(e.ctx) || a.note != "" {
		return nil
	}
	_, err := a.obey(e.ctx, e.signal)
	if err == nil {
		err = a.store.Publish(a.library.Save)
	}
	if err != nil {
		return fmt.Errorf("the index could not be written to %s, and the next start reads more: %w", a.dir, err)
	}
	return nil
}

// Close ends all reading, waits for it, and writes what is new to
// Config.DataDir. Its error says why reading ended early, or what could not be
// written. It may be called again.
func (e *Engine) Close() error {
	e.cancel()
	e.waiting.Wait()
	n := e.edition()
	e.closed.Do(func() { e.unkept = n.end() })
	return errors.Join(n.failed, e.unkept)
}

// snapshot is the corpus as it stands, without what was forgotten by whatever process.
func (e *Engine) snapshot() *index.Snapshot { return e.edition().snapshot() }

// corpus is the ranking's view of the newest snapshot, made once for each.
func (e *Engine) corpus(where scope) *corpus { return e.edition().corpus(where) }

// healed tells whether not all of a snapshot could be read, so that what was made of
// it is to be made anew, of the next.
func (e *Engine) healed(snap *index.Snapshot) bool {
	if snap.Err() == nil {
		return false
	}
	e.edition().index.Heal()
	return true
}

// healPatience is how long a question waits for the words of a damaged file to be cut
// anew, which takes a second or two.
const healPatience = 15 * time.Second

// awaitHealed waits, but not for long, until what could be read of a damaged file has
// words again. Who asks once would else find nothing of it each time.
func (e *Engine) awaitHealed(ctx context.Context) {
	patience, cancel := context.WithTimeout(ctx, healPatience)
	defer cancel()
	_ = e.edition().awaitWords(patience, index.Talk, index.Agents) // the answer says what is missing
}

func (e *Engine) now() time.Time { return e.cfg.Now().In(e.cfg.Zone) }

// reader is who asks.
func (e *Engine) reader() reader {
	return reader{now: e.now(), home: cmp.Or(e.cfg.Home, e.cfg.Env.Home), dir: e.cfg.Dir}
}

// Status is how far the reading is and what the corpus holds.
func (e *Engine) Status() Status {
	n := e.edition()
	opening, progress := n.opening(), n.progress() // asked before the snapshot, which then holds it all
	snap := n.snapshot()
	s := Status{
		Passages:   snap.Live(index.Talk) + snap.Live(index.Agents),
		Progress:   progress,
		Roots:      n.library.Roots(),
		Skipped:    n.library.Skipped(),
		Generation: n.before + snap.Generation,
		Notes:      n.archive.notes(),
		Opening:    opening,
	}
	if n.archive != nil && !opening {
		s.Kept, s.Forgotten = n.archive.store.Kept(), n.archive.unwanted.forgotten.chosen()
	}
	all, side := snap.Count()
	s.Sessions, s.Subagents = all-side, side
	return s
}

func entries(snap *index.Snapshot) []*index.Entry {
	var all []*index.Entry
	for _, entry := range snap.Entries() {
		all = append(all, entry)
	}
	return all
}
