package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"yore/recall"
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
		a.notes([]string{nothingRead(s)})
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "%s and %s in %s, %.1f MB of transcripts read in %.2f s\n",
		count(s.Sessions, "session"), count(s.Subagents, "sub-agent"), count(s.Passages, "passage"), float64(s.Progress.Bytes)/1e6, time.Since(began).Seconds())
	if err != nil {
		return err
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

// nothingRead says why a list is empty and what to do about it.
func nothingRead(s recall.Status) string {
	if s.Sessions+s.Subagents > 0 {
		return "No session passes these filters."
	}
	there, absent := render.Looked(s.Roots)
	said := []string{"No transcripts were found."}
	if s.Kept.Dir != "" {
		// Why they cannot be read is a note of its own.
		if ids, err := recall.Forgotten(s.Kept.Dir); err == nil && len(ids) > 0 {
			said[0] = fmt.Sprintf("No transcripts were found but those of %s that you had forgotten; yore forget --undo names them.", count(len(ids), "session"))
		}
	}
	if len(there) > 0 {
		var looked []string
		for _, r := range there {
			looked = append(looked, fmt.Sprintf("%s (%s, %s)", r.Path, r.Harness, r.State))
		}
		said = append(said, "Looked in "+strings.Join(looked, ", ")+".")
	}
	if absent != "" {
		said = append(said, absent)
	}
	return strings.Join(append(said, "Try yore --demo."), " ")
}
