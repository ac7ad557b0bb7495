package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/recall/query"
	"yore/recall/tombstone"
	"yore/sessions"
)

const (
	// forgetPatience is how long Forget waits for the process that writes the index,
	// and forgetPause how often it looks. A segment takes a second or two to make anew.
	forgetPatience = 30 * time.Second
	forgetPause    = 50 * time.Millisecond
)

// ErrNotForgotten is wrapped by an error for which nothing was forgotten.
var ErrNotForgotten = errors.New("nothing was forgotten")

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
// another process writes there: that one does it, or the next that opens it. The error
// wraps ErrNotForgotten when what is to be forgotten could not be noted.
func (e *Engine) Forget(ctx context.Context, all []Forgettable) (done bool, err error) {
	if e.edition().archive == nil {
		return false, errors.New("nothing is kept of these sessions that could be forgotten")
	}
	stones := make([]tombstone.Stone, len(all))
	for i, s := range all {
		stones[i] = tombstone.Stone{Key: s.Key, Directory: s.Directory, With: s.With, At: e.now()}
	}
	if err := tombstone.Forget(e.cfg.DataDir, stones); err != nil {
		return false, fmt.Errorf("%w: %w", ErrNotForgotten, err)
	}
	done, err = e.Purge(ctx)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("it is in no answer any more, but its text is not removed yet, and yore index does that once this is mended: %w", err)
	}
	return done, err
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
		if done || err != nil || a.store.Missed() || a.store.Newer() {
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
	var stones []tombstone.Stone
	var keys []sessions.Key
	for _, id := range c.Sessions {
		s, err := findStone(list, id)
		if errors.Is(err, ErrNoSession) {
			lost, found, why := lostStone(dataDir, id)
			if found {
				stones, keys = append(stones, lost), append(keys, lost.Key)
				continue
			}
			err = cmp.Or(why, err)
		}
		if err != nil {
			return nil, err
		}
		roots[s.Key] = true
	}
	for key, s := range list.Stones {
		if roots[key] || s.With != "" && roots[sessions.Key{Harness: key.Harness, ID: s.With}] {
			stones, keys = append(stones, s), append(keys, key)
		}
	}
	return keys, tombstone.CallBack(dataDir, stones)
}

// Forgotten are the ids of the sessions that were forgotten for their own sake and not
// called back since, the last one first. The error says which file could not be read.
func Forgotten(dataDir string) ([]string, error) {
	list, err := tombstone.Read(dataDir)
	if err != nil {
		return nil, err
	}
	var stones []tombstone.Stone
	for _, s := range list.Stones {
		if s.With == "" {
			stones = append(stones, s)
		}
	}
	slices.SortFunc(stones, func(a, b tombstone.Stone) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Harness, b.Harness), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]string, len(stones))
	for i, s := range stones {
		ids[i] = s.ID
	}
	return ids, nil
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
		return tombstone.Stone{}, fmt.Errorf("%w: no forgotten one has an id that is or begins with %s", ErrNoSession, query.Quoted(id))
	case len(named) > 1:
		var ids []string
		for _, s := range named {
			ids = append(ids, s.Harness+"/"+s.ID)
		}
		slices.Sort(ids)
		return tombstone.Stone{}, fmt.Errorf("%w: %s may be any of %s", ErrAmbiguous, query.Quoted(id), strings.Join(ids[:min(len(ids), listedCandidates)], ", "))
	}
	s := named[0]
	root := sessions.Key{Harness: s.Harness, ID: s.With}
	if _, there := list.Stones[root]; there && s.With != "" {
		return s, fmt.Errorf("%w: %s was forgotten with %s: call that back", ErrNoSession, s.ID, s.With)
	}
	return s, nil
}
