package cli

import (
	"context"
	"fmt"
	"time"

	"yore/render"
	"yore/render/mask"
)

type indexCommand struct {
	Watch bool `help:"Go on, without a word, and keep the index fresh until stopped: yore index --watch"`
}

func (c indexCommand) Run(ctx context.Context, a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	if c.Watch {
		return a.keepFresh(ctx)
	}
	began := time.Now()
	e, end, err := a.loaded(ctx, false)
	if err != nil {
		return err
	}
	defer end()
	s := e.Status()
	if s.Sessions+s.Subagents == 0 {
		a.notes([]string{render.NothingRead(s)})
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "%s and %s in %s, %.1f MB of transcripts read in %.2f s\n",
		count(s.Sessions, "session"), count(s.Subagents, "sub-agent"), count(s.Passages, "passage"), float64(s.Progress.Bytes)/1e6, time.Since(began).Seconds())
	if err != nil {
		return err
	}
	if e.Settle(ctx); ctx.Err() != nil {
		return ctx.Err()
	}
	if err := a.keep(e); err != nil {
		return err
	}
	for _, k := range s.Skipped {
		if _, err := fmt.Fprintf(a.Out, "skipped %d × %s (%s), such as %s\n", k.Count, k.Reason, k.Harness, render.Line(k.Example)); err != nil {
			return err
		}
	}
	return nil
}

// keep writes the index and says what there is of it.
func (a *app) keep(e *mask.Engine) error {
	if err := e.Keep(); err != nil {
		return err
	}
	s := e.Status()
	a.notes(s.Notes)
	if s.Kept.Segments == 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.Out, "kept in %s: %s, %.1f MB\n", s.Kept.Dir, count(s.Kept.Segments, "segment"), float64(s.Kept.Bytes)/1e6)
	return err
}
