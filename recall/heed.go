package recall

import (
	"cmp"
	"context"
	"time"

	"yore/recall/index"
)

// What other processes do to the directory: they forget sessions and call them back,
// remove what was forgotten from it, and end after they wrote.

const (
	// heedPause is how often a process looks what others did.
	heedPause = time.Second
	// renewAgain is how long an index that was opened anew stays at least.
	renewAgain = 10 * time.Second
)

// heed obeys what this or another process forgets or calls back, and has the index
// opened anew when that is due, until the Engine is closed. What goes wrong with the
// directory, or was opened just now, keeps nobody from seeing what was forgotten since.
func (e *Engine) heed() {
	if !e.edition().archive.ready(e.ctx) {
		return
	}
	var purge, renew time.Time // not before
	owed := false
	for {
		n, now := e.edition(), time.Now()
		switch {
		case now.Before(purge):
			n.archive.follow(e.signal)
		default:
			if _, err := n.archive.obey(e.ctx, e.signal); err != nil || n.archive.store.Hindered() {
				purge = time.Now().Add(keepAgain) // it may have taken long; Kept says why
			}
		}
		if e.cfg.Watch && !now.Before(renew) && isClosed(n.loaded) && n.archive.outdated() {
			e.renew()
			renew = time.Now().Add(cmp.Or(e.cfg.renewAgain, renewAgain))
		}
		if owed = e.pause(owed); e.ctx.Err() != nil {
			return
		}
	}
}

// pause waits until it is time to look again, and signals when what was called back is
// read: it may have nothing to show for it. Owed tells of one pause to the next whether
// that was still to be said.
func (e *Engine) pause(before bool) (owed bool) {
	n, end := e.edition(), time.After(heedPause)
	owed = before || isClosed(n.loaded) && !n.progress().Complete
	for {
		var soon <-chan time.Time
		if owed {
			soon = time.After(wordsPause)
		}
		select {
		case <-e.ctx.Done():
			return owed
		case <-end:
			return owed
		case <-soon:
			if owed = !n.progress().Complete; !owed {
				e.signal()
			}
		}
	}
}

// outdated tells whether the directory has become what this process can not go on from:
// another wrote there and has ended, or has removed what was forgotten, of which this one
// has the old files open.
func (a *archive) outdated() bool {
	if a.note != "" || a.store.Kept().Writes || a.store.Newer() { // opened anew it would know no more
		return false
	}
	hash := a.unwanted.forgotten.clean().Hash
	changed := a.store.Missed() || a.store.Clean().Hash != hash && index.ReadClean(a.dir).Hash == hash
	return changed && !a.store.StandBack()
}

// renew opens the index anew beside the edition that is answered from, and puts the new
// one in its place when that knows as much. Queries that run end with the old one.
func (e *Engine) renew() {
	old, next := e.edition(), e.reopen()
	next.begin(e.ctx, true, e.cfg, e.signal)
	select {
	case <-next.loaded:
	case <-next.done:
	}
	if !isClosed(next.loaded) || next.archive.note != "" {
		_ = next.end() // what it has read, the old one has
		return
	}
	old.cancel()
	<-old.done // what it knows grows no more
	next.before = old.before + old.index.Snapshot().Generation
	e.current.Store(next)
	e.signal()
	_ = old.end() // it does not write
}

// glance takes what was forgotten since out of the index, at the cost of looking
// whether a file has changed. What may just be read, obey does the rest about.
func (a *archive) glance() {
	if a != nil && a.unwanted.forgotten.refresh() {
		a.unwanted.sweep(a.index)
	}
}

// owes tells whether something was called back of which the library does not know yet.
func (a *archive) owes() bool {
	if a == nil || !isClosed(a.shown) {
		return false
	}
	a.glance()
	return a.unwanted.forgotten.lacks(a.obeyed.Load().Names)
}

// obey makes the index what the tombstones say, and the directory, where this process
// writes. Done tells whether nothing stands there any more of what is forgotten.
func (a *archive) obey(ctx context.Context, changed func()) (done bool, err error) {
	a.heeding.Lock()
	defer a.heeding.Unlock()
	clean := a.take(changed)
	switch {
	case a.note != "", a.unwanted.forgotten.failed() != nil:
		return false, nil
	case a.store.IsClean(clean):
		return true, nil
	}
	return a.store.Purge(ctx, clean, a.library.Save)
}

// follow makes the index what the tombstones say, and leaves the directory alone.
func (a *archive) follow(changed func()) {
	a.heeding.Lock()
	defer a.heeding.Unlock()
	a.take(changed)
}

// take makes the index what the tombstones say, and gives what it holds nothing of then.
// The caller holds heeding.
func (a *archive) take(changed func()) index.Clean {
	a.glance()
	clean := a.unwanted.forgotten.clean()
	if !clean.Equal(*a.obeyed.Load()) {
		changed() // no answer need wait for what is just being read
		a.library.Reconsider()
		a.unwanted.sweep(a.index)
		changed()
		a.obeyed.Store(&clean)
	}
	return clean
}
