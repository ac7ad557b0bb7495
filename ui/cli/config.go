package cli

import (
	"errors"
	"io"
	"os"

	"yore/render"
	"yore/ui/config"
	"yore/ui/mcp/caller"
)

type configCommand struct{ output }

func (c configCommand) Run(a *app) error {
	if err := errors.Join(a.noWords(), c.check()); err != nil {
		return err
	}
	set, err := a.config()
	if err != nil {
		return err
	}
	if !c.JSON && !c.JSONL {
		_, err := io.WriteString(a.Out, set.TOML())
		return err
	}
	var values []render.ConfigValue
	for _, s := range set.Settings() {
		values = append(values, render.ConfigValue{Key: s.Name, Value: s.Value, From: s.From})
	}
	o := render.JSONOptions{Fields: c.Fields, Notes: set.Notes}
	if c.JSONL {
		return render.ConfigJSONL(a.Out, values, o)
	}
	return render.ConfigJSON(a.Out, values, o)
}

// readConfig reads what the user has set, and says what of it has no meaning.
func (a *app) readConfig() (config.Config, error) {
	dir, _ := os.Getwd() // unknown, it leaves relative paths as they are
	set, err := config.Load(config.Options{
		File: a.file, Home: a.Home, Getenv: a.Getenv, Environ: a.Environ, Dir: dir,
		Known: []string{caller.Variable},
	})
	if err == nil {
		a.notes(set.Notes)
	}
	return set, err
}
