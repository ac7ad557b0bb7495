package kiro

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// Sessions of before are taken over into today's form. The command line makes one whose
// id is that of the old one between convertedPrefix and some letters. The editor leaves
// a mark beside each that it took over; the new one's id is that of the old one behind
// nativePrefix, or one that only the mark may tell. Where that does not tell it, both are
// told.

const (
	migratedPrefix  = ".migrated-" // begins a mark's name
	nativePrefix    = "sess_"      // begins the ids of today's form
	convertedPrefix = "cli_"
)

// nativeID matches such an id in a mark.
var nativeID = lazy.Regexp(`"(` + nativePrefix + `[0-9A-Za-z-]{1,100})"`)

// markOf is the mark of a session that was taken over.
func markOf(path string) string {
	return filepath.Join(filepath.Dir(path), migratedPrefix+filepath.Base(path))
}

// errElsewhere says that another session tells all that one says.
var errElsewhere = errors.New("is told by another session")

// compare compares a session with what else tells it. It is errElsewhere when all that
// is said is told there.
func (r *reader) compare(ctx context.Context) error {
	o := r.s.surveyed().others(r.t)
	if err := r.listedTwice(ctx, o); err != nil {
		return err
	}
	return r.migrated(ctx, o.made)
}

// other reads what else tells a session; nil when that says nothing that can be read.
// It is an error when a database cannot be asked now: what it tells would be told twice.
func (r *reader) other(ctx context.Context, t sessions.Transcript) (*reader, error) {
	other := r.s.reader(t, store.Nobody{})
	err := other.content(ctx)
	switch {
	case filepath.Base(t.Path) == databaseName && gather.Passing(err):
		return nil, err
	case err != nil, other.Empty():
		return nil, ctx.Err()
	}
	return other, nil
}

// listedTwice compares a session with others of its id: one program takes over what
// another one has, a workspace gets another folder when what belongs to it changes, into
// which sessions are copied, and ids come twice by themselves.
func (r *reader) listedTwice(ctx context.Context, o others) error {
	var tell []*reader // before this one, what it does not say all of
	for i, t := range slices.Concat(o.before, o.after) {
		other, err := r.other(ctx, t)
		if err != nil {
			return err
		}
		if other == nil {
			continue // its own words are all there is
		}
		here, there := other.SaidIn(&r.Session), r.SaidIn(&other.Session)
		switch before := i < len(o.before); {
		case there && (!here || before):
			return errElsewhere
		case !before: // what is hidden behind it tells nothing that this one could leave to it
			tell = slices.DeleteFunc(tell, func(first *reader) bool {
				return first.SaidIn(&other.Session) && !other.SaidIn(&first.Session)
			})
		case !here:
			tell = append(tell, other)
		}
	}
	for _, other := range tell {
		r.Retells(&other.Session)
	}
	return nil
}

// migrated compares a session with those that were made of it, which a mark alone does
// not stand for.
func (r *reader) migrated(ctx context.Context, made []sessions.Transcript) error {
	for _, t := range made {
		origin, err := r.other(ctx, t)
		if err != nil {
			return err
		}
		if origin == nil || r.Retells(&origin.Session) == 0 {
			continue
		}
		if r.OnlyRepeats() {
			return errElsewhere
		}
		if r.ForkedFrom == "" {
			r.ForkedFrom = origin.ID
		}
	}
	return nil
}
