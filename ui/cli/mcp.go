package cli

import (
	"context"
	"os"

	"yore/ui/mcp"
	"yore/ui/mcp/caller"
)

type mcpCommand struct{}

// Run serves agents on stdin and stdout until they leave.
func (mcpCommand) Run(ctx context.Context, a *app) error {
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
	return mcp.Run(ctx, e, mcp.Options{
		Version: version, Limit: set.Limit, Budget: set.Budget, Home: a.home(), Zone: a.Zone, Now: a.Now,
		Caller: caller.New(a.env(), "/proc", os.Getpid()),
	}, a.In, a.Out)
}
