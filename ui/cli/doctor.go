package cli

import (
	"context"

	"yore/render"
)

type doctorCommand struct {
	All  bool `help:"Agent programs that are not on this machine too: --all"`
	JSON bool `help:"One JSON object, with all agent programs: --json" name:"json"`
}

// Run follows the transcripts for as long as it looks at them, so that it can say
// how each folder is followed.
func (c doctorCommand) Run(ctx context.Context, a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	e, end, err := a.loaded(ctx, true)
	if err != nil {
		return err
	}
	defer end()
	if err := e.Keep(); err != nil {
		a.notes([]string{err.Error()})
	}
	health, err := e.Health(ctx)
	if err != nil {
		return err
	}
	a.notes(e.Status().Notes)
	if c.JSON {
		return render.DoctorJSON(a.Out, health)
	}
	return render.DoctorText(a.Out, health, c.All, a.text())
}
