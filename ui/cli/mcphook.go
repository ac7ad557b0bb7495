package cli

import (
	"context"
	"io"
	"os"
	"time"

	"yore/recall"
	"yore/recall/query"
	"yore/ui/mcp"
	"yore/ui/mcp/caller"
)

type mcpHook struct {
	Agent  string `arg:"" optional:"" words:"claude,codex,cursor,gemini,vscode" help:"claude, codex, cursor, gemini or vscode: the form in which its hook takes the text, which is printed as it is otherwise: yore mcp hook claude"`
	Budget int    `placeholder:"N" default:"${hook_budget}" help:"Tokens that the text may take: --budget 200"`
}

const (
	// hookPatience is how long the start of a session may wait for what is new in the
	// transcripts; hookSays how long for what the agent says of the session, where its
	// side stays open.
	hookPatience = time.Second
	hookSays     = time.Second

	// mostHookInput bounds what an agent says, in bytes.
	mostHookInput = 1 << 20
	// mostHookSessions bounds how many sessions are looked at: more than any budget
	// has room for.
	mostHookSessions = 200
)

// Run prints what an agent is told at the start of a session.
func (c mcpHook) Run(ctx context.Context, a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	if _, err := mcp.HookForm(c.Agent, ""); err != nil {
		return usagef("%v", err)
	}
	own, dir := mcp.HookInput(a.said(ctx))
	if dir == "" {
		dir, _ = os.Getwd() // unknown, all sessions are of interest
	}
	e, end, err := a.open(false)
	if err != nil {
		return err
	}
	defer end()
	if err := a.await(ctx, e, time.After(hookPatience)); err != nil {
		return err
	}
	started, err := caller.New(a.env(), "", 0).Sessions(ctx, nil)
	if err != nil {
		return err
	}
	list, err := e.Sessions(ctx, recall.SessionFilter{
		Dir: dir, Subagents: query.Without, Exclude: append(own, started...), Limit: mostHookSessions,
	})
	if err != nil {
		return err
	}
	text, err := mcp.HookText(list, e.Short, c.Budget, mcp.Options{Zone: a.Zone, Now: a.Now})
	if err != nil {
		return usagef("--budget: %v", err)
	}
	out, err := mcp.HookForm(c.Agent, text)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Out, out)
	return err
}

// said is what stands in stdin, as much of it as comes in time.
func (a *app) said(ctx context.Context) []byte {
	if a.InTerminal {
		return nil
	}
	all := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(io.LimitReader(a.In, mostHookInput)) // half of it is no JSON, and tells nothing
		all <- data
	}()
	select {
	case data := <-all:
		return data
	case <-time.After(hookSays):
	case <-ctx.Done():
	}
	return nil
}
