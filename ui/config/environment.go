package config

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// prefix is what the environment's names of ours begin with.
const prefix = "YORE_"

// fileVar names the configuration file.
const fileVar = prefix + "CONFIG"

// readEnvironment takes over what the YORE_ variables say: a key's name in
// capitals, with "_" for dots and dashes. An empty one counts as not set.
func (c *Config) readEnvironment(o Options) error {
	set := func(d *declaration, name, key string) error {
		variable := Variable(key)
		text := o.Getenv(variable)
		if text == "" {
			return nil
		}
		if err := c.put(o, d, name, split(d.Kind, text), o.Dir, variable); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrConfig, variable, err)
		}
		return nil
	}
	for i := range declared {
		d := &declared[i]
		names := []string{""}
		if d.family != nil {
			names = familyNames[d.Name]() // a variable's name does not tell its key's
		}
		for _, name := range names {
			if err := set(d, name, d.key(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Variable is the environment's name of a key.
func Variable(key string) string {
	return prefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// unknownVariables are notes on what stands in the environment under a name like ours
// and is read by nobody. What it holds is not told: it may be a credential.
func (c *Config) unknownVariables(o Options) {
	if o.Environ == nil {
		return
	}
	further := append([]string{fileVar}, o.Known...)
	for _, pair := range o.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if runtime.GOOS == "windows" { // where case does not count
			name = strings.ToUpper(name)
		}
		if value == "" || !strings.HasPrefix(name, prefix) || isVariable(name) || slices.Contains(further, name) || name == c.Judge.APIKeyEnv {
			continue
		}
		c.Notes = append(c.Notes, fmt.Sprintf("environment: yore has no variable %s%s", name, suggestion(name, "_", Variable, further...)))
	}
}

// isVariable tells whether this is the environment's name of a key.
func isVariable(name string) bool {
	return slices.ContainsFunc(declared, func(d declaration) bool {
		return d.family == nil && Variable(d.Name) == name ||
			slices.ContainsFunc(d.members(), func(member string) bool { return Variable(member) == name })
	})
}

// split makes a variable's text what the file would have: paths are separated
// as the system does it in PATH.
func split(kind Kind, text string) any {
	switch kind {
	case Paths:
	case Words:
		var list []any
		for w := range strings.FieldsSeq(text) {
			list = append(list, w)
		}
		return list
	default:
		return text
	}
	var list []any
	for _, p := range filepath.SplitList(text) {
		if p = strings.TrimSpace(p); p != "" {
			list = append(list, p)
		}
	}
	return list
}
