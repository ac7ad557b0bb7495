package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
)

// Options is how the program is started.
type Options struct {
	Query   string // to begin with
	Home    string // written as "~"
	Zone    *time.Location
	Now     func() time.Time // time.Now when nil
	NoColor bool
	Demo    bool        // the sessions are samples
	Print   model.Print // choose for a shell
	Host    model.Host  // nil: nothing can be run, copied to a desktop or saved

	Input   io.Reader // the terminal when nil
	Output  io.Writer
	Environ []string // the process's own when nil
}

// Run shows the program until the user leaves or ctx ends, in which case it
// returns ctx's error. What is to be printed then is what the user chose, "" when
// that is nothing.
func Run(ctx context.Context, e model.Engine, o Options) (chosen string, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := model.New(ctx, e, model.Options{
		Query: o.Query, Home: o.Home, Zone: o.Zone, Now: o.Now, NoColor: o.NoColor, Demo: o.Demo,
		Print: o.Print, Host: o.Host,
	})
	opts := []tea.ProgramOption{tea.WithContext(ctx)}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		opts = append(opts, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	_, err = tea.NewProgram(NewScreen(m), opts...).Run()
	if err == nil {
		return m.Chosen, nil
	}
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return "", ctx.Err()
	}
	return "", fmt.Errorf("the terminal program ended: %w", err)
}
