package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/recall/tombstone"
	"yore/sessions"
)

const (
	// heedPause is how often a process looks whether another has forgotten something.
	heedPause = time.Second
	// forgetPatience is how long Forget waits for the process that writes the index,
	// and forgetPause how often it looks. A segment takes a second or two to make anew.
	forgetPatience = 30 * time.Second
	forgetPause    = 50 * time.Millisecond
	// renewAgain is how long an index that was opened anew stays at least.
	renewAgain = 10 * time.Second
)

// heed obeys what this or another process forgets or calls back, and has the index
// opened anew when that is due, until the Engine is closed.
func (e *Engine) heed() {
	if !e.edition().archive.ready(e.ctx) {
		return
	}
	for {
		pause := heedPause
		n := e.edition()
		_, err := n.archive.obey(e.ctx, e.signal)
		switch {
		case err != nil:
			pause = keepAgain // Kept says why
		case e.cfg.Watch && isClosed(n.loaded) && n.archive.outdated():
			e.renew()
			pause = renewAgain
		}
		select {
		case <-e.ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// outdated tells whether the directory has become what this process can not go on from:
// another wrote there and has ended, or has removed what was forgotten, of which this one
// has the old files open.
func (a *archive) outdated() bool {
	if a.note != "" || a.store.Kept().Writes {
		return false
	}
	hash := a.unwanted.forgotten.hash()
	return a.store.Missed() || a.store.Clean() != hash && a.store.CleanNow() == hash
}

// renew opens the index anew beside the edition that is answered from, and puts the new
// one in its place when that knows as much. Queries that run end with the old one.
func (e *Engine) renew() {
	old, next := e.edition(), e.reopen()
	next.begin(e.ctx, true, e.cfg.Exclude, e.signal)
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

// obey makes the index what the tombstones say, and the directory, where this process
// writes. Done tells whether nothing stands there any more of what is forgotten.
func (a *archive) obey(ctx context.Context, changed func()) (done bool, err error) {
	a.heeding.Lock()
	defer a.heeding.Unlock()
	a.glance()
	hash := a.unwanted.forgotten.hash()
	if hash != a.obeyed {
		changed() // no answer need wait for what is just being read
		a.library.Reconsider()
		a.unwanted.sweep(a.index)
		changed()
		a.obeyed = hash
	}
	switch {
	case a.note != "":
		return false, nil
	case a.store.Clean() == hash, !a.store.Kept().Writes && a.store.CleanNow() == hash:
		return true, nil
	}
	return a.store.Purge(ctx, hash, a.library.Save)
}

// Choice says which sessions are to be forgotten or called back: those named, or all
// that all of the rest fits.
type Choice struct {
	Sessions []string // ids or unique beginnings of them
	Agents   []string // harness names; any of them
	Dir      string   // absolute: they were in it or below
}

// Forgettable is a session that can be forgotten.
type Forgettable struct {
	sessions.Session
	With string // the id of the session as whose copy or sub-agent it goes; "" for its own sake
}

// Choose finds the sessions of a choice, with their copies and sub-agents, the chosen
// ones first. Errors wrap ErrNoSession or ErrAmbiguous.
func (e *Engine) Choose(ctx context.Context, c Choice) ([]Forgettable, error) {
	if len(c.Sessions) == 0 {
		all, err := e.Sessions(ctx, SessionFilter{Agents: c.Agents, Dir: c.Dir, Subagents: "on"})
		return e.family(all), err
	}
	var chosen []sessions.Session
	snap := e.snapshot()
	for _, id := range c.Sessions {
		ord, _, err := find(snap, id)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, snap.Session(ord).Session)
	}
	return e.family(chosen), nil
}

// family is sessions with what goes with them: what works for one, and copies.
func (e *Engine) family(chosen []sessions.Session) []Forgettable {
	with := make(map[sessions.Key]string) // by key: for whose sake
	originals := make(map[sessions.Key]bool)
	var out []Forgettable
	add := func(s sessions.Session, sake string) {
		if _, there := with[s.Key]; !there {
			with[s.Key] = sake
			out = append(out, Forgettable{s, sake})
		}
	}
	for _, s := range chosen {
		add(s, original(s.ID))
		originals[sessions.Key{Harness: s.Harness, ID: original(s.ID)}] = true
	}
	all := entries(e.snapshot())
	for before := -1; before != len(out); {
		before = len(out)
		for _, s := range all {
			parent := sessions.Key{Harness: s.Harness, ID: s.Parent}
			own := sessions.Key{Harness: s.Harness, ID: original(s.ID)}
			if sake, ok := with[parent]; ok && s.Parent != "" {
				add(s.Session, sake)
			} else if originals[own] {
				add(s.Session, own.ID)
			}
		}
	}
	for i := range out {
		if _, there := with[sessions.Key{Harness: out[i].Harness, ID: out[i].With}]; out[i].With == out[i].ID || !there {
			out[i].With = ""
		}
	}
	return out
}

// Forget removes sessions for good: they are in no answer from now on, their text is
// removed from Config.DataDir, and nothing brings them back but CallBack. Their
// transcripts stay as they are. Done is false when the text is not removed yet, since
// another process writes there: that one does it, or the next that opens it.
func (e *Engine) Forget(ctx context.Context, all []Forgettable) (done bool, err error) {
	if e.edition().archive == nil {
		return false, errors.New("nothing is kept of these sessions that could be forgotten")
	}
	stones := make([]tombstone.Stone, len(all))
	for i, s := range all {
		stones[i] = tombstone.Stone{Key: s.Key, Directory: s.Directory, With: s.With, At: e.now()}
	}
	if err := tombstone.Forget(e.cfg.DataDir, stones); err != nil {
		return false, err
	}
	return e.Purge(ctx)
}

// Purge waits until no text of what was forgotten is left in Config.DataDir. Done is as
// with Forget.
func (e *Engine) Purge(ctx context.Context) (done bool, err error) {
	patience, cancel := context.WithTimeout(ctx, forgetPatience)
	defer cancel()
	if !e.edition().archive.ready(patience) {
		return false, ctx.Err()
	}
	for {
		a := e.edition().archive
		done, err = a.obey(patience, e.signal)
		if done || err != nil || a.store.Missed() {
			return done, err
		}
		select {
		case <-patience.Done():
			return false, ctx.Err()
		case <-time.After(forgetPause):
		}
	}
}

// CallBack has sessions read again that were forgotten, with what was forgotten for
// their sake, and returns them. Those whose transcripts are gone can not be, unless
// their text was not removed yet. Errors wrap ErrNoSession or ErrAmbiguous, or say which
// file could not be read or written.
func CallBack(dataDir string, c Choice) ([]sessions.Key, error) {
	list, err := tombstone.Read(dataDir)
	if err != nil {
		return nil, err
	}
	roots := make(map[sessions.Key]bool)
	for key, s := range list.Stones {
		if len(c.Sessions) == 0 && c.fits(s) {
			roots[key] = true
		}
	}
	for _, id := range c.Sessions {
		s, err := findStone(list, id)
		if err != nil {
			return nil, err
		}
		roots[s.Key] = true
	}
	var stones []tombstone.Stone
	var keys []sessions.Key
	for key, s := range list.Stones {
		if roots[key] || s.With != "" && roots[sessions.Key{Harness: key.Harness, ID: s.With}] {
			stones, keys = append(stones, s), append(keys, key)
		}
	}
	return keys, tombstone.CallBack(dataDir, stones)
}

func (c Choice) fits(s tombstone.Stone) bool {
	return (len(c.Agents) == 0 || slices.Contains(c.Agents, s.Harness)) && (c.Dir == "" || inPath(s.Directory, c.Dir))
}

// findStone finds the forgotten session with an id, or the only one that begins so.
func findStone(list tombstone.List, id string) (tombstone.Stone, error) {
	var exact, begun []tombstone.Stone
	for key, s := range list.Stones {
		switch {
		case key.ID == id, key.Harness+"/"+key.ID == id:
			exact = append(exact, s)
		case s.With == "" && strings.HasPrefix(key.ID, id):
			begun = append(begun, s)
		}
	}
	named := exact
	if len(exact) == 0 {
		named = begun
	}
	switch {
	case len(named) == 0:
		return tombstone.Stone{}, fmt.Errorf("%w: no forgotten one has an id that is or begins with %q", ErrNoSession, id)
	case len(named) > 1:
		var ids []string
		for _, s := range named {
			ids = append(ids, s.Harness+"/"+s.ID)
		}
		slices.Sort(ids)
		return tombstone.Stone{}, fmt.Errorf("%w: %q may be any of %s", ErrAmbiguous, id, strings.Join(ids[:min(len(ids), listedCandidates)], ", "))
	}
	s := named[0]
	root := sessions.Key{Harness: s.Harness, ID: s.With}
	if _, there := list.Stones[root]; there && s.With != "" {
		return s, fmt.Errorf("%w: %s was forgotten with %s: call that back", ErrNoSession, s.ID, s.With)
	}
	return s, nil
}
