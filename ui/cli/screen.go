package cli

import (
	"context"
	"strings"

	"yore/ui"
)

type screenCommand struct {
	Query []string `arg:"" optional:"" help:"A query to begin with: yore sharded cache"`
	Text  string   `short:"q" name:"q" placeholder:"TEXT" help:"The same as one argument: yore -q 'recall of faulty parts'"`
}

func (c screenCommand) Run(ctx context.Context, a *app) error {
	if !a.InTerminal || !a.OutTerminal {
		return usagef("the screen needs a terminal; for pipes and scripts there is: yore recall QUERY...")
	}
	if a.Getenv("TERM") == "dumb" {
		return usagef("TERM=dumb cannot draw a screen; there is: yore recall QUERY...")
	}
	query := c.Text
	if query == "" {
		query = strings.Join(append(c.Query, a.words...), " ")
	}
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	return ui.Run(ctx, e, ui.Options{
		Query: strings.ToValidUTF8(query, "\uFFFD"), Home: a.home(), Zone: a.Zone, Now: a.Now,
		NoColor: a.noColor, Demo: a.useDemo,
	})
}
