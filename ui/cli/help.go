package cli

import (
	"slices"

	"github.com/alecthomas/kong"
)

// unsaid is why help or version could not be written. It is no mistake in what was typed.
type unsaid struct{ error }

// printHelp prints help of what was asked for. A command that is run without its name has
// no help of its own: what it takes stands in the help of the one above.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Model.Node
	if selected := ctx.Selected(); selected != nil {
		node = selected
		if selected.Hidden {
			node = selected.Parent
			ctx.Path = slices.DeleteFunc(ctx.Path, func(p *kong.Path) bool { return p.Command == selected })
		}
	}
	for _, child := range node.Children {
		if child.Hidden {
			node.Flags = append(node.Flags, child.Flags...) // nothing is parsed any more
		}
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return unsaid{err}
	}
	return nil
}

// helpOf turns "help" and the names of a command below n into that command with --help.
// What only begins like that is a query.
func helpOf(n *kong.Node, args []string) []string {
	if len(args) == 0 || args[0] != "help" {
		return args
	}
	for _, name := range args[1:] {
		if n = named(n, name); n == nil {
			return args
		}
	}
	return append(slices.Clone(args[1:]), "--help")
}
