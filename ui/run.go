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
	Query    string // to begin with
	Home     string // written as "~"
	Zone     *time.Location
	Now      func() time.Time // time.Now when nil
	NoColor  bool
	Light    bool                // until the terminal says what its background is
	Fixed    bool                // whatever it says
	Contrast bool                // colours far from the background
	NoMouse  bool                // the mouse is the terminal's until F4 is pressed
	Demo     bool                // the sessions are samples
	Print    model.Print         // choose for a shell
	Here     []string            // folders of the repository that the list can be narrowed to
	Keys     map[string][]string // of acts, in place of their own
	Past     []string            // queries of before, oldest first
	Tail     []model.Feed        // followed at once, in place of the list
	Host     model.Host          // nil: nothing can be run, copied to a desktop or saved
	Judge    model.Judge         // of digests; nil: none is set up
	NoJudge  string              // why there is none, when that is a mistake
	Notice   string              // to begin with, until a key is pressed

	Input   io.Reader // the terminal when nil
	Output  io.Writer
	Environ []string // the process's own when nil
}

// Outcome is what a run leaves behind.
type Outcome struct {
	Chosen  string   // to be printed; "" when the user chose nothing
	Queries []string // that led to something, in order
}

// Run shows the program until the user leaves or ctx ends, in which case it
// returns ctx's error.
func Run(ctx context.Context, e model.Engine, o Options) (Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := model.New(ctx, e, model.Options{
		Query: o.Query, Home: o.Home, Zone: o.Zone, Now: o.Now, NoColor: o.NoColor, Demo: o.Demo,
		Light: o.Light, Fixed: o.Fixed, Contrast: o.Contrast, NoMouse: o.NoMouse,
		Print: o.Print, Host: o.Host, Here: o.Here, Past: o.Past, Keys: o.Keys, Tail: o.Tail,
		Judge: o.Judge, NoJudge: o.NoJudge, Notice: o.Notice,
	})
	defer m.Close()
	stops := newStops()
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithFilter(stops.filter)} // signals end ctx
	if in := inWhole(o.Input); in != nil {
		opts = append(opts, tea.WithInput(in))
	}
	if o.Output != nil {
		opts = append(opts, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	screen := newPaced(NewScreen(m))
	defer screen.stop()
	screen.program = tea.NewProgram(screen, opts...)
	defer releaseOnQuit(screen.program.ReleaseTerminal)()
	defer stops.follow(screen.program)()
	_, err := screen.program.Run()
	out := Outcome{Chosen: m.Chosen, Queries: m.Queries()}
	if err == nil {
		return out, nil
	}
	out.Chosen = ""
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return out, ctx.Err()
	}
	return out, fmt.Errorf("the terminal program ended: %w", err)
}
