package cli

import (
	"context"
	"slices"

	"yore/recall"
	"yore/render"
	"yore/render/mask"
	"yore/sessions"
	"yore/ui/config"
)

type sessionsCommand struct {
	Limit     *int   `short:"n" placeholder:"N" help:"At most so many: --limit 20"`
	Subagents string `name:"agents" enum:"on,off,only" default:"off" placeholder:"on|off|only" help:"Sub-agents as rows of their own: --agents on"`
	listFlags
	output
}

func (c sessionsCommand) Run(ctx context.Context, a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	limit, err := a.number("--limit", c.Limit, func(config.Config) int { return 0 }) // all
	if err != nil {
		return err
	}
	names, err := agents(c.Agent)
	if err != nil {
		return err
	}
	since, err := a.since(c.Since)
	if err != nil {
		return err
	}
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	list, err := e.Sessions(ctx, recall.SessionFilter{
		Agents: names, Since: since, Subagents: c.Subagents, Dir: c.Dir, Limit: limit, Filters: filterFlags{Title: c.Title, Headless: c.Headless}.filters(),
	})
	if err != nil {
		return err
	}
	var notes []string
	status := e.Status()
	switch {
	case len(list) == 0:
		notes = append(notes, render.NothingRead(status))
	case status.Subagents > 0 && c.Subagents == "off":
		told := count(status.Subagents, "sub-agent")
		if c.narrows() { // how many of them would pass is not worth looking at each
			told = "Sub-agents are"
		}
		notes = append(notes, told+" not listed; --agents on lists them too.")
	}
	if unopened := status.Unopened(); unopened != "" {
		notes = append(notes, unopened)
	}
	notes = slices.Concat(notes, status.Notes, a.zoneNotes())
	if err := c.print(ctx, a, e, list, notes); err != nil {
		return err
	}
	a.notes(notes)
	if len(list) == 0 {
		return errNothing
	}
	return nil
}

func (c sessionsCommand) print(ctx context.Context, a *app, e *mask.Engine, list []sessions.Session, notes []string) error {
	if !c.JSON && !c.JSONL {
		return render.SessionsText(a.Out, list, e.Short, a.text())
	}
	o, err := a.json(ctx, e, c.output)
	if err != nil {
		return err
	}
	o.Notes = notes
	if c.JSONL {
		return render.SessionsJSONL(a.Out, list, o)
	}
	return render.SessionsJSON(a.Out, list, o)
}
