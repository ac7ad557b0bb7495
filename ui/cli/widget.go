package cli

import (
	"embed"
)

//go:embed widget
var widgets embed.FS

type widgetCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish: eval \"$(yore widget bash)\""`
}

// Run prints a shell's lines that bind a key to choosing a session.
func (c widgetCommand) Run(a *app) error {
	if err := a.noWords(); err != nil {
		return err
	}
	lines, err := widgets.ReadFile("widget/yore." + c.Shell)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(lines)
	return err
}
