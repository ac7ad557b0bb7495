package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"yore/render"
	"yore/ui/config"
	"yore/ui/mcp/caller"
)

type configCommand struct {
	output
	Init bool `xor:"form" help:"Write the file to begin with, every key in it behind #, where there is none yet: yore config --init"`
}

func (c configCommand) Run(a *app) error {
	if err := errors.Join(a.noWords(), c.check()); err != nil {
		return err
	}
	if c.Init {
		return a.createConfig()
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

// createConfig writes a configuration file where there is none.
func (a *app) createConfig() error {
	if a.useDemo {
		return usagef("--demo leaves no file behind: yore config --init without it writes the configuration")
	}
	path, err := config.Create(a.configOptions())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "wrote %s\n", render.Line(path))
	return err
}

// configOptions say where the configuration is.
func (a *app) configOptions() config.Options {
	dir, _ := os.Getwd() // unknown, it leaves relative paths as they are
	return config.Options{
		File: a.file, Home: a.Home, Getenv: a.Getenv, Environ: a.Environ, Dir: dir,
		Known: []string{caller.Variable},
	}
}

// readConfig reads what the user has set, and says what of it has no meaning.
func (a *app) readConfig() (config.Config, error) {
	set, err := config.Load(a.configOptions())
	if err == nil {
		a.notes(set.Notes)
	}
	return set, err
}
