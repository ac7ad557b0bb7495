package recall

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/sessions"
	"yore/sessions/watch"
)

// purgeSoon is how long before a harness deletes a session that is worth a word.
const purgeSoon = 7 * 24 * time.Hour

// Health is what there is to read, what was read, and what was not.
type Health struct {
	Harnesses []HarnessHealth // all that can be read, in the order of the sources
	Index     IndexHealth
}

// HarnessHealth is the health of one harness.
type HarnessHealth struct {
	Harness             string
	Roots               []RootHealth
	Sessions, Subagents int
	Skipped             []sessions.Skipped // the most frequent reason first
	Purges              []Purge            // within a week, the next one first
}

// RootHealth is one root and what lies below it.
type RootHealth struct {
	sessions.RootState
	sessions.Holding
}

// Purge is a session that its harness is going to delete, unless somebody goes on
// with it.
type Purge struct {
	Session sessions.Session
	At      time.Time // from then on; it may be past
}

// IndexHealth is what is known of the index.
type IndexHealth struct {
	index.Kept
	Passages int
	Complete bool // all that is there was read
}

// Here tells whether anything of the harness is on this machine.
func (h HarnessHealth) Here() bool {
	there := func(r RootHealth) bool { return r.There() }
	return h.Sessions+h.Subagents+len(h.Skipped) > 0 || slices.ContainsFunc(h.Roots, there)
}

// Health looks at everything that was found, and at the files of sessions whose
// harness deletes old ones.
func (e *Engine) Health(ctx context.Context) (Health, error) {
	status, holdings := e.Status(), e.edition().library.Holdings()
	h := Health{Index: IndexHealth{status.Kept, status.Passages, status.Progress.Complete}}
	all, err := e.Sessions(ctx, SessionFilter{})
	if err != nil {
		return h, err
	}
	subagents := make(map[string]int) // by harness
	for _, b := range e.snapshot().Briefs() {
		if b.Subagent {
			subagents[b.Harness]++
		}
	}
	for _, source := range e.cfg.Sources {
		one := HarnessHealth{Harness: source.Name(), Subagents: subagents[source.Name()]}
		for _, r := range status.Roots {
			if r.Root.Harness == one.Harness {
				one.Roots = append(one.Roots, rootHealth(e.cfg.Env, r, holdings[r.Root]))
			}
		}
		for _, k := range status.Skipped {
			if k.Harness == one.Harness {
				one.Skipped = append(one.Skipped, k)
			}
		}
		purger, _ := source.(sessions.Purger)
		for _, s := range all {
			if s.Harness != one.Harness {
				continue
			}
			one.Sessions++
			if at, soon := e.purge(purger, one.Roots, s); soon {
				one.Purges = append(one.Purges, Purge{s, at})
			}
		}
		slices.SortStableFunc(one.Purges, func(a, b Purge) int { return a.At.Compare(b.At) })
		h.Harnesses = append(h.Harnesses, one)
	}
	return h, ctx.Err()
}

// errFile is what is wrong with a root that is a file of something else.
var errFile = errors.New("it is a file from which no sessions can be read")

// rootHealth puts together what is known of a root. Most are folders; a file in
// the place of one is watched, but tells nothing. A harness's own file, by its name,
// may well hold no sessions, also in a folder that a variable names; one that the
// user named whole should.
func rootHealth(env sessions.Env, state sessions.RootState, held sessions.Holding) RootHealth {
	name := filepath.Base(state.Path)
	own := state.From != "config" && strings.LastIndexByte(name, '.') > 0 && name != filepath.Base(env.Getenv(state.From))
	if info, err := os.Stat(state.Path); err == nil && info.Mode().IsRegular() && held.Transcripts == 0 && !own {
		state.State, state.Err = "unreadable", errFile
	}
	return RootHealth{state, held}
}

// purge is when a session's transcript will be deleted, if that is soon.
func (e *Engine) purge(purger sessions.Purger, roots []RootHealth, s sessions.Session) (time.Time, bool) {
	if purger == nil || s.Gone {
		return time.Time{}, false
	}
	at := slices.IndexFunc(roots, func(r RootHealth) bool { return watch.Within(r.Path, s.Path) })
	if at < 0 {
		return time.Time{}, false
	}
	keeps, ok := purger.Keeps(roots[at].Root)
	if !ok {
		return time.Time{}, false
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return time.Time{}, false
	}
	ends := info.ModTime().Add(keeps)
	return ends, ends.Before(e.now().Add(purgeSoon))
}
