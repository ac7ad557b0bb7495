package cli

import (
	"context"
	"slices"
	"time"
)

const (
	// freshAgain is how long after it found that another process writes the index,
	// "index --watch" tries again to be the one.
	freshAgain = 10 * time.Second
	// freshNotes is how often it looks whether there is something to say.
	freshNotes = time.Minute
)

// keepFresh keeps the index up to date until ctx ends, and says nothing but what goes
// wrong. While another process writes the index, it only waits for that to end: then
// it opens the index anew, as that one left it.
func (a *app) keepFresh(ctx context.Context) error {
	if a.useDemo {
		return usagef("--demo keeps no index that could be kept fresh")
	}
	var said []string
	for {
		if err := a.freshen(ctx, &said); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(freshAgain):
		}
	}
}

// freshen keeps the index up to date as long as this process writes it, which is until
// ctx ends. It returns nil at once when another does. What it says it notes in said,
// so as not to repeat it.
func (a *app) freshen(ctx context.Context, said *[]string) error {
	a.unhurried = true
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	tell := func() {
		notes := e.Status().Notes
		if len(notes) > 0 && !slices.Equal(notes, *said) {
			a.notes(notes)
		}
		*said = notes
	}
	tell()
	if s := e.Status(); !s.Kept.Writes && len(s.Notes) == 0 {
		return nil
	}
	if err := e.Wait(ctx); err != nil {
		return err
	}
	if err := e.Keep(); err != nil {
		tell()
	}
	tick := time.NewTicker(freshNotes)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			tell()
		}
	}
}
