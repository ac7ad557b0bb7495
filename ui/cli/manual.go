package cli

import (
	"io"

	"github.com/alecthomas/kong"

	"yore/ui/manual"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish: eval \"$(yore completion bash)\""`
}

// Run prints a shell's lines that complete commands and flags.
func (c completionCommand) Run(a *app, parsed *kong.Context) error {
	if err := a.noWords(); err != nil {
		return err
	}
	_, err := io.WriteString(a.Out, manual.Completion(c.Shell, parsed.Model))
	return err
}

type manCommand struct{}

// Run prints the manual page.
func (manCommand) Run(a *app, parsed *kong.Context) error {
	if err := a.noWords(); err != nil {
		return err
	}
	_, err := io.WriteString(a.Out, manual.Man(parsed.Model, version, exits()))
	return err
}

// exits are the exit codes in words.
func exits() []manual.Exit {
	return []manual.Exit{
		{Code: exitFound, When: "Something was found, or done."},
		{Code: exitNothing, When: "Nothing was found."},
		{Code: exitUsage, When: "What was typed, or a file that it names, is wrong; stderr says what to do."},
		{Code: exitInternal, When: "The program failed."},
		{Code: exitInterrupted, When: "A signal ended it."},
	}
}
