package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// passing is which sessions pass the rules of a filter. It is the same at each keystroke
// of a question, and never changes: after a new line another is made of it.
type passing struct {
	of       index.Roll
	sessions []bool  // by ordinal: passes all of them
	failed   []uint8 // by ordinal: the first of them that it does not pass; nil without any
}

// passingBytes bounds what is kept of earlier filters: that of the question at hand, and
// some tens of others where there are few thousand sessions.
const passingBytes = 1 << 20

func newPassing() *keeper[string, passing] { return &keeper[string, passing]{limit: passingBytes} }

// newFilter makes the filter of a query on a corpus. The errors are about filters
// that were left out of it because their value makes no sense. When ctx ends the filter
// is none that tells anything.
func newFilter(ctx context.Context, q Query, filters []query.Filter, c *corpus, r reader) (*filter, []error) {
	var named []sessions.Key // the beginning of an id may be that of another one day
	known := knownIn(c.snap)
	f, bad := compileFilter(filters, r, func(id string) (sessions.Key, error) {
		key, err := known(id)
		named = append(named, key)
		return key, err
	})
	if q.Within != nil {
		f.rules = append(f.rules, narrowing[*index.Entry]{label: lookingOnlyAt + strings.Join(q.Within, " and "), pass: func(e *index.Entry) bool {
			return within(e.Session, q.Within)
		}})
	}
	if len(q.Exclude) > 0 {
		f.rules = append(f.rules, narrowing[*index.Entry]{label: leavingOut, pass: func(e *index.Entry) bool {
			return !belongs(e.Session, q.Exclude)
		}})
	}
	f.sessions = c.named
	if len(f.rules) == 0 {
		return f, bad
	}
	key := fmt.Sprintf("%q %q %q %q %q %q", filters, named, q.Within, q.Exclude, r.dir, r.home)
	f.passing = c.passing.get(key)
	if f.follow(ctx, c.snap) {
		c.passing.put(key, f.passing, len(key)+2*len(f.sessions))
	}
	return f, bad
}

// follow brings what is known of an earlier snapshot up to another, and tells whether
// something is new.
func (f *filter) follow(ctx context.Context, snap *index.Snapshot) bool {
	fresh := false
	var next passing
	for ord, entry := range snap.Since(f.passing.of) {
		if !fresh {
			fresh, next.of = true, snap.Roll()
			next.sessions, next.failed = make([]bool, snap.Sessions()), make([]uint8, snap.Sessions())
			copy(next.sessions, f.sessions)
			copy(next.failed, f.failed)
		}
		if ctx.Err() != nil {
			break // whoever asked has no use for it
		}
		k := 0
		if entry != nil {
			k = slices.IndexFunc(f.rules, func(r narrowing[*index.Entry]) bool { return !r.pass(entry) })
		}
		next.sessions[ord], next.failed[ord] = entry != nil && k < 0, uint8(max(k, 0))
	}
	if fresh {
		f.passing = next
	}
	return fresh && ctx.Err() == nil
}
