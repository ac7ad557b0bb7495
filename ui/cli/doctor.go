package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"yore/render"
)

type doctorCommand struct {
	All bool `help:"Places and agent programs that are not on this machine too: --all"`
	output
}

// Run follows the transcripts for as long as it looks at them, so that it can say
// how each folder is followed.
func (c doctorCommand) Run(ctx context.Context, a *app) error {
	if err := errors.Join(a.noWords(), c.check()); err != nil {
		return err
	}
	e, end, err := a.loaded(ctx, true)
	if err != nil {
		return err
	}
	defer end()
	kept := e.Keep()
	health, err := e.Health(ctx)
	if err != nil {
		return err
	}
	notes := append(slices.Clip(e.Status().Notes), a.zoneNotes()...)
	if kept != nil && !told(notes, kept) {
		notes = append(slices.Clip(notes), render.Reason(kept))
	}
	a.notes(notes)
	o := render.JSONOptions{Fields: c.Fields, Notes: notes}
	switch {
	case c.JSON:
		return render.DoctorJSON(a.Out, health, o)
	case c.JSONL:
		return render.DoctorJSONL(a.Out, health, o)
	}
	return render.DoctorText(a.Out, health, c.All, a.text())
}

// told tells whether one of notes ends with what is the cause of err.
func told(notes []string, err error) bool {
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	return slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, err.Error()) })
}
