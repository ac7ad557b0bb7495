package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"yore/render"
	"yore/render/mask"
	"yore/sessions/lazy"
	"yore/ui/mcp/install"
)

type mcpInstall struct {
	Agents []string `arg:"" optional:"" name:"agent" words:"claude,codex,cursor,gemini,opencode,vscode" help:"claude, codex, cursor, gemini, opencode or vscode; all that are in use here when none is told: yore mcp install claude"`
	changing
}

type mcpUninstall struct {
	Agents []string `arg:"" optional:"" name:"agent" words:"claude,codex,cursor,gemini,opencode,vscode" help:"As for install: yore mcp uninstall claude"`
	changing
}

// changing are the flags of commands that change files of others.
type changing struct {
	DryRun bool `help:"Show the change and make none: --dry-run"`
	Yes    bool `short:"y" help:"Do not ask: --yes"`
}

// Run tells agents of the server.
func (c mcpInstall) Run(ctx context.Context, a *app) error {
	command, err := serverCommand()
	if err != nil {
		return err
	}
	return a.change(ctx, c.Agents, c.changing, "starts yore already", func(agent string) (install.Change, error) {
		return install.Put(a.env(), agent, command)
	})
}

// Run takes the server away from agents.
func (c mcpUninstall) Run(ctx context.Context, a *app) error {
	return a.change(ctx, c.Agents, c.changing, "does not know of yore", func(agent string) (install.Change, error) {
		return install.Drop(a.env(), agent)
	})
}

// serverCommand is what starts the server: this program, by the path under which it is
// found if there is one, since that may outlive the next version.
func serverCommand() ([]string, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("where this program is cannot be found out: %w", err)
	}
	if found, err := exec.LookPath("yore"); err == nil {
		if found, err = filepath.Abs(found); err == nil && sameFile(found, path) {
			path = found
		}
	}
	if madeToRun().MatchString(path) {
		return nil, usagef("agents would start %s, which go run removes when it ends: go install . puts yore where it stays, and that one can be told of", path)
	}
	return []string{path, "mcp"}, nil
}

// madeToRun is where go run puts a program that it starts once.
var madeToRun = lazy.Regexp(`[/\\]go-build[0-9]+[/\\]b[0-9]+[/\\]exe[/\\][^/\\]+$`)

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// change shows what plan would change for each agent, asks, and does it. A file that
// is refused costs itself alone, and who reads what is shown may have enough of it: what
// was not shown is only done when it was agreed to beforehand.
func (a *app) change(ctx context.Context, agents []string, how changing, nothing string, plan func(string) (install.Change, error)) error {
	agents = append(agents, a.words...)
	if len(agents) == 0 {
		if agents = install.Present(a.env()); len(agents) == 0 {
			a.notes([]string{"None of the agents that can be told is in use here; name one to do it all the same: " + strings.Join(install.Names(), ", ") + "."})
			return errNothing
		}
	}
	var changes []install.Change
	var refused []error
	var unseen error
	for _, agent := range agents {
		c, err := plan(agent)
		switch {
		case err != nil:
			refused = append(refused, err)
		case c.None():
			a.notes([]string{fmt.Sprintf("%s: %s %s.", c.Agent, c.File, nothing)})
		default:
			changes = append(changes, c)
			if unseen == nil {
				unseen = a.printDiff(c)
			}
		}
	}
	if len(changes) > 0 && !how.DryRun {
		if !how.Yes {
			if unseen != nil {
				return a.unchanged(refused, "Nothing was changed, since not all of the change could be shown.")
			}
			yes, err := a.confirm(ctx, "Make "+count(len(changes), "change")+"?")
			if err != nil {
				return errors.Join(append(refused, err)...)
			}
			if !yes {
				return a.unchanged(refused, "Nothing was changed.")
			}
		}
		refused = append(refused, a.apply(changes)...)
	}
	if len(refused) == 0 {
		return unseen
	}
	return errors.Join(refused...)
}

// unchanged ends a command that was not let do what it could do.
func (a *app) unchanged(refused []error, why string) error {
	a.notes([]string{why})
	if len(refused) == 0 {
		return errNothing
	}
	return errors.Join(refused...)
}

// apply makes changes and says so; the errors are of those that were not made.
func (a *app) apply(changes []install.Change) []error {
	var refused []error
	for _, c := range changes {
		backup, err := c.Apply(a.Now())
		if err != nil {
			refused = append(refused, err)
			continue
		}
		said := "is changed."
		switch {
		case c.Removes():
			said = "is removed: it held nothing else."
		case backup != "":
			said += " What was there is in " + backup + "."
		}
		a.notes([]string{fmt.Sprintf("%s: %s %s", c.Agent, c.File, said)})
	}
	if len(refused) < len(changes) {
		a.notes([]string{"An agent that is running now heeds it when it starts again."})
	}
	return refused
}

// widest bounds a line of a shown change, in characters: some agents keep all on one.
const widest = 500

// printDiff shows a change. What stands around it may hold credentials.
func (a *app) printDiff(c install.Change) error {
	text := c.Diff()
	if !a.showSecrets {
		text = mask.Text(text)
	}
	for line := range strings.Lines(render.Clean(text)) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > widest {
			line = string([]rune(line)[:widest]) + "…"
		}
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	return nil
}
