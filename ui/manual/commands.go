package manual

import (
	"strings"

	"github.com/alecthomas/kong"

	"yore/recall/query"
	"yore/sessions/harness"
)

// command is one that can be typed, with what may follow it.
type command struct {
	path  string // all names from the program on: "yore model use"
	help  string
	flags []*kong.Flag // those of its own; the program's go with every command
	args  []*kong.Positional
	sub   []*kong.Node
}

// commands are the program itself and everything below it, each before its own.
// What a hidden command takes belongs to the one above, which runs it unnamed.
func commands(app *kong.Application) []command {
	var out []command
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		c := command{path: path, help: n.Help, flags: shown(n.Flags), args: n.Positional}
		for _, child := range n.Children {
			if child.Hidden {
				c.flags = append(c.flags, shown(child.Flags)...)
				c.args = append(c.args, child.Positional...)
				continue
			}
			c.sub = append(c.sub, child)
		}
		out = append(out, c)
		for _, child := range c.sub {
			walk(child, path+" "+child.Name)
		}
	}
	walk(app.Node, app.Name)
	return out
}

// accepted are the flags that may follow c: its own and the program's.
func accepted(app *kong.Application, c command) []*kong.Flag {
	if c.path == app.Name {
		return c.flags
	}
	return append(shown(app.Flags), c.flags...)
}

func shown(flags []*kong.Flag) []*kong.Flag {
	var out []*kong.Flag
	for _, f := range flags {
		if !f.Hidden {
			out = append(out, f)
		}
	}
	return out
}

// values are the words that v may be, none when anything goes. A flag that is a filter
// has those of the query language; an argument that takes other spellings too has those
// of its tag words.
func values(v *kong.Value) []string {
	var out []string
	if v.Tag.Has("words") {
		return strings.Split(v.Tag.Get("words"), ",")
	}
	if spec, ok := query.SpecOf(v.Name); ok && v.Flag != nil && v.Enum == "" {
		if spec.Name == query.Agent {
			return harness.Names()
		}
		return spec.Values
	}
	if v.Enum == "" {
		return out
	}
	for _, word := range v.EnumSlice() {
		if word != "" {
			out = append(out, word)
		}
	}
	return out
}

// takesFile is whether v names a file or a folder, by its type or by the name that
// help gives it.
func takesFile(v *kong.Value) bool {
	name := v.Name
	if v.Flag != nil {
		name = v.Flag.PlaceHolder
	}
	name = strings.ToLower(name)
	return v.Tag.Type == "path" || strings.Contains(name, "file") || strings.Contains(name, "path") || name == "dir"
}

// Spellings are the ways to write a flag, the long one first.
func Spellings(f *kong.Flag) []string {
	out := []string{"--" + f.Name}
	if f.Short != 0 {
		out = append(out, "-"+string(f.Short))
	}
	return out
}

// FlagForm is how help writes a flag: its spellings and what follows it.
func FlagForm(f *kong.Flag) string {
	form := "--" + f.Name
	if f.Short != 0 {
		form = "-" + string(f.Short) + ", " + form
	}
	if !f.IsBool() {
		form += " " + f.FormatPlaceHolder()
	}
	return form
}
