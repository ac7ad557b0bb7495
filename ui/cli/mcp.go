package cli

import (
	"context"
	"os"

	"yore/ui/mcp"
	"yore/ui/mcp/caller"
)

type mcpCommand struct {
	Serve     mcpServe     `cmd:"" default:"1" hidden:"" help:"Answer agents on stdin and stdout."`
	Install   mcpInstall   `cmd:"" help:"Tell agents of the server, in their configuration: yore mcp install claude"`
	Uninstall mcpUninstall `cmd:"" help:"Take that back: yore mcp uninstall claude"`
	Hook      mcpHook      `cmd:"" help:"Print what an agent is told when a session begins, for its hook: yore mcp hook claude"`
}

type mcpServe struct{}

// Run serves agents until they leave.
func (mcpServe) Run(ctx context.Context, a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	set, err := a.config()
	if err != nil {
		return err
	}
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	if a.InTerminal {
		a.notes([]string{"This is for agents, which start it themselves (yore mcp install); it waits for messages of theirs, and ends with ctrl+d."})
	}
	return mcp.Run(ctx, e, mcp.Options{
		Version: version, Limit: set.Limit, Budget: set.Budget, Home: a.home(), Zone: a.Zone, Now: a.Now,
		Notes: a.zoneNotes(), Caller: caller.New(a.env(), "/proc", os.Getpid()),
	}, a.In, a.Out)
}
