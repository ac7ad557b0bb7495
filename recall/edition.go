package recall

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// edition is the index as this process opened it, with what reads into it and what
// writes it. Another takes its place when the directory has become what this one can
// not go on from: see Engine.renew.
type edition struct {
	index   *index.Index
	library library
	archive *archive // nil: in memory alone
	columns *columnCache
	passing *keeper[string, passing]
	titles  titleMarks
	before  uint64 // generations of the editions before this one

	cancel context.CancelFunc
	loaded chan struct{} // closed when all that was there at the start is read and has words
	done   chan struct{} // closed when reading has ended
	failed error         // why reading ended; valid once done is closed

	tools sync.Once // waits for the words of tools and thinking in the background

	mu     sync.Mutex // makes one corpus and one shortener at a time
	known  [corpora]atomic.Pointer[corpus]
	shorts atomic.Pointer[shortener]
}

func newEdition(x *index.Index, lib library, a *archive) *edition {
	return &edition{
		index: x, library: lib, archive: a, columns: newColumnCache(), passing: newPassing(),
		loaded: make(chan struct{}), done: make(chan struct{}),
	}
}

// begin reads and writes in the background, until ctx ends or end is called. Early is
// as in Config.
func (n *edition) begin(ctx context.Context, early bool, cfg Config, changed func()) {
	ctx, n.cancel = context.WithCancel(ctx)
	unwanted := newExclusion(cfg.Exclude, nil)
	if n.archive != nil {
		unwanted = n.archive.unwanted
		if !early {
			n.archive.open(ctx, changed)
		}
		go n.archive.run(ctx)
	}
	go n.read(ctx, unwanted, !cfg.Brief, changed)
}

// read runs the library until it ends, and says so when the first reading is done. With
// ahead the words of tools are kept up where some are there.
func (n *edition) read(ctx context.Context, unwanted *exclusion, ahead bool, changed func()) {
	defer close(n.done)
	if n.archive != nil && !isClosed(n.archive.opened) {
		if n.archive.open(ctx, changed); ctx.Err() != nil {
			return
		}
	}
	finished := make(chan struct{})
	announced := make(chan struct{})
	go func() {
		defer close(announced)
		select {
		case <-n.library.Loaded():
		case <-finished:
		}
		if isClosed(n.library.Loaded()) && n.awaitWords(ctx, index.Talk, index.Agents) == nil {
			if ahead && n.toolsSearched() {
				n.index.IndexTools()
			}
			close(n.loaded)
			changed()
		}
	}()
	err := n.library.Run(ctx, func(us []sessions.Update) {
		unwanted.strike(us)
		n.index.Apply(us)
		if n.archive != nil {
			n.archive.signal()
		}
		changed()
	})
	close(finished)
	<-announced
	if ctx.Err() == nil {
		n.failed = err
	}
	changed()
}

// end ends all reading, waits for it, and writes what is new. Its error says what could
// not be written.
func (n *edition) end() error {
	n.cancel()
	<-n.done
	n.index.Close()
	if n.archive == nil {
		return nil
	}
	return n.archive.close()
}

// opening tells whether what the directory holds is not there yet.
func (n *edition) opening() bool { return n.archive != nil && !isClosed(n.archive.shown) }

// nothing is what there is to see meanwhile: what is being opened may still hold what
// is not wanted any more.
var nothing = sync.OnceValue(func() *index.Snapshot { return index.New(index.Options{}).Snapshot() })

// snapshot is the corpus as it stands, without what was forgotten by whatever process.
func (n *edition) snapshot() *index.Snapshot {
	if n.opening() {
		return nothing()
	}
	n.archive.glance()
	return n.index.Snapshot()
}

// progress is how far the first reading is, which is not complete before all
// conversation has words, nor while what was called back is not read.
func (n *edition) progress() sessions.Progress {
	owes := n.archive.owes() // asked first: once the library knows of it, it counts it
	p := n.library.Progress()
	p.Complete = p.Complete && !owes && n.unread(index.Talk, index.Agents) == 0
	return p
}

// wordsPause is how often somebody who waits for words that are cut in the background
// looks for them.
const wordsPause = 20 * time.Millisecond

// unread is how many documents of some scopes have no words yet.
func (n *edition) unread(of ...index.Scope) (docs int) {
	snap := n.snapshot()
	for _, scope := range of {
		docs += snap.Unread(scope)
	}
	return docs
}

// awaitWords returns when all documents of some scopes have words. Until then they are
// written as they come: all at once they would fill the memory.
func (n *edition) awaitWords(ctx context.Context, of ...index.Scope) error {
	if n.unread(of...) == 0 {
		return nil
	}
	tick := time.NewTicker(wordsPause)
	defer tick.Stop()
	for n.unread(of...) > 0 {
		select {
		case <-tick.C:
			if n.archive != nil {
				n.archive.signal()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// The corpora that an edition keeps: of the conversation, of what hangs on it, of both.
const corpora = 3

// corpus is the ranking's view of the newest snapshot, made once for each.
func (n *edition) corpus(where scope) *corpus {
	snap := n.snapshot()
	known := &n.known[0]
	switch {
	case where.talk && where.hung():
		known = &n.known[2]
	case where.hung():
		known = &n.known[1]
	}
	if c := known.Load(); c != nil && c.snap == snap {
		return c
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if c := known.Load(); c != nil && c.snap == snap {
		return c
	}
	c := newCorpus(snap, where.scopes()...)
	c.columns, c.passing = n.columns, n.passing
	c.columns.bound(min(columnCacheBytes+columnPassageBytes*c.passages, columnMostBytes))
	for i := range n.known { // what is out of date keeps no old snapshot in memory
		if old := n.known[i].Load(); old != nil && old.snap != snap {
			n.known[i].Store(nil)
		}
	}
	known.Store(c)
	return c
}

// shortener knows the ids of the newest snapshot, and is made once for each.
func (n *edition) shortener() *shortener {
	snap := n.snapshot()
	if s := n.shorts.Load(); s != nil && s.generation == snap.Generation {
		return s
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if s := n.shorts.Load(); s != nil && s.generation == snap.Generation {
		return s
	}
	s := newShortener(snap)
	n.shorts.Store(s)
	return s
}
